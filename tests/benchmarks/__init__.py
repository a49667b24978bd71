"""Measuring recall and speed; `python -m tests.benchmarks --help`. Nothing here runs with the tests but the small judged set."""
