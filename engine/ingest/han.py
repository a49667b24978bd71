"""Traditional and simplified Chinese as one, where the conversion tables are installed (extra `local`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

_HAN = re.compile(r"[\u3400-\u9fff]")


def simplified(text: str) -> str:
    """The text in simplified characters; as it is where it has none, or where no tables are installed.

    Only ever used to find and compare candidates: what is stored does not depend on an optional package.
    """
    return _convert(text) if _HAN.search(text) else text


@lru_cache(2_048)
def _convert(text: str) -> str:
    return _converter()(text)


@lru_cache(1)
def _converter() -> Callable[[str], str]:
    try:
        from opencc import OpenCC
    except ImportError:
        return lambda text: text
    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert
