-- The index entries of memories of a kind.
-- Parameters: space, kind, ids (JSON list). Columns: n, id, words.
SELECT w.n, w.id, w.words
FROM entries AS w
WHERE w.space = :space AND w.kind = :kind AND w.id IN (SELECT value FROM json_each(:ids))
ORDER BY w.n
