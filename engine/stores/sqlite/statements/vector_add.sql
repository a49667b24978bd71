-- Adds the vectors of an entry for one embedder.
-- Parameters in order: space, entry, fingerprint, dim, parts.
INSERT INTO vectors (space, entry, fingerprint, dim, parts)
VALUES (?, ?, ?, ?, ?)
