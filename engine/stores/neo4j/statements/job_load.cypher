// How the work of all spaces goes. Over every space, for health.
// now, failed_since, without (kinds) -> failed, waiting, since (null where none waits)
OPTIONAL MATCH (failed:Job)
WHERE failed.state = 'failed' AND failed.due_ms >= $given.failed_since AND NOT failed.kind IN $given.without
WITH count(failed) AS failed
OPTIONAL MATCH (n:Job)
WHERE n.free_ms <= $given.now AND NOT n.kind IN $given.without
RETURN failed, count(n) AS waiting, min(n.free_ms) AS since
