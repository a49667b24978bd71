// Documents of a kind with one ref, in order of number.
// space, kind, ref, status (null for any), after_seq (null for all), limit -> rest
MATCH (n:Document {group_id: $space, kind: $given.kind, ref: $given.ref})
WHERE ($given.after_seq IS NULL OR n.seq > $given.after_seq) AND ($given.status IS NULL OR n.status = $given.status)
RETURN n.rest AS rest
ORDER BY n.seq, n.uuid LIMIT $given.limit
