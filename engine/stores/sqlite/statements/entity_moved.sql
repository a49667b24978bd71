-- Given ids that are stored behind another wall than the given one.
-- Parameters: space, given (JSON object, id to wall). Columns: id.
SELECT g.key
FROM json_each(:given) AS g
CROSS JOIN entities AS e ON e.space = :space AND e.id = g.key
WHERE e.wall <> g.value
ORDER BY g.key
LIMIT 1
