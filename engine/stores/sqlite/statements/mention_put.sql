-- Writes a mention, in place of the one with the same key.
-- Parameters in order: space, columns of mention.
INSERT INTO mentions (space, {mention})
VALUES (?, {mention?})
ON CONFLICT (space, episode, entity, role) DO UPDATE SET {mention=}
