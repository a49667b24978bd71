// Holds the lock of a node of our own bookkeeping until the transaction ends; no row where it is not there yet. It belongs to
// no space.
// name -> name
MATCH (m:Muniment {name: $name}) SET m.locks = coalesce(m.locks, 0) + 1
RETURN m.name AS name
