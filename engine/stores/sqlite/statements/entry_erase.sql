-- Deletes index entries.
-- Parameters: space, numbers (JSON list).
DELETE FROM entries AS w
WHERE w.space = :space AND w.n IN (SELECT value FROM json_each(:numbers))
