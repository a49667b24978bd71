// Takes the index entries of some facts away.
// space, walls, all_walls, rows (maps of uuid, kind) -> pairs of kind and id of those that had passages
UNWIND $given.rows AS row
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: row.uuid}]->()
USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0 AND r.kind = row.kind AND ($given.all_walls OR r.wall IN $given.walls)
WITH r, coalesce(r.parts, 0) AS had
SET r.words = null, r.fact_embedding = null, r.embedder = null, r.embedders = null, r.parts = null
RETURN collect(DISTINCT CASE WHEN had > 0 THEN [r.kind, r.uuid] END) AS owners
