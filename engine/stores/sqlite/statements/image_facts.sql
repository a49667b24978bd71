-- What search filters need of the fact versions written since. The image filters walls itself.
-- Parameters: space, seen. Columns: row, id, version, then the filter columns.
SELECT f.row, f.id, f.version, f.kind, f.created_at, f.expired_at, f.valid_at, f.invalid_at, f.importance,
    f.rejected, f.archived, f.wall, f.user, f.agent, f.session, f.relation, f.subject, f.object, f.subject_type, f.object_type
FROM facts AS f
WHERE f.space = :space AND f.changed > :seen
ORDER BY f.changed, f.row
