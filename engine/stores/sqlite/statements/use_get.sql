-- How often memories of a kind were handed out.
-- Parameters: space, walls (JSON list), all_walls, kind, ids (JSON list). Columns: of use.
SELECT {use:u}
FROM uses AS u
WHERE u.space = :space AND u.kind = :kind AND u.id IN (SELECT value FROM json_each(:ids)) AND {walls:u}
ORDER BY u.id
