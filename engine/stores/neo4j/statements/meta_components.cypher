// What the server says it is.
// -> name, versions, edition
CALL dbms.components() YIELD name, versions, edition
RETURN name, versions, edition
