"""Typed dice as a pool: the tree of a text, with the dice that its names stand for (D2, D4 to D6)."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby, repeat

from rules.cortex.notation import modifiers
from rules.cortex.notation.grammar import parse
from rules.cortex.notation.names import SCALE, Known
from rules.cortex.notation.tree import Node, Tree, Unclear
from rules.cortex.notation.verbs import Item, TypedDice, manipulated, with_wholes
from rules.cortex.state.pool import NEW, SOURCES, Die, Pool, Source, Special, write_pool
from rules.cortex.state.ruleset import PRIME, Ruleset
from rules.cortex.state.several import Several, brought
from rules.dice import MOST_DICE, shorten, write
from rules.errors import NotAllowed, PossibleAnswer, RuleError, Undecided, Unreadable
from rules.kinds import key
from rules.values import replace
from rules.words import OR, Phrase, Row, Words, truncate

DOOM_LABEL = "Doom"
"""The label of a die that was taken out of the doom pool (D4)."""
_DIE = re.compile(r"([0-9]*)[dD]([0-9]+)|([0-9]+)")
_PARTING = re.compile(r"[\s,+;]+")
_SHOWN = (Special.FROM_DOOM, Special.SCALE)
"""Dice that are written by where they come from."""
_LONGEST_ANSWER = 70
"""A button has room for so many characters of a pool."""


def read(
    text: str,
    known: Mapping[str, Die] | None = None,
    rules: Ruleset | None = None,
    *,
    decided: Collection[str] = (),
    is_roll: bool = False,
    is_trait: bool = False,
    is_written: bool = False,
    is_pick: bool = False,
) -> TypedDice:
    """The pool that a text means; `known` are names that stand for dice, by label.

    Without `rules` those of the names hold, which are prime's unless a table has given others.
    `is_roll` says that it is a pool to roll: dice of doom may go into it (D4), and numbers be added to its
    total (N13). With `is_trait` dice of one count under one label are one trait (N21); `is_written` says that
    the bot wrote the text, `is_pick` that it names dice which are there, so that no verb is done to them;
    `decided` are the signs of answers. Raises Unreadable for what is no die, no label
    of one and no known name, NotAllowed for too many dice and for what is only in a roll, Undecided where two
    readings differ in dice. Nothing is dropped in silence.
    """
    names = known if isinstance(known, Known) else Known(known or {})
    names.rules = names.rules if rules is None else rules
    names.decided, names.is_trait, names.is_written = decided, is_trait, is_written
    tree = parsed(text, names, is_roll=is_roll)
    if tree.versus or tree.keep:
        raise NotAllowed(
            "{typed} doesn't belong with these dice. Leave it out.",
            typed=shorten(f"vs {tree.versus}" if tree.versus else f"keep {tree.keep}"),
        )
    if is_pick and (verbs := [verb for node in tree.nodes for verb in node.verbs]):
        raise NotAllowed("{typed} doesn't belong with these dice. Leave it out.", typed=shorten(verbs[0]))
    return dice_of(tree, names, is_roll=is_roll)


def parsed(text: str, known: Known, *, is_roll: bool = False) -> Tree:
    """The tree of a text. Raises as `grammar.parse` does, and Undecided with the pool of each answer.

    Where only one of the readings is a pool, nothing is asked.
    """
    try:
        return parse(text, known, is_roll=is_roll)
    except Unclear as unclear:
        before, found, fault = tuple(known.decided), list[tuple[PossibleAnswer, Tree | None]](), RuleError("")
        for words, sign in unclear.answers:
            known.decided = (*before, sign)
            try:
                tree: Tree | None = parsed(text, known, is_roll=is_roll)
                label = _label(tree, dice_of(tree, known, is_roll=True), is_roll) if tree else words
            except Undecided:
                tree, label = None, words
            except RuleError as error:
                fault = error
                continue
            finally:
                known.decided = before
            if tree is None or label not in [answer.label for answer, _ in found]:
                found.append((PossibleAnswer(label, sign), tree))
        if not found:
            raise fault from None
        (answer, tree), is_only = found[0], len(found) == 1 and len(unclear.answers) > 1
        if is_only and tree:
            known.decided = (*before, answer.sign)
            return tree
        raise Undecided(unclear.question, *(each for each, _ in found), **unclear.data) from None


def _label(tree: Tree, reading: TypedDice, is_roll: bool) -> Phrase:
    """What an answer offers: the pool that would be rolled, and what against."""
    pool = modifiers.beside(" + ".join(_grouped(reading.pool)), reading.plus)
    pool = f"{pool} vs {tree.versus}" if tree.versus else pool
    text = truncate(pool, _LONGEST_ANSWER)
    return Words("Roll {pool}", pool=text) if is_roll else Words("{pool}", pool=text)


def _grouped(pool: Pool) -> Iterator[str]:
    """Dice in the order of a pool, those that are alike in one: `Lore 2d12`, `d4`, `d6`."""
    for one, dice in groupby(
        pool, lambda die: die if die.source.kind in _SHOWN else replace(die, source=NEW)
    ):
        count, alone = len([*dice]), write_pool([one])
        yield f"{alone.removesuffix(f'd{one.size}')}{count}d{one.size}" if count > 1 else alone


def dice_of(tree: Tree, known: Known, *, is_roll: bool = False) -> TypedDice:
    """The dice of a tree, with verbs done in the order written (D6). Raises NotAllowed or Unreadable."""
    if tree.plus and not is_roll:
        raise NotAllowed(
            "{plus} only counts in a roll. Add it when you roll. Example: /roll dice:2d6 d8 {plus}",
            plus=modifiers.write(tree.plus),
        )
    items = [_item(node, known) for node in tree.nodes]
    dice = [die for item in items for die in item.dice]
    if not items:
        raise Unreadable("That pool has no dice. Example: 2d6 d8")
    if len(dice) > MOST_DICE:
        raise NotAllowed(
            "That's too many dice; a pool can have at most {most_dice}.",
            most_dice=MOST_DICE,
        )
    lent = [die.size for die in dice if die.source.kind is Special.FROM_DOOM]
    if lent and not is_roll:
        raise NotAllowed("You can take {doom_pool.short} dice only when you roll.")
    several = _several(tree, known) if known else {}
    reading = manipulated(with_wholes(items), known.rules, tuple(lent), several)
    return replace(reading, plus=tree.plus) if tree.plus else reading


def _several(tree: Tree, known: Known) -> dict[str, tuple[Source, int]]:
    """The source of each trait with several dice among those typed, and how many it has (N21)."""
    found: dict[str, tuple[Source, int]] = {}
    named = [known.get(node.name) for node in tree.nodes if node.name]
    for die in [die for die in named if type(die) is Several]:
        for each in (die, die.whole):
            if isinstance(each, Several) and each.more:
                found[key(each.label)] = each.source, 1 + len(each.more)
    return found


def _item(node: Node, known: Known) -> Item:
    """What a node stands for: dice of a known name with its source, or new ones with their label."""
    if node.is_lent:
        return Item(
            tuple(Die(size, DOOM_LABEL, SOURCES[Special.FROM_DOOM]) for size in node.sizes), node.verbs
        )
    if node.is_scale:
        return Item(tuple(replace(SCALE, size=size) for size in node.sizes or (SCALE.size,)), node.verbs)
    if not node.name:
        has_one = known.is_trait and bool(node.label)
        sources = [SOURCES[Special.FURTHER] if n and has_one else NEW for n in range(len(node.sizes))]
        made = map(Die, node.sizes, repeat(node.label), sources, repeat(node.is_safe))
        return Item(tuple(made), node.verbs)
    die = known.die(node.name)
    if not node.sizes:
        whole = brought(die.whole) if isinstance(die, Several) and die.whole else ()
        return Item(brought(die), node.verbs, is_named=True, whole=whole, picked=node.picked)
    is_safe = die.safe or node.is_safe
    return Item(tuple(Die(size, die.label, die.source, is_safe) for size in node.sizes), node.verbs)


def is_dice_alone(text: str) -> bool:
    """Whether every word of a text is dice, so that it means no name."""
    return all(map(_DIE.fullmatch, _PARTING.split(text.strip())))


def read_dice(
    text: str,
    rules: Ruleset = PRIME,
    decided: Collection[str] = (),
    *,
    asks: bool = True,
    is_pick: bool = False,
) -> tuple[int, ...]:
    """Sizes of dice alone, for a pool that keeps no labels.

    Raises as `read`, Unreadable for a label, and where it cannot ask for what can be read in two ways.
    """
    try:
        pool = read(text, None, rules, decided=decided, is_pick=is_pick).pool
    except Undecided as question:
        if asks:
            raise
        meant = Row([answer.label for answer in question.answers], OR)
        raise Unreadable(
            "{typed} could mean two things. Type {meant}.", typed=shorten(text), meant=meant
        ) from None
    label = next((die.label for die in pool if die.label), "")
    if label:
        raise Unreadable(
            "Dice in this pool can't have labels, so leave out {label}. Example: {what}",
            label=shorten(label),
            what=write([die.size for die in pool]),
        )
    return tuple(die.size for die in pool)
