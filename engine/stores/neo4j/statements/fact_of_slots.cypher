// Shared: the unexpired versions in some slots.
// space, walls, all_walls, slots, known (the last moment before for ever)
UNWIND $given.slots AS slot
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, slot: slot}]->()
USING INDEX SEEK r:RELATES_TO(group_id, slot)
USING INDEX SEEK r:SET_ASIDE(group_id, slot)
WHERE r.expired_ms > $given.known AND ($given.all_walls OR r.wall IN $given.walls)
