-- Deletes for good. The ids must have been checked to be the caller's.
-- Parameters: space, ids (JSON list).
DELETE FROM summaries AS s
WHERE s.space = :space AND s.id IN (SELECT value FROM json_each(:ids))
