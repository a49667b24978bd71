from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from muniment.engine.retrieve.moments import without_moment
from muniment.engine.retrieve.question import read_question

AS_OF = datetime(2025, 8, 16, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Who signed for Larch Mill in the middle of August 2025?", "Who signed for Larch Mill?"),
        ("In early Aug 2025, who ran the yard?", "who ran the yard?"),
        ("On 2025-08-16, what was the rent?", "what was the rent?"),
        ("Who ran the yard on the 16th of August 2025?", "Who ran the yard?"),
        ("Who ran the yard on August 16, 2025, and where?", "Who ran the yard, and where?"),
        ("Whose was Larch Mill in 2025?", "Whose was Larch Mill?"),
        ("2025年8月中旬，谁管仓库？", "谁管仓库？"),
        ("截至2025年8月16日谁管仓库？", "谁管仓库？"),
        ("2025年的时候谁管仓库？", "谁管仓库？"),
        # another time is what is asked about
        ("Who will run the yard from May 2026?", None),
        ("Who ran the yard on 2025-08-11?", None),
        ("2024年谁管仓库？", None),
        # a number is no time, a name keeps its year
        ("Who won the 2025 Harbour Cup?", None),
        ("Who has order 2025-08?", None),
        ("Where is unit 2025?", None),
        # there is nothing else
        ("August 2025?", None),
    ],
)
def test_only_words_for_the_given_moment_are_left_out(text: str, rest: str | None) -> None:
    assert without_moment(text, AS_OF) == (text if rest is None else rest)


def test_a_day_is_that_of_the_callers_zone() -> None:
    late = datetime(2025, 8, 31, 23, tzinfo=UTC)
    assert without_moment("Who ran it in September 2025?", late, ZoneInfo("Asia/Shanghai")) == "Who ran it?"


def test_the_earliest_and_the_latest_moment_have_words_too() -> None:
    assert without_moment("Who ran it in 1999?", datetime.min.replace(tzinfo=UTC)) == "Who ran it in 1999?"
    assert without_moment("Who ran it in 1999?", datetime.max.replace(tzinfo=UTC)) == "Who ran it in 1999?"


def test_words_for_the_given_moment_are_no_terms_of_a_question() -> None:
    text = "Who ran the yard in August 2025?"
    assert read_question(text, as_of=AS_OF).terms == read_question("Who ran the yard?").terms
    whole = read_question(text).terms
    assert {"2025", "august"} <= set(whole)
    assert read_question(text, as_of=AS_OF, read_time_words=False).terms == whole
