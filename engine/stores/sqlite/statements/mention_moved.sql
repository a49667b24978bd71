-- Given mentions that are stored behind another wall than the given one.
-- Parameters: space, given (JSON list of [episode, entity, role, wall]). Columns: episode.
SELECT m.episode
FROM json_each(:given) AS g
CROSS JOIN mentions AS m ON m.space = :space
    AND m.episode = json_extract(g.value, '$[0]')
    AND m.entity = json_extract(g.value, '$[1]')
    AND m.role = json_extract(g.value, '$[2]')
WHERE m.wall <> json_extract(g.value, '$[3]')
ORDER BY m.episode
LIMIT 1
