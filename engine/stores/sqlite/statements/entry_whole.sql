-- The index entries of memories of a kind, one row for each embedder's vectors, or one without any.
-- Parameters: space, walls (JSON list), all_walls, kind, ids (JSON list). Columns: n, id, words, fingerprint, dim, parts.
SELECT w.n, w.id, w.words, v.fingerprint, v.dim, v.parts
FROM entries AS w
LEFT JOIN vectors AS v ON v.space = :space AND v.entry = w.n
WHERE w.space = :space AND w.kind = :kind AND w.id IN (SELECT value FROM json_each(:ids)) AND {walls:w}
ORDER BY w.n, v.fingerprint
