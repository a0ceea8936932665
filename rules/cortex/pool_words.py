"""The words with a meaning in typed pools: known names, verbs, sizes and opponents (D2, D5)."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, repeat

from rules.campaign.seats import plays
from rules.cortex.model import Modifier
from rules.cortex.pool import SOURCES, Die, Pool, Source, Special, as_one, quote_label
from rules.cortex.ruleset import PRIME, Ruleset, StepUpD12
from rules.cortex.tokens import Token, TokenKind, classified, plain_text, raw_tokens
from rules.dice import (
    OPERATORS,
    SAFE_WORD,
    SCALE_WORD,
    SIZES,
    VERBS,
    Ladder,
    check_count,
    dice_named,
    down,
    typable,
    up,
)
from rules.errors import NotAllowed, PossibleAnswer, RuleError, Undecided, Unreadable
from rules.names import LABEL, DidYouMean, alike, clean, find, fold, nearest, offer, which_of
from rules.names import LONGEST as LONGEST_NAME
from rules.text import NO_WORDS, OR, Row, Words, join_phrases, shorten
from rules.values import Value, replace

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
FIRST_OF_TIE = "the first of equal dice"
"""The sign that no question is asked about equal dice, where a pool is only looked at (D5)."""


LESS_ONE = "less one"
"""The words before a trait with several dice that leave one of them out of the pool (N21)."""


_VERBS, _WITH_SAFE = frozenset(VERBS), frozenset((*VERBS, SAFE_WORD))


_SIMPLE = re.compile(r"(?:[^\W_]|[' \n-])*")


_DIE = re.compile(r"(?:[0-9]*[dD])?[0-9]+")


def fold_word(text: str) -> str:
    """Return a word for comparison: folded as a name, and & is "and".

    >>> fold_word("O’Neill"), fold_word("&")
    ("o'neill", 'and')
    """
    return "and" if text == "&" else fold(text)


def canonical(name: str) -> str:
    """Return a name for comparison: folded, with one blank between words and signs.

    >>> canonical("Cut  & Run"), canonical("AC/DC")
    ('cut and run', 'ac / dc')
    """
    folded = typable(fold(name))
    if _SIMPLE.fullmatch(folded):
        return folded
    return " ".join(fold_word(token.text) for token in raw_tokens(plain_text(folded)))


class NameIndex(dict[str, Die]):
    """An index of the dice that names stand for, by label, with everything else that decides a reading.

    - `rules`: the settings of the table; `decided`: the signs of answers already given.
    - `whose`: the owner of the names; `own`: the character that the caller plays.
    - `is_rating`: ratings of traits are read, so verbs are parts of names.
    - `is_written`: the bot wrote the text, so nothing is asked.
    - `offered`: verbs that need a trait, each with its trait: `push Angry` (N3, N7).
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
        """The verbs that the table uses."""
        return _WITH_SAFE if self.rules.safe_dice else _VERBS

    @cached_property
    def folded(self) -> dict[str, str]:
        """The names by their canonical form.

        >>> NameIndex({"Quick Wits": Die(8, "Quick Wits")}).folded
        {'quick wits': 'Quick Wits'}
        """
        names = [*self.offered, *self]
        whole = "\n".join(names).casefold()
        is_simple = whole.isascii() and _SIMPLE.fullmatch(
            whole
        )  # most are: then each by itself needs no look
        return dict(
            zip(whole.split("\n") if is_simple and names else map(canonical, names), names, strict=True)
        )

    @cached_property
    def lookalikes(self) -> dict[str, list[str]]:
        """The names that look the same as another one, by their canonical form."""
        if len(self.folded) == len(self) + len(self.offered):
            return {}
        found: dict[str, list[str]] = {}
        for name in self:
            found.setdefault(canonical(name), []).append(name)
        return {folded: names for folded, names in found.items() if len(names) > 1}

    @cached_property
    def _most_words(self) -> int:
        """How many words and signs the longest name has."""
        return max(map(str.count, self.folded, repeat(" ")), default=0) + 1

    @cached_property
    def _sorted(self) -> list[tuple[str, str]]:
        """The names by how they are compared, in order, each with itself."""
        return sorted(item for item in self.folded.items() if item[1] in self)

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of plain text, with the longest known names as one token each.

        >>> known = NameIndex({"Mind": Die(10, "Mind"), "Mind Reading": Die(6, "Mind Reading")})
        >>> [(token.kind.name, token.text) for token in known.tokens("mind reading + Mind 2d6")]
        [('NAME', 'mind reading'), ('PARTING', '+'), ('NAME', 'Mind'), ('DICE', '2d6')]
        """
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
                        if part in self.lookalikes:
                            name = self._exact(text[first.start : raw[last].end], self.lookalikes[part])
                        break
            if name:
                span = text[first.start : raw[end - 1].end]
                found.append(Token(TokenKind.NAME, span, first.start, raw[end - 1].end, meant=name))
            else:
                found += classified(first)
            place = end
        has_less = not self.is_rating and "less" in fold_word(text)
        return _with_less_one(found) if has_less else found

    def _is_notation(self, name: str, first: str) -> bool:
        """Whether each word of a name means something else among dice: it goes in quotation marks."""
        if first.isalpha() and first not in OPERATORS:
            return False
        return all(word in OPERATORS or word in self.verbs or _DIE.fullmatch(word) for word in name.split())

    def die(self, name: str) -> Die:
        """Return the die that a name stands for. Raises KeyError for an unknown name."""
        return self[name] if name in self else self.offered[name]

    def quoted(self, text: str) -> str:
        """Return the name that quoted words mean; "" if they are a new label.

        >>> known = NameIndex({"Mind": Die(10, "Mind")})
        >>> known.quoted("MIND"), known.quoted("Body")
        ('Mind', '')
        """
        return text if text in self else self.folded.get(canonical(text), "")

    def _exact(self, typed: str, same: Sequence[str]) -> str:
        """Return which of the names that look the same is typed. Raises Ambiguous unless the bot wrote it."""
        if self.is_written:
            return typed if typed in same else same[0]
        raise which_of(typed, same)

    def begun(self, text: str) -> list[str]:
        """Return the names that begin with this text, at most two, in alphabetical order.

        Raises Unreadable for a text without letters.

        >>> NameIndex({"Mind": Die(10, "Mind"), "Mine": Die(6, "Mine"), "Body": Die(8, "Body")}).begun("mi")
        ['Mind', 'Mine']
        """
        wanted = canonical(clean(text, LABEL))
        start = bisect_left(self._sorted, (wanted, ""))
        found = [name for one, name in self._sorted[start : start + 2] if one.startswith(wanted)]
        is_verb = not found and wanted.partition(" ")[0] in self.refused and " " in wanted
        behind = (name for name in self.offered if is_verb and canonical(name).startswith(wanted))
        return found or [*{self.offered[name]: name for name in reversed([*behind])}.values()]

    def can_oppose(self, text: str) -> bool:
        """Return whether a text begins with the name of something that a roll can be against."""
        wanted = canonical(text[: 2 * LONGEST_NAME])
        return any(f"{wanted} ".startswith(f"{canonical(each)} ") for each in self.opponents())

    def longest(self, words: Sequence[tuple[str, bool]]) -> tuple[str, int]:
        """Return the name that begins with the most of these words, and how many words that is.

        Each word comes with whether it is quoted. The name is "" for the die of scale (D7).

        >>> known = NameIndex({"Quick Wits": Die(8, "Quick Wits")})
        >>> known.longest([("quick", False), ("wits", False)]), known.longest([("scale", False)])
        (('Quick Wits', 2), ('', 1))

        Raises Unreadable if no name begins like this; Ambiguous if several do.
        """
        text, begun = "", 0
        for number, (word, _) in enumerate(words, 1):
            longer = f"{text} {word}".strip()
            is_begun = bool(self.begun(longer))
            if not is_begun and fold_word(longer) not in self.refused:
                break
            text, begun = longer, number if is_begun else begun
        if fold_word(words[0][0]) == SCALE_WORD and not words[0][1] and begun < 2:
            return "", 1
        typed = [word for word, _ in words]
        if not begun or self._is_mistyped(typed, begun):
            raise self._unknown(typed)
        names, there = self.begun(text), [*self, *self.offered]
        return names[0] if len(names) == 1 else find(text, there, Words("name"), quote_label), begun

    def _is_mistyped(self, words: Sequence[str], begun: int) -> bool:
        """Return whether all words are like the name that the first ones begin: `Big Rde Rope`."""
        behind = words[begun:]
        if not behind or self.begun(behind[0]) or fold_word(behind[0]) in (SCALE_WORD, *self.refused):
            return False
        meant = alike(" ".join(words)[:LONGEST_NAME], [*self, *self.offered])
        return bool({*meant} & {*self.begun(" ".join(words[:begun]))})

    def _unknown(self, words: Sequence[str]) -> Unreadable:
        """The refusal of a name that nobody knows, with the nearest."""
        typed, there = " ".join(words), [*self, *self.offered]
        hint = offer(typed[:LONGEST_NAME], there) if there else _sizes(self.sizes)
        near = [nearest(word, there) for word in words]
        if isinstance(hint, DidYouMean):
            hint = DidYouMean(hint.near, quote_label)
        if len({*near}) > 1 and all(near):
            hint = Words("Did you mean {names}?", names=Row([*dict.fromkeys(near)], OR))
        if self.whose and not any(map(str.isdigit, typed)):  # what has a number in it was meant as a die
            return Unreadable(
                "{who} has no {typed}. {hint}",
                who=self.whose,
                typed=shorten(typed)[1:-1],
                hint=join_phrases(plays(self.own) if self.own != self.whose else NO_WORDS, hint),
            )
        return Unreadable(
            "{typed} isn't a die or a known name. {hint}",
            typed=shorten(typed),
            hint=hint,
        )


def _words(raw: Sequence[Token]) -> tuple[list[str], list[int]]:
    """Tokens as they are compared with names, and how long each is together with those before it."""
    texts = [token.text for token in raw]
    line = "\0".join(texts)
    # Most are plain: then one look folds them all, instead of one for each.
    words = line.casefold().split("\0") if line.isascii() and "`" not in line else [*map(fold, texts)]
    words = ["and" if word == "&" else word for word in words]
    return words, [*accumulate(map(len, words))]


def _with_less_one(tokens: list[Token]) -> list[Token]:
    """The tokens with `less one` as one verb (N21)."""
    found: list[Token] = []
    for token in tokens:
        is_one = token.kind is TokenKind.WORD and fold_word(token.text) == "one"
        if is_one and found and found[-1].kind is TokenKind.WORD and fold_word(found[-1].text) == "less":
            found[-1] = replace(found[-1], kind=TokenKind.VERB, text=LESS_ONE, end=token.end)
        else:
            found.append(token)
    return found


def _sizes(sizes: Ladder) -> Words:
    return Words("Use {sizes}, or a known name.", sizes=dice_named(sizes))


NO_DIE = 0
"""The size of an SFX, which is named among the dice and brings none."""


class TypedDice(Value):
    """A typed pool as dice; `hindered` are the distinctions that went in as d4 for a PP (P1).

    `used` are the SFX that were named, each with the die right after it or None (X1); `lent` the sizes of
    dice taken out of the doom pool (D4); `plus` the modifiers of the total (N13).
    """

    pool: Pool
    hindered: tuple[str, ...] = ()
    used: tuple[tuple[str, Die | None], ...] = ()
    lent: tuple[int, ...] = ()
    plus: tuple[Modifier, ...] = ()


class Item(Value):
    """The dice of one token, and the verbs that apply to them."""

    dice: Pool
    verbs: tuple[str, ...] = ()
    is_named: bool = False
    whole: Pool = ()
    """The dice of the trait that it is a part of (N23)."""
    picked: int = 0
    """Of several dice of one trait the size of the one that the verbs are for; 0 for the usual one (N21)."""


def manipulated(
    items: list[Item],
    rules: Ruleset,
    lent: tuple[int, ...],
    several: Mapping[str, tuple[Source, int]] | None = None,
    decided: Collection[str] | None = None,
) -> TypedDice:
    """Return the dice of all items with every verb applied in the order written, each to its own dice (D6).

    `several` maps the key of each trait with several dice to their source and number (N21). `decided` are
    the answers to questions so far; without it, nothing is asked.

    >>> items = [Item((Die(8),), ("up",)), Item((Die(6),), ("double",))]
    >>> [die.size for die in manipulated(items, PRIME, ()).pool]
    [10, 6, 6]

    Raises NotAllowed if no dice are left, for too many, or for a verb that can't apply; Undecided if a d12
    steps up one of several other dice (D5).
    """
    groups = [[*item.dice] for item in items]
    hindered: list[str] = []
    verbal = [place for place, item in enumerate(items) if item.verbs]
    if verbal:
        _check_verbs(items)
    for place in verbal:
        item = items[place]
        is_one = item.is_named and len(item.dice) > 1
        at = next((n for n, die in enumerate(item.dice) if die.size == item.picked), None)
        for verb in item.verbs:
            groups[place] = _apply(verb, groups, place, rules, decided, is_one=is_one, at=at)
            check_count(sum(len(group) for group in groups))
        hindered += _hindered(item, hindered)
    row = [die for group in groups for die in group]
    row = as_one(row, several) if several else row
    pool = tuple([die for die in row if die.size != NO_DIE])
    if not pool and row:
        raise NotAllowed(
            "{label} is an SFX, so add dice to roll with it. Example: {label} d8", label=row[0].label
        )
    if not pool:
        raise NotAllowed("That leaves no dice in the pool. Add another die.")
    used = [(die.label, _behind(row, place)) for place, die in enumerate(row) if die.size == NO_DIE]
    return TypedDice(pool, tuple(hindered), tuple(used), lent)


def with_wholes(items: list[Item]) -> list[Item]:
    """Return the items with the dice of each missing whole before the first of its parts (N23)."""
    if not [True for item in items if item.whole]:
        return items
    there = {fold(die.label) for item in items for die in item.dice if die.label}
    found: list[Item] = []
    for item in items:
        if item.whole and fold(item.whole[0].label) not in there:
            there.add(fold(item.whole[0].label))
            found.append(Item(item.whole, is_named=True))
        found.append(item)
    return found


def _behind(row: list[Die], place: int) -> Die | None:
    """The die right behind an SFX."""
    return next((die for die in row[place:] if die.size != NO_DIE), None)


def _check_verbs(items: list[Item]) -> None:
    """Refuse to step or split what is no die."""
    for item in items:
        if item.verbs and any(die.size == NO_DIE for die in item.dice):
            raise NotAllowed(
                "{label} is an SFX, but {verbs} only works on a die.",
                label=item.dice[0].label,
                verbs=item.verbs[0],
            )


def _hindered(item: Item, before: list[str]) -> list[str]:
    """What a token hinders: one distinction, and each only once (P1)."""
    if "hinder" not in item.verbs:
        return []
    name = item.dice[0].label or f"d{item.dice[0].size}"
    return [] if item.dice[0].label and name in before else [name]


def _largest(group: list[Die]) -> int:
    """The place of the largest die, the first of equals."""
    return max(range(len(group)), key=lambda place: (group[place].size, -place))


def _less_one(group: list[Die], at: int | None, *, is_one: bool) -> list[Die]:
    """A trait's dice without the smallest, or the one at a place (N21). Raises NotAllowed for one alone."""
    if not is_one or len(group) < 2:
        raise NotAllowed("{less_one} only works on a trait with several dice.", less_one=LESS_ONE)
    least = min(range(len(group)), key=lambda place: (group[place].size, -place)) if at is None else at
    return [*group[:least], *group[least + 1 :]]


