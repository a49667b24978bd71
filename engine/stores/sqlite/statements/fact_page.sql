-- Versions of facts in order of id and version, after the one named.
-- Parameters: space, walls (JSON list), all_walls, after, after_version, limit. Columns: of fact.
SELECT {fact:f}
FROM facts AS f
WHERE f.space = :space AND (f.id, f.version) > (:after, :after_version) AND {walls:f}
ORDER BY f.id, f.version
LIMIT :limit
