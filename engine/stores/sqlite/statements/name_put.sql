-- Writes one way to look an entity up.
-- Parameters in order: space, sort, key, entity.
INSERT INTO names (space, sort, key, entity)
VALUES (?, ?, ?, ?)
ON CONFLICT (space, sort, key, entity) DO NOTHING
