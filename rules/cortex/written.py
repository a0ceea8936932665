"""Dice in what somebody writes: `I kick the door (Strong d10 + d6)` means the pool `Strong d10 + d6`.

Every die that stands there is read, each with the name before it. What cannot be read (a name without a die
that nobody knows, an opposition) is not dropped in silence: it is said.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.cortex.roll import make
from rules.dice import VERBS
from rules.errors import RuleError, Undecided, Unknown
from rules.prose import bracketed, plain
from rules.seats import Actor
from rules.table import Table

LONGEST_NAME = 5
"""So many words a name may have."""
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_SIDES = r"(?:12|10|8|6|4)(?![0-9])(?:s\b|(?![^\W_])|(?=[dD][0-9]))"
_TOKEN = re.compile(
    rf"(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})?(?P<times>\s?[x×*]\s?|\s)?[dDwW](?P<size>{_SIDES})"
    r'|"(?P<quoted>[^"\n]{1,40})"|(?P<word>[^\W\d_][\w\'’-]*)|(?P<link>\s+[-–—]\s+|[:=(\[])|(?P<other>\S)',
    re.IGNORECASE,
)
_COMMAND = re.compile(r"/roll\b")
_OPTION = re.compile(r"\b(dice|vs):\s*(?=\S)")
_AGAINST = r"(?<!\w)(?:vs?|versus|against)(?![A-Za-z])[.:]?\s*"
_CALLED = r"(?:difficulty|diff|dc|tn|target(?: number)?)(?![A-Za-z])\s*(?:of|is)?[\s:=]*"
_WHAT = r"(?P<what>\d{1,3}(?!\w|\s?[x×*]?\s?[dw]\d)|(?:very )?(?:easy|hard)|challenging|doom)(?!\w)"
_OPPOSED = (
    re.compile(rf"(?:{_AGAINST}(?:an? |the )?(?:{_CALLED})?|(?<!\w){_CALLED}){_WHAT}", re.IGNORECASE),
    re.compile(rf"{_AGAINST}(?:[^\W\d]\S* ){{1,4}}\((?P<what>\d{{1,3}})\)", re.IGNORECASE),
    re.compile(
        rf"(?:{_AGAINST}|(?<!\w){_CALLED})(?:(?!\d{{0,2}}d\d)[^\W\d_][\w'’]* ){{0,4}}"
        rf"(?P<what>(?:\d{{0,2}}d{_SIDES}(?:(?:\s*[,+&]\s*|\s+and\s+|\s+)(?=\d{{0,2}}d\d)|(?=d\d))?)+)",
        re.IGNORECASE,
    ),
)
_LINKING = frozenset({"of", "the", "in", "out", "and", "to", "for", "a"})
"""Words that may stand inside a name, in small letters."""
_NO_NAMES = frozenset(
    {"a", "also", "an", "and", "but", "dice", "effect", "for", "i", "my", "now", "of", "or", "plus", "pool"}
    | {"really", "roll", "rolled", "rolling", "so", "the", "then", "to", "total", "use", "using", "with"}
    | {*VERBS}
)
"""Words before a die that begin no name of it."""


@dataclass(frozen=True, slots=True)
class Written:
    """The pool that a text means, as it would be typed, and what of it could not be read."""

    dice: str
    left: tuple[str, ...] = ()


def understood(table: Table, actor: Actor, text: str) -> Written:
    """What a text means to whoever reads it. Raises Unknown where it has no dice.

    What stands in one pair of brackets with several dice goes before the rest of the text; names without a
    die may be in it as well. What others wrote, and is quoted, is no part of it.
    """
    own, against = _parted(_as_typed(plain(text)))
    for typed, missing in _candidates(own):
        for tried in dict.fromkeys((f"{typed}{against}", typed)):
            if _can_be_rolled(table, actor, tried):
                left = [*missing, *([against.strip()] if against and tried == typed else [])]
                return Written(tried, tuple(left))
    raise Unknown(
        "There are no dice to roll in that message. Dice in one look so: I kick the door (Strong d10 + d6)"
    )


def _as_typed(text: str) -> str:
    """The text, where a command's options are its words: `vs 11` for `vs:11`."""
    return _OPTION.sub(lambda found: "vs " if found[1] == "vs" else "", _COMMAND.sub("", text))


def _parted(text: str) -> tuple[str, str]:
    """The text without what the dice are against, and that: ` vs 11`, ` vs d8, d6`, or nothing."""
    found = next(filter(None, (pattern.search(text) for pattern in _OPPOSED)), None)
    if found is None:
        return text, ""
    what = found["what"].strip()
    dice = ", ".join(_dice(text, *found.span("what")))
    return f"{text[: found.start()]} , {text[found.end() :]}", f" vs {dice or what.lower()}"


def _dice(text: str, start: int, end: int) -> Iterator[str]:
    return (_die(found) for found in _TOKEN.finditer(text, start, end) if found["size"])


def _candidates(own: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Pools that may be meant, the likeliest first, each with what of it is left out."""
    for inside in (each.strip(" ,;") for each in bracketed(own)):
        if "+" in inside or len(_items(inside)) > 1:
            yield from _pools(inside)
    yield from _pools(" ".join(own.split()).strip(" ,;."))


def _pools(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A pool as it stands there, where it is no sentence; else its dice with their names, or without."""
    items, parts = _items(text), [part.strip() for part in text.split("+")]
    is_pool = len(parts) > 1 and all(0 < len(part.split()) <= LONGEST_NAME for part in parts)
    if is_pool and all(map(_is_typed, parts)):
        yield text, ()
    missing = tuple(part.strip("()[]") for part in parts if not _items(part)) if is_pool else ()
    if items:
        yield ", ".join(f"{name} {dice}".strip() for name, dice in items), missing
        yield ", ".join(dice for _, dice in items), missing


def _is_typed(part: str) -> bool:
    """Whether a part of a pool stands there as it would be typed: a name, a die, or both."""
    items = _items(part)
    is_verb = part.split()[0].lower() in VERBS
    return not items or is_verb or [" ".join(filter(None, each)) for each in items] == [part]


def _items(text: str) -> list[tuple[str, str]]:
    """Every die of a text, with the name before it."""
    tokens = list(_TOKEN.finditer(text))
    return [(_name(tokens[:place]), _die(found)) for place, found in enumerate(tokens) if found["size"]]


def _die(found: re.Match[str]) -> str:
    count = (found["count"] or "").lower()
    size = found["size"].rstrip("sS")
    return f"{_NUMBERS.get(count, count)}d{size}"


def _name(before: Sequence[re.Match[str]]) -> str:
    """The name that ends there: in quotation marks, or words of which the first and the last are capital."""
    tokens = list(before)
    while tokens and tokens[-1]["link"]:
        tokens.pop()
    if tokens and tokens[-1]["quoted"]:
        return f'"{tokens[-1]["quoted"]}"'
    words: list[str] = []
    while tokens and tokens[-1]["word"] and len(words) <= LONGEST_NAME:
        word = tokens.pop()["word"]
        if word[0].islower() and not (words and word in _LINKING):
            break
        words.insert(0, word)
    while words and (words[0].casefold() in _NO_NAMES or words[0][0].islower()):
        words.pop(0)
    return " ".join(words)[:40]


def _can_be_rolled(table: Table, actor: Actor, typed: str) -> bool:
    try:
        make(table, actor, lambda sizes: [2] * len(sizes), typed)
    except Undecided:  # it is asked before it is rolled
        return True
    except RuleError:
        return False
    return True
