-- Starts or raises the counter of a space, at the first write of a transaction.
-- Parameters: space. Columns: the counter.
INSERT INTO spaces (space, counter, gone_floor)
VALUES (:space,
    (SELECT CAST(m.value AS INTEGER) + 1 FROM meta AS m WHERE m.key = 'counter_floor'),
    (SELECT CAST(m.value AS INTEGER) + 1 FROM meta AS m WHERE m.key = 'counter_floor'))
ON CONFLICT (space) DO UPDATE SET counter = spaces.counter + 1
RETURNING counter
