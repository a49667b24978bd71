-- Documents of a kind, highest number first.
-- Parameters: space, kind, ref, status, after (null: none of the three restricts), limit. Columns: of document.
SELECT {document:d}
FROM documents AS d
WHERE d.space = :space AND d.kind = :kind
    AND (:ref IS NULL OR d.ref = :ref)
    AND (:status IS NULL OR d.status = :status)
    AND (:after IS NULL OR d.seq < :after)
ORDER BY d.seq DESC, d.id DESC
LIMIT :limit
