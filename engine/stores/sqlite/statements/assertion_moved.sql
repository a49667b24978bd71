-- Given ids that are stored behind another wall than the given one.
-- Parameters: space, given (JSON object, id to wall). Columns: id.
SELECT g.key
FROM json_each(:given) AS g
CROSS JOIN assertions AS a ON a.space = :space AND a.id = g.key
WHERE a.wall <> g.value
ORDER BY g.key
LIMIT 1
