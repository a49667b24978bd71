-- Jobs in order of id.
-- Parameters: space, state (empty: any), after, limit. Columns: of job.
SELECT {job:j}
FROM jobs AS j
WHERE j.space = :space AND j.id > :after AND (:state = '' OR j.state = :state)
ORDER BY j.id
LIMIT :limit
