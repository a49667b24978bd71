// The graph of a space: Graphiti's labels and relationship types with our constraints and indexes beside them.
// Every key begins with group_id, the space; composite uniqueness covers only rows that have all of its properties.

CREATE CONSTRAINT muniment_space IF NOT EXISTS FOR (n:Space) REQUIRE (n.group_id) IS UNIQUE;
CREATE CONSTRAINT muniment_space_lock IF NOT EXISTS FOR (n:SpaceLock) REQUIRE (n.group_id) IS UNIQUE;

CREATE CONSTRAINT muniment_entity IF NOT EXISTS FOR (n:Entity) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE CONSTRAINT muniment_entity_identity IF NOT EXISTS
  FOR (n:Entity) REQUIRE (n.group_id, n.wall, n.type, n.key) IS UNIQUE;
CREATE INDEX muniment_entity_alias IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.first_alias);
CREATE INDEX muniment_entity_created IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.created_ms);

// Further aliases and the identifiers of an entity: a list property cannot be looked up by its elements.
CREATE INDEX muniment_handle IF NOT EXISTS FOR (n:Handle) ON (n.group_id, n.kind, n.key);
CREATE INDEX muniment_handle_entity IF NOT EXISTS FOR (n:Handle) ON (n.group_id, n.entity);

CREATE CONSTRAINT muniment_episode IF NOT EXISTS FOR (n:Episodic) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE CONSTRAINT muniment_episode_external IF NOT EXISTS
  FOR (n:Episodic) REQUIRE (n.group_id, n.wall, n.external) IS UNIQUE;
CREATE INDEX muniment_episode_thread IF NOT EXISTS FOR (n:Episodic) ON (n.group_id, n.thread, n.position);
CREATE INDEX muniment_episode_recorded IF NOT EXISTS FOR (n:Episodic) ON (n.group_id, n.recorded_ms);
CREATE INDEX muniment_episode_used IF NOT EXISTS FOR (n:Episodic) ON (n.group_id, n.used_ms);

CREATE CONSTRAINT muniment_mention IF NOT EXISTS FOR ()-[r:MENTIONS]-() REQUIRE (r.group_id, r.uuid) IS UNIQUE;

CREATE CONSTRAINT muniment_assertion IF NOT EXISTS FOR (n:Assertion) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE INDEX muniment_assertion_slot IF NOT EXISTS FOR (n:Assertion) ON (n.group_id, n.slot);
CREATE INDEX muniment_assertion_episode IF NOT EXISTS FOR (n:Assertion) ON (n.group_id, n.episode);
CREATE INDEX muniment_assertion_receipt IF NOT EXISTS FOR (n:Assertion) ON (n.group_id, n.receipt);
CREATE INDEX muniment_assertion_subject IF NOT EXISTS FOR (n:Assertion) ON (n.group_id, n.subject);
CREATE INDEX muniment_assertion_object IF NOT EXISTS FOR (n:Assertion) ON (n.group_id, n.object);

// RELATES_TO holds what Graphiti's reader may see: unexpired, neither rejected nor archived. The rest is SET_ASIDE.
CREATE CONSTRAINT muniment_fact IF NOT EXISTS
  FOR ()-[r:RELATES_TO]-() REQUIRE (r.group_id, r.uuid, r.version) IS UNIQUE;
CREATE INDEX muniment_fact_slot IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.slot);
CREATE INDEX muniment_fact_created IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.created_ms);
CREATE INDEX muniment_fact_used IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.used_ms);
CREATE CONSTRAINT muniment_aside IF NOT EXISTS
  FOR ()-[r:SET_ASIDE]-() REQUIRE (r.group_id, r.uuid, r.version) IS UNIQUE;
CREATE INDEX muniment_aside_slot IF NOT EXISTS FOR ()-[r:SET_ASIDE]-() ON (r.group_id, r.slot);
CREATE INDEX muniment_aside_created IF NOT EXISTS FOR ()-[r:SET_ASIDE]-() ON (r.group_id, r.created_ms);
CREATE INDEX muniment_aside_used IF NOT EXISTS FOR ()-[r:SET_ASIDE]-() ON (r.group_id, r.used_ms);

CREATE CONSTRAINT muniment_summary IF NOT EXISTS FOR (n:Summary) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE INDEX muniment_summary_used IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.used_ms);

// A window of a long text with its vector; further vectors of a fact stand here too.
CREATE CONSTRAINT muniment_passage IF NOT EXISTS FOR (n:Passage) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE INDEX muniment_passage_owner IF NOT EXISTS FOR (n:Passage) ON (n.group_id, n.owner);

CREATE CONSTRAINT muniment_document IF NOT EXISTS FOR (n:Document) REQUIRE (n.group_id, n.kind, n.uuid) IS UNIQUE;
CREATE INDEX muniment_document_ref IF NOT EXISTS FOR (n:Document) ON (n.group_id, n.kind, n.ref);
CREATE INDEX muniment_document_seq IF NOT EXISTS FOR (n:Document) ON (n.group_id, n.kind, n.seq);

CREATE CONSTRAINT muniment_job IF NOT EXISTS FOR (n:Job) REQUIRE (n.group_id, n.uuid) IS UNIQUE;
CREATE INDEX muniment_job_free IF NOT EXISTS FOR (n:Job) ON (n.free_ms);
CREATE INDEX muniment_job_dedup IF NOT EXISTS FOR (n:Job) ON (n.group_id, n.dedup_key);

// The engine cuts words itself (stems, pairs of CJK characters), so the analyzer only splits at spaces. The space and the
// area stand in the index too, as mandatory clauses.
CREATE FULLTEXT INDEX muniment_fact_words IF NOT EXISTS
  FOR ()-[r:RELATES_TO|SET_ASIDE]-() ON EACH [r.group_id, r.area, r.words]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
CREATE FULLTEXT INDEX muniment_told_words IF NOT EXISTS
  FOR (n:Episodic|Summary) ON EACH [n.group_id, n.area, n.words]
  OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}};
