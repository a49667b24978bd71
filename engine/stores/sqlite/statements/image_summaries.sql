-- What search filters need of the summaries written since. The image filters walls itself.
-- Parameters: space, seen. Columns: row, id, created_at, archived, wall, user, agent, session.
SELECT s.row, s.id, s.created_at, s.archived, s.wall, s.user, s.agent, s.session
FROM summaries AS s
WHERE s.space = :space AND s.changed > :seen
ORDER BY s.changed, s.row
