// Facts, preferences and skills for a question, by a vector index over every space, the words, and by name.
// What the index finds elsewhere is dropped, so `open` is often not empty. The channel `aside` is open where rows that this
// index does not have may be asked for: versions that expired later, archived facts.
// space, walls, all_walls, the filter: known, hidden, valid_high, invalid_low, kinds, importance, any_scope, users, agents, sessions, relations, types,
//   vectors (maps of fingerprint, vector, earlier), fingerprints, cells (maps of low, high), depth, limit, words, terms, weights (by term), least_weight,
//   words_options, words_depth, wanted
//   seen (hidden, valid_high, invalid_low of what is looked at), aside (of so many seen, those that the filter hides are given)
// One row: `open` names the channels in which more may lie deeper than `depth` or `words_depth`;
// `found` has kind, text, rest, words, score ((1 + cosine) / 2, or null), its fingerprint and whether only its status hides it.
CALL () {
  MATCH (space:Space {group_id: $space})
  WHERE space.last_expired_ms > $given.known OR $given.seen.hidden > 0
  RETURN 'aside' AS channel, [] AS earlier, null AS r, 0.0 AS score, 2.0 AS floor
  UNION ALL
  UNWIND $given.vectors AS asked
  CALL (asked) {
    CALL db.index.vector.queryRelationships('muniment_fact_neighbours', $given.depth, asked.vector)
      YIELD relationship AS r, score
    RETURN r, score
  }
  WITH asked, collect({r: r, score: score}) AS hits, min(score) AS lowest
  WITH asked, hits, CASE WHEN size(hits) < $given.depth THEN 0.0 ELSE lowest END AS floor
  UNWIND hits AS hit
  WITH asked, floor, hit.r AS r, hit.score AS score
  RETURN asked.fingerprint AS channel, asked.earlier AS earlier,
    CASE WHEN r.group_id = $space AND r.embedder = asked.fingerprint THEN r END AS r, score, floor
  UNION ALL
  MATCH (space:Space {group_id: $space}) WHERE space.held_passages
  UNWIND $given.vectors AS asked
  CALL (asked) {
    CALL db.index.vector.queryNodes('muniment_passage_neighbours', $given.depth, asked.vector) YIELD node AS p, score
    RETURN p, score
  }
  WITH asked, collect({p: p, score: score}) AS hits, min(score) AS lowest
  WITH asked, hits, CASE WHEN size(hits) < $given.depth THEN 0.0 ELSE lowest END AS floor
  UNWIND hits AS hit
  WITH asked, floor, hit.p AS p, hit.score AS score
  OPTIONAL MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: p.owner}]->()
  WHERE p.group_id = $space AND p.held AND p.embedder = asked.fingerprint AND r.version > 0
  RETURN asked.fingerprint AS channel, asked.earlier AS earlier, r, score, floor
  UNION ALL
  WITH $given.words AS words WHERE words <> ''
  CALL db.index.fulltext.queryRelationships('muniment_fact_words', words, $given.words_options) YIELD relationship AS r
  // The index scores by how often and in how long a text, and by the texts of other tenants too: what it finds is weighed as we ask.
  WITH collect({r: r, held: ' ' + r.words + ' '}) AS hits
  WITH hits, CASE WHEN size(hits) < $given.words_depth THEN 0.0 ELSE $given.least_weight END AS floor
  UNWIND hits AS hit
  RETURN 'words' AS channel, [] AS earlier, hit.r AS r,
    reduce(weight = 0.0, term IN $given.terms | CASE WHEN hit.held CONTAINS ' ' + term + ' ' THEN weight + $given.weights[term] ELSE weight END) AS score,
    floor
  UNION ALL
  UNWIND $given.wanted AS pair
  MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: pair[1]}]->()
  USING INDEX SEEK r:RELATES_TO(group_id, uuid, version)
  USING INDEX SEEK r:SET_ASIDE(group_id, uuid, version)
  WHERE r.version > 0 AND r.kind = pair[0]
  RETURN 'wanted' AS channel, [] AS earlier, r, 1.0 AS score, 0.0 AS floor
}
WITH channel, earlier, r, max(score) AS score, max(floor) AS floor
ORDER BY score DESC, r.uuid
WITH channel, max(floor) AS floor, collect(CASE WHEN r.group_id = $space
  AND none(other IN earlier WHERE other IN r.embedders)
  AND ($given.all_walls OR r.wall IN $given.walls)
  AND r.created_ms <= $given.known AND r.expired_ms > $given.known AND r.hidden <= $given.seen.hidden
  AND r.valid_ms <= $given.seen.valid_high AND r.invalid_ms > $given.seen.invalid_low
  AND r.kind IN $given.kinds AND r.importance >= $given.importance
  AND ($given.any_scope OR (r.user IN $given.users AND r.agent IN $given.agents AND r.session IN $given.sessions))
  AND (size($given.relations) = 0 OR r.kind <> 'fact' OR r.name IN $given.relations)
  AND (size($given.types) = 0 OR r.kind <> 'fact' OR r.subject_type IN $given.types OR r.object_type IN $given.types)
  THEN {r: r, score: score, shown: r.hidden <= $given.hidden AND r.valid_ms <= $given.valid_high AND r.invalid_ms > $given.invalid_low} END) AS seen
WITH channel, floor, [one IN seen WHERE one.shown] AS kept, [one IN seen[..$given.aside] WHERE NOT one.shown] AS aside
WITH collect({
  channel: channel,
  hits: CASE channel WHEN 'wanted' THEN kept ELSE kept[..$given.limit] + aside END,
  more: floor > 0.0 AND (size(kept) < $given.limit OR kept[$given.limit - 1].score < floor)
}) AS channels
WITH [c IN channels WHERE c.more | c.channel] AS open, channels
UNWIND (CASE WHEN size(channels) = 0 THEN [{channel: '', hits: []}] ELSE channels END) AS c
UNWIND (CASE WHEN size(c.hits) = 0 THEN [null] ELSE c.hits END) AS hit
WITH open, hit.r AS r, NOT hit.shown AS hidden, max(CASE WHEN c.channel IN $given.fingerprints THEN hit.score END) AS score
WITH open, r, hidden, score, head([asked IN $given.vectors WHERE asked.fingerprint IN r.embedders]) AS asked
WITH open, r, hidden, asked, CASE
  WHEN score IS NOT NULL OR asked IS NULL THEN score
  WHEN r.embedder = asked.fingerprint AND size(r.fact_embedding) = size(asked.vector) THEN vector.similarity.cosine(r.fact_embedding, asked.vector)
END AS score
WITH open, r, hidden, asked, CASE WHEN r.parts > 0 THEN reduce(best = score, other IN COLLECT {
    MATCH (p:Passage {group_id: $space, owner: r.uuid})
    WHERE p.held AND p.embedder = asked.fingerprint AND size(p.embedding) = size(asked.vector)
    RETURN vector.similarity.cosine(p.embedding, asked.vector)
  } | CASE WHEN best IS NULL OR other > best THEN other ELSE best END)
  ELSE score END AS score
RETURN open, collect(CASE WHEN r IS NOT NULL THEN [r.kind, r.fact, r.rest, r.words, score, asked.fingerprint, hidden] END) AS found
