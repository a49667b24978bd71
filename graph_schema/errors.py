"""Every error that Muniment raises on purpose.

MunimentError
├── Invalid              a value is wrong; the message names field, value and what would be right
│   ├── ContextHardStop  chat history is over the hard limit and the caller asked to be told
│   └── NotThisLists     a cursor that this list did not give the caller: broken, another list's or another tenant's
├── TenantRequired       no tenant was named; never "all of them"
├── Forbidden            the caller's role or tenant does not allow it
├── NotFound             absent, or not yours: the same words for both
├── Conflict             changed meanwhile, already undone, merge forbidden
│   ├── UnderWay         the same request, with the same idempotency key, is being done right now
│   ├── Ambiguous        a target fits several memories; they are named
│   └── WrongEnvironment the database carries another environment's stamp
├── Held                 a legal hold forbids erasing
├── TooLarge             over a documented limit
├── RateLimited          too many calls; `retry_after_s` says when to come back
└── Unavailable
    ├── StoreUnavailable the store does not answer, or is not one that we can open
    │   └── NoStore      there is no store at that path, and the caller does not want one made
    ├── LaneUnavailable  an external lane does not answer
    ├── ModelUnavailable a model's files are missing or not the ones we know
    └── NotYetReadable   a read waited for a write that is still under way
"""

from __future__ import annotations

from collections.abc import Sequence


class MunimentError(Exception):
    """Base of all errors raised on purpose; `code` is the stable word used on every surface."""

    code = "internal"


class Invalid(MunimentError):
    """A value is wrong.

    `field` is the path of the value (`episodes[3].occurred_at`), empty where no single field is to blame.
    """

    code = "invalid"

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class ContextHardStop(Invalid):
    """Chat history is longer than the hard limit, and the caller asked for an error rather than a cut."""

    code = "context_hard_stop"


class NotThisLists(Invalid):
    """A cursor that this list did not give this caller; whether it is broken or another's is not said."""


class TenantRequired(MunimentError):
    """No tenant was named, or a name that could mean everybody."""

    code = "tenant_required"


class Forbidden(MunimentError):
    """The caller may not do this."""

    code = "forbidden"


class Unauthenticated(Forbidden):
    """No key, or one that is unknown, expired or revoked."""

    code = "unauthenticated"


class NotFound(MunimentError):
    """There is no such thing for this caller; whether it exists elsewhere is not said."""

    code = "not_found"

    @classmethod
    def of(cls, kind: str, id: str) -> NotFound:
        """The one wording for absent and not-yours."""
        return cls(f"no {kind} {id!r}")


class Conflict(MunimentError):
    """The thing changed meanwhile, or is already in the state asked for."""

    code = "conflict"


class UnderWay(Conflict):
    """The same request is being done right now; the same again a little later gives its answer."""


class Ambiguous(Conflict):
    """A target fits several memories; `candidates` names them."""

    code = "ambiguous"

    def __init__(self, message: str, *, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class WrongEnvironment(Conflict):
    """The database is stamped with another environment than the one it was opened as."""

    code = "wrong_environment"


class Held(MunimentError):
    """A legal hold forbids erasing; `holds` names the holds in the way."""

    code = "held"

    def __init__(self, message: str, *, holds: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.holds = tuple(holds)


class TooLarge(MunimentError):
    """Over a documented limit; the message says which and how much is allowed."""

    code = "too_large"


class RateLimited(MunimentError):
    """Too many calls; `limit` is how many are allowed a minute, 0 where that is not told."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after_s: float = 1.0, limit: int = 0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.limit = limit


class Unavailable(MunimentError):
    """Something outside this process does not answer; nothing was half-written."""

    code = "unavailable"


class StoreUnavailable(Unavailable):
    """The store does not answer, or is not one that this version can open; the message says what was tried.

    `gave_way` is True where the store took the transaction back whole, in favour of another or by its own mistake about
    the time: the same may be tried again.
    """

    code = "store_unavailable"

    def __init__(self, message: str, *, gave_way: bool = False) -> None:
        super().__init__(message)
        self.gave_way = gave_way


class NoStore(StoreUnavailable):
    """There is no store at that path, and one was not to be made."""


class LaneUnavailable(Unavailable):
    """An external memory lane does not answer."""

    code = "lane_unavailable"


class ModelUnavailable(Unavailable):
    """A model's files are missing or have another hash than the pinned one."""

    code = "model_unavailable"


class NotYetReadable(Unavailable):
    """A read was to wait for an accepted write, and the write was not done in time; asking again goes on waiting."""

    code = "not_yet_readable"
