// Every version of a fact, oldest first.
// space, walls, all_walls, id -> fact, rest
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: $given.id}]->()
USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0 AND ($given.all_walls OR r.wall IN $given.walls)
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.version
