-- What was last handed out of memories, whatever they are; the image filters them.
-- Parameters: space, walls (JSON list), all_walls, limit. Columns: of use.
SELECT {use:u}
FROM uses AS u INDEXED BY uses_by_last
WHERE u.space = :space AND {walls:u}
ORDER BY u.last_at DESC, u.kind, u.id
LIMIT :limit
