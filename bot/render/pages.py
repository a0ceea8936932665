"""Pages: lines in as many messages as they take, none of them cut."""

import re
from collections.abc import Callable, Iterator, Sequence

from bot.language.line import Line, Part, Strong, Text
from bot.language.said import said, width
from rules.values import replace

LONGEST_LINE = 900
"""A longer line is broken in two; escaped twice over, one still fits into a plain message."""
_BETWEEN, _SPACE = re.compile("[,;.] "), re.compile(" ")


def pages(
    lines: Sequence[Text], longest: int = 3900, size: Callable[[Text], int] = width
) -> list[tuple[Text, ...]]:
    """Lines in pages that fit into one message each; a line too long for a page is broken, never cut.

    `size` is how many characters a line takes in the message.
    """
    found: list[tuple[Text, ...]] = []
    page: list[Text] = []
    room = longest
    for each in lines:
        for part in _broken(said(each)):
            taken = size(part) + 1
            if page and taken > room:
                found.append(tuple(page))
                page, room = [], longest
            page.append(part)
            room -= taken
    return [*found, tuple(page)]


def _broken(text: Text) -> Iterator[Text]:
    """Break a text into parts that are not too long: between names, else between words, inside no span."""
    while width(text) > LONGEST_LINE:
        if isinstance(text, str):
            at = _last_place(text, LONGEST_LINE) or _last_place(text, LONGEST_LINE, _SPACE) or LONGEST_LINE
            yield text[:at].rstrip(" ")
            text = text[at:]
            continue
        head, left = _parted(text)
        if not left:
            break
        yield replace(head, style=text.style)
        text = left
    yield text


def _last_place(text: str, room: int, between: re.Pattern[str] = _BETWEEN) -> int:
    """How much of a text is before the last place where it can be broken; 0 where it has none."""
    return max((found.end() for found in between.finditer(text[: max(0, room)])), default=0)


def _parted(of: Line) -> tuple[Line, Line]:
    """As much of a line as is not too long, and what is left of it."""
    room, at, after_word = LONGEST_LINE, (0, 0), (0, 0)
    for place, part in enumerate(of.parts):
        if isinstance(part, str) and (found := _last_place(part, room)):
            at = (place, found)
        if isinstance(part, str) and (found := _last_place(part, room, _SPACE)):
            after_word = (place, found)
        room -= width(Line((part,)))
        if room < 0:
            break
    first, *others = of.parts
    if at == (0, 0) and place == 0 and isinstance(first, Strong) and width(Line(first.parts)) > LONGEST_LINE:
        head, left = _parted(Line(first.parts))
        rest = (Strong(left.parts), *others) if left else tuple(others)
        return Line((Strong(head.parts),)), Line(rest)
    if at == (0, 0):
        at = after_word
    if at == (0, 0):  # nowhere to break: inside a word, else before the span that is too much
        at = (place, len(part) + room if isinstance(part, str) else 0)
    place, inside = at
    middle = of.parts[place]
    if not isinstance(middle, str):
        return _line(*of.parts[: place or 1]), _line(*of.parts[place or 1 :])
    before, after = middle[:inside].rstrip(" "), middle[inside:]
    return _line(*of.parts[:place], before), _line(after, *of.parts[place + 1 :])


def _line(*parts: Part) -> Line:
    return Line(tuple(part for part in parts if part != ""))
