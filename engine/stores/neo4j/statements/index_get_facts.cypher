// The index entries of some facts.
// space, walls, all_walls, rows (maps of uuid, kind) -> kind, rest, words, embedder, embedding, further vectors
UNWIND $given.rows AS row
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: row.uuid}]->()
USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0 AND r.kind = row.kind AND r.words IS NOT NULL AND ($given.all_walls OR r.wall IN $given.walls)
WITH r ORDER BY r.version DESC
WITH r.uuid AS uuid, r.kind AS kind, collect(r)[0] AS r
RETURN kind, r.rest AS rest, r.words AS words, r.embedder AS embedder, r.fact_embedding AS embedding, COLLECT {
  MATCH (p:Passage {group_id: $space, owner: uuid})
  WHERE p.held AND p.kind = kind
  RETURN [p.embedder, p.part, p.embedding] ORDER BY p.embedder, p.part
} AS passages
