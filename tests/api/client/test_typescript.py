"""The TypeScript client: its types are those of the service's document, and what is built from it talks to a real server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.responses import Response

from tests.api.client.live import live
from tests.api.client.trouble import Moody, nobodys_url

ROOT = Path(__file__).resolve().parents[3]
GUIDE = ROOT / "docs" / "howto" / "clients.md"


def test_the_example_of_the_guide_is_the_one_that_runs() -> None:
    (example,) = re.findall(r"```ts\n(.*?)```", GUIDE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert example == (ROOT / "clients" / "typescript" / "test" / "example.ts").read_text(encoding="utf-8")


def test_it_is_built_and_talks_to_a_server(typescript: ModuleType, tmp_path: Path) -> None:
    typescript.build()
    moods: list[Moody] = []

    def around(app: Any) -> Moody:
        moods.append(Moody(app))
        return moods[-1]

    with live(f"sqlite:///{tmp_path / 'served.db'}", around=around, read_after_wait_s=0.1) as server:
        key, others = server.key("acme"), server.key("globex")
        moods[0].first += [Response("busy", status, {"Retry-After": "0"}) for status in (503, 429)]
        operators = server.key("", "operator")
        said = json.loads(typescript.node("dist/test/story.js", server.url, key, others, operators, nobodys_url()))
        shown = typescript.node("dist/test/example.js", URL=server.url, KEY=server.key("initech"))
        assert "Ana Ruiz works for Borealis." in shown
        first, *again = moods[0].keys[:3]
        assert first.startswith("ts-")
        assert again == [first, first]
        memory = server.service.engine.for_tenant("acme")
        assert server.run(memory.episode(said["episode"])).text == "Ana Ruiz reports to Tom Berg."
