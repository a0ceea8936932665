"""Parse the tokens of typed One-Roll dice into a pool, a crowd or ratings (O1, O3, O6).

`Body 3d + Fight 2d 1w - 1d` is a sum of items. An item is dice with a label before or after them, or the
name of a rating; rating names are recognized first. Anything else is refused or asked about.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce

from rules.errors import NotAllowed, PossibleAnswer, RuleError, Undecided, Unknown, Unreadable
from rules.names import LABEL, clean, find, get_named, key, without_mention
from rules.ore.model import OneRollRating
from rules.ore.pool import (
    EXPERT,
    MOST,
    MOST_IN_CROWD,
    NO_DICE,
    SIDES,
    OrePool,
    added,
    check,
    reduced,
    special,
    write,
)
from rules.ore.tokens import OPPOSED, OreSort, OreToken, plain_text, tokens
from rules.text import Phrase, Row, Words, shorten
from rules.values import Value, replace

LONGEST, LONGEST_LINE = 200, 5000
"""Longer text is no pool, and no line of ratings."""


MOST_TYPED = 30
"""No more dice of a kind can be meant; a larger number belongs to the label before it: `Agent 47 3d`."""


_STRUCK = re.compile("~~((?:[^~]|~(?!~))*+)~~")


_ITEM = re.compile("L*[DSn]*|[DSn]+L+|N")


_PENALTY = re.compile("[Dn]?L*|L+[Dn]|N|S")
"""The sorts of tokens that one item can have; behind a minus only one number of dice."""


_TYPOS = str.maketrans("OolI", "0011")


_BETWEEN = frozenset({"or", "then", "without", "half"})
"""Words between dice that would make another roll of them."""


_PENALTIES = frozenset({"penalty", "penalties", "malus"})


_SMALL = frozenset({"on", "at", "to", "for", "from", "of", "by", "in", "into", "with", "as", "per", "is"})
"""Words that name nothing by themselves, so that dice next to them alone may mean something else."""


class OreItem(Value):
    """One part of a sum: its dice, its label, whether it is a penalty, and what stands before it."""

    dice: OrePool
    label: str = ""
    is_penalty: bool = False
    before: OreSort = OreSort.GAP
    is_rating: bool = False


def read(
    text: str,
    ratings: Mapping[str, OneRollRating] | None = None,
    decided: Collection[str] = (),
    *,
    hard: int = 0,
    wiggle: int = 0,
    expert: int | None = None,
    called: int | None = None,
) -> OrePool:
    """Parse a pool, and add the options to it.

    `ratings` are those of a sheet, by key, and `decided` the signs of given answers. Raises Unreadable or
    Unknown if it isn't a pool; NotAllowed for a pool out of range; Undecided if it has two readings.

    >>> write(read("Body 3d + Fight 2d 1w - 1d")), write(read("5d10 h"))
    ('4d 1w', '5d 1h')
    """
    _require_short(text, LONGEST)
    items = read_items(text, ratings or {}, decided)
    given = OrePool(hard=hard, wiggle=wiggle)
    if expert is not None and expert not in [item.dice.expert or None for item in items]:
        given = replace(given, expert=_value(expert, special(EXPERT)))
    if called is not None and called not in [item.dice.called or None for item in items]:
        given = replace(given, called=_value(called, Words("called")))
    return _pool(items if given == NO_DICE else [*items, OreItem(given)])


def read_crowd(
    text: str, ratings: Mapping[str, OneRollRating] | None = None, decided: Collection[str] = ()
) -> list[OrePool]:
    """Return the pools of a crowd, separated by commas: `Guards 4d, Wolves 6d 1w`.

    Raises what `read` raises, and Unreadable if a comma is missing.

    >>> [write(pool) for pool in read_crowd("Guards 4d, Wolves 6d 1w")]
    ['4d', '6d 1w']
    """
    pools: list[list[OreItem]] = []
    for item in read_items(text, ratings or {}, decided):
        if item.before is OreSort.COMMA or not pools:
            pools.append([item])
        elif item.before in (OreSort.GAP, OreSort.AND) and item.dice.dice:
            raise Unreadable("Put commas between the pools of a crowd. Example: 4d, 3d + 3d")
        else:
            pools[-1].append(item)
    return [_pool(items, MOST_IN_CROWD) for items in pools]


def read_ratings(text: str) -> list[tuple[str, OrePool]]:
    """Return the ratings in a line of a sheet, as (label, dice). Raises Unreadable or NotAllowed.

    >>> [(label, write(dice)) for label, dice in read_ratings("Body 3d, Magic MD")]
    [('Body', '3d'), ('Magic', '1m')]
    """
    _require_short(text, LONGEST_LINE)
    found: list[tuple[str, OrePool]] = []
    for item in read_items(text, {}, None):
        if item.is_penalty:
            raise Unreadable("A rating can't have negative dice. Example: Body 3d, Fight 2d 1w")
        if not item.label and found and item.before in (OreSort.PLUS, OreSort.AND):
            found[-1] = found[-1][0], added(found[-1][1], item.dice)
        elif item.label:
            found.append((item.label, item.dice))
        else:
            raise Unreadable("{dice} needs a name. Example: Body {dice}", dice=write(item.dice))
    for _, dice in found:
        check(replace(dice, dice=MOST))
    return found


def _require_short(text: str, most: int) -> None:
    if len(text) > most:
        raise Unreadable("That's {count} characters; the limit is {most}.", count=len(text), most=most)


def write_items(items: Sequence[OreItem]) -> str:
    """Return items as a sum that can be typed again.

    >>> write_items([OreItem(OrePool(2), "Plan 9"), OreItem(OrePool(1), is_penalty=True)])
    '"Plan 9" 2d - 1d'
    """
    said = []
    for item in items:
        dice, label = write(item.dice), quote_label(item.label)
        words = ("-", dice, label) if item.is_penalty else ("+", label, dice)
        said += [word for word in words if word]
    return " ".join(said).removeprefix("+ ")


def write_ratings(ratings: Iterable[OneRollRating]) -> str:
    """Return ratings as a line of a sheet, which `read_ratings` reads.

    >>> write_ratings([OneRollRating("Body", "3d"), OneRollRating("Plan 9", "2d 1w")])
    'Body 3d, "Plan 9" 2d 1w'
    """
    return ", ".join(f"{quote_label(each.label)} {each.dice}" for each in ratings)


def quote_label(label: str) -> str:
    """Return a label as it can be typed, in quotation marks if it would otherwise be misread.

    >>> quote_label("Body"), quote_label("Plan 9")
    ('Body', '"Plan 9"')
    """
    words = [token.text for token in tokens(f"{label} e7") if token.sort is OreSort.WORD]
    folded = {*key(label).split()}
    is_plain = (
        " ".join(words) == label and (_PENALTIES | _BETWEEN).isdisjoint(folded) and not folded <= _SMALL
    )
    return label if is_plain or not label else f'"{label}"'


def is_label(text: str) -> bool:
    """Return whether a sheet can have a rating of that name.

    >>> is_label("Plan 9"), is_label("Weapon 2h")
    (True, False)
    """
    try:
        return [label for label, _ in read_ratings(f"{quote_label(text)} 2d")] == [text]
    except RuleError:
        return False


def read_items(
    text: str, ratings: Mapping[str, OneRollRating], decided: Collection[str] | None
) -> list[OreItem]:
    """Return the items of a text; `decided` is None for a sheet, where names may contain known words.

    Raises Unreadable if something can't be understood.
    """
    if decided is not None and _STRUCK.search(text):
        texts = dict.fromkeys(" ".join(_STRUCK.sub(each, text).split()) for each in (" ", r"\1"))
        readings = {each: items for each in texts if (items := _tried(each, ratings, decided))}
        if readings:
            return _choice(text, readings, decided)
    found = tokens(plain_text(text), [each.label for each in ratings.values()])
    if decided is None:
        found = _with_long_names(found)
    found = _with_minus(found)
    _require_certain(found)
    _require_sums(found)
    groups = list(_groups(found))
    items = [item for group in groups for item in _items_of(group, ratings, decided)]
    if all(item.is_penalty for item in items):
        raise (
            _penalty()
            if any(map(_is_penalty, found))
            else Unreadable("That pool has no dice. Example: 5d 2w")
        )
    return _with_dice_of_names(items, decided) if decided is not None else items


def _tried(text: str, ratings: Mapping[str, OneRollRating], decided: Collection[str]) -> list[OreItem]:
    try:
        return read_items(text, ratings, decided)
    except RuleError:
        return []


def _choice(
    text: str, readings: Mapping[str, list[OreItem]], decided: Collection[str] | None
) -> list[OreItem]:
    """The reading that was decided for. Raises Undecided, or Unreadable on a sheet."""
    signs = {f"read {text} as {each}": each for each in readings}
    for sign in decided or ():
        if sign in signs:
            return readings[signs[sign]]
    if decided is None:
        example = next(iter(readings))
        raise Unreadable(
            "{text} could mean two things. Example: {example}", text=shorten(text), example=example
        )
    answers = (PossibleAnswer(Row((each,)), sign) for sign, each in signs.items())
    raise Undecided("{text} could mean two things. Which do you mean?", *answers, text=shorten(text))


def _with_long_names(found: list[OreToken]) -> list[OreToken]:
    """The tokens of a sheet's line: a word of the notation with a word behind it is part of a name."""
    kept: list[OreToken] = []
    for place, token in reversed([*enumerate(found)]):
        before = found[place - 1].sort if place else OreSort.COMMA
        is_word = token.sort is OreSort.STRAY and token.text.isalpha()
        is_word |= (
            token.sort in (OreSort.PLUS, OreSort.AND) and token.text.isalpha() and before is OreSort.WORD
        )
        is_word |= token.is_loose and before not in (
            OreSort.DICE,
            OreSort.SPECIAL,
            OreSort.NUMBER,
        )
        is_word &= bool(kept) and kept[-1].sort is OreSort.WORD
        kept.append(replace(token, sort=OreSort.WORD, is_loose=False) if is_word else token)
    return kept[::-1]


