// Writes the words of index entries onto episodes and summaries.
// space, walls, all_walls, rows (maps of uuid, kind, words, embedders, parts) -> ids met, ids that had passages
UNWIND $given.rows AS row
MATCH (n:Episodic|Summary {group_id: $space, uuid: row.uuid})
USING INDEX SEEK n:Episodic(group_id, uuid)
USING INDEX SEEK n:Summary(group_id, uuid)
WHERE n.kind = row.kind AND ($given.all_walls OR n.wall IN $given.walls)
WITH n, row, coalesce(n.parts, 0) AS had
SET n.words = row.words, n.embedders = row.embedders, n.parts = row.parts
RETURN collect(n.uuid) AS met, collect(CASE WHEN had > 0 THEN [n.kind, n.uuid] END) AS owners
