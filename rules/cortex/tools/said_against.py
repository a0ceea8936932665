"""What dice in a text are against: `vs 11`, `against the Flood`, `vs hard + d10`, `vs Spy (d8, d6)`."""

import re
from dataclasses import dataclass

from rules.cortex.rolling.opposition import DIFFICULTIES, names
from rules.table import Table

# Behind it stands a plural, no letter or digit, or the next die at once: `d8d6`.
SIDES = r"(?:12|10|8|6|4)(?![0-9])(?:s\b|(?![^\W_])|(?=[dD][0-9]))"
"""The size of a die that this game has, behind its `d`."""
COUNTS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_DIE = rf"(?:(?:\d{{1,2}}|{'|'.join(COUNTS)})(?:\s?[x×*]\s?|\s)?)?d{SIDES}"
_VERSUS = r"vs?|versus|against|opposed by|gegen|contre"
_AGAINST = rf"(?<!\w)(?:{_VERSUS})(?![A-Za-z])[.:]?\s*"
_CALLED = r"(?:difficulty|diff|dc|tn|target(?: number)?)(?![A-Za-z])\s*(?:of|is)?[\s:=]*"
_WHOSE = r"(?:(?:an?|the|his|her|their|its|my|our)\s+)?"
_ON = (
    r"and|as|at|because|but|by|for|from|i|if|in|keep|now|on|or|plus|please|so|that|then|this|to|using|when|with"
    r"|\d{0,2}d\d+"
)
_NO_COUNT = rf"(?! (?!(?:{_ON})\b)(?-i:[a-z]))"
"""Behind a number or a difficulty: another word than those means that it counts something: `3 guards`."""
_NUMBER = rf"\d{{1,3}}(?![\w%]|[.,]\d| ?[x×*]? ?[dw]\d){_NO_COUNT}"
_NAME = r"(?-i:[A-Z])[\w'’-]*"
_JOINED = r"\s*(?:,?\s*\+|(?<!\w)(?:and|plus)\s)\s*"
_MORE = (
    rf"(?P<more>(?:{_JOINED}{_WHOSE}(?:{_NAME}\s+){{0,3}}{_DIE}"
    rf"|\s*\+\s*{_WHOSE}{_NAME}(?:\s+{_NAME}){{0,3}})*)"
)
_BESIDE = re.compile(rf"{_JOINED}{_WHOSE}", re.IGNORECASE)
_DICE = re.compile(
    rf"(?:{_AGAINST}|(?<!\w){_CALLED})(?:(?!{_DIE})[^\W\d][\w'’-]*:?\s+){{0,5}}"
    rf"(?P<what>(?:{_DIE}(?:(?:\s*[,+&/]\s*|\s+(?:and|plus)\s+|\s+)(?={_DIE})|(?=d\d))?)+){_MORE}",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(rf"{_AGAINST}(?:[^\W\d]\S* ){{1,4}}\((?P<what>\d{{1,3}})\)", re.IGNORECASE)
_BRACKETED = re.compile(
    rf"(?P<before>{_AGAINST}(?:[\w'’-]+ ){{0,5}})[(\[](?P<inside>[^()\[\]\n]*)[)\]]", re.IGNORECASE
)
_NOT_READ = re.compile(
    rf"(?:(?<!\w)(?:(?:vs?|versus)(?![A-Za-z])[.:]?|(?:{_VERSUS})(?=\s+(?:the\s+)?\d))|[>≥]=?(?=\s*\d))"
    r"\s*(?:the )?[^\s,;()+]+(?: (?!(?:and|with|I)\b)[^\s\d,;()+]+(?![^\s,;()+])){0,2}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """A text without what its dice are against, and that: `hard`, `more` in the way, or what is `unread`."""

    text: str
    against: str = ""
    more: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def said_against(table: Table, text: str) -> Said:
    """What the dice of a text are against; where they stand before it, a `+` or `and` has more in the way."""
    text = _BRACKETED.sub(_opened, text)
    patterns = (_of_names(table), _IN_BRACKETS, _DICE)
    found = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    if found is None:
        return _without_unread(Said(text))
    more, end = found.groupdict().get("more") or "", found.end()
    if not _has_pool(text[: found.start()]):
        more, end = "", end - len(more)
    beside = tuple(_spelt(" ".join(part.split())) for part in _BESIDE.split(more) if part.strip())
    return _without_unread(
        Said(f"{text[: found.start()]} , {text[end:]}", _what(table, found["what"]), beside)
    )


def _opened(found: re.Match[str]) -> str:
    """Brackets behind what opposes are its own where the dice that it opposes stand before it."""
    inside = found["inside"].strip()
    # Right behind `vs` the brackets are all that opposes.
    is_more = inside.startswith("+") or found["before"].split()[-1].casefold().strip(".:") in _VERSUS.split(
        "|"
    )
    is_its = is_more or re.search(_DIE, inside, re.IGNORECASE)
    return f"{found['before']} {inside}" if is_its and _has_pool(found.string[: found.start()]) else found[0]


def _has_pool(before: str) -> bool:
    return bool(re.search(rf"{_DIE}|\+", before, re.IGNORECASE))


def _without_unread(said: Said) -> Said:
    """The same, where what else looks like an opposition is no part of the text."""
    unread = tuple(" ".join(one[0].split()) for one in _NOT_READ.finditer(said.text))
    return Said(_NOT_READ.sub(" , ", said.text), said.against, said.more, unread)


def _what(table: Table, typed: str) -> str:
    """A name as it is written at the table; numbers, difficulties and dice as they are typed: `d8, d6`."""
    dice = re.findall(_DIE, typed, re.IGNORECASE)
    if dice:
        return ", ".join(map(_spelt, dice))
    what = " ".join(typed.split()).casefold()
    return next((name for name in names(table) if name.casefold() == what), what)


def _spelt(typed: str) -> str:
    """Dice as they are typed: `2d8` for `two d8s`, after a name where they have one."""
    found = re.search(rf"{_DIE}$", typed, re.IGNORECASE)
    if found is None:
        return typed
    count, _, size = re.sub(r"[\s×x*]", "", found[0].lower()).rpartition("d")
    return f"{typed[: found.start()]}{COUNTS.get(count, count)}d{size.rstrip('s')}"


def _of_names(table: Table) -> re.Pattern[str]:
    """A number, a difficulty, doom, or a name that `vs` takes at this table."""
    # The longest first: the first that fits is taken.
    known = sorted({"doom", *names(table)} - {*DIFFICULTIES}, key=len, reverse=True)
    named, levels = map(_any_of, (known, sorted(DIFFICULTIES, key=len, reverse=True)))
    # A name with dice of its own behind it opposes by these.
    own = rf"(?!(?:['’]s?)?\s*[:(]?\s*(?:{_NAME}\s+){{0,3}}{_DIE})"
    what = rf"(?P<what>{_NUMBER}|(?:{levels})(?!\w){_NO_COUNT}|(?:{named})(?!\w){own})"
    begins = rf"(?:{_AGAINST}(?:an? |the )?(?:crisis |challenge )?(?:{_CALLED})?|(?<!\w){_CALLED}|\bto beat )"
    return re.compile(rf"{begins}[\"'`@]?{what}[\"'`]?{_MORE}", re.IGNORECASE)


def _any_of(known: list[str]) -> str:
    return "|".join(r"\s+".join(map(re.escape, name.split())) for name in known)
