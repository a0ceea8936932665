"""Reading dice as people type them: `Mind d10, up Sharp, 2d6` (D2, D4 to D6)."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from rules.cortex.state.ruleset import StepUpD12
from rules.dice import (
    DOUBLED,
    FROM_DOOM,
    MOST_DICE,
    SCALE_WORD,
    SIZES,
    VERBS,
    Die,
    Pool,
    check_count,
    down,
    shorten,
    typable,
    up,
    write,
)
from rules.errors import NotAllowed, PossibleAnswer, RuleError, Undecided, Unreadable
from rules.names import LABEL, clean, find, nearest, offer
from rules.names import LONGEST as LONGEST_NAME
from rules.seats import plays
from rules.values import replace
from rules.words import Row, Words, beside

LONGEST = 1000
"""Text longer than this is no pool."""
NO_DIE, SFX = 0, "sfx"
"""The size and the source of what is named among the dice but is none: an SFX."""
DOOM_LABEL = "Doom"
"""The label of a die that was taken out of the doom pool (D4)."""
SCALE = Die(8, "Scale", SCALE_WORD)
"""The die of the side with the advantage in size (D7)."""

# Pictures of keys: 12 is two of them, 10 is one.
_KEYCAPS = re.compile("(1\ufe0f?\u20e32\ufe0f?\u20e3)|(\U0001f51f\ufe0f?)|([0-9])\ufe0f?\u20e3")
_TOKEN = re.compile(r'"([^"]*)"|([,+;\n])|([^\s,+;"]+)')
_STUCK = re.compile(r".*[^\w\s][0-9]*[dD][0-9]+")
"""A die with a sign right before it."""
_FROM_DOOM = FROM_DOOM.split()
_SIGNS = ("Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sm", "Sc", "Sk")
"""Unicode's categories of punctuation and signs."""
_DIE = re.compile(r"([0-9]*)[dD]([0-9]+)|([0-9]+)")
_PARTING = re.compile(r"[\s,+;]+")


@dataclass(frozen=True, slots=True)
class TypedDice:
    """What was typed, as a pool; `hindered` are the dice that went in as d4 for a PP (P1).

    `used` are the SFX that were named, each with the die right behind it, if there is one (X1); `lent` the
    sizes of dice that come out of the doom pool (D4).
    """

    pool: Pool
    hindered: tuple[str, ...] = ()
    used: tuple[tuple[str, Die | None], ...] = ()
    lent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Item:
    """Dice of one token, and what is to be done to them."""

    dice: Pool
    verbs: tuple[str, ...] = ()
    is_named: bool = False


class _Known(dict[str, Die]):
    """Names that stand for dice; looked up by their beginnings without going through all of them.

    `decided` are the signs of answers about what can be read in two ways, `whose` is whose names they are.
    """

    decided: Collection[str] = ()
    whose: str = ""
    own: str = ""

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


