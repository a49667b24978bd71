"""Titles as texts and questions give them."""

from __future__ import annotations

import pytest

from muniment.engine.ingest.spelling import spelling_key
from muniment.engine.ingest.titles import keys_of_form, title_form, title_keys


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ("Harrow Lane (2009 film)", "harrow lane"),
        ("Signal: Lost in Fog", "Signal Lost In Fog"),
        ("Who Takes the Ferry?", "who takes the ferry"),
        ("Zélie Marchand", "Zelie Marchand"),
        ("The Copper Gate", "Copper Gate"),
        ("Orla's Mill", "Orla Mill"),
        ("海港（小说）", "海港"),
    ],
)
def test_a_title_is_found_by_the_form_in_which_it_is_asked_for(title: str, asked: str) -> None:
    kept = {spelling_key(title), *title_keys(title)}
    assert kept & {*keys_of_form(title_form(asked))}


@pytest.mark.parametrize(
    ("one", "other"), [("Room 101", "Room 102"), ("Harrow Lane", "Harrow Road"), ("Ångström", "Angstrom 2")]
)
def test_other_words_and_digits_are_another_title(one: str, other: str) -> None:
    assert title_form(one) != title_form(other)
    assert not {spelling_key(one), *title_keys(one)} & {*keys_of_form(title_form(other))}


def test_what_is_nothing_but_brackets_keeps_its_words_and_marks_alone_have_no_form() -> None:
    assert title_form("(untitled)") == "untitled"
    assert (title_form("?!"), title_keys("?!"), keys_of_form("")) == ("", (), ())


def test_a_name_that_is_its_own_form_has_no_further_key() -> None:
    assert title_keys("harrow lane") == title_keys("Harrow Lane") == ()
