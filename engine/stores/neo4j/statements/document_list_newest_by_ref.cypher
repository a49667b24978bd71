// Documents of a kind with one ref, the highest number first.
// space, kind, ref, status (null for any), after_seq (null for all), limit -> rest
MATCH (n:Document {group_id: $space, kind: $kind, ref: $ref})
WHERE ($after_seq IS NULL OR n.seq < $after_seq) AND ($status IS NULL OR n.status = $status)
RETURN n.rest AS rest
ORDER BY n.seq DESC, n.uuid DESC LIMIT $limit
