"""Numbers that are added to a total, as people type them: `2d8 +2`, `"High ground" +2`, `11 -1` (N13)."""

import re
from collections.abc import Collection, Iterable

from rules.cortex.state.ruleset import Ruleset
from rules.cortex.state.table import Modifier
from rules.dice import quoted_label, shorten
from rules.errors import NotAllowed, PossibleAnswer, Undecided
from rules.names import LABEL, clean
from rules.words import Words

LARGEST = 20
"""A modifier is from this with a minus to this."""
MOST = 10
"""A pool takes at most so many."""
# A sign with its digits right behind it, and nothing but a space before it.
_MODIFIER = re.compile(
    r'(?:(?:^|(?<=[\s,;+]))"(?P<label>[^"]*)"\s+|(?:^|(?<=\s)))'
    r"(?P<sign>[+\-−])(?P<number>[0-9]{1,3})(?![^\s,;+])"
)


def parted(
    text: str, rules: Ruleset, decided: Collection[str] = (), *, may_be_die: bool = True
) -> tuple[str, tuple[Modifier, ...]]:
    """A text without its modifiers, and these.

    `decided` are signs of answers to what could be a die as well, `may_be_die` says whether a number behind a
    plus can be one. Raises NotAllowed for a number that is too large, for too many, and where the table
    plays without modifiers; Undecided for `+8`.
    """
    if _MODIFIER.fullmatch(text.strip()):
        return text, ()  # nothing is there that it could be added to
    straight = text.replace("“", '"').replace("”", '"')
    found: list[Modifier] = []

    def taken(match: re.Match[str]) -> str:
        if _is_in_quotes(straight, match):
            return match[0]
        modifier = _read(match, rules, decided, may_be_die=may_be_die)
        if modifier is None:
            return match[0]
        if not rules.modifiers:
            raise NotAllowed(
                "{typed} is a modifier, and this table plays without them. The setting is modifiers. "
                "Example: /campaign set setting:modifiers value:on",
                typed=shorten(match[0].strip()),
            )
        found.append(modifier)
        return " "

    left = _MODIFIER.sub(taken, straight)
    if len(found) > MOST:
        raise NotAllowed("Those are {count} modifiers; {most} are the most.", count=len(found), most=MOST)
    return (left.strip(" ,;+\n"), tuple(found)) if found else (text, ())


def _is_in_quotes(text: str, match: re.Match[str]) -> bool:
    """Whether a sign is inside of quotation marks, where it is a part of a label."""
    return text[: match.start("sign")].count('"') % 2 == 1


def _read(
    match: re.Match[str], rules: Ruleset, decided: Collection[str], *, may_be_die: bool
) -> Modifier | None:
    """The modifier that is meant; None for a die, and where it is no modifier at a table without them."""
    number, is_minus = int(match["number"]), match["sign"] != "+"
    is_size = may_be_die and not is_minus and number in rules.sizes and match["label"] is None
    if not rules.modifiers and (is_size or not _ends(match)):
        return None
    if is_size:
        signs = [f"+{number} as {what}" for what in ("die", "number")]
        if signs[0] in decided:
            return None
        if signs[1] not in decided:
            raise Undecided(
                "+{number} may be a d{number}, or {number} added to the total. Which is it? A die is typed "
                "with its d. Example: + d{number}",
                PossibleAnswer(Words("d{number}", number=number), signs[0]),
                PossibleAnswer(Words("+{number}", number=number), signs[1]),
                number=number,
            )
    if number > LARGEST and rules.modifiers:
        raise NotAllowed(
            "{typed} is too much: a modifier is from -20 to 20. Example: +2", typed=shorten(match[0].strip())
        )
    label = clean(match["label"], LABEL) if match["label"] and match["label"].strip() else ""
    return Modifier(-number if is_minus else number, label)


def _ends(match: re.Match[str]) -> bool:
    """Whether nothing that is typed belongs to it: behind it is the end, or what parts dice."""
    return re.match(r"\s*(?:[,;+\n]|$)", match.string[match.end() :]) is not None


def is_one(text: str) -> bool:
    """Whether a text is one modifier and nothing else."""
    return _MODIFIER.fullmatch(text) is not None


def numbers_decided() -> tuple[str, ...]:
    """The signs of answers by which each number behind a plus is a modifier, as the bot writes them."""
    return tuple(f"+{number} as number" for number in range(1, LARGEST + 1))


def write(plus: Iterable[Modifier]) -> str:
    """Modifiers as they can be typed again: `"High ground" +2 -1`."""
    return " ".join(_written(each) for each in plus)


def beside(pool: str, plus: tuple[Modifier, ...]) -> str:
    """A pool as it is typed, with its modifiers."""
    return f"{pool} {write(plus)}" if plus else pool


def _written(one: Modifier) -> str:
    return f"{quoted_label(one.label)} {one.number:+}" if one.label else f"{one.number:+}"
