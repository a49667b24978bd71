// Makes a node of our own bookkeeping and holds its lock until the transaction ends. It belongs to no space.
// name
MERGE (m:Muniment {name: $name}) SET m.locks = coalesce(m.locks, 0) + 1
