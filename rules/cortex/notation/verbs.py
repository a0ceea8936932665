"""What is done to dice where they are typed: up, down, double, split, hinder (D5, D6)."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.cortex.notation.names import LESS_ONE
from rules.cortex.state.pool import SOURCES, Die, Pool, Source, Special
from rules.cortex.state.ruleset import Ruleset, StepUpD12
from rules.cortex.state.several import as_one
from rules.cortex.state.table import Modifier
from rules.dice import SAFE_WORD, SIZES, check_count, down, up
from rules.errors import NotAllowed
from rules.kinds import key
from rules.values import replace

NO_DIE = 0
"""The size of an SFX, which is named among the dice and brings none."""


@dataclass(frozen=True, slots=True)
class TypedDice:
    """What was typed, as a pool; `hindered` are the dice that went in as d4 for a PP (P1).

    `used` are the SFX that were named, each with the die right behind it, if there is one (X1); `lent` the
    sizes of dice that come out of the doom pool (D4), `plus` what is added to the total (N13).
    """

    pool: Pool
    hindered: tuple[str, ...] = ()
    used: tuple[tuple[str, Die | None], ...] = ()
    lent: tuple[int, ...] = ()
    plus: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """Dice of one token, and what is to be done to them."""

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
) -> TypedDice:
    """Apply every verb in the order written, each to its own dice (D6).

    `several` says of each trait of several among them, by its key, its source and how many it has (N21).
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
            groups[place] = _apply(verb, groups, place, rules, is_one=is_one, at=at)
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
    """Dice as typed, with those of the trait before each part of one that is not there itself (N23)."""
    if not [True for item in items if item.whole]:
        return items
    there = {key(die.label) for item in items for die in item.dice if die.label}
    found: list[Item] = []
    for item in items:
        if item.whole and key(item.whole[0].label) not in there:
            there.add(key(item.whole[0].label))
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
    verb: str, groups: list[list[Die]], place: int, rules: Ruleset, *, is_one: bool, at: int | None
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
            return _stepped_up(groups, place, rules, which if is_one else None)
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


def _stepped_up(groups: list[list[Die]], place: int, rules: Ruleset, only: int | None = None) -> list[Die]:
    """Step up a group's dice, or `only` one of them; a d12 does what the setting says (D5)."""
    group = groups[place]
    for which in range(len(group)) if only is None else (only,):
        lower: tuple[int, int] | None = (place, which)
        if group[which].size >= rules.sizes[-1]:
            lower = (
                _largest_below(groups, rules.sizes[-1]) if rules.step_up_d12 is StepUpD12.NEXT_LOWER else None
            )
        if lower is None:
            groups.append([Die(6)])
        else:
            g, d = lower
            groups[g][d] = replace(groups[g][d], size=up(groups[g][d].size, 1, rules.sizes))
    return group


def _largest_below(groups: list[list[Die]], top: int) -> tuple[int, int] | None:
    """Where the largest die below the top size lies, the first of equals."""
    dice = [
        (die.size, -g, -d)
        for g, group in enumerate(groups)
        for d, die in enumerate(group)
        if NO_DIE < die.size < top
    ]
    if not dice:
        return None
    _, g, d = max(dice)
    return -g, -d


def step_up_die(dice: list[Die], place: int, rules: Ruleset) -> list[Die]:
    """A pool with one of its dice stepped up once; a d12 does what the setting says (D5)."""
    groups = [[die] for die in dice]
    groups[place] = _stepped_up(groups, place, rules)
    return [die for group in groups for die in group]


def step_up_pool(sizes: tuple[int, ...], size: int, rules: Ruleset) -> tuple[int, ...]:
    """A pool of plain dice with one die of that size stepped up once (D5, M1)."""
    dice = step_up_die([Die(each) for each in sizes], sizes.index(size), rules)
    return tuple(sorted(die.size for die in dice))
