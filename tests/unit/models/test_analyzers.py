from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from muniment.engine.models.choose import choose_analyzer
from muniment.engine.models.lac_zh import LacAnalyzer
from muniment.engine.models.regex_any import RegexAnalyzer
from muniment.engine.models.spacy_en import SpacyAnalyzer
from muniment.engine.ports.models import Analysis, Analyzer

from .samples import CHINESE, ENGLISH

MIXED = "The contract with 蓝海科技 ends in May. 王小明用 Salesforce 管理客户。He likes it."
ROUGH = (
    "",
    " \n\t",
    "\x00",
    "\ud800\x00 Anna lives in Rome. \udfff",
    "🎉👩‍👩‍👧🏽 Anna 🇨🇭",
    "مرحبا بالعالم",
    "a" * 12_000,
    "王" * 1_000,
    "Anna Keller moved to Lyon. " * 500,
    "王小明在上海。Anna too. " * 50,
    "- [x] <b>&amp;</b> {json: [1,2]} $$",
)
ANALYZERS: tuple[Callable[[], Analyzer], ...] = (SpacyAnalyzer, LacAnalyzer, RegexAnalyzer, choose_analyzer)


@pytest.fixture(scope="module", params=ANALYZERS, ids=lambda make: make.__name__)
def analyzer(request: pytest.FixtureRequest) -> Analyzer:
    made: Analyzer = request.param()
    return made


@pytest.fixture(scope="module")
def english() -> SpacyAnalyzer:
    return SpacyAnalyzer()


@pytest.fixture(scope="module")
def chinese() -> LacAnalyzer:
    return LacAnalyzer()


@pytest.fixture(scope="module")
def routing() -> Analyzer:
    return choose_analyzer()


def assert_offsets_fit(text: str, analysis: Analysis) -> None:
    """All is quoted from the text, in order, without overlap, and heads point at tokens."""
    for spans in (analysis.tokens, analysis.entities):
        assert all(text[span.start : span.end] == span.text for span in spans)
        ends = [offset for span in spans for offset in (span.start, span.end)]
        assert ends == sorted(ends)
    assert all(-1 <= token.head < len(analysis.tokens) for token in analysis.tokens)
    assert all(0 <= start <= end <= len(text) for start, end in analysis.sentences)


def names(analysis: Analysis) -> set[tuple[str, str]]:
    return {(span.text, span.label) for span in analysis.entities}


@pytest.mark.parametrize("text", [MIXED, *ROUGH], ids=range(len(ROUGH) + 1))
def test_offsets_are_those_of_the_text_given(analyzer: Analyzer, text: str) -> None:
    assert_offsets_fit(text, analyzer.analyze(text))


def test_a_text_is_analysed_alike_alone_and_among_others(analyzer: Analyzer) -> None:
    texts = [MIXED, "", *(fact for fact, _ in ENGLISH + CHINESE)]
    assert analyzer.analyze_many(texts) == [analyzer.analyze(text) for text in texts]


def test_threads_get_what_one_thread_gets(analyzer: Analyzer) -> None:
    texts = [fact for fact, _ in ENGLISH + CHINESE]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(analyzer.analyze, texts)) == [analyzer.analyze(text) for text in texts]


def test_english_parse_names_subject_and_object(english: SpacyAnalyzer) -> None:
    tokens = english.analyze("Priya Raman manages the Larkspur account.").tokens
    by_role = {token.dep: token for token in tokens}
    assert by_role["nsubj"].text == "Raman"
    assert tokens[by_role["nsubj"].head].lemma == "manage"
    assert by_role["dobj"].text == "account"


def test_english_names_have_their_types(english: SpacyAnalyzer) -> None:
    found = names(english.analyze("Anna Keller moved from Berlin to Paris on 4 March 2024 and paid €5,000."))
    assert {("Anna Keller", "PERSON"), ("Berlin", "LOC"), ("Paris", "LOC"), ("4 March 2024", "DATE")} <= found
    assert ("€5,000", "MONEY") in found


def test_long_english_text_loses_no_word_at_the_seams(english: SpacyAnalyzer) -> None:
    sentence = "Anna Keller moved from Berlin to Lyon. "
    analysis = english.analyze(sentence * 400)
    assert len(analysis.sentences) == 400
    assert "".join(token.text for token in analysis.tokens) == (sentence * 400).replace(" ", "")


def test_chinese_names_have_their_types(chinese: LacAnalyzer) -> None:
    found = names(chinese.analyze("王小明在上海分公司负责采购，每周三下午两点和李雷开会。月费是5000元。"))
    assert {("王小明", "PERSON"), ("李雷", "PERSON"), ("上海分公司", "ORG")} <= found
    assert {("每周三下午两点", "DATE"), ("5000元", "MONEY")} <= found


def test_chinese_names_over_invented_sentences_reach_their_floor(chinese: LacAnalyzer) -> None:
    expected = {
        "陈立群在苏州分公司担任财务主管。": "陈立群",
        "赵敏不吃海鲜，聚餐请安排素菜。": "赵敏",
        "项目经理改由林晓峰担任。": "林晓峰",
        "周建国上个月调到了成都办事处。": "周建国",
        "我们的新客户是深圳的远航物流公司。": "远航物流公司",
        "黄丽娟和孙浩一起去了广州。": "黄丽娟",
        "请把合同寄给北京大学的吴教授。": "北京大学",
        "刘洋说下周二去南京拜访客户。": "刘洋",
    }
    hits = sum(any(name == s.text for s in chinese.analyze(text).entities) for text, name in expected.items())
    assert hits >= 6


def test_traditional_chinese_is_read_as_simplified_and_quoted_as_written(chinese: LacAnalyzer) -> None:
    found = names(chinese.analyze("陳立群去年跳槽到華為技術有限公司。"))
    assert {("陳立群", "PERSON"), ("華為技術有限公司", "ORG"), ("去年", "DATE")} <= found


def test_latin_words_in_chinese_stay_whole(chinese: LacAnalyzer) -> None:
    analysis = chinese.analyze("王小明用 Salesforce CRM 管理客户")
    assert {"Salesforce", "CRM"} <= {token.text for token in analysis.tokens}
    assert ("Salesforce CRM", "PRODUCT") in names(analysis)


def test_mixed_text_is_read_by_both_models(routing: Analyzer) -> None:
    found = names(routing.analyze(MIXED))
    assert {("蓝海科技", "ORG"), ("May", "DATE"), ("王小明", "PERSON")} <= found


def test_other_scripts_fall_to_patterns(routing: Analyzer) -> None:
    assert ("2024-03-05", "DATE") in names(routing.analyze("Договор с Globex подписан 2024-03-05."))


def test_patterns_find_plain_names() -> None:
    patterns = RegexAnalyzer()
    english = names(patterns.analyze("Dr. Baker of Brightwater Ltd paid €4,200 on 4 March 2024. We met Anna Keller."))
    assert {("Dr. Baker", "PERSON"), ("Brightwater Ltd", "ORG"), ("€4,200", "MONEY")} <= english
    assert {("4 March 2024", "DATE"), ("Anna Keller", "NAME")} <= english
    chinese = names(patterns.analyze("陈立群在苏州蓝海科技有限公司担任经理，2024年3月5日付了5000元。"))
    assert {
        ("陈立群", "PERSON"),
        ("苏州蓝海科技有限公司", "ORG"),
        ("2024年3月5日", "DATE"),
        ("5000元", "MONEY"),
    } <= chinese


def test_patterns_take_no_sentence_opener_for_a_name() -> None:
    assert names(RegexAnalyzer().analyze("Yesterday we met. The price rose.")) == set()
