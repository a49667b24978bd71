-- Takes an entry out of the word index; the tokens must be those it was added with.
-- Parameters in order: entry, tokens separated by spaces.
INSERT INTO tokens (tokens, rowid, token)
VALUES ('delete', ?, ?)
