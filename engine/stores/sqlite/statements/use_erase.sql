-- Deletes the counts of memories of a kind.
-- Parameters: space, kind, ids (JSON list).
DELETE FROM uses AS u
WHERE u.space = :space AND u.kind = :kind AND u.id IN (SELECT value FROM json_each(:ids))
