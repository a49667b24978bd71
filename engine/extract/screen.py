"""What must not be learned: the engine's own context handed back, and secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MASK = "█████"


class SecretPolicy(StrEnum):
    """What happens to a text with a secret in it: not taken, taken with the secret masked, taken as it is."""

    REFUSE = "refuse"
    REDACT = "redact"
    KEEP = "keep"


class SecretKind(StrEnum):
    KEY = "key"
    PASSWORD = "password"
    CARD = "card"
    IBAN = "iban"
    PRIVATE_KEY = "private_key"
    IDENTITY = "identity"  # a national identity number with a checksum


PERSONAL: Final = frozenset({SecretKind.IBAN, SecretKind.IDENTITY})
"""Personal data; every other kind is a secret. What a CRM is for (names, mail, telephone) is neither."""


class Done(StrEnum):
    """What was done about something found."""

    REDACTED = "redacted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenPolicy:
    """What happens to texts with secrets, and with personal data in them."""

    secrets: SecretPolicy = SecretPolicy.REDACT
    personal_data: SecretPolicy = SecretPolicy.KEEP

    def of(self, kind: SecretKind) -> SecretPolicy:
        return self.personal_data if kind in PERSONAL else self.secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A stretch of a text that looks like a secret, and by which rule."""

    start: int
    end: int
    kind: SecretKind
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """What is left of a text under a policy, and what was done about what was found. A refused text must not be stored."""

    text: str
    done: tuple[tuple[Secret, Done], ...] = ()

    @property
    def refused(self) -> bool:
        return any(done is Done.REFUSED for _, done in self.done)


