-- Given ids that are stored behind another wall than the given one.
-- Parameters: space, given (JSON object, id to wall). Columns: id.
SELECT g.key
FROM json_each(:given) AS g
CROSS JOIN summaries AS s ON s.space = :space AND s.id = g.key
WHERE s.wall <> g.value
ORDER BY g.key
LIMIT 1
