"""Tokens of typed One-Roll dice: dice, numbers, names of ratings, words and signs (O1, O3).

Names are recognized first. A token has its sort as one letter, so that a regular expression can match
a sequence of tokens.
"""

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum

from rules.dice import COUNTS
from rules.names import PLAIN_SIGNS, is_seen, key
from rules.ore.pool import EXPERT, NO_DICE, WIGGLE, OrePool
from rules.text import without_paired_marks
from rules.values import Value


class OreSort(StrEnum):
    """The sort of a token: one letter each, so that regular expressions can match a sequence of them."""

    GAP = ""
    DICE = "D"
    SPECIAL = "S"
    NUMBER = "n"
    WORD = "L"
    NAME = "N"
    PLUS = "+"
    AND = "&"
    COMMA = ","
    MINUS = "-"
    STRAY = "?"


class OreToken(Value):
    """A token: its sort, its position in the text, and the dice that it means.

    `is_loose` marks dice given by a word or letter alone, such as `hard`.
    """

    sort: OreSort
    text: str
    start: int
    end: int
    dice: OrePool = NO_DICE
    value: int | None = None
    """That of an expert or called die, which may be none that a die shows."""
    is_loose: bool = False
    is_quoted: bool = False


# Pictures of keys: 10 is one, every other number is its digits.
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")


_TEN = re.compile("\U0001f51f\ufe0f?")


_FOLDED = {**PLAIN_SIGNS, ord("×"): "x"}


_KEPT = ("<super>", "<sub>", "<fraction>")
"""Characters with these decompositions are no plain digits: `5d²` is not `5d2`."""


_KINDS = {"w": WIGGLE, "t": "trump", "m": "master", "a": "awesome ×2"}


_CODE = "[hwmt]d?"


_LEXER = re.compile(
    rf"""(?P<gap>[^\S\n]+|[\u200c\u200d]|[.:=](?=\s|$)|(?<=\w)[:=])
    |"[^\S\n]*(?P<quoted>[^"\s][^"\n]*)"
    |(?P<plus>\+|plus(?!\w))|(?P<and>&|and(?!\w))|(?P<comma>[,;/|•·\n])|(?P<minus>-|(?:minus|less)(?!\w))
    |(?:(?P<count>[0-9]{{1,9}})\s*+|(?P<counted>{"|".join(COUNTS)})\s++)?(?:
        (?P<fixed>expert|awesome|called|call|ed|e|c)\s*+(?:die|shot)?\s*+[:=]?\s*+(?P<value>[0-9]{{1,9}})(?!\w)
        |(?P<kind>d10|d|{_CODE}|(?P<spelt>wiggle|trump|master|hard|awesome\s*+x\s*+2))(?:'?s)?
            (?:(?!\w)|(?=[0-9]+{_CODE}(?!\w)))(?P<dice>\s*+(?:dice|die)(?!\w))?
    )
    |(?P<number>[0-9]{{1,9}})(?!\w)(?P<of>\s*+(?:dice|die)(?!\w))?
    |(?P<spelled>{"|".join(COUNTS)})\s++(?:dice|die)(?!\w)
    |(?P<word>[^\W\d_](?:\w|['.](?=\w)|-(?=[^\W\d_]))*'?)
    |(?P<stray>\w[^\s,;+]*|\S)""",
    re.IGNORECASE | re.VERBOSE,
)


_PARTING = {
    "plus": OreSort.PLUS,
    "and": OreSort.AND,
    "comma": OreSort.COMMA,
    "minus": OreSort.MINUS,
    "stray": OreSort.STRAY,
}


OPPOSED = frozenset({"vs", "v", "versus", "against", "difficulty", "diff", "dc", "tn", "target", "beats"})
"""Words before what one rolls against; One-Roll rolls against nothing."""


_KNOWN = OPPOSED | {
    *("keep", "k", "kh", "kl", "drop", "dh", "dl", "explode", "twice", "x", "die", "dice"),
    *("e", "ed", "expert", "c", "called", "call", "awesome"),
    *("width", "height"),
}
"""Words of a notation, of which none is a new label unless it is in quotation marks."""


_FOREIGN = re.compile(r"d[0-9]+|(?:[kd][hl]?|vs?|tn|dc|x|e|ed|c|[hwmt]d?)[0-9]+", re.IGNORECASE)


_TIMES = (
    (re.compile(r"(?<!\w)(?:x\s*([0-9]+)|([0-9]+)\s*[x×*])\s*(?=d(?:10)?(?!\w))", re.IGNORECASE), r"\1\2"),
    (re.compile(r"(?<!\w)d(?:10)?\s*[x×*]\s*([0-9]+)(?!\w)", re.IGNORECASE), r"\1d"),
)


_BRACKETS = re.compile(
    r"[(\[{](?![^()\[\]{}]*\b(?:and|plus|minus|less)\b)(\s*+[+-]?[^()\[\]{}+,;/|&\n-]*)[)\]}]", re.IGNORECASE
)


