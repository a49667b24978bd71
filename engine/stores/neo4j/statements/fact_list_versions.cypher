// Versions of facts in order of id and version, after the one named.
// space, walls, all_walls, after, after_version, limit -> fact, rest
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space}]->()
USING INDEX r:RELATES_TO(group_id, uuid, version)
USING INDEX r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0 AND r.uuid >= $given.after AND (r.uuid > $given.after OR r.version > $given.after_version) AND ($given.all_walls OR r.wall IN $given.walls)
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.uuid, r.version LIMIT $given.limit
