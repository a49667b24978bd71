-- Vectors of the index entries written since.
-- Parameters: space, seen. Columns: entry, fingerprint, dim, parts.
SELECT v.entry, v.fingerprint, v.dim, v.parts
FROM entries AS w
JOIN vectors AS v ON v.space = :space AND v.entry = w.n
WHERE w.space = :space AND w.changed > :seen
ORDER BY w.changed, w.n
