"""Chinese: names over LAC's words, relations by patterns over clauses. `sentence` is the way in."""
