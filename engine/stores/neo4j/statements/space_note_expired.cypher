// Notes the latest moment at which a version expired: reads as of later ones need no expired rows.
// space, expired_ms
MATCH (s:Space {group_id: $space})
SET s.last_expired_ms = CASE
  WHEN s.last_expired_ms > $given.expired_ms THEN s.last_expired_ms
  ELSE $given.expired_ms
END
