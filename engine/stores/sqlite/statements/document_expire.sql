-- Deletes documents of a kind that were to be kept until a moment, some at a time.
-- Parameters: space, kind, before, limit.
DELETE FROM documents AS d
WHERE d.space = :space AND d.kind = :kind AND d.id IN (
    SELECT old.id
    FROM documents AS old
    WHERE old.space = :space AND old.kind = :kind AND old.expires_at <= :before
    LIMIT :limit)
