// Assertions, withdrawn ones included, in the order in which they were recorded.
// space, walls, all_walls, slots -> rest
//+ assertion_of_slots
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
