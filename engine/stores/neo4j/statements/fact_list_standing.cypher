// As fact_list, of preferences that are constraints.
// space, walls, all_walls, kinds, known, hidden_low, hidden_high, valid_low, valid_high, invalid_low, invalid_high,
//   superseded (null for any), relations, types, subjects, objects (null for any), user, session, text ('' for any), after_ms,
//   after_id, limit -> fact, rest
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, standing: true}]->()
USING INDEX r:RELATES_TO(group_id, standing, created_ms)
USING INDEX r:SET_ASIDE(group_id, standing, created_ms)
WHERE r.created_ms <= $given.after_ms AND (r.created_ms < $given.after_ms OR r.uuid > $given.after_id)
  //+ fact_listed
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.created_ms DESC, r.uuid LIMIT $given.limit
