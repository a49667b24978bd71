"""English: names, frames of the parse, nominal and surface patterns. `sentence` is the way in."""
