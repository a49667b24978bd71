-- Forgets what went, in every space; images that have not heard of it load anew.
-- Parameters: none. Several statements; they serve the operator, no tenant.
UPDATE spaces AS s SET gone_floor = s.counter WHERE EXISTS (SELECT 1 FROM gone AS g WHERE g.space = s.space);
DELETE FROM gone AS g WHERE EXISTS (SELECT 1 FROM spaces AS s WHERE s.space = g.space);
