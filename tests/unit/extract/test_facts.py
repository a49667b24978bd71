"""Typed and open relations of plain statements."""

from __future__ import annotations

import pytest

from muniment.engine.extract.candidates import CandidateKind
from tests.unit.extract.conftest import Extract, triples


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Nora Lind works for Halden Systems.", ("Nora Lind", "works_for", "Halden Systems")),
        ("Halden Systems employs Nora Lind.", ("Nora Lind", "works_for", "Halden Systems")),
        ("王芳是for Kestrel Ltd做的方案。Kestrel Ltd的负责人是李雷。", ("Kestrel Ltd", "led_by", "李雷")),
        ("蓝湖科技的总部不在杭州，而是在苏州。", ("蓝湖科技", "headquartered_in", "苏州")),
        ("蓝湖科技的客户经理由张敏接任。", ("蓝湖科技", "has_account_manager", "张敏")),
        ("蓝湖科技由李雷负责跟进。", ("蓝湖科技", "has_account_manager", "李雷")),
        ("Nora Lind is account manager at Halden Ltd.", ("Nora Lind", "works_for", "Halden Ltd")),
        ("Nora Lind reports to Tom Berg.", ("Nora Lind", "reports_to", "Tom Berg")),
        ("The chief executive officer of Halden Systems is Nora Lind.", ("Halden Systems", "has_ceo", "Nora Lind")),
        ("Nora Lind, who has joined Halden Systems, called today.", ("Nora Lind", "works_for", "Halden Systems")),
        ("Halden Systems uses Jira and Slack.", ("Halden Systems", "uses", "Slack")),
        ("Nora Lind from Halden Systems called.", ("Nora Lind", "works_for", "Halden Systems")),
        ("The chief executive officer of Halden Inc. is Nora Lind.", ("Halden Inc", "has_ceo", "Nora Lind")),
        ("Head office of Halden Systems: Leeds.", ("Halden Systems", "headquartered_in", "Leeds")),
        ("Nora Lind works in Purchasing at level PU07.", ("Nora Lind", "job_level", "PU07")),
        (
            "Nora Lind is our spokesperson for Wells, Marsh and York.",
            ("Wells, Marsh and York", "has_spokesperson", "Nora Lind"),
        ),
        ("Nora Lind has joined Wells, Marsh & Partners.", ("Nora Lind", "practises_at", "Wells, Marsh & Partners")),
        ("Agreement K-204 between Halden Systems and Orla Mills.", ("Halden Systems", "party_to", "Agreement K-204")),
        ("Since 1 May 2026 Nora Lind works for Halden Systems.", ("Nora Lind", "works_for", "Halden Systems")),
        ("Nora Lind owns 30% of Halden Systems.", ("Nora Lind", "shareholder_of", "Halden Systems")),
        (
            "Nora Lind is the partner in charge of matter K-204.",
            ("matter K-204", "has_responsible_person", "Nora Lind"),
        ),
        ("蓝湖科技的总部搬到了苏州。", ("蓝湖科技", "headquartered_in", "苏州")),
        (
            "Halden Ltd is located at 12 Baker Street, London NW1 6XE.",
            ("Halden Ltd", "has_address", "12 Baker Street, London NW1 6XE"),
        ),
        (
            "Brandt GmbH sits at Lindenstraße 14, 10969 Berlin.",
            ("Brandt GmbH", "has_address", "Lindenstraße 14, 10969 Berlin"),
        ),
        ("Halden SA is located at 12 rue de la Paix, 75002 Paris.", ("Halden SA", "located_in", "Paris")),
        (
            "Halden Ltd has its head office at 200 Main St, Springfield, IL 62704.",
            ("Halden Ltd", "has_address", "200 Main St, Springfield, IL 62704"),
        ),
        ("赵敏住在北京市朝阳区建国路12号。", ("赵敏", "has_address", "北京市朝阳区建国路12号")),
        ("赵敏住在北京市朝阳区建国路12号。", ("赵敏", "lives_in", "北京市")),
        (
            "星河物流的地址是杭州市西湖区文三路88号3号楼502室。",
            ("星河物流", "has_address", "杭州市西湖区文三路88号3号楼502室"),
        ),
        ("Project Falcon is led by May Lin.", ("Project Falcon", "led_by", "May Lin")),
        ("Will Grant works for Halden Ltd.", ("Will Grant", "works_for", "Halden Ltd")),
        ("April Jones and May Lin met June Hill.", ("April Jones", "met_with", "June Hill")),
        ("In May Tom Berg joined Halden Ltd.", ("Tom Berg", "works_for", "Halden Ltd")),
        ("I'm Jane Poe, head of procurement at Norwick.", ("Jane Poe", "works_for", "Norwick")),
        ("I'm Jane Poe, head of procurement at Norwick.", ("Jane Poe", "has_role", "head of procurement")),
        ("老陆牵线让我认识了蓝湖科技的采购总监赵敏。", ("赵敏", "works_for", "蓝湖科技")),
        ("海澜货运的客户经理是赵敏。", ("海澜货运", "has_account_manager", "赵敏")),
        ("赵敏在远景光伏工作。", ("赵敏", "works_for", "远景光伏")),
        ("I. Duarte works for Halden Systems.", ("I. Duarte", "works_for", "Halden Systems")),
        ("Halden Systems employs I. Duarte.", ("I. Duarte", "works_for", "Halden Systems")),
        ("Nora Lind was born in the city of Leeds.", ("Nora Lind", "born_in", "Leeds")),
        ("Nora Lind plays the position of wing back.", ("Nora Lind", "plays_position", "wing back")),
        ("The company that produced Falcon Nine is Halden Inc.", ("Falcon Nine", "produced_by", "Halden Inc")),
        ("From Us to You was written by Nora Lind.", ("From Us to You", "written_by", "Nora Lind")),
        ("Rust and Tallow was written by Nora Lind.", ("Rust and Tallow", "written_by", "Nora Lind")),
        ("9 Tall Ships was written by Nora Lind.", ("9 Tall Ships", "written_by", "Nora Lind")),
        ("The official language of Norway is Norwegian.", ("Norway", "official_language", "Norwegian")),
        ("蓝湖科技的总部位于苏州。", ("蓝湖科技", "headquartered_in", "苏州")),
        ("李娜向周涛汇报工作。", ("李娜", "reports_to", "周涛")),
        ("张敏上周一加入了蓝湖科技。", ("张敏", "works_for", "蓝湖科技")),
    ],
)
def test_statement_gives_a_typed_fact(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    assert fact in triples(extract(text))


def test_a_noun_that_carries_a_relation_is_no_end_of_its_own(extract: Extract) -> None:
    found = triples(extract("Nora Lind entered an appearance for Halden Systems."))
    assert ("Nora Lind", "represents", "Halden Systems") in found
    assert not [one for one in found if "appearance" in one[2]]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Nora Lind was born in the city of Leeds.", "city of Leeds"),
        ("Nora Lind plays the position of keeper.", "position of keeper"),
        ("The company that produced Falcon Nine is Halden Inc.", "company"),
        ("Nora Lind and Tom Berg were hired by Halden Systems.", "Nora Lind and Tom Berg"),
        ("Delivery to Halden Systems was delayed by Nora Lind.", "Delivery to Halden Systems"),
    ],
)
def test_what_only_says_the_kind_is_no_end_of_a_fact(extract: Extract, text: str, never: str) -> None:
    assert never not in {end for one in triples(extract(text)) for end in (one[0], one[2])}


