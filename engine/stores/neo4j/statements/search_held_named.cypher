// As search_held, for facts of some relations only.
// space, walls, all_walls, the filter: known, hidden, valid_high, invalid_low, kinds, importance, any_scope, users, agents, sessions, relations, types,
//   vectors (maps of fingerprint, vector, earlier), fingerprints, cells (maps of low, high), depth, limit, words, terms, weights (by term), least_weight,
//   words_options, words_depth, wanted, kind_low, kind_high, name_low, name_high
//   seen (hidden, valid_high, invalid_low of what is looked at), aside (of so many seen, those that the filter hides are given)
//   cut (whether the ranges let through more than the filter shows)
// One row: `open` names the channels in which more may lie deeper than `depth` or `words_depth`;
// `found` has kind, text, rest, words, score ((1 + cosine) / 2, or null), its fingerprint and whether only its status hides it.
CYPHER 25 CALL () {
  UNWIND $given.vectors AS asked
  UNWIND $given.cells AS cell
  CALL (asked, cell) {
    MATCH ()-[r:RELATES_TO|SET_ASIDE]->()
      SEARCH r IN (
        VECTOR INDEX muniment_fact_vectors FOR asked.vector
        WHERE r.group_id = $space AND r.embedder = asked.fingerprint AND r.audience >= cell.low AND r.audience < cell.high
          AND r.kind >= $given.kind_low AND r.kind <= $given.kind_high AND r.name >= $given.name_low AND r.name <= $given.name_high
          AND r.hidden <= $given.seen.hidden AND r.importance >= $given.importance AND r.created_ms <= $given.known AND r.expired_ms > $given.known
          AND r.valid_ms <= $given.seen.valid_high AND r.invalid_ms > $given.seen.invalid_low
        LIMIT $given.depth
      ) SCORE AS score
    RETURN r, score
  }
  //+ search_held_rest
