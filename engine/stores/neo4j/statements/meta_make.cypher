// Makes a node of our own bookkeeping. It belongs to no space.
// name
MERGE (m:Muniment {name: $name})
