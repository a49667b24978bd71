// Facts, newest version first.
// space, walls, all_walls, kinds, known, hidden_low, hidden_high, valid_low, valid_high, invalid_low, invalid_high,
//   superseded (null for any), relations, subjects, objects (null for any), user, session, text ('' for any), after_ms,
//   after_id, limit -> fact, rest
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space}]->()
WHERE r.created_ms <= $after_ms AND (r.created_ms < $after_ms OR r.uuid > $after_id)
  AND ($all_walls OR r.wall IN $walls) AND r.kind IN $kinds
  AND r.created_ms <= $known AND r.expired_ms > $known AND r.hidden >= $hidden_low AND r.hidden <= $hidden_high
  AND r.valid_ms >= $valid_low AND r.valid_ms <= $valid_high
  AND r.invalid_ms >= $invalid_low AND r.invalid_ms <= $invalid_high
  AND ($superseded IS NULL OR r.superseded = $superseded)
  AND (size($relations) = 0 OR r.name IN $relations)
  AND ($subjects IS NULL OR r.subject IN $subjects) AND ($objects IS NULL OR r.object IN $objects)
  AND ($user = '' OR r.user = $user) AND ($session = '' OR r.session = $session)
  AND ($text = '' OR toLower(r.fact) CONTAINS $text)
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.created_ms DESC, r.uuid LIMIT $limit
