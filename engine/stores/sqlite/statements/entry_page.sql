-- Index entries in order of number, after one.
-- Parameters: space, after, limit. Columns: n, words.
SELECT w.n, w.words
FROM entries AS w
WHERE w.space = :space AND w.n > :after
ORDER BY w.n
LIMIT :limit
