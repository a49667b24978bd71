"""The verbs of one tenant's memory as a protocol: the embedded `Memory` and the client of a server both have them.

What each does is told at `engine/memory.py`, `engine/asking.py` and `engine/reading.py`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from muniment.engine.jobs.readable import DEFAULT_WAIT_S
from muniment.graph_schema.records import Kind

if TYPE_CHECKING:
    from muniment.engine.asking import Answer, ContextAnswer
    from muniment.engine.explaining import Replay
    from muniment.engine.extract.candidates import Extraction
    from muniment.engine.ingest.inputs import EpisodeIn, FactIn
    from muniment.engine.jobs.readable import Token
    from muniment.engine.memory import ExtractMode, Mode
    from muniment.engine.rank.why_not import WhyNot
    from muniment.engine.retrieve.browse import EntityPage, Slice
    from muniment.engine.retrieve.history import History
    from muniment.engine.retrieve.paths import Neighbourhood, Paths
    from muniment.engine.write.audit import AuditCheck
    from muniment.engine.write.erase.certificate import Certificate
    from muniment.engine.write.erase.holds import Hold
    from muniment.engine.write.erase.run import Released
    from muniment.engine.write.erase.scopes import EraseScope
    from muniment.engine.write.reviews import Review
    from muniment.engine.write.transfer.imports import GivenLines, ImportReport
    from muniment.graph_schema.ontology import Ontology
    from muniment.graph_schema.records import AuditEntry, Episode, Fact, Job, Receipt


NOT_FOR_CALLERS: Final = frozenset(
    {
        "episodes_of",
        "known_among",
        "model_use",
        "note_missing",
        "ranked",
        "ranked_episodes",
        "ranking_policy",
        "refused",
        "space",
        "used_as_evidence",
    }
)
"""What `Memory` has beside the verbs, for the command line, the service and the benchmarks."""


class Verbs(Protocol):
    """One tenant's memory, wherever it is."""

    # -- written by tools/faces.py

    async def remember(
        self,
        episodes: Sequence[EpisodeIn | Mapping[str, Any]],
        *,
        extract: ExtractMode = "auto",
        mode: Mode = "sync",
        dry_run: bool = False,
    ) -> Receipt: ...

    async def assert_facts(self, facts: Sequence[FactIn | Mapping[str, Any]], *, dry_run: bool = False) -> Receipt: ...

    async def extract(self, episodes: Sequence[EpisodeIn | Mapping[str, Any]]) -> Extraction: ...

    async def apply_commands(self, commands: Mapping[str, Any] | str, *, dry_run: bool = False) -> Receipt: ...

    async def record_outcome(self, skill_id: str, ok: bool, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def retract(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def end(
        self, fact_id: str, at: datetime | str | None = None, *, reason: str = "", dry_run: bool = False
    ) -> Receipt: ...

    async def correct(
        self,
        fact_id: str,
        *,
        object: Mapping[str, Any] | str | None = None,
        valid_at: datetime | str | None = None,
        invalid_at: datetime | str | None = None,
        text: str = "",
        reason: str = "",
        dry_run: bool = False,
    ) -> Receipt: ...

    async def reject(self, fact_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def pin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def unpin(self, id: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def forget(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def purge(
        self,
        scope: Mapping[str, Any] | EraseScope,
        *,
        reason: str = "",
        when_released: bool = False,
        dry_run: bool = False,
    ) -> Certificate: ...

    async def hold(self, scope: Mapping[str, Any] | EraseScope, *, reason: str, dry_run: bool = False) -> Hold: ...

    async def release(self, hold_id: str, *, reason: str = "", dry_run: bool = False) -> Released: ...

    async def import_(self, lines: GivenLines, *, reason: str = "", dry_run: bool = False) -> ImportReport: ...

    async def set_ontology(self, overlay: Mapping[str, Any], *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def merge(self, ids: Sequence[str], *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def unmerge(self, merge_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def forbid_merge(self, a: str, b: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def resolve_review(self, id: str, choice: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def undo(self, receipt_id: str, *, reason: str = "", dry_run: bool = False) -> Receipt: ...

    async def receipt(self, id: str) -> Receipt: ...

    async def retry_job(self, id: str) -> Job: ...

    async def cancel_job(self, id: str) -> Job: ...

    async def wait_for(self, token: Token, *, timeout_s: float = DEFAULT_WAIT_S) -> None: ...

    async def recall(self, query: str, *, read_after: Token | None = None, **options: Any) -> Answer: ...

    async def context(
        self,
        query: str,
        *,
        budget_tokens: int = 900,
        sections: Iterable[str] | None = None,
        messages: Sequence[Mapping[str, Any]] = (),
        read_after: Token | None = None,
        **options: Any,
    ) -> ContextAnswer: ...

    async def explain(self, trace_id: str) -> Mapping[str, Any]: ...

    async def why_not(
        self, id: str, *, trace_id: str | None = None, query: str | None = None, **options: Any
    ) -> WhyNot: ...

    async def replay(self, trace_id: str) -> Replay: ...

    async def ontology(self) -> Ontology: ...

    async def episode(self, id: str, *, include_archived: bool = False) -> Episode: ...

    async def episodes(
        self,
        *,
        q: str = "",
        kind: str = "",
        thread: str = "",
        user: str = "",
        session: str = "",
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Slice[Episode]: ...

    async def fact(
        self,
        id: str,
        *,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
    ) -> Fact: ...

    async def facts(
        self,
        *,
        subject: str = "",
        object: str = "",
        relation: str = "",
        q: str = "",
        type: str = "",
        status: str = "",
        kinds: Iterable[Kind] = (Kind.FACT,),
        user: str = "",
        session: str = "",
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_superseded: bool = False,
        include_archived: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Slice[Fact]: ...

    async def preferences(self, **filters: Any) -> Slice[Fact]: ...

    async def skills(self, **filters: Any) -> Slice[Fact]: ...

    async def history(self, id: str) -> History: ...

    async def entity(
        self, id: str, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None
    ) -> EntityPage: ...

    async def entities(
        self,
        *,
        q: str = "",
        type: str = "",
        user: str = "",
        session: str = "",
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        include_archived: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Slice[EntityPage]: ...

    async def neighbourhood(
        self,
        ids: Sequence[str],
        *,
        hops: int = 1,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        limit: int = 100,
    ) -> Neighbourhood: ...

    async def paths(
        self,
        a: str,
        b: str,
        *,
        hops: int = 4,
        k: int = 3,
        relations: Sequence[str] = (),
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
    ) -> Paths: ...

    def export(
        self, *, vectors: bool = False, as_of: datetime | str | None = None, known_at: datetime | str | None = None
    ) -> AsyncIterator[dict[str, Any]]: ...

    async def holds(
        self, *, include_released: bool = False, limit: int = 50, cursor: str | None = None
    ) -> Slice[Hold]: ...

    async def certificates(self, *, limit: int = 50, cursor: str | None = None) -> Slice[Certificate]: ...

    async def certificate(self, id: str) -> Certificate: ...

    async def reviews(
        self, *, status: str = "open", kind: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[Review]: ...

    async def jobs(
        self, *, state: str = "", kind: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[Job]: ...

    async def job(self, id: str) -> Job: ...

    async def audit(
        self, *, verb: str = "", outcome: str = "", limit: int = 50, cursor: str | None = None
    ) -> Slice[AuditEntry]: ...

    async def verify_audit(self) -> AuditCheck: ...

    # -- end


class Tenants(Protocol):
    """Where the memories of tenants are: an embedded engine, or a server."""

    def for_tenant(self, tenant: str | None, *, actor: str = ..., walls: Iterable[str] = ...) -> Verbs: ...

    async def close(self) -> None: ...
