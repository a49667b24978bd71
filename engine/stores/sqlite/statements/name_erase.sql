-- Removes every way to look entities up.
-- Parameters: space, ids (JSON list).
DELETE FROM names AS n
WHERE n.space = :space AND n.entity IN (SELECT value FROM json_each(:ids))
