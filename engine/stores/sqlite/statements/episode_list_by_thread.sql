-- A page of the episodes of the threads in a range, newest first, then by id.
-- Parameters: space, walls (JSON list), all_walls, text (lower case), kind, thread, thread_end, user, session, as_of, known_at, include_archived, after_ms, after_id, limit.
-- Columns: of episode.
SELECT {episode:e}
FROM episodes AS e INDEXED BY episodes_by_thread
WHERE e.space = :space AND e.thread <> '' AND e.thread BETWEEN :thread AND :thread_end AND {walls:e}
    AND e.recorded_at <= :after_ms AND (e.recorded_at < :after_ms OR e.id > :after_id)
    AND e.recorded_at <= :known_at AND e.occurred_at <= :as_of
    AND (:include_archived OR NOT e.archived)
    AND (:kind = '' OR e.kind = :kind)
    AND (:user = '' OR e.user = :user)
    AND (:session = '' OR e.session = :session)
    AND (:text = '' OR instr(lowered(e.text), :text) > 0)
ORDER BY e.recorded_at DESC, e.id
LIMIT :limit
