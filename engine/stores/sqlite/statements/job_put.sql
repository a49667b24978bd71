-- Writes a job in place of the one with the same id; not where another queued one has its dedup key.
-- Parameters in order: space, columns of job, space, id, state, dedup key.
INSERT INTO jobs (space, {job})
SELECT ?, {job?}
WHERE NOT EXISTS (
    SELECT 1 FROM jobs AS other
    WHERE other.space = ? AND other.id <> ? AND ? = 'queued' AND other.state = 'queued'
        AND other.dedup_key <> '' AND other.dedup_key = ?)
ON CONFLICT (space, id) DO UPDATE SET {job=}
