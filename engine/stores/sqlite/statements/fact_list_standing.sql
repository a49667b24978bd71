-- As fact_list, of preferences that are constraints.
-- Parameters, columns: as there.
SELECT {fact:f}
FROM facts AS f INDEXED BY facts_constraints
WHERE f.space = :space AND f.created_at <= :after_ms AND f.kind = 'preference' AND instr(f.attributes, '"constraint": true') > 0
    AND {listed:f}
ORDER BY f.created_at DESC, f.id
LIMIT :limit