def _with_minus(found: list[OreToken]) -> list[OreToken]:
    """The tokens with a minus for `penalty` or `penalty of` between dice: `5d penalty 2` is `5d - 2`."""
    kept = [
        token
        for before, token in zip([None, *found], found, strict=False)
        if not (before and _is_penalty(before) and key(token.text) == "of")
    ]
    around = zip([None, *kept], kept, [*kept[1:], None], strict=False)
    return [
        replace(token, sort=OreSort.MINUS)
        if _is_penalty(token) and before and before.sort in _ENDING and after and after.sort in "Dn"
        else token
        for before, token, after in around
    ]


_ENDING = (OreSort.DICE, OreSort.SPECIAL, OreSort.NUMBER, OreSort.NAME, OreSort.WORD)
"""The sorts of tokens with which an item can end."""


def _is_penalty(token: OreToken) -> bool:
    return token.sort is OreSort.WORD and not token.is_quoted and key(token.text) in _PENALTIES


def _require_certain(found: list[OreToken]) -> None:
    """Refuse dice by a word alone that may be part of a name: `Hard Luck 3d`, `Iron Master 3d`."""
    for before, token, after in zip([None, *found], found, [*found[1:], None], strict=False):
        sorts = (before.sort if before else OreSort.COMMA, after.sort if after else OreSort.COMMA)
        if token.is_loose and (sorts[1] is OreSort.WORD or (sorts[0] is OreSort.WORD and sorts[1] in "DSn")):
            raise Unreadable(
                "{text} means dice. If it's part of a name, put the name in quotation marks. Example: "
                "{example}",
                text=shorten(token.text),
                example=f'"{token.text} Name" 3d',
            )


