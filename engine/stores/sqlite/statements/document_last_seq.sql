-- The highest number of a kind of documents.
-- Parameters: space, kind. Columns: seq, 0 where there is none.
SELECT coalesce(max(d.seq), 0)
FROM documents AS d
WHERE d.space = :space AND d.kind = :kind
