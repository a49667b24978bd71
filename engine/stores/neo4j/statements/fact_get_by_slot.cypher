// The unexpired versions in some slots.
// space, walls, all_walls, slots, known (the last moment before for ever) -> fact, rest
UNWIND $slots AS slot
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, slot: slot}]->()
WHERE r.expired_ms > $known AND ($all_walls OR r.wall IN $walls)
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.valid_ms, r.uuid
