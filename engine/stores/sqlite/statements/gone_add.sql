-- Notes that an entry or (entry null) a memory went, for images that still hold it.
-- Parameters in order: space, counter, kind, id, entry.
INSERT INTO gone (space, changed, kind, id, entry)
VALUES (?, ?, ?, ?, ?)
