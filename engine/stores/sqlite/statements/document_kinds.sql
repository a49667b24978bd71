-- The kinds of documents there are.
-- Parameters: space. Columns: kind.
SELECT DISTINCT d.kind
FROM documents AS d
WHERE d.space = :space
ORDER BY d.kind
