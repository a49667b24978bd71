-- Writes an assertion, in place of the one with the same key.
-- Parameters in order: space, columns of assertion.
INSERT INTO assertions (space, {assertion})
VALUES (?, {assertion?})
ON CONFLICT (space, id) DO UPDATE SET {assertion=}
