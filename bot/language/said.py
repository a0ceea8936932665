"""Translate texts with values into a reader's language."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from string import Formatter
from typing import assert_never

import structlog

from bot.language import SPEECH
from bot.language.line import (
    Address,
    Code,
    Command,
    CompoundPhrase,
    DiceRow,
    DieForm,
    Line,
    Manner,
    Mention,
    MentionKind,
    Moment,
    Part,
    RolledFace,
    Strong,
    Style,
    Text,
    UnrolledDice,
)
from rules.dice import write_in_order
from rules.terms import ENGLISH, IN_TERMS, Language, in_terms, later
from rules.text import ChannelMention, Phrase, Row, Words, whole_words

log = structlog.get_logger(__name__)

UNSAID = later("something this version can't read")
_TIME = len("<t:1234567890:f>")
_NAME = len("<@123456789012345678>")


def said(text: Text) -> Text:
    """Return a line in the current language, as texts and spans; a plain str if it has no spans.

    >>> said(Line((Words("{who} has {count} PP", who="Nova", count=2),)))
    'Nova has 2 PP'
    """
    if isinstance(text, str) or text.is_said:
        return text
    found: list[Part] = []
    _say(text.parts, found, SPEECH.get())
    whole = _whole(found) if len(found) > 1 else tuple(found)
    if len(whole) > 1 or text.style is not Style.PLAIN:
        return Line(whole, text.style, is_said=True)
    first = whole[0] if whole else ""
    return first if isinstance(first, str) else Line(whole, is_said=True)


def _whole(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Parts in which texts that stand side by side are one."""
    found: list[Part] = []
    for part in parts:
        if type(part) is str and found and isinstance(before := found[-1], str):
            found[-1] = before + part
        elif part != "":
            found.append(part)
    return tuple(found)


# Every answer is said here, dozens of parts each: what most of them are is done in place, without a call.
def _say(parts: Iterable[Part], into: list[Part], speech: Language) -> None:
    """Say parts, one behind the other."""
    for part in parts:
        kind = type(part)
        if kind is str:
            into.append(part)
        elif isinstance(part, Words):
            if part.many:
                text = part.template(speech)
            else:
                text = part.text if speech is ENGLISH else speech.gettext(part.text)
            if part.values:
                _put(text, part.values, into, speech)
            else:  # then a brace in it is a brace, but for that of a term
                into.append(IN_TERMS[text, speech])
        elif isinstance(part, Strong):
            inside: list[Part] = []
            _say(part.parts, inside, speech)
            into.append(Strong(_whole(inside) if len(inside) > 1 else tuple(inside)))
        elif isinstance(part, CompoundPhrase):
            _say_compound(part, into, speech)
        elif isinstance(part, Row):
            _say_row(part, into, speech)
        elif isinstance(part, ChannelMention):
            into.append(Mention(MentionKind.CHANNEL, part.channel))
        elif isinstance(part, Phrase):
            into.append(part.said(speech))
        else:
            into.append(part)


def _put(text: str, values: Mapping[str, object], into: list[Part], speech: Language) -> None:
    """A text with its values in their places."""
    if speech is not ENGLISH:
        text = IN_TERMS[text, speech]
    for before, name, spec in _places(text):
        if before:
            into.append(before)
        if name is not None:
            value = values[name]
            if isinstance(value, Line) and value.is_said:
                into += value.parts
            elif isinstance(value, Line):
                _say(value.parts, into, speech)
            elif isinstance(value, Phrase):
                _say((value,), into, speech)
            else:
                try:
                    into.append(format(value, spec))
                except (TypeError, ValueError) as error:  # such as a damaged fact's: it harms nothing else
                    log.warning("value not formatted", reason=repr(error))
                    into.append(speech.gettext(UNSAID))


@lru_cache(maxsize=4096)
def _places(text: str) -> tuple[tuple[str, str | None, str], ...]:
    """The places of values in a text; where its terms are not said yet, they are in plain English."""
    found = Formatter().parse(in_terms(text))
    return tuple((before, name, spec or "") for before, name, spec, _ in found)


def _say_row(of: Row, into: list[Part], speech: Language) -> None:
    """Names joined as a language joins them, the last one in another way."""
    row: object = of.names[0] if of.names else ""
    for place, name in enumerate(of.names[1:], 2):
        joint: list[Part] = []
        how = speech.gettext(of.last if place == len(of.names) else of.each)
        _put(how, {"first": row, "last": name}, joint, speech)
        row = Line(tuple(joint), is_said=True)
    _put("{row}", {"row": row}, into, speech)


def _say_compound(of: CompoundPhrase, into: list[Part], speech: Language) -> None:
    inside: list[Part] = []
    _say(of.of(speech) if of.english else of.parts, inside, speech)
    match of.manner:
        case Manner.PLAIN:
            into += inside
        case Manner.ALOUD:
            into += _read_aloud(inside)
        case Manner.CAPITAL:
            first, *others = _whole(inside) or ("",)
            into += [f"{first[:1].upper()}{first[1:]}" if isinstance(first, str) else first, *others]
        case _:
            assert_never(of.manner)


