// Ids of episodes by their outside ids.
// space, walls, all_walls, externals, wall (or null for any) -> rest
UNWIND $externals AS external
MATCH (n:Episodic {group_id: $space})
WHERE n.external = external AND n.wall IS NOT NULL AND ($all_walls OR n.wall IN $walls)
  AND ($wall IS NULL OR n.wall = $wall)
RETURN n.content AS content, n.rest AS rest
