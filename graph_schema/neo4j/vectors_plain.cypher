// Vector indexes without filters, for servers before 2026: over all spaces together, only for what Graphiti may see.

CREATE VECTOR INDEX muniment_fact_neighbours IF NOT EXISTS
  FOR ()-[r:RELATES_TO]-() ON r.fact_embedding
  OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CREATE VECTOR INDEX muniment_passage_neighbours IF NOT EXISTS
  FOR (p:Passage) ON p.embedding
  OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
