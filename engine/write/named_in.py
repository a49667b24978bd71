"""Who and what episodes name, in the order in which it is settled whom each name means."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.engine.extract.candidates import Candidate, CandidateKind, Named
from muniment.engine.resolve.statements import whom
from muniment.engine.write.draft import NamedIn
from muniment.graph_schema.records import Episode, MentionRole

ROLES = frozenset({"user", "assistant", "system", "tool", "human", "ai", "agent", "bot"})
"""Speakers of these names are parts in a chat, not persons."""


def named_in(episodes: Sequence[Episode], candidates: Sequence[Candidate]) -> list[NamedIn]:
    """Who and what each episode names: its title, its speaker, and every end and entity found in it."""
    found: list[NamedIn] = []
    by_id = {episode.id: episode for episode in episodes}
    for episode in episodes:
        if episode.title:
            found.append(NamedIn(episode=episode.id, named=Named(name=episode.title), role=MentionRole.TITLE))
        if episode.speaker and episode.speaker.casefold() not in ROLES:
            speaker = Named(name=episode.speaker, type="person")
            found.append(NamedIn(episode=episode.id, named=speaker, role=MentionRole.SPEAKER))
    for candidate in candidates:
        ends = [whom(end, by_id[candidate.episode]) for end in (candidate.subject, candidate.object)]
        found.extend(NamedIn(episode=candidate.episode, named=e) for e in ends if e is not None and not e.is_value)
        if candidate.kind is CandidateKind.ENTITY and candidate.subject is None:
            found.append(NamedIn(episode=candidate.episode, named=Named(name=candidate.text, type=candidate.type)))
    return list(dict.fromkeys(found))
