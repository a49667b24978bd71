"""What lines of `key: value` say where the ontology has no wording for the key, and what the first of them names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.engine.extract.layout import NAMING
from muniment.engine.extract.links import Link
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention
from muniment.engine.extract.reading import Sentence
from muniment.engine.extract.rulebook import confidence_of
from muniment.graph_schema.ontology import relation_key

# What is measured or spelled as an address or a number cannot be mistaken for a remark.
_MEASURED: Final = frozenset(
    {"money", "quantity", "duration", "date", "email", "phone", "url", "identifier", "address"}
)
_MOST_KEY_WORDS: Final = 3
_MOST_KEY_HAN: Final = 8
# Keys whose value stands beside the record instead of saying something of it.
_OF_THE_TEXT: Final = frozenset({"date", "time", "when", "page", "pages", "日期", "时间", "页码"})
_TYPE_OF_KEY: Final = {
    "contract": "contract", "project": "project", "product": "product", "matter": "matter", "case": "matter", "deal": "deal",
    "opportunity": "deal", "person": PERSON, "contact": PERSON, "employee": PERSON, "company": ORGANISATION, "company name": ORGANISATION,
    "organisation": ORGANISATION, "organization": ORGANISATION, "合同": "contract", "合同名称": "contract", "项目": "project",
    "项目名称": "project", "产品": "product", "案件": "matter", "公司": ORGANISATION, "公司名称": ORGANISATION, "企业名称": ORGANISATION,
    "单位": ORGANISATION, "员工": PERSON, "联系人": PERSON, "姓名": PERSON,
}  # fmt: skip
_LONGEST_TITLE: Final = 6  # "Prof. "
_MOST_NAME_CHARS: Final = 40


def named_by(sentence: Sentence, mentions: Sequence[Mention]) -> Mention | None:
    """What the line names that the next ones are about: the name at its value's beginning, else a short value as a whole.

    Its key tells the type where nothing else does. None where `sentence` is no such line.
    """
    key = sentence.key.casefold()
    if key not in NAMING:
        return None
    type_ = _TYPE_OF_KEY.get(key, "")
    behind = [m for m in mentions if m.start >= sentence.value_start and not m.is_value and not m.pronoun]
    if behind and behind[0].start - sentence.value_start <= _LONGEST_TITLE:
        return behind[0] if behind[0].type or not type_ else Mention(
            start=behind[0].start, end=behind[0].end, text=behind[0].text, type=type_, head=behind[0].head, rule=behind[0].rule,
            same_as=behind[0].same_as, identifiers=behind[0].identifiers,
        )  # fmt: skip
    text = sentence.text[sentence.value_start :].strip(" .;,。；，")
    whole = type_ and not behind and len(text) <= _MOST_NAME_CHARS and not any(m.is_value for m in mentions)
    if not whole or any(mark in text for mark in ",;，；。"):
        return None
    start = sentence.text.index(text, sentence.value_start)
    return Mention(start=start, end=start + len(text), text=text, type=type_, rule="name.line")


def open_line(sentence: Sentence, owner: Mention, value: Mention, rule: str) -> list[Link]:
    """The line as a relation of its own name, where the whole value is an amount, a time, an address or a number."""
    key = sentence.key.strip()
    rest = sentence.text[value.end :].strip(" .;,。；，")
    words = len(key.split())
    if (
        value.type not in _MEASURED
        or rest
        or key.casefold() in _OF_THE_TEXT | NAMING
        or words > _MOST_KEY_WORDS
        or (not key.isascii() and len(key) > _MOST_KEY_HAN)
    ):
        return []
    return [
        Link(
            subject=owner, object=value, relation="", name=relation_key(key), phrase=key, rule=rule,
            confidence=confidence_of(rule), anchor=sentence.value_start,
        )
    ]  # fmt: skip
