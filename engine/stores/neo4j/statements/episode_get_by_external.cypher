// Episodes by their outside ids.
// space, walls, all_walls, externals, wall (or null for any) -> content, rest
UNWIND $given.externals AS external
MATCH (n:Episodic {group_id: $space})
WHERE n.external = external AND n.wall IS NOT NULL AND ($given.all_walls OR n.wall IN $given.walls)
  AND ($given.wall IS NULL OR n.wall = $given.wall)
RETURN n.content AS content, n.rest AS rest
