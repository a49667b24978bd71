// Deletes the space's own node, after its rows.
// space
MATCH (s:Space {group_id: $space})
DETACH DELETE s
