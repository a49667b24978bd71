-- Deletes one mention.
-- Parameters in order: space, columns of mention.
DELETE FROM mentions AS m
WHERE m.space = ? AND m.episode = ? AND m.entity = ? AND m.role = ? AND m.wall = ?
