"""What the speed run writes and asks: invented firms, people and products, the same at every run.

A firm with its five people and one product makes 20 facts, so `n` facts are n/20 firms that do not touch each other but for
cities and tools, which many share, as in a real customer list.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

_SYLLABLES = "bel cor dan fer gil hol jun kel lor mar nor pel quin ros sel tor ul ven wex yor".split()
_ENDINGS = "Works Mills Foods Lines Labs Partners Trading Systems".split()
_GIVEN = """
Ada Adil Agnes Aino Alba Alma Amir Ana Andrei Anil Anja Arlo Asta Astrid Bela Bianca Bodil Bram Britta Bruno Carla Cecil Celia
Chidi Ciro Clara Cleo Cosmo Dag Dalia Daria Dario Delia Dimitri Dora Dov Edda Edgar Eira Elio Elsa Emeka Emil Enzo Erika Esme
Esra Ezra Fabio Fatima Felix Filip Finn Flora Franka Freya Gael Gemma Gideon Gita Greta Gustav Hana Hanno Harun Hedda Helmi
Hilda Hugo Ida Ilse Imre Ines Ingrid Ira Isak Ivo Jana Jarek Jasper Joana Jonas Jorun Juno Kaja Karim Keiko Kemal Kira Klara
Lars Leda Leif Lena Leon Levi Lidia Linus Livia Lotte Luca Ludo Magda Maia Malik Mara Marek Mila Milo Mira Nadia Naomi Nils
Nina Noor Odin Olaf Olga Otis Otto Paula Pavel Petra Pia Piet Quentin Rafa Ragna Rasmus Remy Rhea Rosa Runa Sami Sanna Selma
Signe Silas Simone Sonja Stig Sven Talia Tamar Tessa Theo Thora Tilda Tomas Tove Ulla Uwe Vera Viggo Vilma Wanda Wim Xenia
Yara Yusuf Zara Zeno
""".split()
_TOOLS = [
    f"{name} Suite" for name in ("Ledger", "Harbour", "Compass", "Anvil", "Beacon", "Lattice", "Quarry", "Sextant")
]
_CITIES = [f"{a.title()}{b}" for a in _SYLLABLES for b in ("stadt", "by", "ford", "ville", "holm")]
FACTS_A_FIRM = 20
BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    name: str
    people: tuple[str, ...]  # the first leads the others
    product: str


def firm(number: int) -> Firm:
    """The firm of that number; no two share a name."""
    name = _word(number).title()
    return Firm(
        name=f"{name} {_ENDINGS[number % len(_ENDINGS)]}",
        people=tuple(
            f"{_GIVEN[(number * 31 + k * 7) % len(_GIVEN)]} {_word(number * 5 + k + 7_919).title()}" for k in range(5)
        ),
        product=f"{name} Plan",
    )


def facts(count: int, *, first: int = 0) -> Iterator[dict[str, Any]]:
    """`count` structured facts from firm number `first` on."""
    made = 0
    number = first
    while made < count:
        for fact in _facts_of(firm(number), number):
            if made == count:
                return
            made += 1
            yield fact
        number += 1


def questions(firms: int, count: int, *, seed: int = 7) -> list[str]:
    """Questions of one to three hops about the first `firms` firms, and some that name nothing."""
    chance = random.Random(seed)
    made = []
    for n in range(count):
        one = firm(chance.randrange(firms))
        person = chance.choice(one.people[1:])
        made.append(
            (
                f"Who is the primary contact at {one.name}?",
                f"Where does the manager of {person} live?",
                f"Which company does {person} work for?",
                f"What is the price of the {one.product}?",
                f"In which city does the manager of the primary contact at {one.name} live?",
                "Who uses the ledger and lives near the harbour?",
            )[n % 6]
        )
    return made


def messages(count: int, *, first: int = 0) -> Iterator[dict[str, Any]]:
    """`count` chat messages from number `first` on, four English ones to one Chinese, most of which tell something."""
    for n in range(first, first + count):
        one = firm(n)
        at = BEGINNING + timedelta(minutes=7 * n)
        text = (
            f"Hi, quick update: {one.people[1]} is now the primary contact at {one.name}, please write to her first.",
            f"We spoke to {one.people[2]} yesterday. She prefers calls in the morning and was not happy about the late report.",
            f"From {at:%d %B %Y} the price of the {one.product} is {900 + n} euros a month, as agreed with {one.people[0]}.",
            f"{one.people[3]} works for {one.name} and reports to {one.people[0]}, who lives in {_CITIES[n % len(_CITIES)]}.",
            f"您好，{one.name}的主要联系人是{one.people[1]}，她更喜欢用邮件沟通，报告请在每月十日之前发给她。",
        )[n % 5]
        yield {
            "text": text,
            "kind": "message",
            "occurred_at": at,
            "external_id": f"m{n}",
            "speaker": one.people[4],
            "thread": f"chat-{n // 40}",
        }


def _facts_of(one: Firm, number: int) -> Iterator[dict[str, Any]]:
    chance = random.Random(number)

    def told(subject: tuple[str, str], relation: str, object: dict[str, str]) -> dict[str, Any]:
        name, type = subject
        since = BEGINNING + timedelta(days=chance.randrange(600))
        return {"subject": {"name": name, "type": type}, "relation": relation, "object": object, "valid_at": since}

    company = {"name": one.name, "type": "company"}
    for place, person in enumerate(one.people):
        who = (person, "person")
        yield told(who, "works_for", company)
        yield told(who, "lives_in", {"name": chance.choice(_CITIES), "type": "city"})
        if place:
            yield told(who, "reports_to", {"name": one.people[0], "type": "person"})
        if place < 3:
            yield told(who, "uses", {"name": chance.choice(_TOOLS), "type": "software"})
    firm_end = (one.name, "company")
    yield told(firm_end, "headquartered_in", {"name": chance.choice(_CITIES), "type": "city"})
    yield told(firm_end, "has_primary_contact", {"name": one.people[1], "type": "person"})
    yield told((one.product, "product"), "price_of", {"value": f"{100 + number % 900} euros a month"})


def _word(number: int) -> str:
    """A word of four syllables; different for every number below 160,000."""
    base = len(_SYLLABLES)
    # Multiplying by a number that has no factor in common with base**4 spreads neighbours apart and repeats nothing.
    spread = number * 7_001 % base**4
    return "".join(_SYLLABLES[spread // base**place % base] for place in range(4))
