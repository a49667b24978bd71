"""The promises of the container files, which no container engine checks here."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

SECRET = re.compile(r"password|secret|token|auth|(?<!_)key", re.IGNORECASE)


@pytest.fixture(scope="module")
def dockerfile(root: Path) -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, as (word, rest), continued lines joined."""
    text = re.sub(r"\\\n", " ", (root / "docker" / "Dockerfile").read_text())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.partition(" ")[0].upper(), line.partition(" ")[2].strip()) for line in lines]


@pytest.fixture(scope="module")
def services(root: Path) -> dict[str, dict[str, Any]]:
    """The services of the compose file, with its shared parts merged in."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((root / "docker" / "compose.yaml").read_text())["services"]
    return found


def test_every_image_is_pinned_to_a_full_version(
    dockerfile: list[tuple[str, str]], services: dict[str, dict[str, Any]]
) -> None:
    images = [rest.split()[0] for word, rest in dockerfile if word == "FROM"]
    images += [service["image"] for service in services.values()]
    assert len(images) >= 4
    assert [image for image in images if not re.search(r":\d+\.\d+\.\d+", image)] == []


def test_the_image_is_built_in_stages_and_runs_as_nobody_special(dockerfile: list[tuple[str, str]]) -> None:
    words = [word for word, _ in dockerfile]
    last = len(words) - 1 - words[::-1].index("FROM")
    users = [rest for word, rest in dockerfile[last:] if word == "USER"]
    assert words.count("FROM") >= 2
    assert users
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1])


def test_the_image_installs_only_what_a_lock_names(dockerfile: list[tuple[str, str]]) -> None:
    installs = re.findall(r"pip install ([^&]+)", " ".join(rest for word, rest in dockerfile if word == "RUN"))
    assert installs
    for arguments in installs:
        assert "--no-deps" in arguments
        assert "--require-hashes" in arguments or "wheels/" in arguments


def test_every_service_checks_its_health_and_runs_without_root(services: dict[str, dict[str, Any]]) -> None:
    assert services.keys() == {"neo4j", "api", "worker"}
    for name, service in services.items():
        assert service["healthcheck"]["test"], name
        assert not service["user"].startswith(("0", "root")), name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name


def test_no_secret_stands_in_a_file(dockerfile: list[tuple[str, str]], services: dict[str, dict[str, Any]]) -> None:
    settings = [(key, str(value)) for service in services.values() for key, value in service["environment"].items()]
    secrets = {key: value for key, value in settings if SECRET.search(key)}
    assert {"NEO4J_AUTH", "MUNIMENT_NEO4J_PASSWORD"} <= secrets.keys()
    for key, value in secrets.items():
        # ${NAME:?message}: taken from the environment, and compose stops where it is empty
        assert re.fullmatch(r"(neo4j/)?\$\{\w+:\?[^}]+\}", value), key
    assert not [rest for word, rest in dockerfile if word in {"ENV", "ARG"} and SECRET.search(rest)]


def test_the_example_of_the_environment_holds_no_secret(root: Path) -> None:
    lines = (root / "docker" / ".env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    assert given["NEO4J_PASSWORD"] == ""
    assert "docker/.env" in (root / ".gitignore").read_text().splitlines()


def test_only_the_loopback_address_is_published(services: dict[str, dict[str, Any]]) -> None:
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []
