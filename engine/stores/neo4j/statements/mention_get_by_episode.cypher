// Mentions in some episodes.
// space, walls, all_walls, ids -> rest
UNWIND $ids AS id
MATCH (e:Episodic {group_id: $space, uuid: id})-[r:MENTIONS {group_id: $space}]->(:Entity {group_id: $space})
WHERE ($all_walls OR e.wall IN $walls) AND ($all_walls OR r.wall IN $walls)
RETURN r.rest AS rest
