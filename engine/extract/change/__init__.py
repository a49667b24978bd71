"""What the sentences of a note tell that later sentences may take the place of."""
