"""Maintenance: decay, forgetting and repair, through the same write."""
