// Episodes, newest first.
// space, walls, all_walls, text (lower case, '' for any), kind, user, session ('' for any), known, hidden, after_ms, after_id, limit
//   -> content, rest
MATCH (n:Episodic {group_id: $space})
WHERE n.recorded_ms <= $known AND n.recorded_ms <= $after_ms
  AND (n.recorded_ms < $after_ms OR n.uuid > $after_id)
  AND ($all_walls OR n.wall IN $walls) AND n.hidden <= $hidden
  AND ($kind = '' OR n.episode_kind = $kind)
  AND ($user = '' OR n.user = $user) AND ($session = '' OR n.session = $session)
  AND ($text = '' OR toLower(n.content) CONTAINS $text)
RETURN n.content AS content, n.rest AS rest
ORDER BY n.recorded_ms DESC, n.uuid LIMIT $limit
