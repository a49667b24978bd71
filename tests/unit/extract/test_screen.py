"""Secrets are found by form and checksum, and treated as the policy says."""

from __future__ import annotations

import pytest

from muniment.engine.extract.screen import MASK, SecretKind, SecretPolicy, find_secrets, screen


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("key AKIAABCDEFGHIJKLMNOP in the file", SecretKind.KEY),
        ("use sk-proj-abcdefghijklmnopqrstuvwx", SecretKind.KEY),
        ("postgres://app:hunter22@db.example/main", SecretKind.KEY),
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
    redacted = screen(text)
    assert MASK in redacted.text
    assert text[found[0].start : found[0].end] not in redacted.text


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112 is mistyped",  # wrong check digit
        "IBAN GB82 WEST 1234 5698 7654 33",
        "身份证号110105194912310021",
        "The password is required on every login.",
        "Order 1234567890123 was shipped.",
        "Meeting on 2024-05-03, call +44 20 7946 0958.",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == []
    assert screen(text).text == text


def test_policy_decides() -> None:
    text = "password: Tr0ub4dor&3"
    assert screen(text, policy=SecretPolicy.KEEP).text == text
    refused = screen(text, policy=SecretPolicy.REFUSE)
    assert (refused.refused, refused.text) == (True, "")


def test_masking_twice_changes_nothing() -> None:
    once = screen("api_key = abcd1234efgh").text
    assert screen(once).text == once
