// Writes index entries onto every version of some facts.
// space, walls, all_walls, rows (maps of uuid, kind, words, embedding, embedder, embedders, parts) -> ids met, ids that had passages
UNWIND $given.rows AS row
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: row.uuid}]->()
USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0 AND r.kind = row.kind AND ($given.all_walls OR r.wall IN $given.walls)
WITH r, row, coalesce(r.parts, 0) AS had
SET r.words = row.words, r.fact_embedding = row.embedding, r.embedder = row.embedder, r.embedders = row.embedders,
  r.parts = row.parts
RETURN collect(DISTINCT r.uuid) AS met, collect(DISTINCT CASE WHEN had > 0 THEN [r.kind, r.uuid] END) AS owners
