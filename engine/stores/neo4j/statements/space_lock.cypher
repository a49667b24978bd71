// Holds the lock of a space until the transaction ends, so that its units are serial. The locked node is there for nothing
// else: a unit that wrote to it once more would meet those that wait for it. The space's own node is made where it is not
// there (any more). No row where there is nothing to lock yet.
// space -> space
MATCH (l:SpaceLock {group_id: $space}) SET l.units = coalesce(l.units, 0) + 1
MERGE (s:Space {group_id: $space})
RETURN l.group_id AS space
