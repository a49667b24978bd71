// Writes new states of jobs, each in its own space.
// rows (maps of space, row: properties)
UNWIND $given.rows AS one
MATCH (n:Job {group_id: one.space, uuid: one.row.uuid})
SET n += one.row
