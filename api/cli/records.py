"""Rows of a CRM's export as facts: accounts, contacts and deals, whose keys become identifiers.

Each row is an episode (its text says the row, so that it is found and cited) and the facts that it states. Columns are found
by their usual headings, or named with `--map FIELD=COLUMN`; other columns stay in the episode's text and metadata.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from muniment.graph_schema.errors import Invalid

_DIGITS: Final = 16


class RecordKind(StrEnum):
    """What each row of a file is about."""

    ACCOUNTS = "accounts"
    CONTACTS = "contacts"
    DEALS = "deals"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """What a column says of the row's thing: a relation to something of a `type`, or to a literal where that is empty.

    `key` is the field with the key of that thing in its own file, of the kind `key_kind`.
    """

    relation: str
    type: str = ""
    headings: tuple[str, ...]
    key: str = ""
    key_kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """One kind of records: the type of its things, the kind of its keys, and its columns."""

    one: str
    type: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
    fields: Mapping[str, _Field]


_IDENTIFIERS: Final[Mapping[str, tuple[str, ...]]] = {
    "email": ("email", "e-mail", "email address", "邮箱", "电子邮箱"),
    "phone": ("phone", "telephone", "mobile", "phone number", "电话", "手机"),
    "tax": ("tax", "tax id", "tax number", "vat", "vat id", "vat number", "税号", "统一社会信用代码"),
}
_MODIFIED: Final = (
    "occurred_at",
    "at",
    "modified",
    "modified at",
    "last modified",
    "last modified date",
    "updated at",
    "更新时间",
)
_ACCOUNT: Final = _Field(
    relation="", type="company", headings=("account", "account name", "company", "company name", "客户", "客户名称", "公司"),
    key="account_key", key_kind="account",
)  # fmt: skip
_ACCOUNT_KEY: Final = ("account_key", "account id", "accountid", "company id", "客户编号")

_SHAPES: Final[Mapping[RecordKind, _Shape]] = {
    RecordKind.ACCOUNTS: _Shape(
        one="account", type="company",
        names=("name", "account name", "account", "company", "company name", "客户名称", "公司名称", "名称"),
        keys=("key", "id", "account id", "accountid", "客户编号", "编号"),
        fields={
            "industry": _Field(relation="in_industry", headings=("industry", "sector", "行业")),
            "city": _Field(relation="headquartered_in", type="place", headings=("city", "billing city", "headquarters", "城市", "总部")),
            "owner": _Field(relation="has_account_manager", type="person", headings=("owner", "account owner", "account manager", "客户经理", "负责人")),
            "parent": _Field(relation="subsidiary_of", type="company", headings=("parent", "parent account", "parent company", "母公司"), key="parent_key", key_kind="account"),
            "contact": _Field(relation="has_primary_contact", type="person", headings=("primary contact", "main contact", "主要联系人"), key="contact_key", key_kind="contact"),
            "website": _Field(relation="has_website", headings=("website", "web", "网站")),
            "employees": _Field(relation="employee_count", headings=("employees", "number of employees", "员工人数")),
            "revenue": _Field(relation="annual_revenue", headings=("annual revenue", "revenue", "年收入")),
            "status": _Field(relation="status_of", headings=("status", "account status", "状态")),
        },
    ),
    RecordKind.CONTACTS: _Shape(
        one="contact", type="person",
        names=("name", "contact name", "full name", "姓名", "联系人"),
        keys=("key", "id", "contact id", "contactid", "联系人编号", "编号"),
        fields={
            "account": _Field(relation="works_for", type="company", headings=_ACCOUNT.headings, key="account_key", key_kind="account"),
            "role": _Field(relation="has_role", headings=("role", "title", "job title", "position", "职位", "职务")),
            "manager": _Field(relation="reports_to", type="person", headings=("manager", "reports to", "上级"), key="manager_key", key_kind="contact"),
            "language": _Field(relation="speaks", headings=("language", "语言")),
        },
    ),
    RecordKind.DEALS: _Shape(
        one="deal", type="deal",
        names=("name", "deal name", "opportunity name", "deal", "opportunity", "商机名称", "商机"),
        keys=("key", "id", "deal id", "opportunity id", "商机编号", "编号"),
        fields={
            "account": _Field(relation="opportunity_with", type="company", headings=_ACCOUNT.headings, key="account_key", key_kind="account"),
            "stage": _Field(relation="stage_of", headings=("stage", "deal stage", "阶段")),
            "amount": _Field(relation="value_of_deal", headings=("amount", "value", "deal value", "金额")),
            "close": _Field(relation="expected_close_on", headings=("close", "close date", "expected close", "预计成交日期")),
            "owner": _Field(relation="assigned_to", type="person", headings=("owner", "deal owner", "opportunity owner", "负责人")),
            "contact": _Field(relation="has_decision_maker", type="person", headings=("decision maker", "primary contact", "决策人"), key="contact_key", key_kind="contact"),
            "source": _Field(relation="lead_source", headings=("lead source", "source", "来源")),
            "next_step": _Field(relation="next_step", headings=("next step", "下一步")),
        },
    ),
}  # fmt: skip
_KEY_HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "account_key": _ACCOUNT_KEY,
    "parent_key": ("parent_key", "parent id", "parent account id"),
    "contact_key": ("contact_key", "contact id", "primary contact id"),
    "manager_key": ("manager_key", "manager id", "reports to id"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A row: the fields of its episode, and the facts that it states."""

    episode: Mapping[str, Any]
    facts: tuple[Mapping[str, Any], ...]


