-- A page of the facts with given subjects, objects or both, newest version first, then by id.
-- Parameters: space, walls (JSON list), all_walls, kinds, relations, types (JSON lists), text (lower case), status, user, session, as_of,
-- known_at or null, open_end, include_superseded, include_archived, after_ms, after_id, limit,
-- subjects, objects (JSON lists), by_subject, by_object. Columns: of fact.
WITH touching AS (
    SELECT s.row AS row
    FROM facts AS s INDEXED BY facts_by_subject
    WHERE :by_subject AND s.space = :space AND s.subject IN (SELECT value FROM json_each(:subjects))
        AND (NOT :by_object OR s.object IN (SELECT value FROM json_each(:objects)))
    UNION
    SELECT o.row
    FROM facts AS o INDEXED BY facts_by_object
    WHERE NOT :by_subject AND o.space = :space AND o.object IN (SELECT value FROM json_each(:objects))
)
SELECT {fact:f}
FROM touching
CROSS JOIN facts AS f ON f.space = :space AND f.row = touching.row
WHERE {listed:f}
ORDER BY f.created_at DESC, f.id
LIMIT :limit
