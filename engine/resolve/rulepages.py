"""What every rule id in a receipt, a review or a history means; the pages in docs/rules/ are written from here.

`python -m muniment.engine.resolve.rulepages FOLDER` writes them; a test keeps the two together.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from muniment.engine.resolve.readingpages import ReadingPage, reading_page, reading_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePage:
    """A rule in words: when it applies, what it does, how it is taken back."""

    id: str
    when: str
    effect: str
    back: str


_BY_UNDO = "Undo the receipt of the write that named it."
_BY_EVIDENCE = "Retract the evidence it names, or undo the write that brought it; the timeline is worked out anew."
_BY_REVIEW = "It changes nothing. Decide the review; the decision is a write with a receipt of its own."

PAGES: tuple[RulePage, ...] = tuple(
    RulePage(id=id, when=when, effect=effect, back=back)
    for id, when, effect, back in (
        (
            "slot.open",
            "A claim holds and nothing has ended it.",
            "The interval has no end; the fact is current from its beginning on.",
            _BY_EVIDENCE,
        ),
        (
            "slot.successor",
            "Another value of the same slot begins while this one holds, told by evidence that is not weaker.",
            "The interval ends where the other begins, and names it in `superseded_by`.",
            _BY_EVIDENCE,
        ),
        (
            "sentence.successor",
            "A later note says of the same name another value of what an earlier note's sentence says: the same relation of the "
            "word lists (or the old value beside a word of change), words in common, a cue such as *since* or *took over*.",
            "Nothing is closed. From the date told on, a question that the earlier sentence fits is answered by the later one "
            "first; the trace shows both sentences and what spoke for it.",
            "Retract, forget or purge either note, or undo its write: a succession counts only while both notes are seen.",
        ),
        (
            "sentence.corrected",
            "A later note says that something told before was wrong; the earlier note nearest to it in names and words, or told on "
            "the day that it names, is meant. Of hearsay the whole note is.",
            "As for a successor, but from the beginning on: what was corrected never held.",
            "Retract, forget or purge either note, or undo its write.",
        ),
        (
            "sentence.not-yet",
            "A sentence that takes another's place from a later date on, asked for at a moment before that date.",
            "The later sentence stands back, and the earlier one answers.",
            "Ask for a later moment.",
        ),
        (
            "end.told",
            "Evidence says that the claim is no longer so, whether or not something follows it.",
            "The interval ends at the time told, or when it was told where no time was.",
            _BY_EVIDENCE,
        ),
        (
            "until.told",
            "The evidence for the claim says itself until when it holds.",
            "The interval ends there, unless something told later gives a later end.",
            _BY_EVIDENCE,
        ),
        (
            "instant.told",
            "A claim was told for one instant (its beginning and its end are the same).",
            "It holds for a millisecond and says nothing about the time after it.",
            _BY_EVIDENCE,
        ),
        (
            "claim.corrected",
            "Evidence says that the claim was never so.",
            "What had been told of it until then, within the bounds of the correction, is denied: kept to be shown, never "
            "recalled. What it had closed opens again. The claim told anew later counts again.",
            _BY_EVIDENCE,
        ),
        (
            "claim.rejected",
            "A person rejected the claim.",
            "Every telling of it is denied, earlier and later ones, in any spelling of the value, from any source.",
            "Undo the rejection, or retract its assertion, which the history names.",
        ),
        (
            "review.equal-starts",
            "Two values of one slot are told to begin at the same date, or are told at the same moment, without a date, by two texts "
            "that came in different writes.",
            "Both stay current and name each other in `conflicts_with`; a review asks which one holds.",
            _BY_REVIEW,
        ),
        (
            "review.weaker-evidence",
            "A value begins while another holds, but its evidence is weaker (confidence lower by 0.2 or more, or a source two "
            "ranks lower).",
            "Both stay, naming each other; a review asks which one holds.",
            _BY_REVIEW,
        ),
        (
            "review.weaker-end",
            "Evidence weaker than the claim's own says that it ended.",
            "The claim goes on; a review asks whether it ended.",
            _BY_REVIEW,
        ),
        (
            "review.observed-otherwise",
            "One value was seen at an instant at which another is held to be so.",
            "Both are kept, naming each other; a review asks which one is right.",
            _BY_REVIEW,
        ),
        (
            "evidence.told",
            "An episode was remembered.",
            "What it states is held, under the rules of its slot.",
            _BY_UNDO,
        ),
        ("evidence.asserted", "A caller asserted a fact.", "It is held, under the rules of its slot.", _BY_UNDO),
        (
            "evidence.retracted",
            "The evidence of a fact or of an episode was taken back.",
            "Facts without other evidence are gone; what they had closed opens again.",
            _BY_UNDO,
        ),
        (
            "evidence.withdrawn",
            "An assertion stopped counting: it was retracted, forgotten, or its write was undone.",
            "The timeline of its slot is worked out without it.",
            "Undo the write that withdrew it.",
        ),
        (
            "evidence.forgotten",
            "Memories were forgotten softly.",
            "They are in no answer any more, and what only they proved is gone; kept for undo and audit.",
            _BY_UNDO,
        ),
        (
            "evidence.erased",
            "Evidence was purged: erased for good, with what derived from it.",
            "Facts that rest on other evidence too are told anew from it, what the erased had closed opens again, the rest is gone.",
            "It cannot be taken back: nothing of it is kept.",
        ),
        (
            "evidence.imported",
            "Evidence came with an import, with the ids and record times that it had.",
            "The timelines that it touches are told anew, as if it had been heard of when it says; rejections and purges stick.",
            _BY_UNDO,
        ),
        (
            "marks.imported",
            "Pins and archive marks came with an import.",
            "The memories are marked as they were.",
            _BY_UNDO,
        ),
        (
            "asserted",
            "Rule of an assertion: a caller gave it as a structured fact.",
            "It counts as stated.",
            _BY_EVIDENCE,
        ),
        (
            "command",
            "Rule of an assertion: a model's memory command made it.",
            "It counts with confidence 0.8, so it closes nothing that a caller asserted.",
            _BY_EVIDENCE,
        ),
        (
            "command.applied",
            "A model's memory commands were applied.",
            "Each command's effect is in the receipt.",
            _BY_UNDO,
        ),
        (
            "decided.holds",
            "Rule of an assertion: a person said what is right, by a correction or by deciding a review.",
            "It counts as decided, the highest rank.",
            _BY_EVIDENCE,
        ),
        ("decided.ended", "Rule of an assertion: a person ended the fact.", "The interval ends there.", _BY_EVIDENCE),
        (
            "decided.corrected",
            "Rule of an assertion: a person said that it was told wrong.",
            "See claim.corrected.",
            _BY_EVIDENCE,
        ),
        ("decided.rejected", "Rule of an assertion: a person rejected it.", "See claim.rejected.", _BY_EVIDENCE),
        (
            "mark.archived",
            "A memory was forgotten softly.",
            "It is in no answer unless archived ones are asked for.",
            _BY_UNDO,
        ),
        ("mark.restored", "A forgotten memory was brought back.", "It is in answers again.", _BY_UNDO),
        ("mark.pinned", "A memory was pinned.", "It stands in every context block that its scope allows.", "Unpin it."),
        ("mark.unpinned", "A pin was taken off.", "The memory is ranked like any other.", "Pin it."),
        (
            "identity.new-name",
            "A name that fits no known entity was met.",
            "An entity was made for it.",
            "Undo the write; an entity that nothing speaks of is in no list of facts.",
        ),
        (
            "identity.same-name",
            "A new spelling is equal to the name of one known entity but for order, marks, initials or how the legal form "
            "is written, and fits no other.",
            "It means that entity, and is one of its spellings from now on. See docs/identity.md.",
            "Assert the fact by the id of the right entity; `forbid_merge` keeps two known entities apart.",
        ),
        (
            "identity.finer-type",
            "A known entity was told to be of a narrower type than the one it had: a thing that is a company.",
            "It has that type from now on, in the facts that name it too.",
            "Assert the fact by the id of the right entity. Undoing the write leaves the type: other facts may rest on it.",
        ),
        (
            "identity.same-identifier",
            "A new name fits one known person or firm of which the same e-mail address, telephone, tax or registration number is told: "
            "an initial, a short form, fewer words.",
            "It means that entity, and is one of its spellings from now on. See docs/identity.md.",
            "Undo the write; assert the fact by the id of the right entity.",
        ),
        (
            "identity.likely-merge",
            "A new name is so like that of a known entity that both may be one, or two of a kind are told to have the same identifier "
            "though their names differ.",
            "An entity was made for it, and a person is asked; nothing is joined. See docs/identity.md.",
            "Decide the review: `merge` joins them, `different` forbids it; either can be undone.",
        ),
        (
            "identity.merged",
            "Two entities were joined.",
            "Facts and mentions moved to the survivor with their evidence; ids and spellings of the other lead to it. What would "
            "be a fact of a thing about itself does not count while they are one.",
            "Take the merge apart (`unmerge`), or undo its receipt.",
        ),
        (
            "identity.unmerged",
            "A merge was taken apart.",
            "Each side has its own evidence again; what was told since goes where its words point.",
            "Merge again, or undo its receipt.",
        ),
        (
            "identity.forbidden",
            "A person said that two entities are not one.",
            "They are never joined nor proposed.",
            _BY_UNDO,
        ),
        (
            "ontology.changed",
            "The tenant's ontology was set.",
            "Assertions moved to the slots they have under it; every timeline concerned was worked out anew.",
            "Set the former ontology, or undo the receipt.",
        ),
        ("review.resolved", "A person decided a review.", "The decision is evidence of the highest rank.", _BY_UNDO),
        (
            "skill.outcome",
            "Somebody said that a skill did what it is for, or did not.",
            "It is counted beside the skill; what the skill says stays as it is.",
            "Undo the write; later outcomes stay counted.",
        ),
        (
            "write.undone",
            "A write was taken back.",
            "Its assertions are withdrawn, those it had withdrawn count again, its marks are as before.",
            "Undo the undo.",
        ),
    )
)


def page(rule: RulePage) -> str:
    """The page of a rule as Markdown."""
    return f"# `{rule.id}`\n\n**When.** {rule.when}\n\n**Effect.** {rule.effect}\n\n**Taking it back.** {rule.back}\n"


def index(rules: Iterable[RulePage], readings: Iterable[ReadingPage]) -> str:
    """The list of all rules as Markdown."""
    lines = [f"- [`{rule.id}`]({rule.id}.md): {rule.when}" for rule in sorted(rules, key=lambda r: r.id)]
    read = [f"- [`{rule.id}`]({rule.id}.md): {rule.reads}" for rule in sorted(readings, key=lambda r: r.id)]
    return (
        "# Rules\n\nEvery closing, re-opening, merge and review names one of these.\n\n"
        + "\n".join(lines)
        + "\n\n## Rules of reading\n\nEvery candidate that a text gives, and the assertion that becomes of it, names one of these.\n\n"
        + "\n".join(read)
        + "\n"
    )


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    return {
        "README.md": index(PAGES, reading_pages()),
        **{f"{rule.id}.md": page(rule) for rule in PAGES},
        **{f"{rule.id}.md": reading_page(rule) for rule in reading_pages()},
    }


def write_pages(folder: Path) -> None:
    """Writes the page of each rule, and their list."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
