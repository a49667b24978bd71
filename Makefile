# What a person runs. Each target makes the virtual environment first when it is missing or the lock has changed;
# all that is needed beforehand is make and a Python of 3.11 to 3.13 (`make PYTHON=/path/to/python` names one).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The first Python that both starts and has a fitting version; a bare `python3` when none has, so that the message is ours.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo "$$p" && exit; \
	done; echo python3)
VENV ?= .venv
BIN := $(VENV)/bin

# make test: which stores the contract suite runs on (sqlite, neo4j-2026, neo4j-5), and anything else for pytest.
export MUNIMENT_TEST_STORES ?= sqlite,neo4j-2026
PYTEST_ARGS ?=
# make serve
STORE ?= sqlite:///muniment.db
PORT ?= 8377
# make bench: a folder of judged sets; empty means the small set that the project brings along.
BENCH_SETS ?=
BENCH_ARGS ?=
# make lock UPGRADE=1 takes the newest versions; without it only what pyproject.toml asks for changes.
UPGRADE ?=
# make fuzz: how long, and on which stores.
FUZZ_ARGS ?=
# make soak: how often the service or the worker is killed, and how many writes go to few slots.
SOAK_KILLS ?= 20
SOAK_WRITES ?= 2000

.PHONY: help environment demo test check bench fuzz soak serve typescript lock wheel clean

help: ## List the targets
	@echo "Muniment: make TARGET"
	@sed -nE 's/^([a-z]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16
	@echo "Variables: PYTHON VENV MUNIMENT_TEST_STORES PYTEST_ARGS STORE PORT BENCH_SETS BENCH_ARGS FUZZ_ARGS SOAK_KILLS SOAK_WRITES UPGRADE"

environment: ## Make or renew the virtual environment from the hashed lock
	@command -v "$(PYTHON)" > /dev/null || { echo "error: no $(PYTHON) here; Muniment needs Python 3.11 to 3.13 (make PYTHON=...)" >&2; exit 1; }
	@"$(PYTHON)" tools/environment.py "$(VENV)"

demo: environment ## Tell a story over months to the embedded store and show what it remembers
	@$(BIN)/muniment demo

test: environment ## Run the tests on SQLite and a real Neo4j
	@echo "==> pytest, stores: $$MUNIMENT_TEST_STORES"
	@$(BIN)/pytest $(PYTEST_ARGS)

check: environment ## Formatting, lint, types, import rules, container files
	@echo "==> [1/6] ruff format"; $(BIN)/ruff format --check .
	@echo "==> [2/6] ruff check"; $(BIN)/ruff check .
	@echo "==> [3/6] mypy"; $(BIN)/mypy
	@echo "==> [4/6] pyright"; $(BIN)/pyright --pythonpath $(BIN)/python
	@echo "==> [5/6] import-linter"; $(BIN)/lint-imports
	@echo "==> [6/6] container files"; $(BIN)/hadolint docker/Dockerfile; $(BIN)/compose-lint --quiet --fail-on low docker/compose.yaml

bench: environment ## Measure recall and speed (BENCH_SETS=folder for other sets)
	@$(BIN)/python -m tests.benchmarks $(if $(BENCH_SETS),--sets "$(BENCH_SETS)") $(BENCH_ARGS)

fuzz: environment ## Try the whole HTTP API with made-up requests (FUZZ_ARGS="--minutes 5 --stores sqlite,neo4j-2026")
	@$(BIN)/python -m tests.fuzzing $(FUZZ_ARGS)

soak: environment ## Kill, stop and crowd the service for long: 20 kills, 8 writers with 2,000 writes (SOAK_KILLS SOAK_WRITES)
	@echo "==> faults and many writers, stores: $$MUNIMENT_TEST_STORES; $(SOAK_KILLS) kills, $(SOAK_WRITES) writes"
	@MUNIMENT_TEST_KILLS=$(SOAK_KILLS) MUNIMENT_TEST_WRITES=$(SOAK_WRITES) $(BIN)/pytest \
		tests/integration/test_faults.py tests/integration/test_sqlite_processes.py tests/integration/truth/test_concurrency.py $(PYTEST_ARGS)

serve: environment ## Serve the HTTP API on 127.0.0.1 (STORE=url PORT=number)
	@$(BIN)/muniment serve --store "$(STORE)" --host 127.0.0.1 --port $(PORT)

typescript: environment ## Build the TypeScript client into clients/typescript/dist
	@$(BIN)/python -m tools.typescript build
	@echo "==> built: clients/typescript/dist"

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

lock: environment ## Resolve the locks anew (UPGRADE=1 for the newest versions)
	@echo "==> [1/3] locks/dev.lock: everything, for this Makefile"
	@$(COMPILE) pyproject.toml --all-extras --group dev --output-file locks/dev.lock
	@echo "==> [2/3] locks/serve.lock: what a server needs, for docker/Dockerfile"
	@$(COMPILE) pyproject.toml --constraints locks/dev.lock --extra local --extra endpoint --extra neo4j --extra server --extra mcp --extra oidc --output-file locks/serve.lock
	@echo "==> [3/3] locks/build.lock: what builds the wheel, for docker/Dockerfile"
	@$(COMPILE) --constraints locks/dev.lock --group build --output-file locks/build.lock

wheel: environment ## Build the wheel and the source archive into dist/
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist

clean: ## Remove the environment, caches and build products
	@rm -rf "$(VENV)" dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .schemathesis .import_linter_cache .coverage htmlcov bench-out clients/typescript/node_modules clients/typescript/dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "removed: environment, caches, build products"
