// Facts of some subjects or objects (`ends`), newest version first.
// space, walls, all_walls, kinds, known, hidden_low, hidden_high, valid_low, valid_high, invalid_low, invalid_high,
//   superseded (null for any), relations, subjects, objects, ends (null for any), user, session, text ('' for any), after_ms,
//   after_id, limit -> fact, rest
UNWIND $given.ends AS end
MATCH (n:Entity {group_id: $space, uuid: end})-[r:RELATES_TO|SET_ASIDE {group_id: $space}]-()
USING INDEX SEEK n:Entity(group_id, uuid)
WITH DISTINCT r
WHERE r.created_ms <= $given.after_ms AND (r.created_ms < $given.after_ms OR r.uuid > $given.after_id)
  AND ($given.all_walls OR r.wall IN $given.walls) AND r.kind IN $given.kinds
  AND r.created_ms <= $given.known AND r.expired_ms > $given.known AND r.hidden >= $given.hidden_low AND r.hidden <= $given.hidden_high
  AND r.valid_ms >= $given.valid_low AND r.valid_ms <= $given.valid_high
  AND r.invalid_ms >= $given.invalid_low AND r.invalid_ms <= $given.invalid_high
  AND ($given.superseded IS NULL OR r.superseded = $given.superseded)
  AND (size($given.relations) = 0 OR r.name IN $given.relations)
  AND ($given.subjects IS NULL OR r.subject IN $given.subjects) AND ($given.objects IS NULL OR r.object IN $given.objects)
  AND ($given.user = '' OR r.user = $given.user) AND ($given.session = '' OR r.session = $given.session)
  AND ($given.text = '' OR toLower(r.fact) CONTAINS $given.text)
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.created_ms DESC, r.uuid LIMIT $given.limit
