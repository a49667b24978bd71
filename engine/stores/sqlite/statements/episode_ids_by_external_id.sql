-- Which episode has which external id.
-- Parameters: space, walls (JSON list), all_walls, external_ids (JSON list), wall (or NULL for any). Columns: external id, id.
SELECT e.external_id, e.id
FROM episodes AS e
WHERE e.space = :space AND e.external_id IN (SELECT value FROM json_each(:external_ids)) AND {walls:e}
  AND (:wall IS NULL OR e.wall = :wall)
ORDER BY e.id DESC
