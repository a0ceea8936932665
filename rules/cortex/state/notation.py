"""Reading dice as people type them: `Mind d10, up Sharp, 2d6` (D2, D4 to D6)."""

import re
import unicodedata
from collections.abc import Collection, Mapping

from rules.cortex.state import modifiers
from rules.cortex.state.known_names import (
    SCALE,
    Known,
    Safe,
    are_known,
    is_less_one,
    is_scale,
    is_verb,
    named_items,
    note,
    with_safe,
)
from rules.cortex.state.ruleset import PRIME, Ruleset
from rules.cortex.state.several import FURTHER, Several
from rules.cortex.state.table import Modifier
from rules.cortex.state.verbs import NO_DIE, SFX, Item, TypedDice, manipulated, with_wholes
from rules.dice import (
    FROM_DOOM,
    MOST_DICE,
    SAFE_WORD,
    SCALE_WORD,
    VERBS,
    Die,
    Ladder,
    Pool,
    no_die,
    shorten,
    typable,
    usual,
    write,
)
from rules.errors import NotAllowed, PossibleAnswer, Undecided, Unreadable
from rules.names import LABEL, clean
from rules.values import replace
from rules.words import Words

LONGEST = 1000
"""Text longer than this is no pool."""
DOOM_LABEL = "Doom"
"""The label of a die that was taken out of the doom pool (D4)."""

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


