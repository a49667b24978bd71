-- Deletes for good. The ids must have been checked to be the caller's.
-- Parameters: space, ids (JSON list).
DELETE FROM episodes AS e
WHERE e.space = :space AND e.id IN (SELECT value FROM json_each(:ids))
