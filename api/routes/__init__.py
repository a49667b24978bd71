"""One module a resource; thin."""