def read(
    text: str,
    known: Mapping[str, Die] | None = None,
    rules: Ruleset = PRIME,
    *,
    may_lend: bool = False,
    decided: Collection[str] = (),
    whose: str = "",
    own: str = "",
    may_add: bool = False,
    is_rating: bool = False,
) -> TypedDice:
    """The pool that the text means; `known` are names that stand for dice, by label.

    `may_lend` says that the pool is one to roll, into which dice of the doom pool may go (D4), `may_add` that
    numbers may be added to its total (N13), `is_rating` that
    it gives ratings of traits (N21), `decided` are
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
    plus: tuple[Modifier, ...] = ()
    if "+" in text or "-" in text or "−" in text:
        text, plus = modifiers.parted(text, rules, decided)
    if plus and not may_add:
        raise NotAllowed(
            "{plus} is added to a roll, and belongs to no dice that are kept. "
            "Example: /roll dice:2d6 d8 {plus}",
            plus=modifiers.write(plus),
        )
    items: list[Item] = []
    names = _typed(known or {})
    names.sizes = rules.sizes
    names.decided, names.whose, names.own, names.is_rating = decided, whose, own, is_rating
    straight = text.replace("“", '"').replace("”", '"')
    has_safe = rules.safe_dice and SAFE_WORD in straight.lower()
    for segment in _segments(_with_quotes(straight, names)):
        tokens = with_safe(segment, names) if has_safe else segment
        items += _read_segment(tokens, names)
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
            "Dice come from {doom_pool.short} into a pool when it is rolled. Example: /roll dice:from doom d8"
        )
    if names:
        reading = manipulated(with_wholes(items), rules, lent, names.several)
    else:
        reading = manipulated(items, rules, lent)
    return replace(reading, plus=plus) if plus else reading


def _typed(known: Mapping[str, Die]) -> Known:
    """The names as they can be typed: most have no quotation marks."""
    whole = "".join(known)
    if typable(whole) == whole:
        return Known(known)
    names = Known({typable(name): die for name, die in known.items()})
    # A name that is written so goes before one that only becomes it without its quotation marks.
    names |= {name: die for name, die in known.items() if name in names}
    return names


def is_dice_alone(text: str) -> bool:
    """Whether every word of a text is dice, so that it means no name."""
    return all(map(_DIE.fullmatch, _PARTING.split(text.strip())))


def read_dice(text: str, rules: Ruleset = PRIME) -> tuple[int, ...]:
    """Sizes of dice alone, for a pool that keeps no labels. Raises Unreadable for a label."""
    pool = read(text, None, rules).pool
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


def _read_die(token: tuple[str, bool], sizes: Ladder) -> Pool | None:
    """The dice of a token, or None if it is a word."""
    word, is_quoted = token
    match = None if is_quoted else _DIE.fullmatch(word)
    if match is None:
        return None
    count, size = match[1] or "1", match[2] or match[3]
    if len(size) > 2 or int(size) not in sizes:
        raise no_die(word, int(size), sizes, f"2d6 d{usual(sizes)}")
    if len(count) > 3 or not 1 <= int(count) <= MOST_DICE:
        raise NotAllowed(
            "{word}: a pool holds 1 to {most_dice} dice. Example: 2d6 d8",
            word=shorten(word),
            most_dice=MOST_DICE,
        )
    return (Die(int(size), safe=isinstance(word, Safe)),) * int(count)


def _read_segment(tokens: list[tuple[str, bool]], known: Known) -> list[Item]:
    """What stands between two commas: words before a die are its label, or words behind it."""
    first = _read_die(tokens[0], known.sizes)
    is_after = first is not None and len(tokens) > 1 and _read_die(tokens[-1], known.sizes) is None
    items: list[Item] = []
    words: list[tuple[str, bool]] = []
    for place, token in enumerate(tokens):
        dice = _read_die(token, known.sizes) if place else first
        if dice is None:
            words.append(token)
            continue
        if is_after:
            is_lent = _is_lent(words)
            items = _label_last(items, words[:-2] if is_lent else words, known)
            items.append(Item(_lent(dice) if is_lent else dice))
        else:
            items += _before_die(words, dice, known)
        words = []
    if _is_lent(words):
        raise Unreadable(
            "Say which die comes from {doom_pool.short}. Example: {from_doom} d8", from_doom=FROM_DOOM
        )
    if words:
        items = _label_last(items, words, known) if is_after else items + named_items(words, known)
    return items


def _is_lent(words: list[tuple[str, bool]]) -> bool:
    """Whether the die behind these words comes out of the doom pool (D4)."""
    return len(words) > 1 and [word.lower() for word, is_quoted in words[-2:] if not is_quoted] == _FROM_DOOM


def _lent(dice: Pool) -> Pool:
    return tuple(replace(die, label=DOOM_LABEL, source=FROM_DOOM, safe=False) for die in dice)


def _label_last(items: list[Item], words: list[tuple[str, bool]], known: Known) -> list[Item]:
    """Words behind a die: the label of it."""
    if not words or not items:
        return items
    is_less = is_less_one(words[:2], known) and are_known(words, known)
    if is_less or any(is_verb(word) or is_scale(word) for word in words):
        return items + named_items(words, known)
    last = items[-1]
    return [*items[:-1], replace(last, dice=_labelled(last.dice, words, known))]


def _before_die(words: list[tuple[str, bool]], dice: Pool, known: Known) -> list[Item]:
    """Words before a die: verbs, known names for themselves, and the label of the die."""
    if not words:
        return [Item(dice)]
    start = max((place + 1 for place, word in enumerate(words) if is_verb(word)), default=0)
    verbs_from = start
    while verbs_from and is_verb(words[verbs_from - 1]):
        verbs_from -= 1
    first = named_items(words[:verbs_from], known) if verbs_from else []
    label_words = words[start:]
    verbs = tuple(word.lower() for word, _ in words[verbs_from:start])
    if _is_lent(label_words):
        own = label_words[:-2]
        named = named_items([(verb, False) for verb in verbs] + own, known) if own else []
        return [*first, *named, Item(_lent(dice), () if own else verbs)]
    if len(label_words) == 1 and is_scale(label_words[0]) and len(dice) > 1:
        return [*first, Item((SCALE,)), Item(dice, verbs)]
    keys = known.folded
    is_one_name = " ".join(word for word, _ in label_words).casefold() in keys
    for place in range(1, 1 if is_one_name else len(label_words)):
        rest = " ".join(word for word, _ in label_words[place:])
        if rest.casefold() in keys and are_known(label_words[:place], known):
            _require_decided(label_words[place:], dice, known)
            if _sign("well", label_words[place:], dice) in known.decided:
                both = named_items([(verb, False) for verb in verbs] + label_words, known)
                return [*first, *both, Item(dice)]
            named = named_items([(verb, False) for verb in verbs] + label_words[:place], known)
            return [*first, *named, Item(_labelled(dice, label_words[place:], known))]
    return [*first, Item(_labelled(dice, label_words, known), verbs)]


def _require_decided(words: list[tuple[str, bool]], dice: Pool, known: Known) -> None:
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


def _labelled(dice: Pool, words: list[tuple[str, bool]], known: Known) -> Pool:
    """Dice with a label; a known name keeps where it comes from (D2), and an SFX is used on them (X1)."""
    if not words:
        return dice
    if len(words) == 1 and is_scale(words[0]):
        return tuple(replace(SCALE, size=die.size) for die in dice)
    label = clean(" ".join(word for word, _ in words), LABEL)
    same = known.folded.get(label.casefold())
    if same is not None and same.source == SFX:
        return (same, *dice)
    if same is not None:
        if isinstance(same, Several):
            note(same, known)
        return tuple(
            replace(die, label=same.label, source=same.source, safe=die.safe or same.safe) for die in dice
        )
    _check_label(words)
    if known.is_rating and len(dice) > 1:
        return tuple(replace(die, label=label, source=FURTHER if n else "") for n, die in enumerate(dice))
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
