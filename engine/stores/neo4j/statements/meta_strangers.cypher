// A node that is neither ours nor Graphiti's, in a database without our stamp: theirs and ours are grouped. It belongs to no space.
// -> labels
MATCH (n)
WHERE n.group_id IS NULL AND NOT n:Muniment
RETURN labels(n) AS labels
LIMIT 1
