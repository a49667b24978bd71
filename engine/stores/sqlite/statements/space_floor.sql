-- Keeps the counter that a space had when it was erased, so that a new space of that name starts above it.
-- Parameters: space.
UPDATE meta AS m
SET value = max(CAST(m.value AS INTEGER), (SELECT s.counter FROM spaces AS s WHERE s.space = :space))
WHERE m.key = 'counter_floor' AND EXISTS (SELECT 1 FROM spaces AS s WHERE s.space = :space)
