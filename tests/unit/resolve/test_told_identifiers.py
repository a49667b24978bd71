"""How an identifier that a fact tells is written in the one form in which equal ones are equal."""

from __future__ import annotations

import pytest

from muniment.engine.resolve.told_identifiers import identifier_of, in_one_form


@pytest.mark.parametrize(
    ("kind", "written", "identifier"),
    [
        ("email", " Ana.Ruiz@X.example ", "email:ana.ruiz@x.example"),
        ("email", "by post", ""),
        ("phone", "+44 (0)20 7946 0000", "phone:442079460000"),
        ("phone", "0044 20 7946 0000", "phone:442079460000"),
        ("phone", "ext. 12", ""),
        ("tax", "DE 123-456-789", "tax:DE123456789"),
        ("registration", "HRB 12345", "registration:HRB12345"),
        ("tax", "pending", ""),
    ],
)
def test_an_identifier_has_one_form(kind: str, written: str, identifier: str) -> None:
    assert identifier_of(kind, written) == identifier


def test_given_identifiers_of_other_kinds_are_left_out() -> None:
    assert in_one_form(["matter:m-7", "tax:de 123456", "registration:hrb 12345"]) == (
        "tax:DE123456",
        "registration:HRB12345",
    )
