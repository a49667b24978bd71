// Makes the node that the units of a space lock.
// space
MERGE (l:SpaceLock {group_id: $space})
