-- How far a space has come.
-- Parameters: space. Columns: counter, the counter before which departures are no longer noted.
SELECT s.counter, s.gone_floor
FROM spaces AS s
WHERE s.space = :space
