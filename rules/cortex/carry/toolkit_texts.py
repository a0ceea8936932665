"""Texts of another program as ours: plain, on as many lines and as long as they may be here."""

import re
from html import unescape

from rules.cortex.notation.sheet_lines import is_one_bracket
from rules.cortex.state import sfx
from rules.cortex.state.kinds import Sfx
from rules.dice import ALL_SIZES
from rules.errors import RuleError
from rules.names import LABEL, NOTE, clean, is_seen
from rules.words import Words, truncate, whole_words

MOST_NOTE = 200
"""A note of a trait has at most this many characters."""
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\b[^<>]{0,2000}>|<!--[^<>]{0,2000}-->")
_ENDLESS = re.compile("&#[0-9]{20,};?")
"""A character by its number, of more digits than any has: Python reads no number of thousands of them."""
_BREAKS = ("br", "p", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote")
_TO = re.compile(r"(?P<cost>[^.]{1,80}?) to (?P<benefit>[^.]{1,80})", re.IGNORECASE)
_CHUNK = 76
"""Mere words of an SFX are at most so long, each; what is longer is parted between words."""


def plain(text: str) -> str:
    """A text without the marks of HTML; Markdown is read as it stands."""
    if "<" not in text and "&" not in text:
        return text
    if _TAG.search(text) is None:
        return text
    return unescape(_ENDLESS.sub("\ufffd", _TAG.sub(_untagged, text))).strip()


def _untagged(tag: re.Match[str]) -> str:
    name = (tag[1] or "").casefold()
    if name == "li" and not tag[0].startswith("</"):
        return "\n- "
    return "\n" if name in _BREAKS and (tag[0].startswith("</") or name == "br") else ""


def on_a_line(text: str, longest: int, instead: str = "") -> str:
    """A text on one line, cut where it is too long; `instead` where nothing of it can be seen."""
    line = " ".join("".join(c if is_seen(c) else " " for c in plain(text)).split())
    try:
        # Twice, since what is cut may end with what is not seen.
        return clean(clean(truncate(line, longest), LABEL, longest), LABEL, longest)
    except RuleError:
        return instead


def on_lines(text: str, longest: int) -> str:
    """A text on several lines, cut where it is too long."""
    said = plain(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [clean(line, NOTE, len(line) + 1) if _is_seen(line) else "" for line in said]
    return truncate("\n".join(lines).strip("\n"), longest).strip()


def _is_seen(line: str) -> bool:
    try:
        return bool(clean(line, NOTE, len(line) + 1))
    except RuleError:
        return False


def label(text: str, longest: int, instead: str) -> str:
    """A name that can stand on a sheet: quotation marks are how such a line says where names end."""
    return on_a_line(text.replace('"', "'"), longest, instead)


def note(text: str, longest: int = MOST_NOTE) -> str:
    """A note that a line of a sheet can have in brackets."""
    said = on_a_line(text, longest)
    if said and not is_one_bracket(f"({said})"):
        said = said.translate(str.maketrans("()", "[]"))
    return said


def effect(name: str, said: str, trait: str) -> Sfx:
    """An SFX or limit as another program tells it: what reads as ours is data, the rest mere words (X1)."""
    line = on_a_line(said, 2000)
    bare = line.rstrip(".").strip()
    found = _read(line) or _read(bare) or _read_to(bare) or _of_words(line or name)
    return Sfx(name, found.benefit, found.cost, found.when, trait)


def locked(name: str, said: str, trait: str) -> Sfx:
    """An SFX that another program has as one that cannot be used yet: mere words, which say so."""
    found = _of_words(f"Not unlocked yet: {on_a_line(said, 2000) or name}")
    return Sfx(name, found.benefit, trait=trait)


def effect_name(text: str, instead: str) -> str:
    """A name that an SFX can have."""
    name = label(text, 50, instead)
    try:
        sfx.require_name(name)
    except RuleError:
        return f"{name} SFX"
    return name


def _read(line: str) -> Sfx | None:
    """An SFX as a line of a sheet says it: `double Mind, for 1 PP, when angry`."""
    try:
        return sfx.read(f"a: {line}", ALL_SIZES)
    except RuleError:
        return None


def _read_to(line: str) -> Sfx | None:
    """An SFX as books say it: `Spend a PP to reroll a die`."""
    match = _TO.fullmatch(line)
    if match is None:
        return None
    try:
        return sfx.made("a", match["benefit"], match["cost"], None, "", ALL_SIZES)
    except RuleError:
        return None


def _of_words(line: str) -> Sfx:
    """An SFX of mere words, parted where they are too long, and cut after six such parts."""
    bare = " ".join(re.sub('["“”]', "'", line).split())
    parts: list[str] = []
    while bare and len(parts) < sfx.MOST_PARTS:
        end = len(bare) if len(bare) <= _CHUNK else max(bare.rfind(" ", 1, _CHUNK), 0) or _CHUNK
        last = len(parts) == sfx.MOST_PARTS - 1 and end < len(bare)
        parts.append(f"{whole_words(bare, end - 1)}…" if last else bare[:end].rstrip())
        bare = bare[end:].lstrip()
    seen = [clean(each, Words("benefit"), _CHUNK + 4) for each in parts if _is_seen(each)]
    return Sfx("a", tuple(f'"{each}"' for each in seen) or ('"…"',))