def _apply(
    verb: str,
    groups: list[list[Die]],
    place: int,
    rules: Ruleset,
    decided: Collection[str] | None,
    *,
    is_one: bool,
    at: int | None,
) -> list[Die]:
    """Dice after a verb; of one trait with several its largest die steps, and it hinders as a d4 (N21).

    `at` is the place of the die that steps instead.
    """
    group = groups[place]
    if not group:
        return group
    which = at if at is not None and at < len(group) else _largest(group)
    match verb:
        case "up":
            return _stepped_up(groups, place, rules, decided, which if is_one else None)
        case "down" if is_one:
            less = down(group[which].size, 1, rules.sizes)
            return [
                *group[:which],
                *([replace(group[which], size=less)] if less else []),
                *group[which + 1 :],
            ]
        case "down":
            return [replace(die, size=less) for die in group if (less := down(die.size, 1, rules.sizes))]
        case "double" if is_one:
            return [group[0], replace(group[0], source=SOURCES[Special.DOUBLED]), *group[1:]]
        case "double":
            return [*group, *(replace(die, source=SOURCES[Special.DOUBLED]) for die in group[:1])]
        case "split":
            least = rules.sizes[0]
            if any(die.size <= least for die in group):
                raise NotAllowed(
                    "A d{size} can't be split. Split a larger die, such as a d8 into 2d6.", size=least
                )
            halves = [replace(die, size=down(die.size, 1, rules.sizes)) for die in group]
            return [die for half in halves for die in (half, replace(half, source=SOURCES[Special.DOUBLED]))]
        case str() if verb == SAFE_WORD:
            return [replace(die, safe=True) for die in group]
        case str() if verb == LESS_ONE:
            return _less_one(group, at, is_one=is_one)
        case _:
            return [replace(die, size=SIZES[0]) for die in (group[:1] if is_one else group)]


