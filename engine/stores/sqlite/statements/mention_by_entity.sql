-- Where entities are mentioned, in episodes that the read filter shows: the latest of each, and how many in all.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list), per_entity, the read filter. Columns: the count, then those of mention.
WITH shown AS (
    SELECT {mention:m}, e.occurred_at AS occurred_at,
        row_number() OVER (PARTITION BY m.entity ORDER BY e.occurred_at DESC, m.episode, m.role) AS place,
        count(*) OVER (PARTITION BY m.entity) AS total
    FROM mentions AS m
    JOIN episodes AS e ON e.space = :space AND e.id = m.episode
    WHERE m.space = :space AND m.entity IN (SELECT value FROM json_each(:ids)) AND {walls:m} AND {told:e}
)
SELECT total, {mention:shown}
FROM shown
WHERE place <= :per_entity
ORDER BY occurred_at DESC, episode, role, entity
