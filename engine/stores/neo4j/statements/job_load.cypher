// How the work of all spaces goes. Over every space, for health.
// now, failed_since -> failed, waiting, since (null where none waits)
OPTIONAL MATCH (failed:Job)
WHERE failed.state = 'failed' AND failed.due_ms >= $given.failed_since
WITH count(failed) AS failed
OPTIONAL MATCH (n:Job)
WHERE n.free_ms <= $given.now
RETURN failed, count(n) AS waiting, min(n.free_ms) AS since