def read(
    text: str,
    known: Mapping[str, Die] | None = None,
    step_up: StepUpD12 = StepUpD12.ADD_D6,
    *,
    may_lend: bool = False,
    decided: Collection[str] = (),
    whose: str = "",
    own: str = "",
) -> TypedDice:
    """The pool that the text means; `known` are names that stand for dice, by label.

    `may_lend` says that the pool is one to roll, into which dice of the doom pool may go (D4), `decided` are
    the signs of answers to what was Undecided, `whose` is whose sheet the names are from, and `own` whom
    the caller plays. Raises Unreadable or Unknown when a part is no die, no label of
    one and no known name, NotAllowed for too many dice, Undecided where two readings differ in dice.
    Nothing is dropped in silence.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            "That has {count} characters; a pool has {longest} at most. Example: 2d6 d8",
            count=len(text),
            longest=LONGEST,
        )
    items: list[_Item] = []
    names = _typed(known or {})
    names.decided, names.whose, names.own = decided, whose, own
    straight = text.replace("“", '"').replace("”", '"')
    for segment in _segments(_with_quotes(straight, names)):
        items += _read_segment(segment, names)
        if sum([len(item.dice) for item in items]) > MOST_DICE:
            raise NotAllowed(
                "Those are too many dice. A pool holds {most_dice} at most. Example: 4d6 2d8",
                most_dice=MOST_DICE,
            )
    if not items:
        raise Unreadable("There are no dice in that. Example: 2d6 d8")
    lent = tuple(die.size for item in items for die in item.dice if die.source == FROM_DOOM)
    if lent and not may_lend:
        raise NotAllowed(
            "Dice come from doom into a pool when it is rolled. Example: /roll dice:from doom d8"
        )
    return _manipulated(items, step_up, lent)


def _typed(known: Mapping[str, Die]) -> _Known:
    """The names as they can be typed: most have no quotation marks."""
    whole = "".join(known)
    if typable(whole) == whole:
        return _Known(known)
    names = _Known({typable(name): die for name, die in known.items()})
    # A name that is written so goes before one that only becomes it without its quotation marks.
    names |= {name: die for name, die in known.items() if name in names}
    return names


def is_dice_alone(text: str) -> bool:
    """Whether every word of a text is dice, so that it means no name."""
    return all(map(_DIE.fullmatch, _PARTING.split(text.strip())))


def read_dice(text: str) -> tuple[int, ...]:
    """Sizes of dice alone, for a pool that keeps no labels. Raises Unreadable for a label."""
    pool = read(text).pool
    label = next((die.label for die in pool if die.label), "")
    if label:
        raise Unreadable(
            "{label} cannot be kept: the dice of this pool have no labels. Type the dice alone. "
            "Example: {what}",
            label=shorten(label),
            what=write([die.size for die in pool]),
        )
    return tuple(die.size for die in pool)


def _with_quotes(text: str, known: Mapping[str, Die]) -> str:
    """The text with quotation marks around known names that read as something else without: `Mark 3`."""
    folded = text.casefold()
    odd = [name for name in known if name.casefold() in folded and _is_odd(name)]
    for name in sorted(odd, key=len, reverse=True):
        parts = re.split(r'("[^"]*")', text)
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        parts[::2] = [whole.sub(lambda match: f'"{match[0]}"', part) for part in parts[::2]]
        text = "".join(parts)
    return text


def _is_odd(name: str) -> bool:
    """Whether a name holds a digit or a sign that parts words, and is more than dice and verbs."""
    if not any(c.isdigit() or c in "+,;" for c in name):
        return False
    words = _PARTING.split(name)
    return any(w and not _DIE.fullmatch(w) and w.lower() not in (*VERBS, SCALE_WORD) for w in words)


def _segments(text: str) -> list[list[tuple[str, bool]]]:
    """Tokens between commas, pluses and line breaks; True marks one in quotation marks."""
    plain = _KEYCAPS.sub(lambda m: f" d{m[3] or (10 if m[2] else 12)} ", text)
    if plain.count('"') % 2:
        raise Unreadable('A quotation mark is left open. Example: "Quick Wits" d8')
    segments: list[list[tuple[str, bool]]] = [[]]
    for token in _TOKEN.finditer(plain):
        if token[2]:
            segments.append([])
        elif token[1] is not None:
            segments[-1].append((clean(token[1], LABEL), True))
        else:
            word = token[3]
            if not word.isprintable():
                word = "".join(c for c in word if c.isprintable() or c in "\u200c\u200d")
            segments[-1] += [(word, False)] if word else []
    return [segment for segment in segments if segment]


def _read_die(token: tuple[str, bool]) -> Pool | None:
    """The dice of a token, or None if it is a word."""
    word, is_quoted = token
    match = None if is_quoted else _DIE.fullmatch(word)
    if match is None:
        return None
    count, size = match[1] or "1", match[2] or match[3]
    if len(size) > 2 or int(size) not in SIZES:
        raise Unreadable(
            "{word} is no die of this game. There are d4, d6, d8, d10 and d12. Example: 2d6 d8",
            word=shorten(word),
        )
    if len(count) > 3 or not 1 <= int(count) <= MOST_DICE:
        raise NotAllowed(
            "{word}: a pool holds 1 to {most_dice} dice. Example: 2d6 d8",
            word=shorten(word),
            most_dice=MOST_DICE,
        )
    return (Die(int(size)),) * int(count)


def _read_segment(tokens: list[tuple[str, bool]], known: _Known) -> list[_Item]:
    """What stands between two commas: words before a die are its label, or words behind it."""
    first = _read_die(tokens[0])
    is_after = first is not None and len(tokens) > 1 and _read_die(tokens[-1]) is None
    items: list[_Item] = []
    words: list[tuple[str, bool]] = []
    for place, token in enumerate(tokens):
        dice = _read_die(token) if place else first
        if dice is None:
            words.append(token)
            continue
        if is_after:
            is_lent = _is_lent(words)
            items = _label_last(items, words[:-2] if is_lent else words, known)
            items.append(_Item(_lent(dice) if is_lent else dice))
        else:
            items += _before_die(words, dice, known)
        words = []
    if _is_lent(words):
        raise Unreadable("Say which die comes from doom. Example: {from_doom} d8", from_doom=FROM_DOOM)
    if words:
        items = _label_last(items, words, known) if is_after else items + _names(words, known)
    return items


def _is_lent(words: list[tuple[str, bool]]) -> bool:
    """Whether the die behind these words comes out of the doom pool (D4)."""
    return len(words) > 1 and [word.lower() for word, is_quoted in words[-2:] if not is_quoted] == _FROM_DOOM


def _lent(dice: Pool) -> Pool:
    return tuple(replace(die, label=DOOM_LABEL, source=FROM_DOOM) for die in dice)


def _label_last(items: list[_Item], words: list[tuple[str, bool]], known: _Known) -> list[_Item]:
    """Words behind a die: the label of it."""
    if not words or not items:
        return items
    if any(_is_verb(word) or _is_scale(word) for word in words):
        return items + _names(words, known)
    last = items[-1]
    return [*items[:-1], replace(last, dice=_labelled(last.dice, words, known))]


def _before_die(words: list[tuple[str, bool]], dice: Pool, known: _Known) -> list[_Item]:
    """Words before a die: verbs, known names for themselves, and the label of the die."""
    if not words:
        return [_Item(dice)]
    start = max((place + 1 for place, word in enumerate(words) if _is_verb(word)), default=0)
    verbs_from = start
    while verbs_from and _is_verb(words[verbs_from - 1]):
        verbs_from -= 1
    first = _names(words[:verbs_from], known) if verbs_from else []
    label_words = words[start:]
    verbs = tuple(word.lower() for word, _ in words[verbs_from:start])
    if _is_lent(label_words):
        own = label_words[:-2]
        named = _names([(verb, False) for verb in verbs] + own, known) if own else []
        return [*first, *named, _Item(_lent(dice), () if own else verbs)]
    if len(label_words) == 1 and _is_scale(label_words[0]) and len(dice) > 1:
        return [*first, _Item((SCALE,)), _Item(dice, verbs)]
    keys = known.folded
    is_one_name = " ".join(word for word, _ in label_words).casefold() in keys
    for place in range(1, 1 if is_one_name else len(label_words)):
        rest = " ".join(word for word, _ in label_words[place:])
        if rest.casefold() in keys and _are_known(label_words[:place], known):
            _require_decided(label_words[place:], dice, known)
            if _sign("well", label_words[place:], dice) in known.decided:
                both = _names([(verb, False) for verb in verbs] + label_words, known)
                return [*first, *both, _Item(dice)]
            named = _names([(verb, False) for verb in verbs] + label_words[:place], known)
            return [*first, *named, _Item(_labelled(dice, label_words[place:], known))]
    return [*first, _Item(_labelled(dice, label_words, known), verbs)]


def _require_decided(words: list[tuple[str, bool]], dice: Pool, known: _Known) -> None:
    """Ask whether a die right behind several names is the last one's rating, or one more (D1)."""
    label = " ".join(word for word, _ in words)
    trait = known.folded[label.casefold()]
    signs = [_sign(word, words, dice) for word in ("as", "well")]
    if trait.size in (NO_DIE, *(die.size for die in dice)) or not set(signs).isdisjoint(known.decided):
        return
    typed = write([die.size for die in dice])
    raise Undecided(
        "{trait} is a d{size}. Is it a {typed} here, or is {typed} one more? Names and dice are "
        "parted by commas. Example: {trait}, {typed}",
        PossibleAnswer(Words("{trait} as {typed}", trait=trait.label, typed=typed), signs[0]),
        PossibleAnswer(Words("{typed} as well", typed=typed), signs[1]),
        trait=trait.label,
        size=trait.size,
        typed=typed,
    )


