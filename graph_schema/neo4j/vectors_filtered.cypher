// Vector indexes with filters inside, for servers of 2026 and later. No dimension is fixed: embedders of different
// sizes share an index, told apart by the fingerprint in `embedder`. Quantization costs recall, so it is off.

// Those of an older server, which this one replaces.
DROP INDEX muniment_fact_neighbours IF EXISTS;
DROP INDEX muniment_passage_neighbours IF EXISTS;

CYPHER 25 CREATE VECTOR INDEX muniment_fact_vectors IF NOT EXISTS
  FOR ()-[r:RELATES_TO|SET_ASIDE]-() ON r.fact_embedding
  WITH [r.group_id, r.embedder, r.audience, r.kind, r.name, r.hidden, r.importance,
        r.valid_ms, r.invalid_ms, r.created_ms, r.expired_ms]
  OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CYPHER 25 CREATE VECTOR INDEX muniment_passage_vectors IF NOT EXISTS
  FOR (p:Passage) ON p.embedding
  WITH [p.group_id, p.embedder, p.audience, p.kind, p.held, p.hidden, p.importance, p.recorded_ms]
  OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
