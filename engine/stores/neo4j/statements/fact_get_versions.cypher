// Every version of a fact, oldest first.
// space, walls, all_walls, id -> fact, rest
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: $id}]->()
WHERE r.version > 0 AND ($all_walls OR r.wall IN $walls)
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.version
