"""The words that mean something where dice are typed: known names, verbs, sizes, what can oppose (D2)."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, repeat

from rules.cortex.notation.tokens import Token, TokenKind, classified, plain, raw_tokens
from rules.cortex.state.pool import SOURCES, Die, Special, quoted
from rules.cortex.state.ruleset import PRIME, Ruleset
from rules.dice import OPERATORS, SAFE_WORD, SCALE_WORD, VERBS, Ladder, dice_named, shorten, typable
from rules.errors import RuleError, Unreadable
from rules.names import LONGEST as LONGEST_NAME
from rules.names import DidYouMean, alike, find, nearest, offer
from rules.seats import plays
from rules.values import replace
from rules.words import NO_WORDS, OR, Row, Words, beside

SCALE = Die(8, "Scale", SOURCES[Special.SCALE])
"""The die of the side with the advantage in size (D7)."""
DIFFICULTIES: Mapping[str, int] = {
    "very easy": 4,
    "easy": 6,
    "challenging": 8,
    "hard": 10,
    "very hard": 12,
}
"""Names of difficulties, with the size of their pair where opposition is not static (T2)."""
WRITTEN = "as it is written"
"""The sign under which a text is read that the bot wrote, in which nothing is asked."""
LESS_ONE = "less one"
"""The words before a trait with several dice that leave one of them out of the pool (N21)."""
_VERBS, _WITH_SAFE = frozenset(VERBS), frozenset((*VERBS, SAFE_WORD))
_SIMPLE = re.compile(r"(?:[^\W_]|[' \n-])*")
_DIE = re.compile(r"[0-9]*[dD]?[0-9]+")


def fold(text: str) -> str:
    """A word as it is compared: capitals and the shape of an apostrophe do not matter, and & is and."""
    return "and" if text == "&" else text.casefold().replace("’", "'")


def canonical(name: str) -> str:
    """A name as its tokens are: in small letters, with one blank between words and signs."""
    folded = fold(typable(name))
    if _SIMPLE.fullmatch(folded):
        return " ".join(folded.split())
    return " ".join(fold(token.text) for token in raw_tokens(plain(folded)))


class Known(dict[str, Die]):
    """Names that stand for dice, by label, and all else that a text is read by.

    `rules` are the settings of the table, `decided` the signs of answers to what can be read in two ways,
    `whose` is whose names they are, and `own` whom the caller plays. `is_rating` says that ratings of traits
    are read, in which verbs are parts of names; `is_written` that the bot wrote the text, so that nothing in
    it is asked. `offered` are verbs that belong to a trait, each with it: `push Angry` (N3, N7).
    """

    rules: Ruleset = PRIME
    decided: Collection[str] = ()
    whose: str = ""
    own: str = ""
    is_rating: bool = False
    is_trait: bool = False
    """Dice of one count under one label are one trait (N21)."""
    is_written: bool = False
    offered: Mapping[str, Die] = {}
    refused: Mapping[str, Callable[[], RuleError]] = {}
    """The refusal of such a verb before a die or a name that it is not for."""
    opponents: Callable[[], Iterable[str]] = staticmethod(tuple)
    """What a roll can be against by name."""

    @property
    def sizes(self) -> Ladder:
        """The sizes that dice have at the table (N13)."""
        return self.rules.sizes

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of the table."""
        return _WITH_SAFE if self.rules.safe_dice else _VERBS

    @cached_property
    def folded(self) -> dict[str, str]:
        """The names by how they are compared."""
        names = [*self.offered, *self]
        if not names:
            return {}
        whole = fold(typable("\n".join(names)))
        is_simple = _SIMPLE.fullmatch(whole) is not None  # most are: then each by itself needs no look
        return dict(zip(whole.split("\n") if is_simple else map(canonical, names), names, strict=True))

    @cached_property
    def _most_words(self) -> int:
        """How many words and signs the longest name has."""
        return max(map(str.count, self.folded, repeat(" ")), default=0) + 1

    @cached_property
    def _sorted(self) -> list[tuple[str, str]]:
        """The names by how they are compared, in order, each with itself."""
        return sorted(item for item in self.folded.items() if item[1] in self)

    def tokens(self, text: str) -> list[Token]:
        """The tokens of plain text, in which each known name is one, the longest first."""
        raw, found, place = raw_tokens(text), list[Token](), 0
        names = self.folded if self or self.offered else {}
        words, lengths = _words(raw) if names else ([], [])
        line, count, most = " ".join(words), len(raw), self._most_words if names else 0
        while place < count:
            first, end, name = raw[place], place + 1, ""
            if first.kind is TokenKind.QUOTED:
                name = self.quoted(first.text)
            elif first.kind is TokenKind.WORD and names:
                start = lengths[place - 1] + place if place else 0
                stop = place + most if place + most < count else count
                for last in range(stop - 1, place - 1, -1):
                    part = line[start : lengths[last] + last]
                    if part in names and not self._is_notation(part, words[place]):
                        name, end = names[part], last + 1
                        break
            if name:
                span = text[first.start : raw[end - 1].end]
                found.append(Token(TokenKind.NAME, span, first.start, raw[end - 1].end, meant=name))
            else:
                found += classified(first)
            place = end
        has_less = not self.is_rating and "less" in fold(text)
        return _with_less_one(found) if has_less else found

    def _is_notation(self, name: str, first: str) -> bool:
        """Whether each word of a name means something else among dice: it goes in quotation marks."""
        if first.isalpha() and first not in OPERATORS:
            return False
        return all(word in OPERATORS or word in self.verbs or _DIE.fullmatch(word) for word in name.split())

    def die(self, name: str) -> Die:
        """What a name stands for."""
        return self[name] if name in self else self.offered[name]

    def quoted(self, text: str) -> str:
        """The name that words in quotation marks are; nothing where they are a new label."""
        return self.folded.get(canonical(text), "")

    def begun(self, text: str) -> list[str]:
        """The names that begin so, two at most."""
        wanted = canonical(text)
        start = bisect_left(self._sorted, (wanted, ""))
        found = [name for one, name in self._sorted[start : start + 2] if one.startswith(wanted)]
        is_verb = not found and wanted.partition(" ")[0] in self.refused and " " in wanted
        behind = (name for name in self.offered if is_verb and canonical(name).startswith(wanted))
        return found or [*{self.offered[name]: name for name in reversed([*behind])}.values()]

    def can_oppose(self, text: str) -> bool:
        """Whether a text begins with what a roll can be against."""
        wanted = canonical(text[: 2 * LONGEST_NAME])
        return any(f"{wanted} ".startswith(f"{canonical(each)} ") for each in self.opponents())

    def longest(self, words: Sequence[tuple[str, bool]]) -> tuple[str, int]:
        """The name that begins with most of these words, each quoted or not, and how many that are.

        No name is the die of scale (D7).
        Raises Unreadable where no name begins so, Ambiguous where several do.
        """
        text, begun = "", 0
        for number, (word, _) in enumerate(words, 1):
            longer = f"{text} {word}".strip()
            is_begun = bool(self.begun(longer))
            if not is_begun and fold(longer) not in self.refused:
                break
            text, begun = longer, number if is_begun else begun
        if fold(words[0][0]) == SCALE_WORD and not words[0][1] and begun < 2:
            return "", 1
        typed = [word for word, _ in words]
        if not begun or self._is_mistyped(typed, begun):
            raise self._unknown(typed)
        names, there = self.begun(text), [*self, *self.offered]
        return names[0] if len(names) == 1 else find(text, there, Words("name"), quoted), begun

    def _is_mistyped(self, words: Sequence[str], begun: int) -> bool:
        """Return whether all words are like the name that the first ones begin: `Big Rde Rope`."""
        behind = words[begun:]
        if not behind or self.begun(behind[0]) or fold(behind[0]) in (SCALE_WORD, *self.refused):
            return False
        meant = alike(" ".join(words)[:LONGEST_NAME], [*self, *self.offered])
        return bool({*meant} & {*self.begun(" ".join(words[:begun]))})

    def _unknown(self, words: Sequence[str]) -> Unreadable:
        """The refusal of a name that nobody knows, with the nearest."""
        typed, there = " ".join(words), [*self, *self.offered]
        hint = offer(typed[:LONGEST_NAME], there) if there else _sizes(self.sizes)
        near = [nearest(word, there) for word in words]
        if isinstance(hint, DidYouMean):
            hint = DidYouMean(hint.near, quoted)
        if len({*near}) > 1 and all(near):
            hint = Words("Did you mean {names}?", names=Row([*dict.fromkeys(near)], OR))
        if self.whose and not any(map(str.isdigit, typed)):  # what has a number in it was meant as a die
            return Unreadable(
                "{who} has no {typed}. {hint}",
                who=self.whose,
                typed=shorten(typed)[1:-1],
                hint=beside(plays(self.own) if self.own != self.whose else NO_WORDS, hint),
            )
        return Unreadable(
            "{typed} isn't a die or a known name. {hint}",
            typed=shorten(typed),
            hint=hint,
        )


def _words(raw: Sequence[Token]) -> tuple[list[str], list[int]]:
    """Tokens as they are compared with names, and how long each is together with those before it."""
    words = fold("\0".join([token.text for token in raw])).split("\0")
    words = ["and" if word == "&" else word for word in words]
    return words, [*accumulate(map(len, words))]


def _with_less_one(tokens: list[Token]) -> list[Token]:
    """The tokens with `less one` as one verb (N21)."""
    found: list[Token] = []
    for token in tokens:
        is_one = token.kind is TokenKind.WORD and fold(token.text) == "one"
        if is_one and found and found[-1].kind is TokenKind.WORD and fold(found[-1].text) == "less":
            found[-1] = replace(found[-1], kind=TokenKind.VERB, text=LESS_ONE, end=token.end)
        else:
            found.append(token)
    return found


def _sizes(sizes: Ladder) -> Words:
    return Words("Use {sizes}, or a known name.", sizes=dice_named(sizes))
