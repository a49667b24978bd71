"""The outward faces: HTTP, command line, MCP."""
