// Constraints stand in every block for a prompt, so they are found among any number of preferences.
MATCH ()-[r:RELATES_TO|SET_ASIDE]->() WHERE r.kind = 'preference' AND r.rest CONTAINS '"constraint":true' SET r.standing = true;
CREATE INDEX muniment_fact_standing IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.standing, r.created_ms);
CREATE INDEX muniment_aside_standing IF NOT EXISTS FOR ()-[r:SET_ASIDE]-() ON (r.group_id, r.standing, r.created_ms);
