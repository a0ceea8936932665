"""JSON from outside: read strictly, and refused with the place of the fault."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any

from rules.errors import Unreadable
from rules.game import Fault
from rules.names import spelt
from rules.text import Phrase, Row, Words, shorten

DEEPEST = 30
"""Nothing of ours is nested deeper than this."""
MOST = 100_000
"""Lists and objects in one text; a file of ours with a million bytes has about 20,000."""
_LONGEST_NUMBER = 20


_WRONG = {
    "expecting value": Words("expecting value"),
    "expecting ',' delimiter": Words("expecting ',' delimiter"),
    "expecting ':' delimiter": Words("expecting ':' delimiter"),
    "expecting property name enclosed in double quotes": Words("expected a property name in double quotes"),
    "extra data": Words("extra data"),
    "unterminated string starting at": Words("unterminated string"),
    "invalid control character at": Words("invalid control character"),
}
"""What Python says of JSON that is none; what another version of it may say is left in its words."""


MOST_FAULTS = 100
"""So many faults are told apart while a text is parsed; a file of nothing else would take a lot of memory."""


class _Fault:
    """Stands where something cannot be read, until its place is known."""

    __slots__ = ("why",)

    def __init__(self, why: Phrase) -> None:
        self.why = why


_ONE_MORE = _Fault(Words("the value can't be read"))


class _Reader:
    """What is made of the numbers and objects of one text, and how many of them were faulty."""

    def __init__(self) -> None:
        self._faults = 0

    def _fault(self, why: Callable[[], Phrase]) -> _Fault:
        self._faults += 1
        return _Fault(why()) if self._faults <= MOST_FAULTS else _ONE_MORE

    def members(self, pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
        """An object with its parts; what stands there twice is a fault."""
        found: dict[str, Any] = {}
        for name, value in pairs:
            found[name] = self._fault(lambda: Words("it appears twice")) if name in found else value
        return found

    def number(self, digits: str) -> object:
        """A whole number."""
        # Longer ones take long to be read, and beyond 4,300 digits Python raises another error.
        return int(digits) if len(digits) <= _LONGEST_NUMBER else self._too_large(digits)

    def no_fraction(self, digits: str) -> object:
        """A fraction where none may be."""
        return self._fault(lambda: Words("{digits} isn't a whole number", digits=shorten(digits)))

    def fraction(self, digits: str) -> object:
        """A fraction."""
        number = float(digits)
        return number if isfinite(number) else self._too_large(digits)

    def constant(self, word: str) -> object:
        """What Python takes for a number and JSON does not."""
        return self._fault(lambda: Words("{word} isn't a number", word=word))

    def _too_large(self, digits: str) -> _Fault:
        return self._fault(lambda: Words("{digits} is too large", digits=shorten(digits)))


def parse(text: str, *, fractions: bool = False) -> Any:
    """Parse a JSON text, with `fractions` if those are allowed. Raises Unreadable if it isn't JSON.

    Parts may still be faulty. `require_whole` finds these, which takes long, so look at the head first.
    """
    # Each takes many times the memory of its bracket, so they are counted before anything is made of them.
    if text.count("[") + text.count("{") > MOST:
        raise Unreadable("That file has too many parts. The limit is {most:,} lists and objects.", most=MOST)
    reader = _Reader()
    try:
        return json.loads(
            text,
            object_pairs_hook=reader.members,
            parse_int=reader.number,
            parse_float=reader.fraction if fractions else reader.no_fraction,
            parse_constant=reader.constant,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(
            "That isn't valid JSON: {why} at line {line}, character {place}.",
            why=_WRONG.get(error.msg.lower()) or Row((error.msg.lower(),)),
            line=error.lineno,
            place=error.colno,
        ) from None
    except RecursionError:
        raise Unreadable(
            "That JSON is nested too deeply; the limit is {deepest} levels.", deepest=DEEPEST
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


_Way = tuple[Any, str | int] | None
"""The way to a part: the way to what it is a part of, and its name or number there."""


def _faults(found: Any) -> Iterator[Fault]:
    """The faults in what was read, and where they stand, those that are nested least first."""
    if (why := _wrong(found)) is not None:
        yield "", why
    level: list[tuple[_Way, Any]] = [(None, found)]
    for _ in range(DEEPEST - 1):
        inside: list[tuple[_Way, Any]] = []
        for way, part in level:
            for name, each in _parts(part):
                if isinstance(each, dict | list):
                    inside.append(((way, name), each))
                elif (why := _wrong(each)) is not None:
                    yield _place((way, name)), why
        level = inside
    for way, part in level:
        for name, _each in _parts(part):
            yield (
                _place((way, name)),
                Words("the value is nested too deeply; the limit is {deepest} levels", deepest=DEEPEST),
            )
            return


def _wrong(part: Any) -> Phrase | None:
    """What is wrong with a part that holds no others, if anything is."""
    if isinstance(part, _Fault):
        return part.why
    if isinstance(part, str) and not _is_whole(part):
        return Words("the text contains an invalid character")
    return None


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