def _sign(word: str, words: list[tuple[str, bool]], dice: Pool) -> str:
    """The sign of an answer about a name and the dice right behind it."""
    label = " ".join(typed for typed, _ in words).casefold()
    return f"{word} {label} {write([die.size for die in dice])}"


def _labelled(dice: Pool, words: list[tuple[str, bool]], known: _Known) -> Pool:
    """Dice with a label; a known name keeps where it comes from (D2), and an SFX is used on them (X1)."""
    if not words:
        return dice
    if len(words) == 1 and _is_scale(words[0]):
        return tuple(replace(SCALE, size=die.size) for die in dice)
    label = clean(" ".join(word for word, _ in words), LABEL)
    same = known.folded.get(label.casefold())
    if same is not None and same.source == SFX:
        return (same, *dice)
    if same is not None:
        return tuple(replace(die, label=same.label, source=same.source) for die in dice)
    _check_label(words)
    return tuple(replace(die, label=label, source="") for die in dice)


def _check_label(words: list[tuple[str, bool]]) -> None:
    """Refuse signs before a die that are no label of it: `& d8`, `[x]d6 d8`."""
    typed = [word for word, is_quoted in words if not is_quoted]
    stuck = next((word for word in typed if _STUCK.fullmatch(word)), None)
    if stuck is None and any(is_quoted or any(map(_is_letter, word)) for word, is_quoted in words):
        return
    raise Unreadable(
        "{stuck} is no die, no name known here and no label. A sign as a label goes in quotation "
        'marks. Example: "&" d8',
        stuck=shorten(stuck or " ".join(typed)),
    )


