-- The unexpired intervals of slots, rejected and archived ones included.
-- Parameters: space, walls (JSON list), all_walls, slots (JSON list), open_end. Columns: of fact.
SELECT {fact:f}
FROM facts AS f
WHERE f.space = :space AND f.slot IN (SELECT value FROM json_each(:slots)) AND {walls:f}
    AND f.expired_at = :open_end
ORDER BY f.valid_at, f.id
