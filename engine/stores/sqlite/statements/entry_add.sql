-- Adds an index entry with a number that was never used.
-- Parameters in order: n, space, kind, id, wall, words, counter.
INSERT INTO entries (n, space, kind, id, wall, words, changed)
VALUES (?, ?, ?, ?, ?, ?, ?)