def _is_letter(character: str) -> bool:
    """Whether a character can be a label by itself: a letter, a number, a picture."""
    return unicodedata.category(character) not in _SIGNS and character.isprintable()


def _are_known(words: list[tuple[str, bool]], known: _Known) -> bool:
    try:
        _names(words, known)
    except RuleError:
        return False
    return True


def _names(words: list[tuple[str, bool]], known: _Known) -> list[_Item]:
    """A row of known names, the longest first, each with the verbs before it."""
    items: list[_Item] = []
    verbs: list[str] = []
    place = 0
    while place < len(words):
        if _is_verb(words[place]):
            verbs.append(words[place][0].lower())
            place += 1
            continue
        die, length = _longest_name(words[place:], known)
        items.append(_Item((die,), tuple(verbs), is_named=True))
        verbs = []
        place += length
    if verbs:
        raise Unreadable(
            "There is no die behind {typed}. Example: {verb} d8",
            typed=shorten(verbs[-1]),
            verb=verbs[-1],
        )
    return items


def _longest_name(words: list[tuple[str, bool]], known: _Known) -> tuple[Die, int]:
    """The known name that most of the words are, else the one that begins with most of them."""
    text, begun, exact = "", 0, ("", 0)
    for n, word in enumerate(words, 1):
        longer = f"{text} {word[0]}".lstrip(" ")
        if not known.begun(longer) or (n > 1 and _is_verb(word)):
            break
        text, begun = longer, n
        if longer.casefold() in known.folded and not (n == 1 and _is_scale(words[0])):
            exact = longer, n
    if exact[1]:
        return known.folded[exact[0].casefold()], exact[1]
    if _is_scale(words[0]):
        return SCALE, 1
    if begun:
        names = known.begun(text)
        return known[names[0] if len(names) == 1 else find(text, known, Words("name"))], begun
    run = next((n for n, word in enumerate(words) if n and _is_verb(word)), len(words))
    typed = " ".join(word for word, _ in words[:run])
    # To look for what is like long words takes long
    dice = Words("Dice are d4, d6, d8, d10 and d12.")
    hint = offer(typed[:LONGEST_NAME], known) if known else dice
    near = [nearest(word, known) for word, _ in words[:run]]
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


def _is_verb(token: tuple[str, bool]) -> bool:
    return not token[1] and token[0].lower() in VERBS


def _is_scale(token: tuple[str, bool]) -> bool:
    return not token[1] and token[0].lower() == SCALE_WORD


