"""What the demonstration claims is so: each table shows what the engine returned, and that is what the story says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from rich.console import Console
from typer.testing import CliRunner

from muniment.api.demo import tables
from muniment.api.demo.story import read_story
from muniment.api.demo.telling import Demonstration, StoryClock, demonstrate
from muniment.engine.bootstrap import open_engine
from muniment.engine.settings import Settings
from muniment.graph_schema.records import Action, EpisodeOutcome


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shown(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Demonstration]:
    story = read_story()
    clock = StoryClock(story.today)
    url = f"sqlite:///{tmp_path_factory.mktemp('demo') / 'story.db'}"
    async with open_engine(url, settings=Settings(environment="test"), clock=clock) as engine:
        yield await demonstrate(engine, clock, story)


def names(shown_path: object) -> list[str]:
    """The stations of an answer's path."""
    steps = shown_path.answer.path  # type: ignore[attr-defined]
    return [steps[0].source.name, *(step.target.name for step in steps)]


def test_every_episode_of_the_story_is_kept(shown: Demonstration) -> None:
    for told in shown.told:
        statuses = told.receipts[0].episodes
        assert len(statuses) == len(told.chapter.episodes)
        assert {status.status for status in statuses} == {EpisodeOutcome.CREATED}
        assert [episode.text for episode in told.episodes] == [given["text"] for given in told.chapter.episodes]


def test_the_answer_is_three_facts_away_and_each_is_cited(shown: Demonstration) -> None:
    assert names(shown.now) == ["Harrow Mills", "Owen Pryce", "Marta Lindqvist", "Leeds"]
    assert [fact.relation for fact in shown.now.path] == ["has_primary_contact", "reports_to", "lives_in"]
    assert all(quote.episode for fact in shown.now.path for quote in fact.evidence[:1])
    assert all(fact.evidence for fact in shown.now.path)


def test_the_same_question_as_of_earlier_goes_another_way(shown: Demonstration) -> None:
    assert names(shown.earlier) == ["Harrow Mills", "Dana Whitlock", "Colm Reyes", "Bristol"]


def test_the_chinese_question_finds_where_the_manager_lives_now(shown: Demonstration) -> None:
    assert names(shown.chinese) == ["云杉精工", "陈立群", "周敏", "杭州"]


def test_what_is_told_late_changes_the_past_but_not_what_was_known_then(shown: Demonstration) -> None:
    assert [fact.object.name for fact in shown.late_then] == ["苏州"]
    assert [fact.object.name for fact in shown.late_now] == ["杭州"]


def test_each_closing_has_its_rule_and_the_episode_that_told_it(shown: Demonstration) -> None:
    closed = {
        (closing.fact.subject.name, closing.fact.relation): (told, closing)
        for told in shown.told
        for closing in told.closings
    }
    assert {("Harrow Mills", "has_primary_contact"), ("Harbour Plan", "price_of"), ("周敏", "lives_in")} <= set(closed)
    for told, closing in closed.values():
        assert closing.change.because.rule == "slot.successor"
        assert set(closing.change.because.evidence) & {episode.id for episode in told.episodes}
        assert closing.fact.superseded_by in closing.change.because.by
    ends = {place: closing.fact.invalid_at for place, (_, closing) in closed.items()}
    assert ends["Harbour Plan", "price_of"] == datetime(2026, 3, 1, tzinfo=UTC)
    assert ends["周敏", "lives_in"] == datetime(2025, 12, 1, tzinfo=UTC)


def test_the_history_tells_what_was_held_and_what_ended_it(shown: Demonstration) -> None:
    assert shown.history.fact.object.name == "Dana Whitlock"
    assert [version.invalid_at is None for version in shown.history.versions] == [True, False]
    assert shown.history.story[-1].rule == "slot.successor"


def test_the_preferred_channel_is_the_later_one(shown: Demonstration) -> None:
    (told,) = [t for t in shown.told if t.chapter.title == "A preference changes"]
    assert any("微信" in closing.fact.object.name for closing in told.closings)


def test_the_context_block_stays_in_its_budget(shown: Demonstration) -> None:
    assert 0 < shown.context.tokens <= shown.story.context_budget <= 900
    assert "Owen Pryce" in shown.context.text
    assert "£4,750" in shown.context.text


def test_another_tenant_is_refused_and_the_try_is_audited(shown: Demonstration) -> None:
    refusal = shown.refusal
    assert refusal.hits == 0
    assert refusal.by_id.replace(shown.now.path[0].id, "ID") == refusal.by_absent_id.replace("f_" + "0" * 20, "ID")
    assert refusal.status == 403
    assert [(entry.verb, entry.outcome) for entry in refusal.audit] == [("recall", "refused")]
    assert refusal.chain.ok


def test_undoing_the_mistake_opens_again_what_it_closed(shown: Demonstration) -> None:
    corrected = shown.corrected
    assert [fact.object.name for fact in corrected.mistaken] == ["Petra Novak"]
    assert corrected.before == corrected.after or [f.id for f in corrected.before] == [f.id for f in corrected.after]
    assert [c.fact.object.name for c in corrected.undone if c.change.action is Action.REOPENED] == ["Owen Pryce"]


def test_the_tables_hold_what_the_engine_returned(shown: Demonstration) -> None:
    console = Console(record=True, width=200, file=open("/dev/null", "w"))  # noqa: SIM115
    tables.show_told(console, shown)
    tables.show_answer(console, shown.now, title="now")
    tables.show_late(console, shown)
    tables.show_closings(console, shown)
    tables.show_context(console, shown)
    tables.show_refusal(console, shown)
    tables.show_undo(console, shown)
    text = console.export_text()
    for told in shown.told:
        assert told.chapter.title in text
    for step in shown.now.path:
        assert step.object.name in text
    assert str(shown.context.tokens) in text
    assert shown.corrected.undo.id in text


def test_the_command_keeps_the_store_in_a_named_folder_and_refuses_to_write_over_it(tmp_path: Path) -> None:
    from muniment.api.cli.main import app

    folder = tmp_path / "kept"
    first = CliRunner().invoke(app, ["demo", str(folder), "--json"])
    assert first.exit_code == 0, first.output
    assert json.loads(first.stdout)["story"]["tenant"] == "kestrel-row"
    assert (folder / "story.db").exists()
    second = CliRunner().invoke(app, ["demo", str(folder)])
    assert second.exit_code != 0


def test_without_its_models_the_command_says_what_to_install() -> None:
    from muniment.api.cli.main import app

    done = CliRunner().invoke(app, ["demo"], env={"MUNIMENT_SPACY_MODEL": "no_such_model"})
    assert done.exit_code == 5
    assert "pip install" in done.stderr
