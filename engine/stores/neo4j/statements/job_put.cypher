// Inserts or replaces jobs, but adds no queued one whose dedup_key another queued one has.
// space, rows (maps of properties)
UNWIND $given.rows AS row
OPTIONAL MATCH (twin:Job {group_id: $space, dedup_key: row.dedup_key})
USING INDEX SEEK twin:Job(group_id, dedup_key)
WHERE twin.state = 'queued' AND row.state = 'queued' AND twin.uuid <> row.uuid
WITH row, count(twin) AS twins WHERE twins = 0
MERGE (n:Job {group_id: $space, uuid: row.uuid})
SET n += row
