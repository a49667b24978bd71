-- Constraints stand in every block for a prompt, so they are found among any number of preferences.
CREATE INDEX facts_constraints ON facts (space, created_at, id)
    WHERE kind = 'preference' AND instr(attributes, '"constraint": true') > 0;
