"""Resolution: identity, slots and timelines, all pure."""
