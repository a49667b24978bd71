// The index entries of some episodes and summaries.
// space, walls, all_walls, rows (maps of uuid, kind) -> kind, rest, words, vectors
UNWIND $given.rows AS row
MATCH (n:Episodic|Summary {group_id: $space, uuid: row.uuid})
USING INDEX SEEK n:Episodic(group_id, uuid)
USING INDEX SEEK n:Summary(group_id, uuid)
WHERE n.kind = row.kind AND n.words IS NOT NULL AND ($given.all_walls OR n.wall IN $given.walls)
RETURN n.kind AS kind, n.rest AS rest, n.words AS words, COLLECT {
  MATCH (p:Passage {group_id: $space, owner: n.uuid})
  WHERE NOT p.held AND p.kind = n.kind
  RETURN [p.embedder, p.part, p.embedding] ORDER BY p.embedder, p.part
} AS passages
