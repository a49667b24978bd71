// Ties assertions to the episodes that make them.
// space, rows (maps of uuid, episode)
UNWIND $given.rows AS row
MATCH (e:Episodic {group_id: $space, uuid: row.episode})
MATCH (n:Assertion {group_id: $space, uuid: row.uuid})
MERGE (e)-[:ASSERTS {group_id: $space}]->(n)
