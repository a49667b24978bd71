-- The episodes right before and after each in its thread.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list). Columns: id, id of the previous or null, id of the next or null.
SELECT e.id,
    (SELECT p.id FROM episodes AS p
     WHERE p.space = :space AND p.thread = e.thread AND p.thread <> '' AND {walls:p}
        AND (p.position, p.id) < (e.position, e.id)
     ORDER BY p.position DESC, p.id DESC LIMIT 1),
    (SELECT n.id FROM episodes AS n
     WHERE n.space = :space AND n.thread = e.thread AND n.thread <> '' AND {walls:n}
        AND (n.position, n.id) > (e.position, e.id)
     ORDER BY n.position, n.id LIMIT 1)
FROM episodes AS e
WHERE e.space = :space AND e.id IN (SELECT value FROM json_each(:ids)) AND {walls:e}
ORDER BY e.id