_WHOLE = re.compile(r"\s*[(\[{]([^()\[\]{}]*)[)\]}]\s*", re.DOTALL)


def normalized(text: str) -> str:
    """Return the text in plain characters, with straight quotation marks and without marks of markdown.

    >>> normalized("**５ｄ**\u00a0− 2️⃣d")
    '5d - 2d'
    """
    if text.isascii():
        plain = text
    else:
        digits = _TEN.sub("10", _KEYCAP.sub(r"\1", unicodedata.normalize("NFC", text)))
        folded = "".join(map(_folded, digits)).translate(_FOLDED)
        plain = "".join(c for c in folded if is_seen(c) or c.isspace())
    return without_paired_marks(plain)


def _folded(character: str) -> str:
    kind = unicodedata.decomposition(character).partition(" ")[0]
    return character if kind in _KEPT else unicodedata.normalize("NFKC", character)


def plain_text(text: str) -> str:
    """Return text normalized, without brackets around a single item, and with `5xd10` as `5d10`."""
    for pattern, dice in _TIMES:
        text = pattern.sub(dice, text)
    text = normalized(text)
    whole = _WHOLE.fullmatch(text)
    return _BRACKETS.sub(r" \1 ", whole[1] if whole else text)


def tokens(text: str, names: Iterable[str] = ()) -> list[OreToken]:
    """Return the tokens of a plain text. Known names are matched before anything else, longest first.

    >>> [(str(each.sort), each.text) for each in tokens("Body 3d", ["Body"])]
    [('N', 'Body'), ('D', '3d')]
    """
    known = sorted({key(normalized(name)) for name in names}, key=len, reverse=True)
    spaced = (r"\s+".join(map(re.escape, name.split())) for name in known)
    named = re.compile(rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)", re.IGNORECASE) if known else None
    found, place = list[OreToken](), 0
    while place < len(text):
        if named and (name := named.match(text, place)):
            found.append(OreToken(OreSort.NAME, " ".join(name[0].split()), *name.span()))
            place = name.end()
        elif end := _end_of_picture(text, place):
            found.append(OreToken(OreSort.WORD, text[place:end], place, end))
            place = end
        else:
            match = _LEXER.match(text, place)
            assert match is not None
            found += [] if match["gap"] else [_token(match, known)]
            place = match.end()
    return found


def _token(match: re.Match[str], known: Iterable[str]) -> OreToken:
    place, text = match.span(), match[0]
    counted = match["counted"]
    count = COUNTS[key(counted)] if counted else int(match["count"] or 1)
    if match["quoted"]:
        inside = " ".join(match["quoted"].split())
        return OreToken(
            OreSort.NAME if key(inside) in known else OreSort.WORD, inside, *place, is_quoted=True
        )
    if fixed := key(match["fixed"] or ""):
        value = int(match["value"])
        dice = OrePool(called=value) if fixed[0] == "c" else OrePool(expert=value, expert_name=_expert(fixed))
        return OreToken(OreSort.SPECIAL if count == 1 else OreSort.STRAY, text, *place, dice, value)
    if kind := key(match["kind"] or ""):
        is_loose = not (match["count"] or match["dice"]) and bool(match["spelt"] or len(kind) == 1)
        if kind[0] == "d":
            return OreToken(OreSort.DICE, text, *place, OrePool(count), is_loose=is_loose)
        dice = OrePool(hard=count) if kind[0] == "h" else OrePool(wiggle=count, wiggle_name=_KINDS[kind[0]])
        return OreToken(OreSort.SPECIAL, text, *place, dice, is_loose=is_loose)
    if spelled := match["spelled"]:
        return OreToken(OreSort.DICE, text, *place, OrePool(COUNTS[key(spelled)]))
    if match["number"]:
        sort = OreSort.DICE if match["of"] else OreSort.NUMBER
        return OreToken(sort, text, *place, OrePool(int(match["number"])))
    if word := match["word"]:
        has_odd_digit = "No" in map(unicodedata.category, word)  # `½`, `²`
        is_stray = has_odd_digit or key(word) in _KNOWN or _FOREIGN.fullmatch(word)
        return OreToken(OreSort.STRAY if is_stray else OreSort.WORD, word, *place)
    return OreToken(next(sort for name, sort in _PARTING.items() if match[name]), text, *place)


def _expert(word: str) -> str:
    return "awesome" if word == "awesome" else EXPERT


def _end_of_picture(text: str, place: int) -> int:
    """Where the emoji at a place ends; 0 where there is another character."""
    if unicodedata.category(text[place]) not in ("So", "Sk"):
        return 0
    behind = range(place + 1, len(text))
    marks = ("So", "Sk", "Mn", "Me", "Cf")
    return next((end for end in behind if unicodedata.category(text[end]) not in marks), len(text))
