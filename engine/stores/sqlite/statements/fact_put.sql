-- Writes a fact's version, in place of the one with the same key.
-- Parameters in order: space, columns of fact, counter.
INSERT INTO facts (space, {fact}, changed)
VALUES (?, {fact?}, ?)
ON CONFLICT (space, id, version) DO UPDATE SET {fact=}, changed = excluded.changed
