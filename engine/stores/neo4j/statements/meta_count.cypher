// How much the whole database holds, from the server's own counters. Over every space, for the operator.
// -> name, count
MATCH (n) RETURN 'nodes' AS name, count(n) AS count
UNION ALL
MATCH ()-[r]->() RETURN 'relationships' AS name, count(r) AS count
