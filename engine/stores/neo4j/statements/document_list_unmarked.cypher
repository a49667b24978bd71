// Documents of a kind without the property that says until when they are kept: such as were written before there was one.
// space, kind, limit -> rest
MATCH (n:Document {group_id: $space, kind: $given.kind})
WHERE n.expires_ms IS NULL
RETURN n.rest AS rest
ORDER BY n.uuid LIMIT $given.limit
