"""The command line of this very tree, for runners that want a command: `python -m tests.benchmarks.cli ingest …`."""

from muniment.api.cli.main import main

if __name__ == "__main__":
    main()
