"""What dice in a text are against: `vs 11`, `against the Flood`, `vs hard + d10`."""

import re
from dataclasses import dataclass

from rules.cortex.opposition import names
from rules.table import Table

SIDES = r"(?:12|10|8|6|4)(?![0-9])(?:s\b|(?![^\W_])|(?=[dD][0-9]))"
"""The size of a die that this game has, behind its `d`."""
_DIE = rf"\d{{0,2}}d{SIDES}"
_AGAINST = r"(?<!\w)(?P<word>vs?|versus|against)(?![A-Za-z])[.:]?\s*"
_CALLED = r"(?:difficulty|diff|dc|tn|target(?: number)?)(?![A-Za-z])\s*(?:of|is)?[\s:=]*"
_ON = (
    "and|as|at|because|but|by|for|from|if|in|keep|now|on|or|plus|please|so|that|then|this|to|using|when|with"
)
"""Words that may follow a number; before another one it counts something: `against 3 guards`."""
_NUMBER = rf"\d{{1,3}}(?![\w%]|[.,]\d|\s?[x×*]?\s?[dw]\d|\s+(?!(?:{_ON})\b)(?-i:[a-z]))"
_NAMED = r"(?:[^\W\d][\w'’-]*\s+)"
_MORE = (
    rf"(?P<more>(?:\s*(?:\+|(?<!\w)(?:and|plus)\s)\s*(?:an?\s+)?(?:(?-i:[A-Z])[\w'’-]*\s+){{0,3}}{_DIE}"
    rf"|\s*\+\s*(?-i:[A-Z])[\w'’-]*(?:\s+(?-i:[A-Z])[\w'’-]*){{0,3}})*)"
)
_BESIDE = re.compile(r"\s*(?:\+|(?<!\w)(?:and|plus)\s)\s*(?:an?\s+)?", re.IGNORECASE)
_DICE = re.compile(
    rf"(?:{_AGAINST}|(?<!\w){_CALLED})(?:(?!{_DIE}){_NAMED}){{0,4}}"
    rf"(?P<what>(?:{_DIE}(?:(?:\s*[,+&]\s*|\s+and\s+|\s+)(?=\d{{0,2}}d\d)|(?=d\d))?)+)",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(rf"{_AGAINST}(?:[^\W\d]\S* ){{1,4}}\((?P<what>\d{{1,3}})\)", re.IGNORECASE)
_NOT_READ = re.compile(
    r"(?:(?<!\w)(?:(?:vs?|versus)(?![A-Za-z])[.:]?|against(?=\s+(?:the\s+)?\d))|[>≥]=?(?=\s*\d))"
    r"\s*(?:the\s+)?[^\s,;()]+(?:(?<=\d)\s+[a-z]+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """A text without what its dice are against, and that: `hard`, `more` in the way, or what is `unread`."""

    text: str
    against: str = ""
    more: tuple[str, ...] = ()
    unread: str = ""


def said_against(table: Table, text: str) -> Said:
    """What the dice of a text are against; where they stand before it, a `+` or `and` has more in the way."""
    patterns = (_of_names(table), _IN_BRACKETS, _DICE)
    found = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    if found is None:
        unread = _NOT_READ.search(text)
        if unread is None:
            return Said(text)
        return Said(f"{text[: unread.start()]} , {text[unread.end() :]}", unread=" ".join(unread[0].split()))
    more = found.groupdict().get("more") or ""
    end = found.end()
    if not re.search(_DIE, text[: found.start()], re.IGNORECASE):
        more, end = "", end - len(more)
    beside = tuple(" ".join(part.split()) for part in _BESIDE.split(more) if part.strip())
    return Said(f"{text[: found.start()]} , {text[end:]}", _what(table, found["what"]), beside)


def _what(table: Table, typed: str) -> str:
    """A name as it is written at the table; numbers, difficulties and dice as they are typed: `d8, d6`."""
    dice = re.findall(_DIE, typed, re.IGNORECASE)
    if dice:
        return ", ".join(die.lower().rstrip("s") for die in dice)
    what = " ".join(typed.split()).casefold()
    return next((name for name in names(table) if name.casefold() == what), what)


def _of_names(table: Table) -> re.Pattern[str]:
    """A number, a difficulty, doom, or a name that `vs` takes at this table."""
    known = sorted({"doom", *names(table)}, key=len, reverse=True)
    named = "|".join(r"\s+".join(map(re.escape, name.split())) for name in known)
    what = rf"(?P<what>{_NUMBER}|(?:{named})(?!\w)(?!\s*\(?{_DIE}))"
    begins = rf"(?:{_AGAINST}(?:an? |the )?(?:{_CALLED})?|(?<!\w){_CALLED})"
    return re.compile(begins + what + _MORE, re.IGNORECASE)