def _stepped_up(
    groups: list[list[Die]],
    place: int,
    rules: Ruleset,
    decided: Collection[str] | None,
    only: int | None = None,
) -> list[Die]:
    """Step up a group's dice, or `only` one of them; a d12 does what the setting says (D5)."""
    group = groups[place]
    for which in range(len(group)) if only is None else (only,):
        lower: tuple[int, int] | None = (place, which)
        if group[which].size >= rules.sizes[-1]:
            is_lower = rules.step_up_d12 is StepUpD12.NEXT_LOWER
            lower = _largest_below(groups, rules.sizes[-1], decided) if is_lower else None
        if lower is None:
            groups.append([Die(6)])
        else:
            g, d = lower
            groups[g][d] = replace(groups[g][d], size=up(groups[g][d].size, 1, rules.sizes))
    return group


def _largest_below(
    groups: list[list[Die]], top: int, decided: Collection[str] | None
) -> tuple[int, int] | None:
    """Where the largest die below the top size lies: the first of equals, or the one that was agreed to.

    Raises Undecided if dice of several names tie (D5).
    """
    size = max((die.size for group in groups for die in group if NO_DIE < die.size < top), default=0)
    tied: dict[str, tuple[int, int]] = {}
    for g, group in enumerate(groups):
        for d, die in enumerate(group):
            if size and die.size == size:
                tied.setdefault(f"d{top} steps up {fold(die.label)} d{size}", (g, d))
    if decided is not None and len(tied) > 1 and FIRST_OF_TIE not in decided:
        meant = [place for sign, place in tied.items() if sign in decided]
        if not meant:
            dice = [groups[g][d] for g, d in tied.values()]
            words = [Row((f"{die.label} d{size}".strip(),)) for die in dice]
            answers = [PossibleAnswer(said, sign) for said, sign in zip(words, tied, strict=True)]
            raise Undecided("Which die steps up instead of the d{top}?", *answers, top=top)
        return meant[0]
    return next(iter(tied.values()), None)


def step_up_die(
    dice: list[Die], place: int, rules: Ruleset, decided: Collection[str] | None = None
) -> list[Die]:
    """Return a pool with one die stepped up once; a d12 does what the settings say (D5).

    Raises Undecided if the d12 steps up one of several other dice, unless `decided` says which; without it,
    the first one steps up.

    >>> [die.size for die in step_up_die([Die(8), Die(12)], 1, PRIME)]
    [8, 12, 6]
    >>> rules = Ruleset(step_up_d12=StepUpD12.NEXT_LOWER)
    >>> [die.size for die in step_up_die([Die(8), Die(12)], 1, rules)]
    [10, 12]
    """
    groups = [[die] for die in dice]
    groups[place] = _stepped_up(groups, place, rules, decided)
    return [die for group in groups for die in group]


def step_up_pool(sizes: tuple[int, ...], size: int, rules: Ruleset) -> tuple[int, ...]:
    """Return a pool of plain dice, in rising order, with one die of this size stepped up once (D5, M1).

    >>> step_up_pool((6, 8, 8), 8, PRIME)
    (6, 8, 10)
    """
    dice = step_up_die([Die(each) for each in sizes], sizes.index(size), rules)
    return tuple(sorted(die.size for die in dice))
