"""Settings: where they come from, what is refused, and that each is documented."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from muniment.engine.settings import Settings, read_settings
from muniment.graph_schema.errors import Invalid

DOCS = Path(__file__).resolve().parents[2] / "docs" / "settings.md"


def test_each_setting_is_documented_and_nothing_else_is() -> None:
    rows = [
        line.split("|")[1].strip(" `") for line in DOCS.read_text(encoding="utf-8").splitlines() if "| `MUN" in line
    ]
    assert sorted(rows) == sorted(Settings.variables().values())


def test_the_environment_is_read_with_the_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_STORE_URL", "sqlite://")
    monkeypatch.setenv("MUNIMENT_CORS_ORIGINS", "https://a.example, https://b.example")
    settings = read_settings()
    assert settings.store_url == "sqlite://"
    assert settings.cors_origins == ("https://a.example", "https://b.example")


def test_a_value_in_code_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_ENVIRONMENT", "eval")
    assert read_settings(environment="prod").environment == "prod"


def test_a_wrong_value_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_MAX_BODY_BYTES", "many")
    with pytest.raises(Invalid, match="MUNIMENT_MAX_BODY_BYTES"):
        read_settings()


@pytest.mark.parametrize("name", ["", "_system", "a/b", "*"])
def test_an_environment_that_could_be_mistaken_is_refused(name: str) -> None:
    with pytest.raises(Invalid, match="MUNIMENT_ENVIRONMENT"):
        read_settings(environment=name)


def test_settings_do_not_change() -> None:
    settings = read_settings()
    with pytest.raises(ValidationError):
        settings.environment = "prod"


def test_secrets_do_not_show() -> None:
    assert "hunter2" not in repr(read_settings(neo4j_password="hunter2"))


def test_each_setting_is_read_somewhere() -> None:
    root = DOCS.parents[1]
    code = [path.read_text(encoding="utf-8") for folder in ("engine", "api") for path in (root / folder).rglob("*.py")]
    others = "\n".join(text for text in code if "class Settings(" not in text)
    unread = [name for name in Settings.variables() if not re.search(rf"\.{name}\b", others)]
    assert unread == []
