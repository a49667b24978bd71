"""What a revision says of its changes."""

from muniment.engine.resolve.derive import revise
from muniment.graph_schema.ids import EntityId, EpisodeId
from muniment.graph_schema.records import Action, EntityRef
from tests.unit.resolve.assertions import day, says

REFS = {
    EntityId(f"n_{name}"): EntityRef(id=EntityId(f"n_{name}"), name=name, type="thing")
    for name in ("subject", "acme", "bolt")
}


def test_a_closing_names_the_episode_that_told_of_the_end() -> None:
    first = says("acme", told="2024-01-01", episode=EpisodeId("e_first"))
    second = says("bolt", told="2024-06-01", episode=EpisodeId("e_second"))
    stored = revise([first], [], REFS, now=day("2024-01-01"), cause="evidence.told").put

    changes = revise([first, second], stored, REFS, now=day("2024-06-01"), cause="evidence.told").changes

    (closed,) = [change for change in changes if change.action is Action.CLOSED]
    assert closed.because.rule == "slot.successor"
    assert closed.because.evidence == ("e_second",)
    assert second.id in closed.because.by


def test_a_creation_names_the_episode_that_told_it() -> None:
    told = says("acme", episode=EpisodeId("e_first"))
    (change,) = revise([told], [], REFS, now=day("2024-01-01"), cause="evidence.told").changes
    assert (change.action, change.because.evidence) == (Action.CREATED, ("e_first",))
