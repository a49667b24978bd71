-- Documents of a kind by id.
-- Parameters: space, kind, ids (JSON list). Columns: of document.
SELECT {document:d}
FROM documents AS d
WHERE d.space = :space AND d.kind = :kind AND d.id IN (SELECT value FROM json_each(:ids))
ORDER BY d.id
