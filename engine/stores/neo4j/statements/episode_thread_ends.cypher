// The highest position in each thread.
// space, walls, all_walls, threads -> thread, position
UNWIND $given.threads AS thread
MATCH (n:Episodic {group_id: $space, thread: thread})
WHERE n.position IS NOT NULL AND ($given.all_walls OR n.wall IN $given.walls)
RETURN thread, max(n.position) AS position
