// Which facts, preferences and skills have any of the terms, the heaviest first, without the full text index: that one leaves out rows
// of a transaction that changed others. Only for reads inside a unit that has written.
// space, walls, all_walls, the filter as in search_held, terms, weights (by term), limit -> ids as pairs of kind and id
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space}]->()
WHERE r.created_ms <= $given.known AND r.words IS NOT NULL
WITH r WHERE ($given.all_walls OR r.wall IN $given.walls)
  AND r.created_ms <= $given.known AND r.expired_ms > $given.known AND r.hidden <= $given.hidden
  AND r.valid_ms <= $given.valid_high AND r.invalid_ms > $given.invalid_low
  AND r.kind IN $given.kinds AND r.importance >= $given.importance
  AND ($given.any_scope OR (r.user IN $given.users AND r.agent IN $given.agents AND r.session IN $given.sessions))
  AND (size($given.relations) = 0 OR r.kind <> 'fact' OR r.name IN $given.relations)
  AND (size($given.types) = 0 OR r.kind <> 'fact' OR r.subject_type IN $given.types OR r.object_type IN $given.types)
WITH r, reduce(weight = 0.0, term IN [term IN $given.terms WHERE term IN split(r.words, ' ')] | weight + $given.weights[term]) AS weight
WHERE weight > 0.0
RETURN [r.kind, r.uuid] AS id
ORDER BY weight DESC, id[1] LIMIT $given.limit
