-- Deletes all of a space but its place in the word index; children before parents.
-- Parameters: space. Several statements; each tells how many rows went.
DELETE FROM mentions AS t WHERE t.space = :space;
DELETE FROM names AS t WHERE t.space = :space;
DELETE FROM facts AS t WHERE t.space = :space;
DELETE FROM assertions AS t WHERE t.space = :space;
DELETE FROM episodes AS t WHERE t.space = :space;
DELETE FROM entities AS t WHERE t.space = :space;
DELETE FROM summaries AS t WHERE t.space = :space;
DELETE FROM vectors AS t WHERE t.space = :space;
DELETE FROM entries AS t WHERE t.space = :space;
DELETE FROM gone AS t WHERE t.space = :space;
DELETE FROM uses AS t WHERE t.space = :space;
DELETE FROM documents AS t WHERE t.space = :space;
DELETE FROM jobs AS t WHERE t.space = :space;
DELETE FROM spaces AS t WHERE t.space = :space;
