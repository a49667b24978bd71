-- What search filters need of the episodes written since. The image filters walls itself.
-- Parameters: space, seen. Columns: row, id, recorded_at, importance, archived, wall, user, agent, session.
SELECT e.row, e.id, e.recorded_at, e.importance, e.archived, e.wall, e.user, e.agent, e.session
FROM episodes AS e
WHERE e.space = :space AND e.changed > :seen
ORDER BY e.changed, e.row
