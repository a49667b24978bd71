-- Takes due jobs of any space: of all the statements this one alone serves no tenant but the workers.
-- Parameters: kinds (JSON list), owner, now, never (after it no job is put off), lease_until,
-- limit. Columns: space, then those of job.
UPDATE jobs AS j
SET state = 'running', attempts = j.attempts + 1, owner = :owner, lease_until = :lease_until, updated_at = :now
WHERE (j.space, j.id) IN (
    SELECT due.space, due.id
    FROM jobs AS due
    WHERE due.state IN ('queued', 'running')
        AND ((due.state = 'queued' AND (due.due_at <= :now OR due.due_at > :never))
            OR (due.state = 'running' AND (due.lease_until <= :now OR due.lease_until > :never)))
        AND due.kind IN (SELECT value FROM json_each(:kinds))
    ORDER BY due.due_at, due.space, due.id
    LIMIT :limit)
RETURNING space, {job}
