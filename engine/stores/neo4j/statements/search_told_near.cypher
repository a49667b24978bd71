// Episodes and summaries for a question, by a vector index over every space, the words, and by name.
// What the index finds elsewhere is dropped, so `open` is often not empty.
// space, walls, all_walls, the filter: known, hidden, valid_high, invalid_low, kinds, importance, any_scope, users, agents, sessions, relations, types,
//   vectors (maps of fingerprint, vector, earlier), fingerprints, cells (maps of low, high), depth, limit, words, terms, weights (by term), least_weight,
//   words_options, words_depth, wanted, kind_low, kind_high
//   seen (hidden, valid_high, invalid_low of what is looked at), aside (of so many seen, those that the filter hides are given)
// One row: `open` names the channels in which more may lie deeper than `depth` or `words_depth`;
// `found` has kind, text, rest, words, score ((1 + cosine) / 2, or null), its fingerprint and whether only its status hides it.
CALL () {
  UNWIND $given.vectors AS asked
  CALL (asked) {
    CALL db.index.vector.queryNodes('muniment_passage_neighbours', $given.depth, asked.vector) YIELD node AS p, score
    RETURN p, score
  }
  WITH asked, collect({p: p, score: score}) AS hits, min(score) AS lowest
  WITH asked, hits, CASE WHEN size(hits) < $given.depth THEN 0.0 ELSE lowest END AS floor
  UNWIND hits AS hit
  WITH asked, floor, hit.p AS p, hit.score AS score
  OPTIONAL MATCH (m:Episodic|Summary {group_id: $space, uuid: p.owner})
  WHERE p.group_id = $space AND p.held = false AND p.embedder = asked.fingerprint AND m.kind = p.kind
  RETURN asked.fingerprint AS channel, asked.earlier AS earlier, m, score, floor
  UNION ALL
  WITH $given.words AS words WHERE words <> ''
  CALL db.index.fulltext.queryNodes('muniment_told_words', words, $given.words_options) YIELD node AS m
  // The index scores by how often and in how long a text, and by the texts of other tenants too: what it finds is weighed as we ask.
  WITH collect({m: m, held: ' ' + m.words + ' '}) AS hits
  WITH hits, CASE WHEN size(hits) < $given.words_depth THEN 0.0 ELSE $given.least_weight END AS floor
  UNWIND hits AS hit
  RETURN 'words' AS channel, [] AS earlier, hit.m AS m,
    reduce(weight = 0.0, term IN $given.terms | CASE WHEN hit.held CONTAINS ' ' + term + ' ' THEN weight + $given.weights[term] ELSE weight END) AS score,
    floor
  UNION ALL
  UNWIND $given.wanted AS pair
  MATCH (m:Episodic|Summary {group_id: $space, uuid: pair[1]})
  USING INDEX SEEK m:Episodic(group_id, uuid)
  USING INDEX SEEK m:Summary(group_id, uuid)
  WHERE m.kind = pair[0]
  RETURN 'wanted' AS channel, [] AS earlier, m, 1.0 AS score, 0.0 AS floor
}
WITH channel, earlier, m, max(score) AS score, max(floor) AS floor
ORDER BY score DESC, m.uuid
WITH channel, max(floor) AS floor, collect(CASE WHEN m.group_id = $space
  AND none(other IN earlier WHERE other IN m.embedders)
  AND ($given.all_walls OR m.wall IN $given.walls)
  AND m.recorded_ms <= $given.known AND m.hidden <= $given.seen.hidden
  AND m.kind IN $given.kinds AND m.importance >= $given.importance
  AND ($given.any_scope OR (m.user IN $given.users AND m.agent IN $given.agents AND m.session IN $given.sessions))
  THEN {m: m, score: score, shown: m.hidden <= $given.hidden} END) AS seen
WITH channel, floor, [one IN seen WHERE one.shown] AS kept, [one IN seen[..$given.aside] WHERE NOT one.shown] AS aside
WITH collect({
  channel: channel,
  hits: CASE channel WHEN 'wanted' THEN kept ELSE kept[..$given.limit] + aside END,
  more: floor > 0.0 AND (size(kept) < $given.limit OR kept[$given.limit - 1].score < floor)
}) AS channels
WITH [c IN channels WHERE c.more | c.channel] AS open, channels
UNWIND (CASE WHEN size(channels) = 0 THEN [{channel: '', hits: []}] ELSE channels END) AS c
UNWIND (CASE WHEN size(c.hits) = 0 THEN [null] ELSE c.hits END) AS hit
WITH open, hit.m AS m, NOT hit.shown AS hidden, max(CASE WHEN c.channel IN $given.fingerprints THEN hit.score END) AS score
WITH open, m, hidden, score, head([asked IN $given.vectors WHERE asked.fingerprint IN m.embedders]) AS asked
WITH open, m, hidden, asked, CASE WHEN score IS NULL AND asked IS NOT NULL THEN reduce(best = score, other IN COLLECT {
    MATCH (p:Passage {group_id: $space, owner: m.uuid})
    WHERE p.kind = m.kind AND p.embedder = asked.fingerprint AND size(p.embedding) = size(asked.vector)
    RETURN vector.similarity.cosine(p.embedding, asked.vector)
  } | CASE WHEN best IS NULL OR other > best THEN other ELSE best END)
  ELSE score END AS score
RETURN open, collect(CASE WHEN m IS NOT NULL THEN [m.kind, m.content, m.rest, m.words, score, asked.fingerprint, hidden] END) AS found
