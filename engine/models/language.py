"""Which language a text is in, as far as choosing a model needs it.

By script first; among Latin letters by the commonest function words, since the English embedder reads only English.
Short Latin texts without a function word ("Anna Müller, Globex") count as English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

HAN: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
KANA: Final = r"\u3040-\u30ff"
HANGUL: Final = r"\u1100-\u11ff\uac00-\ud7af"

# Scripts that one language, or one model choice, can stand for. Order matters: kana inside Han means Japanese.
_SCRIPTS: Final = (
    ("ja", re.compile(f"[{KANA}]")),
    ("ko", re.compile(f"[{HANGUL}]")),
    ("zh", re.compile(f"[{HAN}]")),
    ("ru", re.compile(r"[\u0400-\u052f]")),
    ("ar", re.compile(r"[\u0600-\u06ff\u0750-\u077f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_LATIN_WORD: Final = re.compile(r"[a-zA-Z\u00c0-\u024f]+")
_OTHER_LETTER: Final = re.compile(r"[^\W\d_a-zA-Z\u00c0-\u024f]")
_CJK_RUN: Final = re.compile(f"[{HAN}{KANA}{HANGUL}]+")

# Words that are frequent in their language and, as far as possible, no word of the others.
_FUNCTION_WORDS: Final = {
    "en": "the and of to is was are were with for that this it he she they we you have has not from at by on will "
    "would who what when where which how did does do my our your his her their be been about an",
    "de": "der die das und ist nicht ein eine einen mit für auf von den dem des wir ich sie wer wird wurde zu auch bei "
    "nach wann welche hat haben im zum zur",
    "fr": "le la les des une est et dans pour que qui pas avec sur du au nous vous il elle sont été quel quelle ont "
    "aux",
    "es": "el los las una es y en para que no con por del se su está son fue quién cuál nosotros han como al",
    "pt": "o os as uma é e em para que não com por do da se são foi quem qual nós como ao pelo mais",
    "it": "il lo gli una è e in per che non con di del della sono chi quale noi come al nel alla ha hanno",
    "nl": "de het een en is niet met voor van op wij ik zij wie wordt naar ook bij wanneer welke heeft hebben zijn",
    "pl": "i w na nie jest się z do że kto jaki który są był była przez dla po oraz od",
    "tr": "ve bir bu için ile ne kim hangi olan olarak değil var daha gibi çok sonra",
}
_WORD_LANGUAGES: Final[dict[str, frozenset[str]]] = {
    lang: frozenset(words.split()) for lang, words in _FUNCTION_WORDS.items()
}
_MIN_FOREIGN_WORDS: Final = 2  # one shared word ("die", "in", "on") must not carry an English text away
_SAMPLE_CHARS: Final = 2_000  # enough to be sure, and long texts stay cheap


def language_of(text: str) -> str:
    """The two-letter language that most of `text` is in; `en` where nothing tells.

    One Han character weighs as much as half a word, which is about what it says.
    """
    sample = text[:_SAMPLE_CHARS]
    if sample.isascii():
        return _latin_language(sample)
    others = len(_OTHER_LETTER.findall(sample))
    if others > 2 * len(_LATIN_WORD.findall(sample)):
        return next((lang for lang, pattern in _SCRIPTS if pattern.search(sample)), "und")
    return _latin_language(sample)


def has_cjk(text: str) -> bool:
    """Whether `text` holds a Chinese, Japanese or Korean character."""
    return not text.isascii() and _CJK_RUN.search(text) is not None


def cjk_runs(text: str) -> Iterator[tuple[int, int]]:
    """Offsets [start, end) of the stretches of CJK characters, in order."""
    for match in _CJK_RUN.finditer(text):
        yield match.span()


def readable(text: str) -> str:
    """`text` as models can take it, of the same length: NUL becomes a space, a lone surrogate U+FFFD."""
    clean = text.replace("\x00", " ") if "\x00" in text else text
    if clean.isascii():
        return clean
    return _SURROGATE.sub("\ufffd", clean)


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _latin_language(sample: str) -> str:
    words = [word.lower() for word in _LATIN_WORD.findall(sample)]
    votes = {lang: sum(word in known for word in words) for lang, known in _WORD_LANGUAGES.items()}
    best = max(votes, key=lambda lang: (votes[lang], lang == "en"))
    return best if votes[best] >= _MIN_FOREIGN_WORDS and votes[best] > votes["en"] else "en"
