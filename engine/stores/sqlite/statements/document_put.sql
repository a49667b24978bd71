-- Writes a document, in place of the one with the same key.
-- Parameters in order: space, columns of document.
INSERT INTO documents (space, {document})
VALUES (?, {document?})
ON CONFLICT (space, kind, id) DO UPDATE SET {document=}
