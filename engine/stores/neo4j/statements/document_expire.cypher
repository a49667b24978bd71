// Takes documents of a kind away that were to be kept until a moment, some at a time.
// space, kind, before, limit -> how many
MATCH (n:Document {group_id: $space, kind: $given.kind})
WHERE n.expires_ms <= $given.before
WITH n LIMIT $given.limit
DELETE n
RETURN count(*) AS dropped
