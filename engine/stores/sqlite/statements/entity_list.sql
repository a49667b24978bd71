-- A page of entities, newest first, then by id; never merged-away ones.
-- Parameters: space, walls (JSON list), all_walls, prefix, prefix_end, text (folded), types (JSON list), user, session, open_end, include_archived, after_ms, after_id, limit.
-- Columns: of entity.
SELECT {entity:e}
FROM entities AS e
WHERE e.space = :space AND {walls:e}
    AND e.created_at <= :after_ms AND (e.created_at < :after_ms OR e.id > :after_id)
    AND e.merged_into IS NULL
    AND (:include_archived OR NOT e.archived)
    AND (e.type IN (SELECT value FROM json_each(:types)) OR :types = '[]' AND e.type <> 'value')
    AND (:prefix = '' OR e.id IN (
        SELECT p.entity FROM names AS p
        WHERE p.space = :space AND p.sort = 'alias' AND p.key >= :prefix AND p.key < :prefix_end))
    AND (:text = '' OR e.id IN (
        SELECT n.entity FROM names AS n
        WHERE n.space = :space AND n.sort = 'alias' AND instr(n.key, :text) > 0))
    AND (:user = '' AND :session = ''
        OR EXISTS (
            SELECT 1 FROM mentions AS m
            JOIN episodes AS t ON t.space = :space AND t.id = m.episode
            WHERE m.space = :space AND m.entity = e.id AND {walls:m} AND {walls:t} AND NOT t.archived
                AND (:user = '' OR t.user = :user) AND (:session = '' OR t.session = :session))
        OR EXISTS (
            SELECT 1 FROM facts AS s
            WHERE s.space = :space AND s.subject = e.id AND {walls:s} AND s.expired_at = :open_end AND NOT s.archived AND NOT s.rejected
                AND (:user = '' OR s.user = :user) AND (:session = '' OR s.session = :session))
        OR EXISTS (
            SELECT 1 FROM facts AS o
            WHERE o.space = :space AND o.object = e.id AND {walls:o} AND o.expired_at = :open_end AND NOT o.archived AND NOT o.rejected
                AND (:user = '' OR o.user = :user) AND (:session = '' OR o.session = :session)))
ORDER BY e.created_at DESC, e.id
LIMIT :limit
