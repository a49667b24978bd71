-- Every space that has a row of its own: it serves the operator, no tenant.
-- Parameters: none. Columns: space.
SELECT s.space
FROM spaces AS s
WHERE EXISTS (SELECT 1 FROM episodes AS t WHERE t.space = s.space)
    OR EXISTS (SELECT 1 FROM entities AS t WHERE t.space = s.space)
    OR EXISTS (SELECT 1 FROM assertions AS t WHERE t.space = s.space)
    OR EXISTS (SELECT 1 FROM facts AS t WHERE t.space = s.space)
    OR EXISTS (SELECT 1 FROM summaries AS t WHERE t.space = s.space)
    OR EXISTS (SELECT 1 FROM documents AS t WHERE t.space = s.space)
    OR EXISTS (SELECT 1 FROM jobs AS t WHERE t.space = s.space)
ORDER BY s.space
