// Assertions, withdrawn ones included, in the order in which they were recorded.
// space, walls, all_walls, slots -> rest
UNWIND $slots AS slot
MATCH (n:Assertion {group_id: $space, slot: slot})
WHERE ($all_walls OR n.wall IN $walls)
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
