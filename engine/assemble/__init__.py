"""Assembly: from hits to a budgeted context block, and chat trimming."""
