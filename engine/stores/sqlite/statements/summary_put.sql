-- Writes a summary, in place of the one with the same key.
-- Parameters in order: space, columns of summary, counter.
INSERT INTO summaries (space, {summary}, changed)
VALUES (?, {summary?}, ?)
ON CONFLICT (space, id) DO UPDATE SET {summary=}, changed = excluded.changed
