"""The tests; a package, so that they can share what builds and provides things."""
