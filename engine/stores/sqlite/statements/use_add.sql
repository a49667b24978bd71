-- Counts that a memory was handed out.
-- Parameters in order: space, kind, id, wall, count, last_at.
INSERT INTO uses (space, kind, id, wall, count, last_at)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (space, kind, id) DO UPDATE
SET count = uses.count + excluded.count, last_at = max(uses.last_at, excluded.last_at)
