-- Index entries written since.
-- Parameters: space, seen. Columns: n, kind, id, words.
SELECT w.n, w.kind, w.id, w.words
FROM entries AS w
WHERE w.space = :space AND w.changed > :seen
ORDER BY w.changed, w.n
