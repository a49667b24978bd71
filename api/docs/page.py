"""The page itself: HTML drawn from the OpenAPI document, once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any, Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

Json = Mapping[str, Any]

PATHS: Final = ("/docs", "/docs/style.css", "/docs/script.js")
# Everything comes from this server, and the page can send nothing elsewhere: a key is typed into it.
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_METHODS: Final = ("get", "post", "put", "patch", "delete")


def install(app: FastAPI) -> None:
    """Serves the page, its style and its script."""
    kept: list[str] = []

    async def page(request: Request) -> Response:
        if not kept:
            kept.append(html_of(app.openapi()))
        return Response(kept[0], media_type="text/html", headers={"Content-Security-Policy": POLICY})

    async def style(request: Request) -> Response:
        return Response(_file("style.css"), media_type="text/css")

    async def script(request: Request) -> Response:
        return Response(_file("script.js"), media_type="text/javascript")

    for path, served in zip(PATHS, (page, style, script), strict=True):
        app.add_route(path, served, methods=["GET"], include_in_schema=False)


def html_of(document: Json) -> str:
    """The page for an OpenAPI document."""
    return "\n".join(_page(document)) + "\n"


def _page(document: Json) -> Iterator[str]:
    info = document["info"]
    schemas = document.get("components", {}).get("schemas", {})
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                tag = (operation.get("tags") or ["other"])[0]
                by_tag.setdefault(tag, []).append("\n".join(_operation(method, path, operation, schemas)))
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(info['title'])}</title>"
    yield '<link rel="stylesheet" href="docs/style.css">\n<script src="docs/script.js" defer></script>\n</head>\n<body>'
    yield f'<header>\n<h1>{escape(info["title"])} <span class="said">{escape(info["version"])}</span></h1>'
    yield from (f"<p>{_prose(part)}</p>" for part in info.get("description", "").split("\n\n"))
    yield '<label>Key, to try calls with; it is kept nowhere <input id="key" type="password" autocomplete="off"></label>'
    yield "<nav>" + " ".join(f'<a href="#{_anchor(tag)}">{escape(tag.capitalize())}</a>' for tag in by_tag)
    yield ' <a href="#shapes">Shapes</a> <a href="openapi.json">openapi.json</a></nav>\n</header>'
    for tag, operations in by_tag.items():
        yield f'<h2 id="{_anchor(tag)}">{escape(tag.capitalize())}</h2>'
        yield from operations
    yield '<h2 id="shapes">Shapes</h2>'
    for name, schema in sorted(schemas.items()):
        yield from _shape(name, schema)
    yield "</body>\n</html>"


def _operation(method: str, path: str, operation: Json, schemas: Json) -> Iterator[str]:
    yield f'<details>\n<summary><span class="method">{method.upper()}</span> <span class="path">{escape(path)}</span> '
    yield f'<span class="said">{escape(operation.get("summary", ""))}</span></summary>'
    if operation.get("description"):
        yield f"<p>{_prose(operation['description'])}</p>"
    roles = operation.get("x-muniment-roles")
    yield f'<p class="said">{"for " + escape(", ".join(roles)) if roles else "for everybody"}</p>'
    yield f'<form data-method="{method.upper()}" data-path="{escape(path)}">'
    parameters = operation.get("parameters", [])
    if parameters:
        yield '<table class="asked">'
        yield from map(_parameter, parameters)
        yield "</table>"
    yield from _body(operation.get("requestBody", {}).get("content", {}), schemas)
    yield "<button>Send</button>\n<pre data-answer hidden></pre>\n</form>"
    yield from _answers(operation["responses"])
    yield "</details>"


def _parameter(parameter: Json) -> str:
    place, name = parameter["in"], parameter["name"]
    schema = parameter.get("schema", {})
    needed = " required" if place == "path" else ""
    said = _prose(parameter.get("description") or schema.get("description") or "")
    kind = "header" if place == "header" else place
    told = f'name="{escape(name)}" data-in="{kind}" aria-label="{escape(name)}"{needed}'
    if schema.get("type") == "array" or "items" in str(schema):
        field = f"<textarea rows=1 {told}></textarea>"
    elif choices := _choices(schema):
        field = f"<select {told}>{''.join(f'<option>{escape(one)}</option>' for one in ('', *choices))}</select>"
    else:
        default = schema.get("default")
        field = (
            f'<input {told} placeholder="{escape(str(default))}">' if default not in (None, "") else f"<input {told}>"
        )
    return (
        f'<tr><td><code>{escape(name)}</code></td><td class="said">{escape(_type_of(schema))}, {kind}</td><td>{said}</td>'
        f"<td>{field}</td></tr>"
    )


def _choices(schema: Json) -> list[str]:
    """What a parameter may be, where that is a short list."""
    if schema.get("type") == "boolean":
        return ["true", "false"]
    return [str(one) for one in schema.get("enum", ()) if one not in ("", None)]


def _body(content: Json, schemas: Json) -> Iterator[str]:
    for media, told in content.items():
        schema = told.get("schema", {})
        target = next((schemas[name] for name in _names_in(schema) if name in schemas), schema)
        examples = target.get("examples") or ([told["example"]] if "example" in told else [])
        text = json.dumps(examples[0], indent=2, ensure_ascii=False) if examples else ""
        rows = min(20, text.count("\n") + 2)
        yield f'<label>Body: {_link(schema)} <span class="said">{escape(media)}</span>'
        yield f'<textarea data-body="{escape(media)}" rows="{rows}" spellcheck="false">{escape(text)}</textarea></label>'


def _answers(responses: Json) -> Iterator[str]:
    yield "<table>"
    for status, told in sorted(responses.items()):
        shapes = " ".join(_link(one.get("schema", {})) for one in told.get("content", {}).values())
        yield f"<tr><td>{escape(status)}</td><td>{_prose(told.get('description', ''))}</td><td>{shapes}</td></tr>"
    yield "</table>"


def _shape(name: str, schema: Json) -> Iterator[str]:
    yield f'<details id="shape-{escape(name)}">\n<summary><code>{escape(name)}</code> '
    yield f'<span class="said">{_prose(schema.get("description", ""))}</span></summary>\n<table>'
    needed = set(schema.get("required", ()))
    for field, told in schema.get("properties", {}).items():
        mark = "" if field in needed else " (optional)"
        yield f'<tr><td><code>{escape(field)}</code></td><td class="said">{_link(told)}{mark}</td>'
        yield f"<td>{_prose(str(told.get('description', '')))}</td></tr>"
    yield "</table>\n</details>"


def _type_of(schema: Json) -> str:
    """A few words for a schema: `string`, `list of Fact`, `integer or null`, `one | many`."""
    if name := _name_in(schema):
        return name
    for many in ("anyOf", "oneOf", "allOf"):
        if many in schema:
            return " or ".join(dict.fromkeys(_type_of(one) for one in schema[many]))
    if "enum" in schema:
        return " | ".join(str(one) or "''" for one in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_type_of(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or "anything")


def _link(schema: Json) -> str:
    """The same, with links to the shapes."""
    text = escape(_type_of(schema))
    for name in sorted(_names_in(schema), key=len, reverse=True):
        text = text.replace(escape(name), f'<a href="#shape-{escape(name)}">{escape(name)}</a>', 1)
    return text


def _names_in(schema: Any) -> set[str]:
    if isinstance(schema, Mapping):
        own = {name} if (name := _name_in(schema)) else set()
        return own.union(*map(_names_in, schema.values())) if schema else own
    return set().union(*map(_names_in, schema)) if isinstance(schema, list) and schema else set()


def _name_in(schema: Json) -> str:
    reference = schema.get("$ref")
    return reference.rpartition("/")[2] if isinstance(reference, str) else ""


def _prose(text: str) -> str:
    """Text with `code` in it; nothing else of Markdown is used."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def _anchor(tag: str) -> str:
    return "tag-" + "".join(c if c.isalnum() else "-" for c in tag)


def _file(name: str) -> bytes:
    return (files("muniment.api.docs") / name).read_bytes()
