// Episodes of a thread, or of those whose names begin alike, newest first.
// space, walls, all_walls, text (lower case, '' for any), kind, user, session ('' for any), thread (its beginning), whole (or ''), as_of, known, hidden, after_ms, after_id, limit
//   -> content, rest
MATCH (n:Episodic {group_id: $space})
WHERE n.thread STARTS WITH $given.thread AND ($given.whole = '' OR n.thread = $given.whole)
  AND n.recorded_ms <= $given.known AND n.recorded_ms <= $given.after_ms
  AND (n.recorded_ms < $given.after_ms OR n.uuid > $given.after_id)
  AND ($given.all_walls OR n.wall IN $given.walls) AND n.hidden <= $given.hidden
  AND n.occurred_ms <= $given.as_of
  AND ($given.kind = '' OR n.episode_kind = $given.kind)
  AND ($given.user = '' OR n.user = $given.user) AND ($given.session = '' OR n.session = $given.session)
  AND ($given.text = '' OR toLower(n.content) CONTAINS $given.text)
RETURN n.content AS content, n.rest AS rest
ORDER BY n.recorded_ms DESC, n.uuid LIMIT $given.limit
