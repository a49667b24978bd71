// Ties assertions to the episodes that make them.
// space, rows (maps of uuid, episode)
UNWIND $given.rows AS row
MATCH (e:Episodic {group_id: $space, uuid: row.episode})
USING INDEX SEEK e:Episodic(group_id, uuid)
MATCH (n:Assertion {group_id: $space, uuid: row.uuid})
USING INDEX SEEK n:Assertion(group_id, uuid)
MERGE (e)-[:ASSERTS {group_id: $space}]->(n)
