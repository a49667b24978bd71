// What is stored of some facts: versions, wall, and the index entry and use that a new version takes over.
// space, ids -> uuid, version, wall, carried properties
UNWIND $given.ids AS id
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: id}]->()
USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0
RETURN r.uuid AS uuid, r.version AS version, r.wall AS wall,
  r {.words, .fact_embedding, .embedder, .embedders, .parts, .used_count, .used_ms} AS carried
ORDER BY version