def die_text(label: str, size: int, face: int) -> str:
    """Return a rolled die in words.

    >>> die_text("Mind", 10, 7), die_text("", 6, 1)
    ('Mind d10: 7', 'd6: 1')
    """
    return f"{label} d{size}: {face}" if label else f"d{size}: {face}"


def face_name(size: int, face: int, form: DieForm | None = None) -> str:
    """Return the name of a face's picture, which screen readers read; face 0 is a die that nobody has rolled.

    >>> face_name(10, 7), face_name(10, 0), face_name(10, 7, DieForm.PLACED)
    ('d10_7', 'd10', 'd10_7_placed')

    A thrown die without hitches looks like any other, but for its 1, which isn't broken:

    >>> face_name(10, 7, DieForm.THROWN), face_name(10, 1, DieForm.THROWN)
    ('d10_7', 'd10_1_thrown')
    """
    usual = f"d{size}_{face}" if face else f"d{size}"
    return usual if form is None or (form is DieForm.THROWN and face != 1) else f"{usual}_{form}"


def row_text(faces: Iterable[int]) -> str:
    """Return a row of dice in words.

    >>> row_text((7, 7, 3))
    '7 7 3'
    """
    return " ".join(map(str, faces))


def _read_aloud(parts: Iterable[Part]) -> Iterator[Part]:
    """Parts without what only eyes see; a time and a mention stay, since each reader has their own."""
    for part in parts:
        match part:
            case str() | Moment() | Mention() | Phrase():
                yield part
            case Strong():
                yield from _read_aloud(part.parts)
            case RolledFace():
                yield die_text(part.label, part.size, part.face)
            case DiceRow():
                yield row_text(part.faces)
            case UnrolledDice():
                yield write_in_order(part.sizes)
            case Code():
                yield part.text
            case Command():
                yield f"/{part.name}"
            case Address():
                yield part.where
            case _:
                assert_never(part)


def width(text: Text) -> int:
    """Return about how many characters a text takes, with dice in words.

    >>> width("Nova has 2 PP")
    13
    """
    of = said(text)
    return len(of) if isinstance(of, str) else _wide(of.parts)


def _wide(parts: Iterable[Part]) -> int:
    wide = 0
    for part in parts:
        match part:
            case str():
                wide += len(part)
            case Strong():
                wide += _wide(part.parts)
            case Moment():
                wide += _TIME
            case Mention():
                wide += _NAME
            case UnrolledDice():
                wide += len(write_in_order(part.sizes))
            case _:
                wide += _wide(_read_aloud((part,)))
    return wide


MOST_DRAWN = 10
"""A row of unrolled dice has at most so many pictures; of more, each size has one, after their count."""
_SPAN = 100
"""More than any span takes but for what is typed in it."""


def at_most(lines: Iterable[Text]) -> int:
    """Return an upper estimate of the characters that lines take when sent, with dice as pictures."""
    most = 0
    parts: list[Part] = []
    for line in lines:
        most += _SPAN
        parts += (line,) if isinstance(line, str) else line.parts
    for part in parts:
        if isinstance(part, str):
            most += 3 * len(part)  # it is hardly ever three times as long once it is harmless
        elif isinstance(part, Strong):
            most += _SPAN
            parts += part.parts  # which are looked at later in this row
        elif isinstance(part, UnrolledDice):
            most += _SPAN * min(len(part.sizes), MOST_DRAWN)
        elif isinstance(part, DiceRow):
            most += _SPAN * len(part.faces)
        else:
            most += _SPAN + 3 * _wide((part,))
    return most


def dice_in(parts: Iterable[Part]) -> int:
    """Return how many dice there are in rendered parts that may be pictures."""
    dice = 0
    for part in parts:
        if isinstance(part, RolledFace):
            dice += 1
        elif isinstance(part, UnrolledDice):
            dice += min(len(part.sizes), MOST_DRAWN)
        elif isinstance(part, DiceRow):
            dice += len(part.faces)
        elif isinstance(part, Strong):
            dice += dice_in(part.parts)
    return dice


def distinct(texts: Iterable[Text]) -> list[Text]:
    """Return the texts without those that read the same as an earlier one."""
    found = list(texts)
    if len(found) < 2:
        return found
    return list({said(each): each for each in reversed(found)}.values())[::-1]


def cut(text: Text, most: int) -> Text:
    """Return a text cut to that many characters; from the first span that doesn't fit, all is dropped."""
    of = said(text)
    if width(of) <= most:
        return of
    room, kept = max(0, most - 1), list[Part]()
    for part in (of,) if isinstance(of, str) else of.parts:
        taken = whole_words(part, room) if isinstance(part, str) and len(part) > room else part
        room -= _wide((part,))
        if isinstance(taken, str) or room >= 0:
            kept.append(taken)
        if room <= 0:
            break
    if kept and isinstance(last := kept[-1], str):
        kept[-1] = last.rstrip()
    return Line((*kept, "…"))
