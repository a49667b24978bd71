"""A language model behind an OpenAI-compatible endpoint, used only when the settings name one."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from muniment.engine.models.breaker import Breaker
from muniment.engine.models.language import readable
from muniment.engine.ports.models import Completion, Prompt
from muniment.graph_schema.errors import ModelUnavailable

if TYPE_CHECKING:
    import httpx

logger = logging.getLogger(__name__)

_PASSING: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same call may go well a moment later."""
_OPTIONAL: Final = frozenset({"temperature", "max_tokens"})
"""Fields that some models refuse: those that reason take no temperature, and call the bound max_completion_tokens."""
_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 20.0
_CHARS_A_TOKEN: Final = 3  # on the safe side, for endpoints that do not count


class AnswerFormat(StrEnum):
    """How the endpoint is told what shape the answer must have; older servers know less."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """Where and how to ask. `url` goes up to and including the version: http://127.0.0.1:8080/v1."""

    url: str
    model: str
    api_key: str = field(default="", repr=False)
    format: AnswerFormat = AnswerFormat.JSON_SCHEMA
    timeout_s: float = 60.0  # of one try
    tries: int = 3  # of one call, the first included


class ChatEndpoint:
    """Answers from `POST {url}/chat/completions`. Implements `LanguageModel`; one connection pool, opened at first use."""

    def __init__(
        self,
        settings: ChatSettings,
        *,
        breaker: Breaker | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings
        self._pause = pause
        self.breaker = breaker or Breaker()
        self._refused: frozenset[str] = frozenset()  # fields that this endpoint does not take
        self._opening = Lock()
        self._client: httpx.Client | None = None

    @property
    def fingerprint(self) -> str:
        """Names the model; the address only as a hash, for it may hold a customer's name."""
        return f"chat:{self._settings.model}@{sha256(self._settings.url.encode()).hexdigest()[:12]}"

    def complete(self, prompt: Prompt) -> Completion:
        """The answer. Raises ModelUnavailable after the last try, or at once while the breaker is open."""
        if not self.breaker.admits():
            raise ModelUnavailable("the language model failed several times in a row and is left alone for a while")
        try:
            done = self._tried(prompt)
        except BaseException:
            self.breaker.failed()
            raise
        self.breaker.succeeded()
        return done

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        with self._opening:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _tried(self, prompt: Prompt) -> Completion:
        import httpx

        reason = "was not asked"
        for number in range(1, self._settings.tries + 1):
            wait: float | None = None
            try:
                response = self._open().post("chat/completions", json=self._body(prompt))
                while response.status_code == 400 and self._takes_less(response.text):
                    response = self._open().post("chat/completions", json=self._body(prompt))
                if response.status_code < 400:
                    return _completion(response.json(), prompt)
                reason = f"answered {response.status_code}"
                if response.status_code not in _PASSING:
                    raise ModelUnavailable(f"the language model {reason} for {self._settings.model!r}")
                wait = _retry_after(response.headers.get("Retry-After", ""))
            except httpx.HTTPError as error:
                reason = f"does not answer: {type(error).__name__}"
            except (ValueError, KeyError, TypeError, IndexError) as error:
                reason = f"sent what is no answer: {type(error).__name__}"
            if number == self._settings.tries:
                break
            logger.info("language model tried again", extra={"attempt": number, "reason": reason})
            self._pause(_pause_before(number + 1) if wait is None else min(wait, _LONGEST_PAUSE_S))
        raise ModelUnavailable(f"the language model {reason}, {self._settings.tries} tries")

    def _takes_less(self, complaint: str) -> bool:
        """Whether an endpoint's complaint names a field that it need not be sent; then it is not sent again."""
        named = {field for field in _OPTIONAL if field in complaint} - self._refused
        self._refused |= named
        return bool(named)

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        system = prompt.system
        if self._settings.format is not AnswerFormat.JSON_SCHEMA:
            system += f"\n\nThe JSON schema of your answer:\n{json.dumps(dict(prompt.schema), ensure_ascii=False)}"
        body: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [
                {"role": "system", "content": readable(system)},
                {"role": "user", "content": readable(prompt.user)},
            ],
        }
        if "temperature" not in self._refused:
            body["temperature"] = 0
        body["max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"] = prompt.max_tokens
        if self._settings.format is AnswerFormat.JSON_SCHEMA:
            asked = {"name": prompt.name, "strict": True, "schema": dict(prompt.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": asked}
        elif self._settings.format is AnswerFormat.JSON_OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body

    def _open(self) -> httpx.Client:
        try:
            import httpx
        except ImportError as error:
            raise ModelUnavailable("httpx is not installed; run: pip install httpx") from error
        to = self._settings
        with self._opening:
            if self._client is None:
                headers = {"Authorization": f"Bearer {to.api_key}"} if to.api_key else {}
                base = to.url.rstrip("/") + "/"
                self._client = httpx.Client(base_url=base, headers=headers, timeout=to.timeout_s)
            return self._client


def _completion(answer: Any, prompt: Prompt) -> Completion:
    """Raises ValueError, KeyError, TypeError or IndexError where it is no chat completion."""
    said = answer["choices"][0]["message"]
    text = said["content"]
    if not isinstance(text, str):
        text = ""  # a refusal, or nothing: what reads the answer rejects it
    usage = answer.get("usage") or {}
    asked = len(prompt.system) + len(prompt.user)
    return Completion(
        text=text,
        tokens_in=_count(usage.get("prompt_tokens"), asked),
        tokens_out=_count(usage.get("completion_tokens"), len(text)),
    )


def _count(told: object, characters: int) -> int:
    return told if isinstance(told, int) and told >= 0 else characters // _CHARS_A_TOKEN + 1


def _retry_after(told: str) -> float | None:
    """Seconds from a Retry-After header, given as seconds or as a date (RFC 9110, 10.2.3); None where it says nothing."""
    if not told.strip():
        return None
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _pause_before(attempt: int) -> float:
    """Twice as long each time, and not the same for all who were turned away at once."""
    longest = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** (attempt - 2))
    return longest * random.uniform(0.5, 1.0)
