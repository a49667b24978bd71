// Mentions in some episodes.
// space, walls, all_walls, ids -> rest
UNWIND $given.ids AS id
MATCH (e:Episodic {group_id: $space, uuid: id})-[r:MENTIONS {group_id: $space}]->()
USING INDEX SEEK e:Episodic(group_id, uuid)
WHERE ($given.all_walls OR e.wall IN $given.walls) AND ($given.all_walls OR r.wall IN $given.walls)
RETURN r.rest AS rest
