// Takes the passages of some memories away.
// space, rows (pairs of kind and owner)
UNWIND $given.rows AS row
MATCH (p:Passage {group_id: $space, owner: row[1]})
WHERE p.kind = row[0]
DELETE p
