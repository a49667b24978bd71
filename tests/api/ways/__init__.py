"""A tenant through each way in."""
