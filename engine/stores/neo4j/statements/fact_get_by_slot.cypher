// The unexpired versions in some slots.
// space, walls, all_walls, slots, known (the last moment before for ever) -> fact, rest
//+ fact_of_slots
RETURN r.fact AS fact, r.rest AS rest
ORDER BY r.valid_ms, r.uuid
