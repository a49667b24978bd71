// Takes the index entries of some episodes and summaries away.
// space, walls, all_walls, rows (maps of uuid, kind) -> pairs of kind and id of those that had passages
UNWIND $given.rows AS row
MATCH (n:Episodic|Summary {group_id: $space, uuid: row.uuid})
USING INDEX SEEK n:Episodic(group_id, uuid)
USING INDEX SEEK n:Summary(group_id, uuid)
WHERE n.kind = row.kind AND ($given.all_walls OR n.wall IN $given.walls)
WITH n, coalesce(n.parts, 0) AS had
SET n.words = null, n.embedders = null, n.parts = null
RETURN collect(CASE WHEN had > 0 THEN [n.kind, n.uuid] END) AS owners
