-- The entries that hold a token. Tokens are hashes of space and term, so all are of one space.
-- Parameters: token. Columns: entry.
SELECT rowid
FROM tokens
WHERE tokens MATCH :token
ORDER BY rowid
