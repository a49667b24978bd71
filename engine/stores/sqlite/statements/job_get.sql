-- One job.
-- Parameters: space, id. Columns: of job.
SELECT {job:j}
FROM jobs AS j
WHERE j.space = :space AND j.id = :id
