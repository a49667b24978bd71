// Documents of a kind in order of number.
// space, kind, ref, status (null for any), after_seq (null for all), limit -> rest
MATCH (n:Document {group_id: $space, kind: $kind})
WHERE ($after_seq IS NULL OR n.seq > $after_seq) AND n.seq IS NOT NULL
  AND ($ref IS NULL OR n.ref = $ref) AND ($status IS NULL OR n.status = $status)
RETURN n.rest AS rest
ORDER BY n.seq, n.uuid LIMIT $limit
