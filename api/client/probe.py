"""How a server is, as it tells without and with a key."""

from __future__ import annotations

from typing import Any, Final

import httpx

from muniment.graph_schema.errors import Invalid

_TIMEOUT_S: Final = 10.0
_THIS_MACHINE: Final = frozenset({"127.0.0.1", "localhost", "::1"})


def probe(server: str, *, key: str = "") -> dict[str, Any]:
    """Whether a server lives, answers and is well, its version, and with a key whether that is taken.

    `ok` is False where something is not as it should be; `causes` says what. Raises Invalid for what is no address.
    """
    report: dict[str, Any] = {"server": server, "ok": False, "version": None, "status": "unreachable", "causes": []}
    try:
        url = httpx.URL(server)
    except httpx.InvalidURL as cause:
        raise Invalid(f"--server {server!r} is no address", field="server") from cause
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise Invalid(f"--server {url.host!r} is no address: write http://… or https://…", field="server")
    if key and url.scheme == "http" and url.host not in _THIS_MACHINE:
        raise Invalid("a key would cross the network in the clear: use https://", field="server")
    with httpx.Client(base_url=url, timeout=_TIMEOUT_S) as client:
        try:
            alive, ready = client.get("/healthz"), client.get("/readyz")
            report["key"] = _key(client, key)
            told, state = alive.json(), ready.json()
            report |= {"version": told["version"], "status": state["status"], "causes": state["causes"]}
        except httpx.HTTPError as error:
            report["causes"] = [type(error).__name__]
            return report
        except (ValueError, KeyError, TypeError):
            report |= {"status": "foreign", "causes": ["it does not answer as Muniment does"]}
            return report
    report["ok"] = alive.is_success and ready.is_success and not report["causes"] and report["key"] != "refused"
    return report


def _key(client: httpx.Client, key: str) -> str:
    """Whether the key is taken; a role that may not browse is taken too."""
    if not key:
        return "not tried"
    answer = client.get("/v1/ontology", headers={"Authorization": f"Bearer {key}"})
    return "refused" if answer.status_code == 401 else "taken"
