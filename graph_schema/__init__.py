"""What the graph is: records, ids, time, ontology, errors. Standard library only."""