def _require_sums(found: list[OreToken]) -> None:
    """Refuse what looks like a sum and isn't one: `5d 6`, `5d/2`, `5d +`."""
    for token, after in zip(found, [*found[1:], None], strict=False):
        number = after.text if after and after.sort is OreSort.NUMBER else ""
        if token.sort in (OreSort.DICE, OreSort.SPECIAL) and number:
            raise Unreadable(
                "{number} could be dice or something else. For more dice, type {example}.",
                number=number,
                example=f"{token.text} + {number}d",
            )
        if token.text == "/" and number:
            raise Unreadable("A pool can't be divided. Type the dice that are left, such as 3d.")
        if token.sort is OreSort.PLUS and after is None:
            raise Unreadable("Type what comes after {plus}, or leave it out.", plus=token.text)


_NEEDS = re.compile(
    r"(?<![\w\"])(?P<name>width|height)\s*+[:=]?\s*+(?P<least>[0-9]{1,3})(?![\w.])"
    r"(?:\s*\+(?=\s*(?:[,;]|$))|\s+or\s+(?:more|higher|wider)(?!\w))?(?!\s*d(?:10)?(?!\w))",
    re.IGNORECASE,
)


def read_difficulty(text: str, ratings: Iterable[OneRollRating]) -> tuple[str, dict[str, int]]:
    """Return a text without the difficulty in it, and the least width and height that it names (O6).

    A rating that begins with one of these words keeps it. Raises NotAllowed for a width or height that is
    there twice.

    >>> read_difficulty("5d 1w, width 3 height 6+", ())
    ('5d 1w,', {'width': 3, 'height': 6})
    """
    begun = {key(each.label).split()[0] for each in ratings if each.label.strip()}
    found = dict[str, int]()
    for match in _NEEDS.finditer(text := plain_text(text)):
        name = key(match["name"])
        if name in begun:
            return text, {}
        if name in found:
            raise NotAllowed("The {name} is there twice. Type it once.", name=name)
        found[name] = int(match["least"])
    return (" ".join(_NEEDS.sub(" ", text).split()) if found else text), found


