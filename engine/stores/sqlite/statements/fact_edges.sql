-- Facts that touch entities: the most important, then latest, of each, and how many each has in all.
-- Parameters: space, walls (JSON list), all_walls, ids (JSON list), per_node, the read filter. Columns: entity, its degree, then those of fact.
WITH touching AS (
    SELECT f.subject AS entity, f.row AS row, f.importance AS importance, f.valid_at AS valid_at, f.id AS id
    FROM facts AS f INDEXED BY facts_by_subject
    WHERE f.space = :space AND f.subject IN (SELECT value FROM json_each(:ids)) AND {held:f}
    UNION
    SELECT g.object, g.row, g.importance, g.valid_at, g.id
    FROM facts AS g INDEXED BY facts_by_object
    WHERE g.space = :space AND g.object IN (SELECT value FROM json_each(:ids)) AND {held:g}
), placed AS (
    SELECT entity, row,
        row_number() OVER (PARTITION BY entity ORDER BY importance DESC, valid_at DESC, id) AS place,
        count(*) OVER (PARTITION BY entity) AS degree
    FROM touching
)
SELECT placed.entity, placed.degree, {fact:h}
FROM placed
JOIN facts AS h ON h.space = :space AND h.row = placed.row
WHERE placed.place <= :per_node
ORDER BY h.importance DESC, h.valid_at DESC, h.id
