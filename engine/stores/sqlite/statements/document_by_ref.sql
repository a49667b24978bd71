-- Documents of a kind and a status about any of some things, in order of number.
-- Parameters: space, kind, refs (JSON list), status. Columns: of document.
SELECT {document:d}
FROM documents AS d
WHERE d.space = :space AND d.kind = :kind AND d.ref IN (SELECT value FROM json_each(:refs)) AND d.status = :status
ORDER BY d.seq, d.id