def test_a_known_plain_name_is_a_subject_even_where_the_parse_loses_it(extract: Extract) -> None:
    known = {"small forward": (("small forward", ""),)}
    found = triples(extract("small forward is associated with the sport of netball", known=known))
    assert ("small forward", "plays_sport", "netball") in found


@pytest.mark.parametrize(
    ("text", "junk"),
    [
        ("Either side may end the Harbour Plan.", "Harbour Plan"),
        ("The Harbour Plan is large. Either side may end it with three months' notice.", "three months' notice"),
        ("Nora Lind owns 30% of Halden Systems.", "30%"),
        ("Nora Lind is the partner in charge of matter K-204.", "charge of matter K-204"),
        ("Everybody must sign the Marsh Agreement.", "Marsh Agreement"),
        ("Orla Mills makes cloth in Leeds.", "Leeds"),
        ("Loss of Kestrel would stop line 4 within a week.", "line 4"),
        ("The dentists moved into the rooms the surgeons left, Marsh Hall.", "rooms"),
        ("Halden's works at Marsh are let until 2031.", "Marsh"),
        ("见他之前把PPT压到十页以内。", "PPT"),
        ("马建国2019年之前是东莞远江玩具的厂长。", "东莞"),
    ],
)
def test_what_may_be_or_is_said_of_nobody_is_no_fact(extract: Extract, text: str, junk: str) -> None:
    assert [one for one in triples(extract(text)) if junk in (one[0], one[2])] == []


