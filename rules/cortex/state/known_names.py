"""Names among typed dice: which of them are known, the longest first (D2)."""

import re
from bisect import bisect_left
from collections.abc import Collection
from functools import cached_property

from rules.cortex.state.several import Several, brought
from rules.cortex.state.verbs import LESS_ONE, Item
from rules.dice import (
    SAFE_WORD,
    SCALE_WORD,
    SIZES,
    VERBS,
    Die,
    Ladder,
    dice_named,
    shorten,
)
from rules.errors import RuleError, Unreadable
from rules.kinds import key
from rules.names import LONGEST as LONGEST_NAME
from rules.names import find, nearest, offer
from rules.seats import plays
from rules.values import replace
from rules.words import Row, Words, beside

SCALE = Die(8, "Scale", SCALE_WORD)
"""The die of the side with the advantage in size (D7)."""


HIDDEN = "»"
"""How names begin that stand for a verb and its trait, such as `push Angry`: nobody types it."""
_A_DIE = re.compile(r"[0-9]*[dD]?[0-9]+")


class Safe(str):
    """The word that makes the name behind it safe, or a die that is: no label (N14)."""

    __slots__ = ()

    def lower(self) -> "Safe":
        """The same without capitals, which stays what it is."""
        return Safe(super().lower())


class Known(dict[str, Die]):
    """Names that stand for dice; looked up by their beginnings without going through all of them.

    `decided` are the signs of answers about what can be read in two ways, `whose` is whose names they are,
    `sizes` those that dice have at the table (N13).
    """

    decided: Collection[str] = ()
    whose: str = ""
    own: str = ""
    sizes: Ladder = SIZES
    is_rating: bool = False
    """What is read are ratings: dice of one count under one label are one trait (N21)."""

    @cached_property
    def several(self) -> dict[str, tuple[str, int]]:
        """The source of each trait with several dice among those typed, and how many it has (N21)."""
        return {}

    @cached_property
    def folded(self) -> dict[str, Die]:
        """The dice by name without regard to capitals."""
        return {name.casefold(): die for name, die in self.items()}

    @cached_property
    def sorted(self) -> list[tuple[str, str]]:
        """The names without regard to capitals, in order, each with itself as it is written."""
        return sorted((name.casefold(), name) for name in self)

    def begun(self, text: str) -> list[str]:
        """The names that begin so, two at most."""
        wanted = text.casefold()
        start = bisect_left(self.sorted, (wanted, ""))
        return [name for key, name in self.sorted[start : start + 2] if key.startswith(wanted)]


def with_safe(tokens: list[tuple[str, bool]], known: Known) -> list[tuple[str, bool]]:
    """Tokens with `safe` before a die gone into the die, and before a name as a verb (N14).

    Elsewhere it is a part of a label, as it is where a known name has the word.
    """
    found: list[tuple[str, bool]] = []
    is_waiting = False
    for place, token in enumerate(tokens):
        behind = _behind_safe(tokens, place, known)
        if behind is not None and _is_die(behind):
            is_waiting = True
        elif behind is not None and known.begun(behind[0]):
            found.append((Safe(token[0]), False))
        elif is_waiting and _is_die(token):
            is_waiting = False
            found.append((Safe(token[0]), False))
        else:
            found.append(token)
    return found


def _behind_safe(tokens: list[tuple[str, bool]], place: int, known: Known) -> tuple[str, bool] | None:
    """The die or the word that `safe` at that place is for; None where it is no such word (N14)."""
    word, is_quoted = tokens[place]
    rest = [token for token in tokens[place + 1 :] if not is_verb(token)]
    if is_quoted or word.lower() != SAFE_WORD or not rest:
        return None
    words = [each for each, _ in tokens]
    names = [" ".join(words[start : place + 1]) for start in range(place)]
    has_name = any(map(known.begun, names)) or known.begun(" ".join(words[place : place + 2]))
    return None if has_name else rest[0]


def _is_die(token: tuple[str, bool]) -> bool:
    return not token[1] and _A_DIE.fullmatch(token[0]) is not None


