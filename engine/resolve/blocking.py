"""Under which keys a name is kept so that names like it are found by one look-up: sound, initials, words run together, and
a Chinese person's given name.

The keys are stored beside an entity's spellings, as aliases without a name. They are short digests written in characters of
Unicode's private use area, so that no search for letters finds them. Every key contains the name's digits: names that
differ in them never meet.
"""

from __future__ import annotations

from functools import lru_cache

from muniment.engine.ingest.han_names import given_key, given_name_of
from muniment.engine.ingest.names import PERSON
from muniment.engine.ingest.private_keys import FIRST_PRIVATE, PRIVATE_BITS, private_key
from muniment.engine.resolve.parts import Parts, parts_of
from muniment.engine.resolve.sounds import sound

_MANY_WORDS = 6  # the words of longer names are not sorted: few of them are written in another order
_LEAST_LETTERS = 2


@lru_cache(2_048)
def blocking_keys(name: str, root: str = "") -> tuple[str, ...]:
    """The keys of a name under the rules of a broad type, without repeats; none for a name without letters or digits."""
    parts = parts_of(name, root)
    if not parts.words:
        return ()
    blocks = _person_blocks(parts) if root == PERSON else _thing_blocks(parts)
    numbers = " ".join(sorted(parts.numbers))
    keys = [private_key(f"{block}|{numbers}") for block in blocks]
    given = given_key(given_name_of(name) or name) if root == PERSON else ""
    return tuple(dict.fromkeys((*keys, given) if given else keys))


def is_blocking_key(key: str) -> bool:
    """Whether an alias key is one of these."""
    return key[:1] >= chr(FIRST_PRIVATE) and key[:1] < chr(FIRST_PRIVATE + (1 << PRIVATE_BITS))


def _person_blocks(parts: Parts) -> list[str]:
    """All names by sound in any order; each outer name by sound with the initial of the other."""
    names = [w.text for w in parts.words if w.weight >= 1 and not w.text.isdigit()]
    blocks = _joined(parts)
    if len(names) > 1:
        first, last = names[0], names[-1]
        blocks += [f"i{_initial(first)} {sound(last)}", f"i{_initial(last)} {sound(first)}"]
    return blocks


def _thing_blocks(parts: Parts) -> list[str]:
    """The words run together by sound, and the telling ones in alphabetical order."""
    telling = sorted(_singular(sound(w.text)) for w in parts.words if w.weight >= 0.5 and not w.text.isdigit())
    blocks = _joined(parts)
    if 1 < len(telling) <= _MANY_WORDS:
        blocks.append(f"w{' '.join(telling)}")
    return blocks


def _joined(parts: Parts) -> list[str]:
    """All words as one, by sound; none where what is left of them would fit too many names."""
    joined = _singular(sound(parts.joined))
    return [f"j{joined}"] if len(joined) >= _LEAST_LETTERS else []


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _LEAST_LETTERS and word.endswith("s") else word


def _initial(name: str) -> str:
    return name[:1]