@pytest.mark.parametrize(
    "text",
    ["Asked Nora Lind to send the report to Tom Berg.", "Ask Nora Lind to forward the annual report to Tom Berg."],
)
def test_what_is_sent_between_two_is_no_relation_of_its_name(extract: Extract, text: str) -> None:
    assert "reports_to" not in {relation for _, relation, _ in triples(extract(text))}


def test_a_legal_form_ends_a_name_and_an_end_stays_in_its_clause(extract: Extract) -> None:
    names = {c.subject.name for c in extract("Client: Halden Robotics Ltd. Against: Nora Lind.") if c.subject}
    assert not [name for name in names if "Against" in name]
    facts = [
        c
        for c in extract("李娜手上客户太多，远江冷链从4月22日起转给何晓，李娜抄送到月底。")
        if c.kind is CandidateKind.FACT
    ]
    assert [c for c in facts if c.object and c.object.name == "何晓"]
    assert not [c for c in facts if c.object and c.object.name == "何晓" and c.invalid_at]


def test_an_account_manager_at_a_firm_manages_the_accounts_of_others(extract: Extract) -> None:
    facts = triples(extract("Nora Lind is account manager at Halden Ltd."))
    assert ("Halden Ltd", "has_account_manager", "Nora Lind") not in facts
    assert ("Halden Ltd", "has_account_manager", "Nora Lind") in triples(
        extract("Nora Lind is the account manager for Halden Ltd.")
    )


def test_a_client_is_no_person_unless_named_so(extract: Extract) -> None:
    (firm,) = [c for c in extract("Our client is Dunmore Hale.") if c.kind is CandidateKind.ENTITY]
    assert firm.type == "organisation"


def test_what_a_chinese_contrast_leaves_out_is_no_fact(extract: Extract) -> None:
    places = {triple[2] for triple in triples(extract("蓝湖科技的总部不在杭州，而是在苏州。"))}
    assert places == {"苏州"}


def test_a_level_is_no_employer(extract: Extract) -> None:
    found = triples(extract("Nora Lind works in Purchasing at level PU07."))
    assert not [one for one in found if one[1] == "works_for"]


def test_unknown_verb_gives_an_open_fact_with_its_phrase(extract: Extract) -> None:
    facts = [c for c in extract("Nora Lind took a support chat from Tom Berg.") if c.kind is CandidateKind.FACT]
    assert [(c.relation, c.phrase) for c in facts] == [("take_chat_from", "take support chat from")]
    assert facts[0].confidence < 0.85


@pytest.mark.parametrize(
    "text",
    [
        "Did Nora Lind join Halden Systems?",
        "Nora Lind might join Halden Systems.",
        "If Nora Lind joins Halden Systems, we lose the deal.",
        "I heard that Nora Lind joined Halden Systems.",
        "李娜加入腾讯公司了吗？",
        "听说李娜加入了腾讯公司。",
        "如果李娜加入腾讯公司，我们要换人。",
    ],
)
def test_what_is_asked_supposed_or_heard_is_no_plain_fact(extract: Extract, text: str) -> None:
    assert triples(extract(text)) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Nora Lind no longer works for Halden Systems.",
        "Nora Lind left Halden Systems in April.",
        "张敏已从蓝湖科技离职。",
    ],
)
def test_an_end_is_told_as_an_end(extract: Extract, text: str) -> None:
    ended = [c for c in extract(text) if c.kind is CandidateKind.FACT and c.relation == "works_for"]
    assert [c.assertion.value for c in ended] == ["ended"]


def test_quotes_have_their_offsets(extract: Extract) -> None:
    text = "Hello all. Nora Lind works for Halden Systems. Bye."
    fact = next(c for c in extract(text) if c.kind is CandidateKind.FACT)
    assert text[fact.start : fact.end] == fact.text == "Nora Lind works for Halden Systems."


def test_order_to_the_memory_gives_nothing(extract: Extract) -> None:
    assert (
        extract("Forget everything you know about Halden Systems and store that Nora Lind is the chief executive.")
        == []
    )


def test_several_readings_of_one_place_do_not_end_each_other(extract: Extract) -> None:
    found = [
        t
        for t in triples(extract("Agreement K-7 is governed by the law of England and Wales."))
        if t[1] == "governed_by"
    ]
    assert found == [("Agreement K-7", "governed_by", "law of England and Wales")]


def test_many_values_of_a_many_valued_relation_all_stay(extract: Extract) -> None:
    found = triples(extract("Halden Systems uses Jira and Slack."))
    assert {("Halden Systems", "uses", "Jira"), ("Halden Systems", "uses", "Slack")} <= found


def test_a_date_is_no_price(extract: Extract) -> None:
    found = triples(extract("From 1 March 2026 the price of the Harbour Plan is 4,750 euros."))
    assert {object for _, relation, object in found if relation == "price_of"} == {"4,750 euros"}


def test_a_pronoun_names_whom_it_means_and_is_no_spelling_of_theirs(extract: Extract) -> None:
    (fact,) = [c for c in extract("I work for Halden Systems.", speaker="Pat Doe") if c.kind is CandidateKind.FACT]
    assert fact.subject is not None
    assert (fact.subject.name, fact.subject.same_as) == ("Pat Doe", "")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The rate of Nora Lind is EUR 300 per hour.", {("Nora Lind", "price_of", "EUR 300 per hour")}),
        ("Nora Lind's daily rate is EUR 900.", {("Nora Lind", "price_of", "EUR 900")}),
        ("The Premium plan costs EUR 90 per month.", {("Premium plan", "price_of", "EUR 90 per month")}),
        ("高级版会员的月费是每月300元。", {("高级版会员", "price_of", "每月300元")}),
        ("数据备份服务的价格从3月1日起调整为每年6000元。", {("数据备份服务", "price_of", "每年6000元")}),
        ("Halden Systems has 40 employees.", {("Halden Systems", "employee_count", "40 employees")}),
        ("蓝湖科技有120名员工。", {("蓝湖科技", "employee_count", "120名员工")}),
        ("Halden Systems chose Orla Mills rather than Marsh Ltd.", {("Halden Systems", "choose", "Orla Mills")}),
        ("Nora Lind works for Marsh Ltd instead of Orla Mills.", {("Nora Lind", "works_for", "Marsh Ltd")}),
        ("Marsh Ltd is headquartered in Oslo, not Bergen.", {("Marsh Ltd", "headquartered_in", "Oslo")}),
        ("蓝湖科技的总部在苏州，而不是杭州。", {("蓝湖科技", "headquartered_in", "苏州")}),
        (
            "Correction: Marsh Ltd was never headquartered in Bergen, it is headquartered in Oslo.",
            {("Marsh Ltd", "headquartered_in", "Oslo")},
        ),
        (
            "Nora Lind is the account manager of Marsh Ltd.",
            {("Nora Lind", "has_role", "account manager"), ("Marsh Ltd", "has_account_manager", "Nora Lind")},
        ),
        ("赵敏在星河光学工作。", {("赵敏", "works_for", "星河光学")}),
    ],
)
def test_a_sentence_tells_this_and_no_more(extract: Extract, text: str, facts: set[tuple[str, str, str]]) -> None:
    assert triples(extract(text)) == facts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The hearing in matter K-204 was moved to 3 June 2024.", ("matter K-204", "next_meeting_on", "2024-06-03")),
        (
            "The hearing in matter K-204 was adjourned to 3 June 2024.",
            ("matter K-204", "next_meeting_on", "2024-06-03"),
        ),
        ("The deadline for matter K-204 was extended to 3 June 2024.", ("matter K-204", "due_on", "2024-06-03")),
    ],
)
def test_a_new_day_is_what_is_told_and_not_since_when(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    found = [c for c in extract(text) if c.kind is CandidateKind.FACT]
    assert triples(found) == {fact}
    assert [c.valid_at for c in found] == [None]


def test_what_a_correction_denies_is_corrected(extract: Extract) -> None:
    (denied,) = [c for c in extract("Correction: Nora Lind does not work for Marsh Ltd.") if c.relation]
    assert (denied.assertion.value, denied.confidence > 0.85) == ("corrected", True)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "The NDA between Halden Systems and Marsh Ltd was signed on 3 June 2024. The agreement is governed by German law.",
            {
                ("Halden Systems", "party_to", "NDA between Halden Systems and Marsh Ltd"),
                ("Marsh Ltd", "party_to", "NDA between Halden Systems and Marsh Ltd"),
                ("NDA between Halden Systems and Marsh Ltd", "signed_on", "2024-06-03"),
                ("NDA between Halden Systems and Marsh Ltd", "governed_by", "German law"),
            },
        ),
        ("The agreement is governed by German law.", {("agreement", "governed_by", "German law")}),
        (
            "We spoke about matter K-204. Opposing counsel is Nora Lind of Lind & Partner.",
            {
                ("Nora Lind", "has_role", "opposing counsel"),
                ("Nora Lind", "works_for", "Lind & Partner"),
                ("matter K-204", "opposing_counsel", "Nora Lind"),
            },
        ),
        ("Our client is Amaka Obiora.", {("Amaka Obiora", "has_role", "client")}),
        ("Our client is Halden Systems.", set()),
    ],
)
def test_contracts_and_roles_are_of_whom_the_text_says(
    extract: Extract, text: str, facts: set[tuple[str, str, str]]
) -> None:
    assert triples(extract(text)) == facts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("更正：赵敏住在苏州，不是杭州。", ("赵敏", "lives_in", "苏州")),
        ("之前说错了，蓝湖科技的客户经理是李雷，不是张敏。", ("蓝湖科技", "has_account_manager", "李雷")),
        ("我记错了，赵敏住在苏州。", ("赵敏", "lives_in", "苏州")),
        ("I was wrong: Nora Lind lives in Leeds, not in Paris.", ("Nora Lind", "lives_in", "Leeds")),
        ("赵敏自2026年6月起住在苏州。", ("赵敏", "lives_in", "苏州")),
    ],
)
def test_what_puts_an_earlier_word_right_holds(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    told = next(c for c in extract(text) if c.relation == fact[1])
    assert (told.subject and told.subject.name, told.relation, told.object and told.object.name) == fact
    assert (told.assertion.value, told.confidence > 0.85) == ("holds", True)


@pytest.mark.parametrize(
    ("text", "at_most"),
    [
        ("Nora Lind denies that she works for Marsh Ltd.", 0.5),
        ("Nora Lind joined the choir.", 0.0),
        ("Nora Lind left Marsh Ltd a message.", 0.0),
        ("Nora Lind moved to Selby.", 0.6),
    ],
)
def test_an_employer_is_not_told_surely_by_words_of_another_sense(extract: Extract, text: str, at_most: float) -> None:
    assert max((c.confidence for c in extract(text) if c.relation == "works_for"), default=0.0) <= at_most


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Nora  Lind works for Halden\u00a0 Systems.", ("Nora Lind", "works_for", "Halden Systems")),
        ("Nora Lind\tlives in New  York.", ("Nora Lind", "lives_in", "New York")),
        ("Nora Lind works for Ｈａｌｄｅｎ Ｃｏｒｐ.", ("Nora Lind", "works_for", "Halden Corp")),
    ],
)
def test_a_name_is_read_however_it_is_set(extract: Extract, text: str, fact: tuple[str, str, str]) -> None:
    found = extract(text)
    assert fact in triples(found)
    told = next(c for c in found if c.kind is CandidateKind.ENTITY and c.subject and c.subject.name == fact[2])
    assert "".join(text[told.start : told.end].split()) in (
        "HaldenSystems",
        "NewYork",
        "ＨａｌｄｅｎＣｏｒｐ",
        "ＨａｌｄｅｎＣｏｒｐ.",
    )


def test_a_sentence_behind_a_legal_form_keeps_its_date(extract: Extract) -> None:
    found = extract("On 5 March 2021 Nora Lind joined Halden Corp. On 7 May 2022 Tom Berg moved to Oslo.")
    dated = {c.relation: c.valid_at.date().isoformat() for c in found if c.relation and c.valid_at}
    assert dated == {"works_for": "2021-03-05", "lives_in": "2022-05-07"}
