-- Every fact with a version that touches one of the entities, behind any wall: it goes when the entity goes.
-- Parameters: space, ids (JSON list). Columns: id, kind.
SELECT DISTINCT f.id, f.kind
FROM facts AS f
WHERE f.space = :space
    AND (f.subject IN (SELECT value FROM json_each(:ids)) OR f.object IN (SELECT value FROM json_each(:ids)))
ORDER BY f.id
