// Makes the space's node.
// space
MERGE (s:Space {group_id: $space})
