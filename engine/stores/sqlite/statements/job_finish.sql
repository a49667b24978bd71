-- Writes a job's new state where its owner still holds it.
-- Parameters in order: columns of job, space, id, owner.
UPDATE jobs AS j
SET ({job}) = ({job?})
WHERE j.space = ? AND j.id = ? AND j.owner = ? AND j.state = 'running'