def _groups(found: list[OreToken]) -> Iterator[tuple[OreSort, list[OreToken]]]:
    """The tokens of each item, with what stands before them. Raises Unreadable for what is no dice."""
    before, group, sorts = OreSort.GAP, list[OreToken](), ""
    for token, after in zip(found, [*found[1:], None], strict=False):
        if token.sort is OreSort.STRAY:
            raise _stray(token.text)
        if token.sort in (OreSort.PLUS, OreSort.AND, OreSort.COMMA, OreSort.MINUS):
            if group or before is OreSort.MINUS:
                yield before, group
            is_still_comma = before is OreSort.COMMA and not group and token.sort is not OreSort.MINUS
            before, group, sorts = OreSort.COMMA if is_still_comma else token.sort, [], ""
            continue
        is_large = token.sort is OreSort.NUMBER and token.dice.dice > MOST_TYPED
        if is_large and "L" in sorts and after and after.sort in "DSn":
            token = replace(token, sort=OreSort.WORD)  # `Agent 47 3d`
        if group and not (_PENALTY if before is OreSort.MINUS else _ITEM).fullmatch(sorts + token.sort):
            if before is OreSort.MINUS and token.sort in "Dn":
                raise _penalty()
            yield before, group
            before, group, sorts = OreSort.GAP, [], ""
        group.append(token)
        sorts += (
            "" if sorts.endswith("L") and token.sort == "L" else token.sort
        )  # words in a row are like one
    if group or before is OreSort.MINUS:
        yield before, group


