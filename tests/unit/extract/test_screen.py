"""Secrets are found by form and checksum, and treated as the policy says."""

from __future__ import annotations

import pytest

from muniment.engine.extract.screen import (
    MASK,
    ScreenPolicy,
    SecretKind,
    SecretPolicy,
    find_secrets,
    screen,
    screen_value,
)

ALL = ScreenPolicy(secrets=SecretPolicy.REDACT, personal_data=SecretPolicy.REDACT)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("key AKIAABCDEFGHIJKLMNOP in the file", SecretKind.KEY),
        ("use sk-proj-abcdefghijklmnopqrstuvwx", SecretKind.KEY),
        ("postgres://app:hunter22@db.example/main", SecretKind.KEY),
        ("password: hunter", SecretKind.PASSWORD),
        ("His PIN is 4821.", SecretKind.PASSWORD),
        ("Authorization: Bearer abcdefghij1234567890", SecretKind.KEY),
        ("key mk_k3j9x2_AbCdEfGhIjKlMnOpQrStUv", SecretKind.KEY),
        ("Amex 3782 822463 10005", SecretKind.CARD),
        ("card 4111 1111 1111 1111 please", SecretKind.CARD),
        ("IBAN GB82 WEST 1234 5698 7654 32", SecretKind.IBAN),
        ("身份证号11010519491231002X", SecretKind.IDENTITY),
        ("The password for the portal is Tr0ub4dor&3", SecretKind.PASSWORD),
        ("密码是abc12345", SecretKind.PASSWORD),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", SecretKind.PRIVATE_KEY),
    ],
)
def test_secret_is_found_and_masked(text: str, kind: SecretKind) -> None:
    found = find_secrets(text)
    assert [secret.kind for secret in found] == [kind]
    redacted = screen(text, policy=ALL)
    assert MASK in redacted.text
    assert text[found[0].start : found[0].end] not in redacted.text


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112 is mistyped",  # wrong check digit
        "IBAN GB82 WEST 1234 5698 7654 33",
        "身份证号110105194912310021",
        "The password is required on every login.",
        "The password is hard to remember.",
        "Password: please ask the desk for it",
        "The pin is loose, and the pin is 40mm long.",
        "Their secret is patience.",
        "Order 1234567890128 was shipped.",  # a right check digit, but of no card issuer
        "A sk-learn-contrib-and-other-tree-models build.",
        "Order 1234567890123 was shipped.",
        "Meeting on 2024-05-03, call +44 20 7946 0958.",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == []
    assert screen(text, policy=ALL).text == text


def test_policy_decides() -> None:
    text = "password: Tr0ub4dor&3, IBAN GB82 WEST 1234 5698 7654 32"
    keep, redact, refuse = SecretPolicy.KEEP, SecretPolicy.REDACT, SecretPolicy.REFUSE
    assert screen(text, policy=ScreenPolicy(secrets=keep, personal_data=keep)).text == text
    default = screen(text, policy=ScreenPolicy())
    assert default.text == f"password: {MASK}, IBAN GB82 WEST 1234 5698 7654 32"
    assert screen(text, policy=ScreenPolicy(secrets=refuse)).refused
    assert not screen(text, policy=ScreenPolicy(secrets=redact, personal_data=keep)).refused


def test_masking_twice_changes_nothing() -> None:
    once = screen("api_key = abcd1234efgh", policy=ALL).text
    again = screen(once, policy=ALL)
    assert (again.text, again.done) == (once, ())


def test_the_name_of_a_value_tells_what_it_is() -> None:
    assert screen_value("portal_password", "hunter", policy=ALL).text == MASK
    assert screen_value("comment", "hunter", policy=ALL).text == "hunter"
