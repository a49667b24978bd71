// Shared: the assertions of some slots, withdrawn ones included.
// space, walls, all_walls, slots
UNWIND $given.slots AS slot
MATCH (n:Assertion {group_id: $space, slot: slot})
USING INDEX SEEK n:Assertion(group_id, slot)
WHERE ($given.all_walls OR n.wall IN $given.walls)