def _manipulated(items: list[_Item], step_up: StepUpD12, lent: tuple[int, ...]) -> TypedDice:
    """Apply every verb in the order written, each to its own dice (D6)."""
    _check_verbs(items)
    groups = [list(item.dice) for item in items]
    hindered: list[str] = []
    for place, item in enumerate(items):
        for verb in item.verbs:
            groups[place] = _apply(verb, groups, place, step_up)
            check_count(sum(len(group) for group in groups))
        hindered += _hindered(item, hindered)
    row = [die for group in groups for die in group]
    pool = tuple(die for die in row if die.size != NO_DIE)
    if not pool and row:
        raise NotAllowed(
            "{label} is an SFX, and needs dice beside it. Example: {label} d8", label=row[0].label
        )
    if not pool:
        raise NotAllowed("No die is left in that pool. Example: down d8, 2d6")
    used = [(die.label, _behind(row, place)) for place, die in enumerate(row) if die.size == NO_DIE]
    return TypedDice(pool, tuple(hindered), tuple(used), lent)


def _behind(row: list[Die], place: int) -> Die | None:
    """The die right behind an SFX."""
    return next((die for die in row[place:] if die.size != NO_DIE), None)


def _check_verbs(items: list[_Item]) -> None:
    """Refuse to step or split what is no die."""
    for item in items:
        if item.verbs and any(die.size == NO_DIE for die in item.dice):
            raise NotAllowed(
                "{label} is an SFX: {verbs} needs a die. Example: 2d6 d8",
                label=item.dice[0].label,
                verbs=item.verbs[0],
            )


def _hindered(item: _Item, before: list[str]) -> list[str]:
    """What a token hinders: one distinction, and each only once (P1)."""
    if "hinder" not in item.verbs:
        return []
    name = item.dice[0].label or f"d{item.dice[0].size}"
    return [] if item.dice[0].label and name in before else [name]


def _apply(verb: str, groups: list[list[Die]], place: int, step_up: StepUpD12) -> list[Die]:
    group = groups[place]
    match verb:
        case "up":
            return _stepped_up(groups, place, step_up)
        case "down":
            return [replace(die, size=down(die.size)) for die in group if down(die.size)]
        case "double":
            return [*group, *(replace(die, source=DOUBLED) for die in group[:1])]
        case "split":
            if any(die.size == SIZES[0] for die in group):
                raise NotAllowed("A d4 cannot be split. Example: split d8, which gives 2d6")
            return [replace(die, size=down(die.size)) for die in group for _ in range(2)]
        case _:
            return [replace(die, size=SIZES[0]) for die in group]


def _stepped_up(groups: list[list[Die]], place: int, step_up: StepUpD12) -> list[Die]:
    """Step up a group's dice; a d12 does what the setting says (D5)."""
    group = groups[place]
    for which in range(len(group)):
        lower: tuple[int, int] | None = (place, which)
        if group[which].size == SIZES[-1]:
            lower = _largest_below(groups) if step_up is StepUpD12.NEXT_LOWER else None
        if lower is None:
            groups.append([Die(6)])
        else:
            g, d = lower
            groups[g][d] = replace(groups[g][d], size=up(groups[g][d].size))
    return group


def _largest_below(groups: list[list[Die]]) -> tuple[int, int] | None:
    """Where the largest die below d12 lies, the first of equals."""
    dice = [
        (die.size, -g, -d)
        for g, group in enumerate(groups)
        for d, die in enumerate(group)
        if NO_DIE < die.size < 12
    ]
    if not dice:
        return None
    _, g, d = max(dice)
    return -g, -d


def step_up_die(dice: list[Die], place: int, step_up: StepUpD12) -> list[Die]:
    """A pool with one of its dice stepped up once; a d12 does what the setting says (D5)."""
    groups = [[die] for die in dice]
    groups[place] = _stepped_up(groups, place, step_up)
    return [die for group in groups for die in group]


def step_up_pool(sizes: tuple[int, ...], size: int, step_up: StepUpD12) -> tuple[int, ...]:
    """A pool of plain dice with one die of that size stepped up once (D5, M1)."""
    dice = step_up_die([Die(each) for each in sizes], sizes.index(size), step_up)
    return tuple(sorted(die.size for die in dice))
