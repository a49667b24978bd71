"""What every store promises; runs on each chosen store."""
