-- Deletes jobs that are over, some at a time.
-- Parameters: space, before, limit.
DELETE FROM jobs AS j
WHERE j.space = :space AND j.id IN (
    SELECT old.id
    FROM jobs AS old
    WHERE old.space = :space AND old.state IN ('done', 'failed', 'cancelled') AND old.due_at < :before
    LIMIT :limit)
