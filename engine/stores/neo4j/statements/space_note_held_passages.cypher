// Notes that facts of the space have passages, which its searches then look through.
// space
MATCH (s:Space {group_id: $space})
SET s.held_passages = true
