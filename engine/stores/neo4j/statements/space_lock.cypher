// Makes the space's node and holds its lock until the transaction ends, so that its units are serial.
// space
MERGE (s:Space {group_id: $space}) SET s.units = coalesce(s.units, 0) + 1
