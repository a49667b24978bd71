"""The tools that an agent sees (Model Context Protocol): over standard input and output, and over HTTP under `/mcp`."""
