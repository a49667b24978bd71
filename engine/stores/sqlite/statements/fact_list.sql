-- A page of facts, newest version first, then by id.
-- Parameters: space, walls (JSON list), all_walls, kinds, relations, types (JSON lists), text (lower case), status, user, session, as_of,
-- known_at or null, open_end, include_superseded, include_archived, after_ms, after_id, limit.
-- Columns: of fact.
SELECT {fact:f}
FROM facts AS f INDEXED BY facts_by_created
WHERE f.space = :space AND f.created_at <= :after_ms AND {listed:f}
ORDER BY f.created_at DESC, f.id
LIMIT :limit
