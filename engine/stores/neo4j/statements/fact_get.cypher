// The version of each fact in force at a moment of record time; without one (null) the latest.
// space, walls, all_walls, ids, known -> fact, rest
UNWIND $given.ids AS id
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: id}]->()
USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0 AND ($given.all_walls OR r.wall IN $given.walls) AND ($given.known IS NULL OR (r.created_ms <= $given.known AND r.expired_ms > $given.known))
WITH id, r ORDER BY r.version DESC
WITH id, head(collect(r)) AS r
RETURN r.fact AS fact, r.rest AS rest
