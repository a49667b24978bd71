// Every fact with a version in one of the slots, expired ones included.
// space, walls, all_walls, slots -> rest of one version each
UNWIND $given.slots AS slot
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, slot: slot}]->()
WHERE r.version > 0 AND ($given.all_walls OR r.wall IN $given.walls)
WITH r.uuid AS uuid, min(r.rest) AS rest
RETURN rest
ORDER BY uuid
