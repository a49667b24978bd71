// Every fact with a version in one of the slots, expired ones included.
// space, walls, all_walls, slots -> rest of one version each
UNWIND $slots AS slot
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, slot: slot}]->()
WHERE r.version > 0 AND ($all_walls OR r.wall IN $walls)
WITH r.uuid AS uuid, min(r.rest) AS rest
RETURN rest
ORDER BY uuid
