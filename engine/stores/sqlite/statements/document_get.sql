-- One document.
-- Parameters: space, kind, id. Columns: of document.
SELECT {document:d}
FROM documents AS d
WHERE d.space = :space AND d.kind = :kind AND d.id = :id
