// Takes versions away to write them anew: a version may change its type and its ends.
// space, rows (maps of uuid, version)
UNWIND $given.rows AS row
MATCH ()-[r:RELATES_TO|SET_ASIDE {group_id: $space, uuid: row.uuid, version: row.version}]->()
DELETE r
