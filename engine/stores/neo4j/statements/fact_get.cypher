// The version of each fact in force at a moment of record time; without one (null) the latest.
// space, walls, all_walls, ids, known -> fact, rest
UNWIND $ids AS id
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: id}]->()
WHERE r.version > 0 AND ($all_walls OR r.wall IN $walls) AND ($known IS NULL OR (r.created_ms <= $known AND r.expired_ms > $known))
WITH id, r ORDER BY r.version DESC
WITH id, head(collect(r)) AS r
RETURN r.fact AS fact, r.rest AS rest