def are_known(words: list[tuple[str, bool]], known: Known) -> bool:
    """Whether words are a row of known names, with verbs before them."""
    try:
        named_items(words, known)
    except RuleError:
        return False
    return True


def named_items(words: list[tuple[str, bool]], known: Known) -> list[Item]:
    """A row of known names, the longest first, each with the verbs before it."""
    items: list[Item] = []
    verbs: list[str] = []
    place = 0
    while place < len(words):
        if is_verb(words[place]):
            verbs.append(words[place][0].lower())
            place += 1
            continue
        if is_less_one(words[place : place + 2], known):
            verbs.append(LESS_ONE)
            place += 2
            continue
        die, length = longest_name(words[place:], known)
        items.append(Item(brought(die), tuple(verbs), is_named=True))
        if isinstance(die, Several):
            note(die, known)
            items[-1] = replace(items[-1], whole=brought(die.whole) if die.whole else ())
        verbs = []
        place += length
    if verbs:
        raise Unreadable(
            "There is no die behind {typed}. Example: {verb} d8",
            typed=shorten(verbs[-1]),
            verb=verbs[-1],
        )
    return items


def note(die: Several, known: Known) -> None:
    """Remember that a trait has several dice, or is a part, now that it is among those typed (N21, N23)."""
    for each in (die, die.whole):
        if isinstance(each, Several) and each.more:
            known.several[key(each.label)] = each.source, 1 + len(each.more)


def is_less_one(words: list[tuple[str, bool]], known: Known) -> bool:
    """Whether these words leave one die of the trait behind them out (N21)."""
    typed = [word.lower() for word, is_quoted in words if not is_quoted]
    return typed == LESS_ONE.split() and not known.begun(LESS_ONE)


def longest_name(words: list[tuple[str, bool]], known: Known) -> tuple[Die, int]:
    """The known name that most of the words are, else the one that begins with most of them."""
    text, begun, exact = "", 0, ("", 0)
    for n, word in enumerate(words, 1):
        longer = f"{text} {word[0]}".lstrip(" ")
        if not known.begun(longer) or (n > 1 and is_verb(word)):
            break
        text, begun = longer, n
        if longer.casefold() in known.folded and not (n == 1 and is_scale(words[0])):
            exact = longer, n
    if exact[1]:
        return known.folded[exact[0].casefold()], exact[1]
    if is_scale(words[0]):
        return SCALE, 1
    if begun:
        names = known.begun(text)
        return known[names[0] if len(names) == 1 else find(text, known, Words("name"))], begun
    run = next((n for n, word in enumerate(words) if n and is_verb(word)), len(words))
    typed = " ".join(word for word, _ in words[:run])
    # To look for what is like long words takes long
    dice = Words("Dice are {sizes}.", sizes=dice_named(known.sizes))
    there = [name.removeprefix(HIDDEN) for name in known]
    hint = offer(typed[:LONGEST_NAME], there) if there else dice
    near = [nearest(word, there) for word, _ in words[:run]]
    if run > 1 and all(near):
        hint = Words("Did you mean {names}?", names=Row([*dict.fromkeys(near)]))
    if known.whose and not any(map(str.isdigit, typed)):  # what has a number in it was meant as a die
        raise Unreadable(
            "{who} has no {typed}. {hint} Example: 2d6 d8",
            who=known.whose,
            typed=shorten(typed)[1:-1],
            hint=beside(plays(known.own), hint),
        )
    raise Unreadable(
        "{typed} is no die and no name known here. {hint} Example: 2d6 d8", typed=shorten(typed), hint=hint
    )


def is_verb(token: tuple[str, bool]) -> bool:
    """Whether a word does something to the die behind it, where it is not in quotation marks (D4, D6)."""
    return not token[1] and (token[0].lower() in VERBS or isinstance(token[0], Safe))


def is_scale(token: tuple[str, bool]) -> bool:
    """Whether a word is the one for the die of scale, where it is not in quotation marks (D7)."""
    return not token[1] and token[0].lower() == SCALE_WORD
