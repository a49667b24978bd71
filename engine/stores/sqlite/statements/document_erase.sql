-- Deletes documents of a kind.
-- Parameters: space, kind, ids (JSON list).
DELETE FROM documents AS d
WHERE d.space = :space AND d.kind = :kind AND d.id IN (SELECT value FROM json_each(:ids))