def _items_of(
    parts: tuple[OreSort, list[OreToken]],
    ratings: Mapping[str, OneRollRating],
    decided: Collection[str] | None,
) -> list[OreItem]:
    """The item of a group: its dice with their label, or the rating that is named."""
    before, group = parts
    text = " ".join(token.text for token in group)
    words = [token for token in group if token.sort is OreSort.WORD]
    takes_off = [token for token in words if _is_penalty(token)]
    is_penalty = before is OreSort.MINUS or bool(takes_off)
    label = " ".join(token.text for token in words if token not in takes_off)
    dice = [_checked(token) for token in group if token.sort in "DSn"]
    if is_penalty and [token.sort for token in group if token.sort in "DSnN"] not in (["D"], ["n"]):
        raise _penalty()
    if between := next((word for word in words if key(word.text) in _BETWEEN and not word.is_quoted), None):
        raise _stray(between.text)
    if dice and words and all(key(word.text) in _SMALL and not word.is_quoted for word in words):
        raise _stray(words[0].text)
    if any(word.is_quoted and _holds_dice(word.text) for word in words):
        raise Unreadable(
            "{label} has dice in it. Leave the dice out of the name. Example: Body 3d", label=shorten(label)
        )
    if dice:
        label = clean(label, LABEL) if label else ""
        items = [OreItem(reduce(added, dice), label, is_penalty, before)]
    elif ratings or group[0].sort is OreSort.NAME:
        found = _named(label or text, [token.text for token in words], ratings)
        befores = [before, *[OreSort.PLUS] * (len(found) - 1)]
        items = [
            OreItem(_dice_of(rating), rating.label, False, each, True)
            for rating, each in zip(found, befores, strict=True)
        ]
    else:
        raise _no_dice(text, f"{quote_label(clean(label, LABEL)[:30].strip())} 3d", is_sheet=decided is None)
    if re.match("L+n[DS]*[Dn]", "".join(token.sort for token in group)):
        level, *rest = dice
        behind = reduce(added, rest)
        whole = OreItem(behind, f"{label} {level.dice}", False, before)
        readings = [
            [whole],
            [OreItem(level, label, False, before), OreItem(behind, before=OreSort.PLUS)],
        ]
        return _choice(text, {write_items(each): each for each in readings}, decided)
    return items


def _named(typed: str, words: list[str], ratings: Mapping[str, OneRollRating]) -> list[OneRollRating]:
    """The rating that is typed, or one for each word: `bo fi`. Raises Unknown or Ambiguous."""
    labels = [each.label for each in ratings.values()]
    try:
        return [ratings[key(find(typed, labels, Words("rating")))]]
    except Unknown:
        if len(words) < 2:
            raise
        found = [_found(word, labels) for word in words]
        if not all(found):
            raise
        return [ratings[key(each)] for each in found]


def _found(word: str, labels: list[str]) -> str:
    """The one label that a word means; "" for none or several."""
    try:
        return find(word, labels, Words("rating"))
    except RuleError:
        return ""


def _dice_of(rating: OneRollRating) -> OrePool:
    return reduce(added, (token.dice for token in tokens(rating.dice)), NO_DICE)


def _no_dice(text: str, example: str, *, is_sheet: bool) -> Unreadable:
    if is_sheet:
        return Unreadable("{text} needs dice. Example: {example}", text=shorten(text), example=example)
    return Unreadable(
        "{text} has no dice, and isn't a rating on your sheet. Example: {example}",
        text=shorten(text),
        example=example,
    )


def _penalty() -> Unreadable:
    return Unreadable("A penalty is a number of dice. Example: 5d - 2d")


def _holds_dice(label: str) -> bool:
    return any(each.sort in "DS" and re.search("[0-9]", each.text) for each in tokens(label))


