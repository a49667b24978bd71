-- Deletes the mentions in episodes.
-- Parameters: space, ids (JSON list).
DELETE FROM mentions AS m
WHERE m.space = :space AND m.episode IN (SELECT value FROM json_each(:ids))
