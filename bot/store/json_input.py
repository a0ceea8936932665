"""JSON from outside: read strictly, and refused with the place of the fault."""

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

from rules.dice import shorten
from rules.errors import Unreadable
from rules.game import Fault
from rules.names import spelt
from rules.words import Phrase, Row, Words

DEEPEST = 30
"""Nothing of ours is nested deeper than this."""
MOST = 100_000
"""Lists and objects in one text; a file of ours with a million bytes has about 20,000."""
_LONGEST_NUMBER = 20


_WRONG = {
    "expecting value": Words("expecting value"),
    "expecting ',' delimiter": Words("expecting ',' delimiter"),
    "expecting ':' delimiter": Words("expecting ':' delimiter"),
    "expecting property name enclosed in double quotes": Words(
        "expecting property name enclosed in double quotes"
    ),
    "extra data": Words("extra data"),
    "unterminated string starting at": Words("unterminated string"),
    "invalid control character at": Words("invalid control character"),
}
"""What Python says of JSON that is none; what another version of it may say is left in its words."""


class _Fault:
    """Stands where something cannot be read, until its place is known."""

    def __init__(self, why: Phrase) -> None:
        self.why = why


def parse(text: str, *, fractions: bool = False) -> Any:
    """Parse a JSON text, with `fractions` if those are allowed. Raises Unreadable if it isn't JSON.

    Parts may still be faulty. `require_whole` finds these, which takes long, so look at the head first.
    """
    # Each takes many times the memory of its bracket, so they are counted before anything is made of them.
    if text.count("[") + text.count("{") > MOST:
        raise Unreadable("That file has too many parts. {most:,} lists and objects are the limit.", most=MOST)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_number,
            parse_float=_fraction if fractions else _no_fraction,
            parse_constant=lambda word: _Fault(Words("{word} is no number", word=word)),
        )
    except json.JSONDecodeError as error:
        raise Unreadable(
            "That is no whole JSON: {why} at line {line}, character {place}.",
            why=_WRONG.get(error.msg.lower()) or Row((error.msg.lower(),)),
            line=error.lineno,
            place=error.colno,
        ) from None
    except RecursionError:
        raise Unreadable(
            "That is nested too deeply; {deepest} levels are the limit.", deepest=DEEPEST
        ) from None


def require_whole(found: Any, inside: str = "") -> None:
    """Raise Unreadable if a part of parsed JSON is faulty. It names the place, counted from `inside`."""
    for place, fault in _faults(found):
        raise Unreadable("{place}: {fault}.", place=place.removeprefix(f"{inside}."), fault=fault)


def unknown(given: Any, known: Any) -> Iterator[str]:
    """The places in `given` that are not in `known`, of which it should be a part."""
    pairs: list[tuple[str, Any, Any]] = [("", given, known)]
    while pairs:
        where, mine, theirs = pairs.pop()
        if isinstance(mine, dict) and isinstance(theirs, dict):
            for name, part in mine.items():
                if name in theirs:
                    pairs.append((join(where, name), part, theirs[name]))
                else:
                    yield join(where, name)
        elif isinstance(mine, list) and isinstance(theirs, list):
            rows = zip(mine, theirs, strict=False)
            pairs += [(join(where, str(number)), a, b) for number, (a, b) in enumerate(rows)]


def join(where: str, name: str) -> str:
    """The place of a part: `characters.alice`, cut where names are very long."""
    said = spelt(name[:100])
    return f"{where}.{said}"[-300:] if where else said


def _object(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        found[name] = _Fault(Words("it stands there twice")) if name in found else value
    return found


def _number(digits: str) -> object:
    # Longer ones take long to be read, and beyond 4,300 digits Python raises another error.
    return (
        int(digits)
        if len(digits) <= _LONGEST_NUMBER
        else _Fault(Words("{digits} is too large", digits=shorten(digits)))
    )


def _no_fraction(digits: str) -> object:
    return _Fault(Words("{digits} is no whole number", digits=shorten(digits)))


def _fraction(digits: str) -> object:
    number = float(digits)
    return number if isfinite(number) else _Fault(Words("{digits} is too large", digits=shorten(digits)))


_Way = tuple[Any, str | int] | None
"""The way to a part: the way to what it is a part of, and its name or number there."""


def _faults(found: Any) -> Iterator[Fault]:
    """The faults in what was read, and where they stand, those that are nested least first."""
    level: list[tuple[_Way, Any]] = [(None, found)]
    for _ in range(DEEPEST):
        for way, part in level:
            if isinstance(part, _Fault):
                yield _place(way), part.why
            elif isinstance(part, str) and not _is_whole(part):
                yield _place(way), Words("a character in it is broken")
        level = [((way, name), each) for way, part in level for name, each in _parts(part)]
    if level:
        deepest = Words("it is nested too deeply; {deepest} levels are the limit", deepest=DEEPEST)
        yield _place(level[0][0]), deepest


def _place(way: _Way) -> str:
    """A way in words: `characters.alice.0`."""
    names: list[str] = []
    while way is not None:
        way, name = way
        names.append(str(name))
    where = ""
    for each in reversed(names):
        where = join(where, each)
    return where


def _is_whole(text: str) -> bool:
    # JSON can say half of a pair, which cannot be written as UTF-8.
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _parts(part: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(part, dict):
        return [*part.items(), *((name, name) for name in part if not _is_whole(name))]
    return enumerate(part) if isinstance(part, list) else ()