def _with_dice_of_names(items: list[OreItem], decided: Collection[str]) -> list[OreItem]:
    """The items; dice right beside a name are its own, or asked about (`Body 4d` where it is 3d)."""
    found: list[OreItem] = []
    for item in items:
        last = found[-1] if found else None
        is_beside = last is not None and item.before is OreSort.GAP and last.is_rating != item.is_rating
        if last is None or not is_beside or last.is_penalty or (last.label and item.label):
            found.append(item)
            continue
        name, dice = (last, item) if last.is_rating else (item, last)
        own = replace(dice, label=name.label, before=last.before, is_rating=True)
        if name.dice == dice.dice:
            found[-1] = own
            continue
        readings = [[own], [last, replace(item, before=OreSort.PLUS)]]
        said = f"{name.label} {write(dice.dice)}"
        found[-1:] = _choice(said, {write_items(each): each for each in readings}, decided)
    return found


def _pool(items: list[OreItem], most: int = MOST) -> OrePool:
    """The pool that items make together. Raises NotAllowed for one out of range."""
    total = reduce(added, (item.dice for item in items if not item.is_penalty))
    pool = reduced(total, sum(item.dice.dice for item in items if item.is_penalty), most)
    if pool.over or any(item.is_penalty or item.label for item in items):
        pool = replace(pool, typed=write_items(items))
    check(pool, most)
    return pool


def _checked(token: OreToken) -> OrePool:
    """The dice of a token. Raises NotAllowed for too many, or for a value that no die has."""
    dice = token.dice
    if max(dice.dice, dice.hard, dice.wiggle) > MOST_TYPED:
        raise NotAllowed(
            "{text} is too many dice; the limit is {most}.",
            text=shorten(token.text),
            most=MOST_TYPED,
        )
    if token.value is not None:
        is_called = key(token.text).lstrip("0123456789 ").startswith("c")
        _value(token.value, Words("called") if is_called else special(dice.expert_name))
    return dice


def _value(value: int, name: Phrase) -> int:
    """The value of an expert or called die. Raises NotAllowed for none that a die shows."""
    if not 1 <= value <= SIDES:
        raise NotAllowed(
            "The {name} die can show 1 to {sides}, not {value}.",
            name=name,
            sides=SIDES,
            value=value,
        )
    return value


def _stray(text: str) -> Unreadable:
    """The refusal of what is no dice, no name and no word of a label."""
    straight = text.translate(_TYPOS)
    if straight != text and re.search("[0-9]", text) and all(each.sort in "DS" for each in tokens(straight)):
        return Unreadable("{text} isn't a die. Did you mean {meant}?", text=shorten(text), meant=straight)
    said = shorten(text)
    if re.search("d[0-9]", text, re.IGNORECASE):
        return Unreadable("{text} isn't a One-Roll die: One-Roll dice are all d10. Example: 5d 2w", text=said)
    if key(text) in OPPOSED:
        return Unreadable("A One-Roll pool has no opposition. Leave out {text}.", text=said)
    if text.isalpha():
        return Unreadable(
            "{text} doesn't work with One-Roll dice. If it's a name, put it in quotation marks. "
            "Example: {name} 3d",
            text=said,
            name=f'"{text}"',
        )
    return Unreadable("{text} isn't a One-Roll die. Use 5d, 2w, 1h, e7 or c3.", text=said)


MOST_RATINGS = 40
"""A sheet has at most this many ratings."""


def more(held: Mapping[str, OneRollRating], typed: str) -> dict[str, OneRollRating]:
    """Return the ratings, by key, with typed ones added: `Body 3d, Magic MD` (O1).

    Raises Unreadable; NotAllowed for a label that is already there or too many ratings.
    """
    found = dict(held)
    for label, dice in read_ratings(typed):
        if get_named(found, without_mention(label)) is not None:
            raise NotAllowed("The sheet has {each} twice. Give one of the two another name.", each=label)
        found[key(label)] = OneRollRating(label, write(dice))
    if len(found) > MOST_RATINGS:
        raise NotAllowed("A sheet can have at most {most_traits} ratings.", most_traits=MOST_RATINGS)
    return found
