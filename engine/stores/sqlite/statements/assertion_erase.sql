-- Deletes for good. The ids must have been checked to be the caller's.
-- Parameters: space, ids (JSON list).
DELETE FROM assertions AS a
WHERE a.space = :space AND a.id IN (SELECT value FROM json_each(:ids))
