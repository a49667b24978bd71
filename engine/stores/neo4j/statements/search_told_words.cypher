// Which episodes and summaries have any of the terms, the heaviest first, without the full text index: that one leaves out rows
// of a transaction that changed others. Only for reads inside a unit that has written.
// space, walls, all_walls, the filter as in search_told, terms, weights (by term), limit -> ids as pairs of kind and id
MATCH (m:Episodic|Summary {group_id: $space})
WHERE m.uuid IS NOT NULL AND m.words IS NOT NULL
WITH m WHERE ($given.all_walls OR m.wall IN $given.walls)
  AND m.recorded_ms <= $given.known AND m.hidden <= $given.hidden
  AND m.kind IN $given.kinds AND m.importance >= $given.importance
  AND ($given.any_scope OR (m.user IN $given.users AND m.agent IN $given.agents AND m.session IN $given.sessions))
WITH m, reduce(weight = 0.0, term IN [term IN $given.terms WHERE term IN split(m.words, ' ')] | weight + $given.weights[term]) AS weight
WHERE weight > 0.0
RETURN [m.kind, m.uuid] AS id
ORDER BY weight DESC, id[1] LIMIT $given.limit
