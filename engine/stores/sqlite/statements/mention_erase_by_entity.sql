-- Deletes the mentions of entities.
-- Parameters: space, ids (JSON list).
DELETE FROM mentions AS m
WHERE m.space = :space AND m.entity IN (SELECT value FROM json_each(:ids))
