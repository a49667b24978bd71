"""Clients of a server, and the embedded engine without await."""
