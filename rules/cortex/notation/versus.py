"""What a roll is against, as people type it: `11`, `doom + Broken Leg`, `tn 12`, `>= 12`, `hard -1` (T1)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rules.cortex.notation import modifiers
from rules.cortex.notation.grammar import BESIDE, LONGEST, require_modifiers
from rules.cortex.notation.names import Known
from rules.cortex.notation.tokens import Token, TokenKind, plain
from rules.cortex.state.pool import Die
from rules.cortex.state.ruleset import Ruleset
from rules.cortex.state.table import Modifier
from rules.dice import shorten
from rules.errors import Unreadable

_LEAST = re.compile(r"([0-9]{1,3})(?:\+| or (?:more|higher|better|above|over))", re.IGNORECASE)
"""A number that is enough by itself."""


@dataclass(frozen=True, slots=True)
class Versus:
    """An opposition as it was typed: its first part, what else is in the way, and what is added (T3, N13)."""

    base: str = ""
    more: tuple[str, ...] = ()
    plus: tuple[Modifier, ...] = ()
    is_least: bool = False
    """The base is the least total that succeeds: `>= 12`, which is more than 11."""


def read_versus(text: str, opponents: Iterable[str], rules: Ruleset) -> Versus:
    """Return the parts of an opposition; `opponents` are the names that it can have at the table.

    Raises Unreadable for a text that is too long, NotAllowed for a modifier that the table does not have.
    """
    if len(text) > LONGEST:
        raise Unreadable("That's {count} characters; the limit is {most}.", count=len(text), most=LONGEST)
    known = Known({name: Die(0, name) for name in opponents})
    known.rules = rules
    line = plain(text)
    tokens = known.tokens(line)
    name = bool(tokens) and tokens[0].kind is TokenKind.NAME
    signs = [] if name else [*takewhile(_is_introduction, tokens)]
    is_least = any(sign.text == "≥" or line[sign.start : sign.start + 2] == ">=" for sign in signs)
    parts, plus = _parts(line, tokens[len(signs) :], rules)
    glued = next((str(sign.number) for sign in signs if sign.number >= 0), "")
    base, *rest = [glued, *parts] if glued else parts or [""]
    more = tuple(each for each in rest if each)
    if least := _LEAST.fullmatch(f"{base}+" if not more and _is_plus_glued(tokens) else base):
        base, is_least = least[1], True
    return Versus(base, more, tuple(plus), is_least)


def _is_plus_glued(tokens: Sequence[Token]) -> bool:
    """Whether a plus stands right behind the last word, and nothing behind it: `10+`."""
    return len(tokens) > 1 and tokens[-1].text == "+" and tokens[-2].end == tokens[-1].start


def require_sizes(text: str) -> None:
    """Refuse a number without a d among dice that oppose: `12 hard`, which could be a difficulty."""
    tokens = Known().tokens(plain(text))
    for token, behind in zip(tokens, [*tokens[1:], None], strict=True):
        is_count = behind is not None and behind.kind in (TokenKind.DICE, TokenKind.TIMES)
        if token.kind is TokenKind.NUMBER and not is_count:
            raise Unreadable(
                "{typed} could be a number or dice. Type a number alone, or dice with their d. "
                "Example: vs:{number}",
                typed=shorten(text),
                number=token.number,
            )


def _is_introduction(token: Token) -> bool:
    """Whether a token stands before what opposes: `vs`, `TN:`, `target number of`."""
    kinds = (TokenKind.OPPOSITION, TokenKind.JOIN)
    return token.kind in kinds or (token.kind is TokenKind.WORD and token.text.casefold() in BESIDE)


def _parts(line: str, tokens: Sequence[Token], rules: Ruleset) -> tuple[list[str], list[Modifier]]:
    """The parts between plus signs as they were typed, and the numbers that are added."""
    parts: list[list[Token]] = [[]]
    plus: list[Modifier] = []
    place = 0
    while place < len(tokens):
        token, behind = tokens[place], tokens[place + 1 : place + 2]
        has_gap = token.start == 0 or line[token.start - 1].isspace()
        is_next = bool(behind) and behind[0].kind is TokenKind.NUMBER and behind[0].start == token.end
        place += 1
        if token.kind is TokenKind.MINUS and has_gap and len(tokens) > 1:
            require_modifiers(rules, token.text)
            plus.append(_modifier(parts[-1], -modifiers.checked(token.number, token.text)))
        elif token.text == "+" and has_gap and is_next and rules.modifiers:
            plus.append(_modifier(parts[-1], modifiers.checked(behind[0].number, f"+{behind[0].number}")))
            place += 1
        elif _is_sum(token, parts[-1]):
            parts.append([])
        else:
            parts[-1].append(token)
    modifiers.require_few(plus)
    return [_text(line, part) for part in parts], plus


def _text(line: str, part: Sequence[Token]) -> str:
    """A part as it was typed, or the known name that it is."""
    if len(part) == 1 and part[0].kind is TokenKind.NAME:
        return part[0].meant
    if len(part) == 1 and part[0].kind is TokenKind.NUMBER:
        return str(part[0].number)
    return line[part[0].start : part[-1].end] if part else ""


def _modifier(before: list[Token], number: int) -> Modifier:
    """A modifier, with the label in quotation marks that stands before it."""
    return Modifier(number, before.pop().text if before and before[-1].kind is TokenKind.QUOTED else "")


def _is_sum(token: Token, part: Sequence[Token]) -> bool:
    """Whether a token parts what opposes: a plus, and behind a name or a number also a comma."""
    is_word = token.kind is TokenKind.WORD and token.text.casefold() in ("and", "plus")
    if token.text == "+" or is_word:
        return True
    is_one = len(part) == 1 and part[0].kind in (TokenKind.NAME, TokenKind.NUMBER)
    return token.kind is TokenKind.PARTING and is_one