_KEYS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (rule, re.compile(pattern))
    for rule, pattern in (
        ("secret.aws", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
        ("secret.github", r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{50,}\b"),
        ("secret.slack", r"\bxox[abprs]-[A-Za-z0-9-]{10,}\b"),
        ("secret.gitlab", r"\bglpat-[A-Za-z0-9_-]{20,}\b"),
        ("secret.npm", r"\bnpm_[A-Za-z0-9]{36}\b"),
        ("secret.muniment", r"\bmk_[A-Za-z0-9]{6,}_[A-Za-z0-9_-]{20,}\b"),
        ("secret.model", r"\bsk-(?:[a-z]+-)*(?:[A-Za-z0-9]{20,}|(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,})\b"),
        ("secret.google", r"\bAIza[0-9A-Za-z_-]{35}\b"),
        ("secret.stripe", r"\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}\b"),
        ("secret.jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
        ("secret.bearer", r"(?i:\bbearer\s+)(?P<s>(?=\S*\d)[A-Za-z0-9._~+/-]{20,}=*)"),
        ("secret.url", r"\b[a-z][a-z0-9+.-]*://[^\s:/@]+:(?P<s>[^\s:/@]{3,})@"),
    )
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
# Something must be assigned: "the password policy is strict" tells none.
_PASSWORD = re.compile(
    r"(?P<word>(?i:\b(?:pass(?:word|phrase|code)|passwd|pwd|pin(?: code)?|api[ _-]?key|secret(?: key)?|access[ _-]?token|auth[ _-]?token|client[ _-]?secret)\b))"
    r"(?:\s+(?:for|of|to)\s+[^\s:=]{1,40}(?:\s[^\s:=]{1,20}){0,2})?\s*(?P<mark>[:=]|(?i:is|was|are)\b:?)\s*[\"'“]?(?P<s>[^\s\"'”,;。，；]{4,})"
    r"|(?:密码|口令|密钥|验证码)\s*(?:是|为|[:：=])\s*[\"'“]?(?P<z>[A-Za-z0-9!@#$%^&*._~+-]{4,})"
)
_NOT_PASSWORDS = frozenset(
    """
    required needed wrong incorrect expired changed reset strong weak stored secret safe invalid correct missing still
    being never always with only case really very known unknown kept shared sensitive protected mandatory optional
    forgotten lost same different there here what that this your their our
    """.split()
)
_CARD = re.compile(r"(?<![\d-])(?:\d[ -]?){12,18}\d(?![\d-])")
# Issuers and lengths of ISO/IEC 7812: of plain numbers one in ten has a right check digit, and order numbers are long.
_CARD_NUMBER = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17}"
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_CHINESE_ID = re.compile(r"(?<!\d)\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)")
_US_SSN = re.compile(r"(?i:\b(?:ssn|social security)\D{0,20})(?P<s>\d{3}-\d{2}-\d{4})\b")
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS = "10X98765432"


def screen(text: str, *, policy: ScreenPolicy) -> Screened:
    """The text as it may be kept under `policy`. Masked text has other offsets; screening it again changes nothing."""
    if policy.secrets is SecretPolicy.KEEP and policy.personal_data is SecretPolicy.KEEP:
        return Screened(text=text)
    found = [(s, policy.of(s.kind)) for s in find_secrets(text)]
    masked = [s for s, how in found if how is SecretPolicy.REDACT]
    ways = {SecretPolicy.REDACT: Done.REDACTED, SecretPolicy.REFUSE: Done.REFUSED}
    return Screened(
        text=_masked(text, masked) if masked else text,
        done=tuple((s, ways[how]) for s, how in found if how is not SecretPolicy.KEEP),
    )


def screen_value(name: str, value: str, *, policy: ScreenPolicy) -> Screened:
    """As `screen`, of a value whose name may say what it is, as `password` does; the name itself is never masked."""
    plain = screen(value, policy=policy)
    if plain.done or not name.strip() or "\n" in value:
        return plain
    words = re.sub(r"[_\W]+", " ", name).strip()
    said = screen(f"{words}: {value}", policy=policy)
    lead = len(words) + 2
    return Screened(text=said.text[lead:], done=said.done) if all(s.start >= lead for s, _ in said.done) else plain


def find_secrets(text: str) -> list[Secret]:
    """Secrets in order of place, none overlapping another. Numbers count only where their checksum is right."""
    kept: list[Secret] = []
    for secret in _found(text):
        if not any(secret.start < other.end and other.start < secret.end for other in kept):
            kept.append(secret)
    return sorted(kept, key=lambda s: s.start)


def _masked(text: str, secrets: Sequence[Secret]) -> str:
    out, at = [], 0
    for secret in secrets:
        out += [text[at : secret.start], MASK]
        at = secret.end
    return "".join(out) + text[at:]


def _found(text: str) -> Iterator[Secret]:
    for match in _PRIVATE_KEY.finditer(text):
        yield Secret(start=match.start(), end=match.end(), kind=SecretKind.PRIVATE_KEY, rule="secret.private-key")
    for rule, pattern in _KEYS:
        for match in pattern.finditer(text):
            group = "s" if "s" in match.groupdict() else 0
            yield Secret(start=match.start(group), end=match.end(group), kind=SecretKind.KEY, rule=rule)
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if _CARD_NUMBER.fullmatch(digits) and passes_luhn(digits):
            yield Secret(start=match.start(), end=match.end(), kind=SecretKind.CARD, rule="secret.card")
    for match in _IBAN.finditer(text):
        if passes_mod97(match.group()):
            yield Secret(start=match.start(), end=match.end(), kind=SecretKind.IBAN, rule="secret.iban")
    for match in _CHINESE_ID.finditer(text):
        if passes_chinese_id(match.group()):
            yield Secret(start=match.start(), end=match.end(), kind=SecretKind.IDENTITY, rule="secret.identity-cn")
    for match in _US_SSN.finditer(text):
        yield Secret(start=match.start("s"), end=match.end("s"), kind=SecretKind.IDENTITY, rule="secret.identity-us")
    yield from _passwords(text)


def _passwords(text: str) -> Iterator[Secret]:
    for match in _PASSWORD.finditer(text):
        group = "s" if match["s"] else "z"
        value = match[group].rstrip(".!?)")
        start = match.start(group)
        if len(value) >= 4 and value != MASK and _is_secret(value, match, text):
            yield Secret(start=start, end=start + len(value), kind=SecretKind.PASSWORD, rule="secret.password")


def _is_secret(value: str, match: re.Match[str], text: str) -> bool:
    """Whether what is said to be a password looks like one: no plain word, or alone behind a colon."""
    word = (match["word"] or "").casefold()
    if value.casefold().strip(".,") in _NOT_PASSWORDS:
        return False
    if word.startswith("pin"):
        return value.isdigit() and len(value) <= 8
    if re.search(r"[\d@#$%^&*_+=~!?]", value) or re.search(r"[a-z][A-Z]", value):
        return True
    if match["z"]:
        return True
    ends_line = not text[match.start("s") + len(value) :].partition("\n")[0].strip(" .\"'”")
    return word.startswith("pass") and match["mark"] in (":", "=") and ends_line


def passes_luhn(digits: str) -> bool:
    """The check digit of payment cards (Luhn, US patent 2,950,048)."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def passes_mod97(iban: str) -> bool:
    """The check digits of an IBAN (ISO 13616, MOD 97-10)."""
    plain = iban.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def passes_chinese_id(number: str) -> bool:
    """The check character of a resident identity number (GB 11643, MOD 11-2)."""
    total = sum(int(digit) * weight for digit, weight in zip(number, _ID_WEIGHTS, strict=False))
    return _ID_CHECKS[total % 11] == number[-1].upper()
