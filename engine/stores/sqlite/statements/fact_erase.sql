-- Deletes for good. The ids must have been checked to be the caller's.
-- Parameters: space, ids (JSON list).
DELETE FROM facts AS f
WHERE f.space = :space AND f.id IN (SELECT value FROM json_each(:ids))
