"""A tenant's own weights and words: from its next call on, for it alone, told in its audit chain."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.engine.assemble.sections import SHARES
from muniment.engine.bootstrap import Engine, open_engine
from muniment.engine.rank.policy import DEFAULT_POLICY
from muniment.engine.settings import Settings
from muniment.engine.tenant_settings import settings_changes, settings_of, settings_with
from muniment.engine.tenants import create_tenant, set_tenant_settings, tenant_settings
from muniment.graph_schema.errors import Invalid
from tests.engines import engine_on

OLD = {"text": "The ferry timetable of Skagen lists eleven crossings.", "kind": "note", "occurred_at": "2003-02-01T09:00:00Z", "importance": 1}  # fmt: skip
NEW = {"text": "The ferry to Skagen was repainted last week.", "kind": "note", "occurred_at": "2026-05-20T09:00:00Z", "importance": 5}  # fmt: skip
QUESTION = "What does the ferry timetable of Skagen list?"


async def set_(engine: Engine, tenant: str, **changes: Any) -> None:
    await set_tenant_settings(engine.database, tenant, changes, actor="tester")


async def test_weights_change_the_order_of_their_tenant_only_and_can_be_taken_back() -> None:
    async with engine_on("sqlite://") as engine:
        memories = {}
        for name in ("acme", "globex"):
            await create_tenant(engine.database, name)
            memories[name] = engine.for_tenant(name, actor="tester")
            await memories[name].remember([OLD, NEW], extract="none")

        async def first(name: str) -> str:
            return (await memories[name].recall(QUESTION)).recall.hits[0].text

        assert await first("acme") == await first("globex") == OLD["text"]
        before = await memories["acme"].recall(QUESTION)
        await set_(engine, "acme", ranking={"recency": 2, "importance": 1, "half_life_days": {"note": 30}})
        assert (await first("acme"), await first("globex")) == (NEW["text"], OLD["text"])
        # What was answered before replays under the weights of then.
        assert (await memories["acme"].replay(before.trace_id)).equal
        await set_(engine, "acme", ranking={"importance": None})
        held = (await tenant_settings(engine.database, "acme")).ranking
        assert held.differences(DEFAULT_POLICY) == {
            "recency": 2.0,
            "half_life_days": {**DEFAULT_POLICY.half_life_days, "note": 30.0},
        }
        await set_(engine, "acme", ranking=None)
        assert await first("acme") == OLD["text"]
        told = [one for one in (await memories["acme"].audit()).items if one.verb == "tenant.settings"]
        assert [one.detail["ranking"] for one in told] == [
            "default",
            '{"importance": null}',
            '{"half_life_days": {"note": 30}, "importance": 1, "recency": 2}',
        ]


async def test_the_block_has_the_tenants_language_and_headings() -> None:
    async with engine_on("sqlite://") as engine:
        await create_tenant(engine.database, "acme")
        memory = engine.for_tenant("acme", actor="tester")
        await memory.remember([OLD], extract="none")
        assert "## Knowledge" in (await memory.context(QUESTION)).context.text
        await set_(engine, "acme", context={"language": "zh"})
        assert "## 资料" in (await memory.context(QUESTION)).context.text
        await set_(engine, "acme", context={"headings": {"knowledge": "On file"}, "first_line": "Now counts."})
        block = (await memory.context(QUESTION)).context.text
        assert block.startswith("Now counts.\n两个标记")
        assert "## On file" in block


async def test_the_block_is_counted_by_the_callers_own_tokenizer_and_shared_out_as_the_tenant_says() -> None:
    async with open_engine("sqlite://", settings=Settings(environment="test"), count_tokens=len) as engine:
        await create_tenant(engine.database, "acme")
        memory = engine.for_tenant("acme", actor="tester")
        await memory.remember([OLD, NEW], extract="none")
        block = (await memory.context(QUESTION, budget_tokens=450)).context
        assert block.tokens == len(block.text) <= 450
        assert (await memory.context(QUESTION, budget_tokens=150)).context.tokens == 0
        await set_(engine, "acme", context={"shares": {"knowledge": 0}})
        assert (await tenant_settings(engine.database, "acme")).shares == {**SHARES, "knowledge": 0.0}
        await set_(engine, "acme", context={"shares": None})
        assert (await tenant_settings(engine.database, "acme")).shares == SHARES
    async with open_engine("sqlite://", settings=Settings(environment="test", count_tokens="builtins:len")) as engine:
        assert engine.tools.count_tokens("four") == 4


@pytest.mark.parametrize(
    "name", ["builtins", "builtins:nothing", "no_such_module:count", "builtins:str", "builtins:bool"]
)
async def test_a_tokenizer_that_cannot_be_used_is_named_when_the_engine_is_opened(name: str) -> None:
    with pytest.raises(Invalid, match=f"count_tokens is '{name}'"):
        await open_engine("sqlite://", settings=Settings(environment="test", count_tokens=name))


@pytest.mark.parametrize(
    ("given", "at", "says"),
    [
        ({"ranking": {"lexical": 3}}, "settings.ranking.lexical", "from 0 to 2"),
        ({"ranking": {"hop_from": 1.5}}, "settings.ranking.hop_from", "a whole number from 0 to 20"),
        ({"ranking": {"lexical": True}}, "settings.ranking.lexical", "a number"),
        ({"ranking": {"lexical": float("nan")}}, "settings.ranking.lexical", "a number"),
        ({"ranking": {"luck": 1}}, "settings.ranking.luck", "no weight 'luck'"),
        ({"ranking": {"luck": None}}, "settings.ranking.luck", "no 'luck'"),
        ({"ranking": {"half_life_days": {"letter": 3}}}, "settings.ranking.half_life_days", "days by kind"),
        ({"ranking": {"half_life_days": {"note": -3}}}, "settings.ranking.half_life_days.note", "from 0 to 36500"),
        ({"ranking": {}}, "settings.ranking", "give an object"),
        ({"ranking": 3}, "settings.ranking", "give an object"),
        ({"context": {"language": "fr"}}, "settings.context.language", "en or zh"),
        ({"context": {"headings": {"rumours": "R"}}}, "settings.context.headings.rumours", "no section 'rumours'"),
        ({"context": {"headings": {"facts": "A\nB"}}}, "settings.context.headings.facts", "one line"),
        ({"context": {"first_line": " "}}, "settings.context.first_line", "one line"),
        ({"context": {"ended": "until {when}"}}, "settings.context.ended", "{date}"),
        ({"context": {"ended": "until {date!r}"}}, "settings.context.ended", "{date}"),
        ({"context": {"ended": "until {date"}}, "settings.context.ended", "{date}"),
        ({"context": {"shares": {"facts": 1.5}}}, "settings.context.shares.facts", "from 0 to 1"),
        ({"context": {"shares": {"rumours": 0.1}}}, "settings.context.shares.rumours", "no 'rumours'"),
        ({"context": {"shares": 1}}, "settings.context.shares", "by section"),
        ({"context": {"otherwise": "{source}"}}, "settings.context.otherwise", "{id}"),
        ({"context": {"colour": "red"}}, "settings.context.colour", "no 'colour'"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], at: str, says: str) -> None:
    with pytest.raises(Invalid) as refused:
        settings_changes(given)
    assert refused.value.field == at
    assert says in str(refused.value)


def test_changes_are_laid_over_name_by_name_and_what_another_version_wrote_is_left_aside() -> None:
    held = {"log_only": True, "context": {"language": "zh", "headings": {"facts": "A", "events": "B"}}}
    changed = settings_with(held, {"log_only": None, "context": {"headings": {"facts": None}}})
    assert changed == {"context": {"language": "zh", "headings": {"events": "B"}}}
    assert settings_with(changed, {"context": {"language": None, "headings": {"events": None}}}) == {}
    assert settings_of({"ranking": {"luck": 1}}).ranking == DEFAULT_POLICY
