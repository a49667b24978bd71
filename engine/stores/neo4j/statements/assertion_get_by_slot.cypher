// Assertions, withdrawn ones included, in the order in which they were recorded.
// space, walls, all_walls, slots -> rest
UNWIND $given.slots AS slot
MATCH (n:Assertion {group_id: $space, slot: slot})
USING INDEX SEEK n:Assertion(group_id, slot)
WHERE ($given.all_walls OR n.wall IN $given.walls)
RETURN n.rest AS rest
ORDER BY n.recorded_ms, n.place, n.uuid
