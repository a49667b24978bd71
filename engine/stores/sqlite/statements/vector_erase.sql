-- Deletes the vectors of entries.
-- Parameters: space, numbers (JSON list).
DELETE FROM vectors AS v
WHERE v.space = :space AND v.entry IN (SELECT value FROM json_each(:numbers))