class RecordReader:
    """Reads the rows of one file. Raises Invalid where a column that must be there is not, naming those that are."""

    def __init__(self, kind: RecordKind, header: Sequence[str], columns: Mapping[str, str]) -> None:
        self._kind = kind
        self._shape = _SHAPES[kind]
        self._columns = self._found(header, columns)
        if not self._columns.get("name") and not self._columns.get("first_name"):
            raise Invalid(
                f"which column names the {self._shape.one}? Say --map name=COLUMN; there are {', '.join(map(repr, header))}",
                field="name",
            )

    def read(self, row: Mapping[str, str | None], *, where: str) -> Record:
        """The record of one row. Raises Invalid for a row without a name."""
        said = {column: " ".join(value.split()) for column, value in row.items() if column and value and value.strip()}
        name = self._value(said, "name") or " ".join(
            filter(None, (self._value(said, "first_name"), self._value(said, "last_name")))
        )
        if not name:
            raise Invalid(f"{where}.name is empty: each {self._shape.one} has a name", field=f"{where}.name")
        subject = {"name": name, "type": self._shape.type, "identifiers": list(self._identifiers(said))}
        text = f"{self._shape.one.capitalize()} {name}: " + "; ".join(f"{c} {v}" for c, v in said.items() if v != name)
        at = self._value(said, "occurred_at")
        facts = [{"subject": subject, **stated} for stated in self._stated(said)]
        return Record(
            episode={
                "text": text.rstrip(": ") + ".",
                "kind": "note",
                "title": name,
                "external_id": self._external_id(said, name),
                "metadata": said,
                **({"occurred_at": at} if at else {}),
            },
            facts=tuple(facts),
        )

    def _found(self, header: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
        """Field to column: as told, else by its usual headings. Raises Invalid for a field or column that is not there."""
        headings = {
            "name": self._shape.names,
            "first_name": ("first_name", "first name", "given name", "名"),
            "last_name": ("last_name", "last name", "surname", "family name", "姓"),
            "key": self._shape.keys,
            "occurred_at": _MODIFIED,
            **_IDENTIFIERS,
            **{name: (name, *field.headings) for name, field in self._shape.fields.items()},
            **{f.key: _KEY_HEADINGS[f.key] for f in self._shape.fields.values() if f.key},
        }
        for name, column in columns.items():
            if name not in headings:
                raise Invalid(f"--map {name}: {self._kind} have {', '.join(sorted(headings))}", field=name)
            if column not in header:
                there = ", ".join(map(repr, header))
                raise Invalid(f"no column {column!r} for {name}; there are {there}", field=name)
        usual = {re.sub(r"[\s_-]+", " ", column).strip().casefold(): column for column in header}
        taken = set(columns.values())
        found = dict(columns)
        for name, spellings in headings.items():
            if name in found:
                continue
            column = next(
                (c for s in spellings if (c := usual.get(s.replace("_", " ").casefold())) and c not in taken), ""
            )
            if column:
                found[name] = column
                taken.add(column)
        return found

    def _value(self, said: Mapping[str, str], field: str) -> str:
        return said.get(self._columns.get(field, ""), "")

    def _identifiers(self, said: Mapping[str, str]) -> Iterator[str]:
        key = self._value(said, "key")
        if key:
            yield f"{self._shape.one}:{key}"
        for kind in _IDENTIFIERS:
            # a switchboard's number or info@ is no person's own, and no firm's alone: only a person's mail is strong
            if (value := self._value(said, kind)) and (
                kind == "tax" or (kind == "email" and self._shape.type == "person")
            ):
                yield f"{kind}:{value}"

    def _stated(self, said: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """The relation with its object, for each column that states something."""
        for name, field in self._shape.fields.items():
            key = self._value(said, field.key) if field.key else ""
            value = self._value(said, name)
            if not value and not key:
                continue
            if not value:  # known by its key alone: the thing was named, or will be, where it has a row of its own
                value = f"{field.key_kind} {key}"
            if field.type:
                marks = [f"{field.key_kind}:{key}"] if key else []
                object_: dict[str, Any] = {"name": value, "type": field.type, "identifiers": marks}
            else:
                object_ = {"value": value}
            yield {"relation": field.relation, "object": object_}
        for kind, relation in (("email", "has_email"), ("phone", "has_phone")):
            if value := self._value(said, kind):
                yield {"relation": relation, "object": {"value": value}}

    def _external_id(self, said: Mapping[str, str], name: str) -> str:
        """The record and what it says now: the same row again is the same episode, a changed one is news of its thing."""
        digest = sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:_DIGITS]
        return f"{self._kind}:{self._value(said, 'key') or name}#{digest}"
