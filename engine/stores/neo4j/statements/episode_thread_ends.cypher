// The highest position in each thread.
// space, walls, all_walls, threads -> thread, position
UNWIND $threads AS thread
MATCH (n:Episodic {group_id: $space, thread: thread})
WHERE n.position IS NOT NULL AND ($all_walls OR n.wall IN $walls)
RETURN thread, max(n.position) AS position
