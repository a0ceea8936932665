"""Render lines as Discord Markdown, as plain text, and for screen readers.

Typed text is escaped here, where it becomes part of a message; spans never contain markup. Every printer
must handle every kind of span, or the module fails to import.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from html import escape
from textwrap import wrap
from typing import Any, TypeAlias

from bot.language.line import (
    Address,
    Code,
    Command,
    DiceRow,
    Mention,
    Moment,
    Part,
    RolledFace,
    Span,
    Strong,
    Style,
    Text,
    TimeStyle,
    UnrolledDice,
    isolated,
    without_marks,
)
from bot.language.said import MOST_DRAWN, die_text, face_name, row_text, said
from rules.campaign.zones import local
from rules.dice import count_by_size, write_in_order
from rules.values import exhaustive

Faces: TypeAlias = Mapping[str, str]
"""Pictures of dice by name, as in `face_name`; a die without a picture is said in words."""


class Markup(str):
    """Text that is rendered as it is; everything else is escaped."""

    __slots__ = ()


Pieces: TypeAlias = list[str]
"""Text and markup, one behind the other."""
Harmless: TypeAlias = Callable[[str, bool], str]
"""A text in which what was typed does nothing, where a line begins with it or not."""


@dataclass(slots=True)
class Printing:
    """The state of rendering a line: how each span is rendered, dice pictures, the time zone."""

    forms: "Forms"
    faces: Faces = field(default_factory=dict)
    zone: str = ""
    pieces: Pieces = field(default_factory=list)

    def add(self, parts: Iterable[Part]) -> None:
        """Render parts and append them."""
        for part in parts:
            if isinstance(part, str):
                self.pieces.append(part)
            else:
                self.forms[type(part)](self, part)

    def printed(self, parts: Iterable[Part], calm: Harmless, before: str = "") -> str:
        """Return parts rendered as one string; adjacent texts are escaped together."""
        found, text = [before] if before else [], ""
        self.add(parts)
        for piece in self.pieces:
            if not isinstance(piece, Markup):
                text += piece
                continue
            if text:
                found.append(calm(text, not found))
                text = ""
            found.append(piece)
        if text:
            found.append(calm(text, not found))
        return "".join(found)


Form: TypeAlias = Callable[[Printing, Any], None]
Forms: TypeAlias = Mapping[type, Form]
"""What prints each kind of span."""


def _text(of: Callable[[Any], str]) -> Form:
    """A form that is text."""
    return lambda on, span: on.pieces.append(of(span))


def _markup(of: Callable[[Any], str]) -> Form:
    """A form that is printed just as it is."""
    return lambda on, span: on.pieces.append(Markup(of(span)))


def _around(before: str, after: str) -> Form:
    opens, closes = Markup(before), Markup(after)

    def printed(on: Printing, of: Strong) -> None:
        on.pieces.append(opens)
        on.add(of.parts)
        on.pieces.append(closes)

    return printed


def _drawn(on: Printing, of: RolledFace) -> None:
    """A die as a picture before its label and size, or in words alone."""
    picture = on.faces.get(face_name(of.size, of.face)) if on.faces else None
    if picture is None:
        on.pieces.append(die_text(of.label, of.size, of.face))
    else:
        on.pieces += (Markup(picture), f" {of.label} d{of.size}" if of.label else f" d{of.size}")


def _faces_drawn(on: Printing, of: DiceRow) -> None:
    """Dice as a picture each, or all in words."""
    names = [face_name(of.size, face, of.form) for face in of.faces] if on.faces else []
    if names and all(name in on.faces for name in names):
        on.pieces.append(Markup("".join(on.faces[name] for name in names)))
    else:
        on.pieces.append(row_text(of.faces))


def _row_drawn(on: Printing, of: UnrolledDice) -> None:
    """Unrolled dice as a picture each, or one a size after its count where there are many; or in words."""
    if not on.faces or any(face_name(size, 0) not in on.faces for size in of.sizes):
        on.pieces.append(write_in_order(of.sizes))
    elif len(of.sizes) <= MOST_DRAWN:
        on.pieces.append(Markup("".join(on.faces[face_name(size, 0)] for size in of.sizes)))
    else:
        row = (
            f"{count if count > 1 else ''}{on.faces[face_name(size, 0)]}"
            for size, count in count_by_size(of.sizes)
        )
        on.pieces.append(Markup(" ".join(row)))


def _pressed(of: Command) -> str:
    """A command to be pressed, or as text where Discord's number for it is not known."""
    return f"</{of.name}:{of.number}>" if of.number else f"/{of.name}"


def _code(of: Code) -> str:
    # In code nothing means anything, a backslash neither.
    return "`" + of.text.replace("`", "'") + "`"


_TIME_STYLES: Mapping[TimeStyle, str] = exhaustive(
    TimeStyle,
    {
        TimeStyle.DATE: "{at:%Y-%m-%d %H:%M} {zone}",
        TimeStyle.DAY: "{at:%Y-%m-%d %H:%M} {zone}",
        TimeStyle.UNTIL: "{at:%Y-%m-%d %H:%M} {zone}",
        TimeStyle.CALENDAR: "{at:%Y-%m-%d}",
        TimeStyle.TIME: "{at:%H:%M} {zone}",
    },
)


def _time(on: Printing, of: Moment) -> None:
    """A time where no reader's clock is known: by the zone, or by UTC."""
    at = local(datetime.fromtimestamp(of.seconds, UTC), on.zone)
    on.pieces.append(_TIME_STYLES[of.style].format(at=at, zone=on.zone or "UTC"))


@dataclass(frozen=True, slots=True)
class _Forms:
    """How a kind of span is printed: as plain text, in Discord, in a page and in Markdown."""

    plain: Form
    discord: Form
    page: Form | None = None
    """As plain text where nothing is said."""
    markdown: Form | None = None


