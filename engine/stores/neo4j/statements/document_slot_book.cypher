// What a write of some slots must know: their assertions, their unexpired versions, the documents about them of a kind and
// status, the highest number of another kind. Nothing is asked for where there are no slots but that number.
// space, walls, all_walls, slots, known (the last moment before for ever), kind, status, counted -> told, held, open, seq
CALL () {
  //+ assertion_of_slots
  WITH n ORDER BY n.recorded_ms, n.place, n.uuid
  RETURN collect(n.rest) AS told
}
CALL () {
  //+ fact_of_slots
  WITH r ORDER BY r.valid_ms, r.uuid
  RETURN collect([r.fact, r.rest]) AS held
}
CALL () {
  UNWIND $given.slots AS slot
  MATCH (n:Document {group_id: $space, kind: $given.kind, ref: slot})
  WHERE n.status = $given.status
  WITH n ORDER BY n.seq, n.uuid
  RETURN collect(n.rest) AS open
}
CALL () {
  MATCH (n:Document {group_id: $space, kind: $given.counted})
  WHERE n.seq IS NOT NULL
  WITH n.seq AS seq ORDER BY seq DESC LIMIT 1
  RETURN max(seq) AS seq
}
RETURN told, held, open, coalesce(seq, 0) AS seq
