-- How the work of all spaces goes: jobs that failed since a moment, jobs that could be claimed now, since when the longest.
-- Parameters: now, failed_since, without (JSON list of kinds). Columns: failed, waiting, since (null where none waits).
SELECT
    (SELECT count(*) FROM jobs AS failed WHERE failed.state = 'failed' AND failed.due_at >= :failed_since
        AND failed.kind NOT IN (SELECT value FROM json_each(:without))),
    count(*),
    min(CASE j.state WHEN 'queued' THEN j.due_at ELSE j.lease_until END)
FROM jobs AS j
WHERE j.state IN ('queued', 'running')
    AND ((j.state = 'queued' AND j.due_at <= :now) OR (j.state = 'running' AND j.lease_until <= :now))
    AND j.kind NOT IN (SELECT value FROM json_each(:without))
