-- Writes an entity, in place of the one with the same key.
-- Parameters in order: space, columns of entity.
INSERT INTO entities (space, {entity})
VALUES (?, {entity?})
ON CONFLICT (space, id) DO UPDATE SET {entity=}
