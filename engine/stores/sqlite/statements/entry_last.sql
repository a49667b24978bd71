-- The highest number that an index entry ever had, in any space.
-- Parameters: none. Columns: n.
SELECT coalesce(max(seq), 0)
FROM sqlite_sequence
WHERE name = 'entries'
