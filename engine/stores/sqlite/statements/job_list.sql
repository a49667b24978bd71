-- Jobs in order of id.
-- Parameters: space, state, kind (empty: any), after, limit. Columns: of job.
SELECT {job:j}
FROM jobs AS j
WHERE j.space = :space AND j.id > :after AND (:state = '' OR j.state = :state) AND (:kind = '' OR j.kind = :kind)
ORDER BY j.id
LIMIT :limit
