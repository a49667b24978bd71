// The highest number of a kind.
// space, kind -> seq
MATCH (n:Document {group_id: $space, kind: $given.kind})
WHERE n.seq IS NOT NULL
RETURN n.seq AS seq
ORDER BY n.seq DESC LIMIT 1