_FORMS: Mapping[type, _Forms] = exhaustive(
    Span,
    {
        Strong: _Forms(
            lambda on, of: on.add(of.parts),
            _around("**", "**"),
            _around("<strong>", "</strong>"),
            _around("**", "**"),
        ),
        RolledFace: _Forms(_text(lambda of: die_text(of.label, of.size, of.face)), _drawn),
        DiceRow: _Forms(_text(lambda of: row_text(of.faces)), _faces_drawn),
        UnrolledDice: _Forms(_text(lambda of: write_in_order(of.sizes)), _row_drawn),
        Moment: _Forms(_time, _markup(lambda of: f"<t:{of.seconds}:{of.style}>")),
        Code: _Forms(
            _text(lambda of: of.text), _markup(_code), _markup(lambda of: f"<code>{escape(of.text)}</code>")
        ),
        Command: _Forms(_text(lambda of: f"/{of.name}"), _markup(_pressed)),
        Mention: _Forms(
            _text(lambda of: f"{of.whom}{of.number}"), _markup(lambda of: f"<{of.whom}{of.number}>")
        ),
        Address: _Forms(_text(lambda of: of.where), _markup(lambda of: of.where)),
    },
)
_PLAIN: Forms = {kind: each.plain for kind, each in _FORMS.items()}
_DISCORD: Forms = {kind: each.discord for kind, each in _FORMS.items()}
_PAGE: Forms = {kind: each.page or each.plain for kind, each in _FORMS.items()}
_MARKDOWN: Forms = {kind: each.markdown or each.plain for kind, each in _FORMS.items()}


# Discord

_STYLES: Mapping[Style, str] = exhaustive(
    Style, {Style.PLAIN: "", Style.HEADING: "### ", Style.SMALL: "-# ", Style.BREAK: "", Style.NOTHING: ""}
)
_SPECIAL = re.compile(
    # Emphasis, code and bars; where a link's address begins; mentions, emojis, times and commands.
    r"[_\\~|*`]|(?<=\])\(|<(?=[@#:/A-Za-z])|@(?=everyone|here)"
    # What a line begins with: a quote, a heading, a list.
    r"|^>(?:>>)?\s|^#{1,3}|^[^\S\n]*-",
    re.MULTILINE,
)
_NUMBERED = re.compile(r"^([^\S\n]*[0-9]+)\.(?=\s)", re.MULTILINE)
"""How a list begins, which Discord would number anew from its first line: `32.`, `31.` as 32, 33."""
_WORDS: Faces = {}
"""No pictures: dice are in words."""


def harmless(text: Text, faces: Faces = _WORDS) -> str:
    """Return a line as it is sent to Discord, with typed Markdown and mentions escaped.

    Rolled dice are pictures if `faces` has any, else words.
    """
    of = text if isinstance(text, str) or text.is_said else said(text)
    if isinstance(of, str):
        return _calm(of, True)
    return Printing(_DISCORD, faces).printed(of.parts, _calm, _STYLES[of.style])


def as_typed(printed: str) -> str:
    """Return the text that was given to `harmless`, if it was plain text.

    >>> as_typed(harmless("1. **Run**, they said"))
    '1. **Run**, they said'
    """
    return re.sub(r"\\(.)", r"\1", without_marks(printed), flags=re.DOTALL)


@lru_cache(maxsize=2048)
def _calm(text: str, begins: bool) -> str:
    if not begins:  # whatever is before it, a letter is like that: no list and no quote begins after it
        return _calm(f"x{text}", True)[1:]
    return _NUMBERED.sub(r"\1\\.", _SPECIAL.sub(r"\\\g<0>", isolated(text)))


def in_words(text: Text, most: int | None = None) -> str:
    """Return a line as plain text for a label, option or hint, in at most that many characters."""
    return isolated(spelled(text), most)


# Files


def spelled(text: Text, zone: str = "") -> str:
    """Return a line as plain text for readers without a clock of their own; times are in `zone`, or UTC."""
    of = said(text)
    if isinstance(of, str):
        return of
    on = Printing(_PLAIN, zone=zone)
    on.add(of.parts)
    return "".join(on.pieces)


PHONE = 40
"""About so many characters stand in a line of a phone."""


def phone_lines(text: Text) -> int:
    """Return how many lines a text takes on a phone, wrapped between words."""
    return len(wrap(spelled(text), PHONE)) or 1


_MEANT = re.compile(r"[\\`*_\[\]<>|~&]|^[#+=-]")
_COUNTED = re.compile(r"^([0-9]+)(?=[.)])")
_SPACES = re.compile(r"\s+")


def tagged(text: Text) -> str:
    """Return a line as HTML, with typed text escaped."""
    return _on_one_line(text, _PAGE, lambda words, begins: escape(words))


def marked(text: Text) -> str:
    """Return a line as Markdown, with typed text escaped."""
    return _on_one_line(text, _MARKDOWN, _meaningless)


def _meaningless(text: str, begins: bool) -> str:
    if not begins:  # as after any letter: no list begins there
        return _meaningless(f"x{text}", True)[1:]
    return _COUNTED.sub(r"\1\\", _MEANT.sub(r"\\\g<0>", text))


def _on_one_line(text: Text, forms: Forms, calm: Harmless) -> str:
    """A line that stays one, however many were typed."""
    of = said(text)
    parts = (of,) if isinstance(of, str) else of.parts

    def one(words: str, begins: bool) -> str:
        on_one = _SPACES.sub(" ", words)
        return calm(on_one.lstrip() if begins else on_one, begins)

    return Printing(forms).printed(parts, one).strip()
