-- How many facts, preferences and skills in force touch each entity, and when its episodes happened.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list), as_of, known_at. Columns: id, facts, first and last occurred_at or null.
WITH touching AS (
    SELECT f.subject AS entity, f.row AS row
    FROM facts AS f INDEXED BY facts_by_subject
    WHERE f.space = :space AND f.subject IN (SELECT value FROM json_each(:ids)) AND {walls:f}
        AND f.created_at <= :known_at AND :known_at < f.expired_at AND f.valid_at <= :as_of AND :as_of < f.invalid_at
        AND NOT f.rejected AND NOT f.archived
    UNION
    SELECT g.object, g.row
    FROM facts AS g INDEXED BY facts_by_object
    WHERE g.space = :space AND g.object IN (SELECT value FROM json_each(:ids)) AND {walls:g}
        AND g.created_at <= :known_at AND :known_at < g.expired_at AND g.valid_at <= :as_of AND :as_of < g.invalid_at
        AND NOT g.rejected AND NOT g.archived
), counted AS (
    SELECT entity, count(*) AS facts FROM touching GROUP BY entity
), seen AS (
    SELECT m.entity AS entity, min(e.occurred_at) AS first_seen, max(e.occurred_at) AS last_seen
    FROM mentions AS m
    JOIN episodes AS e ON e.space = :space AND e.id = m.episode
    WHERE m.space = :space AND m.entity IN (SELECT value FROM json_each(:ids)) AND {walls:m} AND {walls:e}
        AND e.recorded_at <= :known_at
    GROUP BY m.entity
)
SELECT n.id, coalesce(counted.facts, 0), seen.first_seen, seen.last_seen
FROM entities AS n
LEFT JOIN counted ON counted.entity = n.id
LEFT JOIN seen ON seen.entity = n.id
WHERE n.space = :space AND n.id IN (SELECT value FROM json_each(:ids)) AND {walls:n}
ORDER BY n.id
