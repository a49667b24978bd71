// Holds the lock of the space's node until the transaction ends, so that its units are serial. A match takes no lock of its
// own, so waiting transactions cannot block each other; no row where the node is not there yet.
// space -> space
MATCH (s:Space {group_id: $space}) SET s.units = coalesce(s.units, 0) + 1
RETURN s.group_id AS space
