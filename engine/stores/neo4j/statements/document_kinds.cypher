// The kinds of documents there are.
// space -> rest of one document each
MATCH (n:Document {group_id: $space})
WHERE n.kind IS NOT NULL AND n.uuid IS NOT NULL
WITH n.kind AS kind, min(n.rest) AS rest
RETURN rest
ORDER BY kind
