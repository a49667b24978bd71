-- Writes an episode, in place of the one with the same key.
-- Parameters in order: space, columns of episode, counter.
INSERT INTO episodes (space, {episode}, changed)
VALUES (?, {episode?}, ?)
ON CONFLICT (space, id) DO UPDATE SET {episode=}, changed = excluded.changed
