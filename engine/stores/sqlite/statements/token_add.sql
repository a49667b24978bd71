-- Adds an entry to the word index.
-- Parameters in order: entry, tokens separated by spaces.
INSERT INTO tokens (rowid, token)
VALUES (?, ?)
