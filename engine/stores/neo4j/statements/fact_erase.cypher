// Deletes every version of some facts, with their passages.
// space, walls, all_walls, ids -> how many facts
UNWIND $given.ids AS id
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: id}]->()
USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
WHERE r.version > 0 AND ($given.all_walls OR r.wall IN $given.walls)
WITH id, collect(r) AS versions
OPTIONAL MATCH (p:Passage {group_id: $space, owner: id}) WHERE p.held
WITH id, versions, collect(p) AS passages
FOREACH (r IN versions | DELETE r)
FOREACH (p IN passages | DELETE p)
RETURN count(id) AS erased
