// Documents of a kind in order of number, the highest first.
// space, kind, ref, status (null for any), after_seq (null for all), limit -> rest
MATCH (n:Document {group_id: $space, kind: $given.kind})
WHERE ($given.after_seq IS NULL OR n.seq < $given.after_seq) AND n.seq IS NOT NULL
  AND ($given.ref IS NULL OR n.ref = $given.ref) AND ($given.status IS NULL OR n.status = $given.status)
RETURN n.rest AS rest
ORDER BY n.seq DESC, n.uuid DESC LIMIT $given.limit
