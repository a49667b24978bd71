"""Writing: from decisions to stored rows and a receipt."""
