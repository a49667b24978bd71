-- A page of entities, newest first, then by id; never merged-away ones.
-- Parameters: space, walls (JSON list), all_walls, prefix, prefix_end, text (folded), types (JSON list), include_archived, after_ms, after_id, limit.
-- Columns: of entity.
SELECT {entity:e}
FROM entities AS e
WHERE e.space = :space AND {walls:e}
    AND e.created_at <= :after_ms AND (e.created_at < :after_ms OR e.id > :after_id)
    AND e.merged_into IS NULL
    AND (:include_archived OR NOT e.archived)
    AND (e.type IN (SELECT value FROM json_each(:types)) OR :types = '[]' AND e.type <> 'value')
    AND (:prefix = '' OR e.id IN (
        SELECT p.entity FROM names AS p
        WHERE p.space = :space AND p.sort = 'alias' AND p.key >= :prefix AND p.key < :prefix_end))
    AND (:text = '' OR e.id IN (
        SELECT n.entity FROM names AS n
        WHERE n.space = :space AND n.sort = 'alias' AND instr(n.key, :text) > 0))
ORDER BY e.created_at DESC, e.id
LIMIT :limit
