-- A page of episodes, newest first, then by id.
-- Parameters: space, walls (JSON list), all_walls, text (lower case), kind, user, session, as_of, known_at, include_archived, after_ms, after_id, limit.
-- Columns: of episode.
SELECT {episode:e}
FROM episodes AS e
WHERE e.space = :space AND {walls:e}
    AND e.recorded_at <= :after_ms AND (e.recorded_at < :after_ms OR e.id > :after_id)
    AND e.recorded_at <= :known_at AND e.occurred_at <= :as_of
    AND (:include_archived OR NOT e.archived)
    AND (:kind = '' OR e.kind = :kind)
    AND (:user = '' OR e.user = :user)
    AND (:session = '' OR e.session = :session)
    AND (:text = '' OR instr(lowered(e.text), :text) > 0)
ORDER BY e.recorded_at DESC, e.id
LIMIT :limit
