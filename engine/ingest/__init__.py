"""Reading: from what callers hand in to episodes."""
