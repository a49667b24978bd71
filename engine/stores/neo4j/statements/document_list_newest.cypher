// Documents of a kind in order of number, the highest first.
// space, kind, ref, status (null for any), after_seq (null for all), limit -> rest
MATCH (n:Document {group_id: $space, kind: $kind})
WHERE ($after_seq IS NULL OR n.seq < $after_seq) AND n.seq IS NOT NULL
  AND ($ref IS NULL OR n.ref = $ref) AND ($status IS NULL OR n.status = $status)
RETURN n.rest AS rest
ORDER BY n.seq DESC, n.uuid DESC LIMIT $limit
