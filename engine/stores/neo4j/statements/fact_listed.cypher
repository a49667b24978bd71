// Shared: what a list of facts `r` asks of them, but for its moment.
// walls, all_walls, kinds, known, hidden_low, hidden_high, valid_low, valid_high, invalid_low, invalid_high,
//   superseded (null for any), relations, types, subjects, objects (null for any), user, session, text ('' for any)
  AND ($given.all_walls OR r.wall IN $given.walls) AND r.kind IN $given.kinds
  AND r.created_ms <= $given.known AND (r.expired_ms > $given.known OR r.forgotten) AND r.hidden >= $given.hidden_low AND r.hidden <= $given.hidden_high
  AND r.valid_ms >= $given.valid_low AND r.valid_ms <= $given.valid_high
  AND r.invalid_ms >= $given.invalid_low AND r.invalid_ms <= $given.invalid_high
  AND ($given.superseded IS NULL OR r.superseded = $given.superseded)
  AND (size($given.relations) = 0 OR r.name IN $given.relations)
  AND (size($given.types) = 0 OR r.subject_type IN $given.types OR r.object_type IN $given.types)
  AND ($given.subjects IS NULL OR r.subject IN $given.subjects) AND ($given.objects IS NULL OR r.object IN $given.objects)
  AND ($given.user = '' OR r.user = $given.user) AND ($given.session = '' OR r.session = $given.session)
  AND ($given.text = '' OR toLower(r.fact) CONTAINS $given.text)
