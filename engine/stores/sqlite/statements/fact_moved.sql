-- Given ids that are stored behind another wall than the given one.
-- Parameters: space, given (JSON object, id to wall). Columns: id.
SELECT g.key
FROM json_each(:given) AS g
CROSS JOIN facts AS f ON f.space = :space AND f.id = g.key
WHERE f.wall <> g.value
ORDER BY g.key
LIMIT 1
