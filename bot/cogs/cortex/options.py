"""Options of Cortex commands, which suggest traits, dice and pools."""

from collections.abc import Iterable, Mapping
from typing import Any

from discord import Interaction
from discord.app_commands import Choice, Range, Transform

from bot.client.request import asked
from bot.cogs.options import (
    LONGEST,
    LONGEST_LABEL,
    MOST,
    SeveralPeople,
    Somebody,
    TypedText,
    suggest,
    table_of,
    whose,
)
from rules.campaign.seats import Actor, character_of
from rules.cortex import pool_text, reroll, trait_lookup, traits, turn
from rules.cortex.kinds import Foe, TraitKind
from rules.cortex.model import CORTEX, Challenge, Crisis, Hand, TurnOrder
from rules.cortex.opposition import names, trait_names
from rules.cortex.pool import Die, Source, quote_label, rating_of, write_pool
from rules.cortex.pool_grammar import LONGEST as LONGEST_POOL
from rules.cortex.pool_resolver import dice_in, known_names, with_sfx
from rules.cortex.push_and_challenge import offered, verbs
from rules.cortex.ruleset import PushStress, Ruleset
from rules.cortex.sfx_use import owned
from rules.custom_terms import suggested
from rules.dice import write_dice
from rules.game import gmcs_at
from rules.names import GM, fold
from rules.table import Character, Table


class _Payer(Somebody):
    """Who has PP: a character, and the GM where the setting says so."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        gm = [suggested(table, GM)] if CORTEX.of(table).ruleset.gm_pp else []
        return [*super().found(table, player, interaction), *gm]


class _Payers(SeveralPeople):
    """One or several who have PP, or the GM."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        gm = [suggested(table, GM)] if CORTEX.of(table).ruleset.gm_pp else []
        return [*super().found(table, player, interaction), *gm]


class _Trait(TypedText):
    """A trait that exists, with its owner: `Alice · Broken Leg d8`."""

    longest = LONGEST_LABEL

    def __init__(self, *kinds: TraitKind) -> None:
        self.kinds = kinds

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        people = sorted(trait_lookup.owners(table), key=lambda pair: pair[1] is not own)
        for _, owner in people:
            for kind in self.kinds:
                for trait in CORTEX.has(owner).traits(kind).values():
                    full = trait_lookup.suggested(table, owner, kind, trait)
                    yield full if len(full) <= LONGEST else trait.label


class _Held(_Trait):
    """A trait that exists, of the kinds that the command's group is about."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        kinds: tuple[TraitKind, ...] = getattr(getattr(interaction.command, "binding", None), "kinds", ())
        return _Trait(*kinds).found(table, player, interaction)


class _Track(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return CORTEX.of(table).ruleset.stress


class _NextInOrder(TypedText):
    """Who can be named next in the turn order."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [table.characters[who].name for who in turn.candidates(table)]


class _NextInChallenge(TypedText):
    """Who can be named next in the challenge that is named, or in the only one."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        name = fold(str(getattr(interaction.namespace, "name", "") or ""))
        orders = [c.order for one, c in CORTEX.of(table).challenges.items() if fold(one).startswith(name)]
        left = turn.left(table, (orders or [TurnOrder()])[0], gmcs=False)
        players = [who for who, character in table.characters.items() if not character.gmc]
        return [table.characters[who].name for who in (left or players)]


class _SfxName(TypedText):
    """An SFX with its owner: `Alice · Lucky`, the caller's own first."""

    longest = LONGEST_LABEL

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        named = getattr(interaction.namespace, "who", "")
        own = whose(table, player, interaction)
        people = [own] if named and own else sorted(table.characters.values(), key=lambda one: one is not own)
        whole = [owned(one, sfx) for one in people for sfx in CORTEX.has(one).sfx.values()]
        return [sfx.name for one in people for sfx in CORTEX.has(one).sfx.values()] if named else whole


class _RolledDice(TypedText):
    """The dice of the last roll of whom is named, or of the caller, by what they show; `more` to remove."""

    longest = LONGEST_POOL

    def __init__(self, *more: str) -> None:
        self.more = more

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        owner = whose(table, player, interaction)
        who = owner.name if owner else str(getattr(interaction.namespace, "who", "") or "")
        rolls = CORTEX.of(table).rolls.values()
        own = [made for made in rolls if (fold(made.who) == fold(who) if who else made.player == player)]
        hand = own[-1].hand if own else Hand(())
        free = [place for place, die in enumerate(hand.dice) if not reroll.is_fixed(die)]
        shown = [reroll.die_and_face(hand.dice[place]) for place in reroll.distinct(hand, free)]
        return [*shown, *(self.more if getattr(interaction.namespace, "remove", False) else ())]


class _UsedOn(_RolledDice):
    """What an SFX can be used on: a die of the last roll, or somebody."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [
            *super().found(table, player, interaction),
            *(each.name for each in table.characters.values()),
        ]


class _Shut(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        owner = whose(table, player, interaction)
        return [] if owner is None else [trait.label for _, trait in traits.held(owner) if trait.shut]


class _Rival(TypedText):
    """Who can be contested: whoever waits for the caller first."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        leads = [c.sides[c.leader] for c in CORTEX.of(table).contests.values() if not c.closing]
        return [*leads, *(c.name for c in table.characters.values() if c is not own)]


Payer = Transform[str, _Payer()]
"""A character with PP, or the GM."""
Payers = Transform[str, _Payers("all")]
"""Characters with PP, or the GM."""
Held = Transform[str, _Held()]
"""A trait that exists, of the group's kind."""
Distinction = Transform[str, _Trait(TraitKind.DISTINCTION)]
"""A distinction that exists."""
Track = Transform[str, _Track()]
"""A stress track of the ruleset."""
NextInOrder = Transform[str, _NextInOrder()]
"""Somebody whose turn can be next."""
NextInChallenge = Transform[str, _NextInChallenge()]
"""Somebody whose turn in a challenge can be next."""
SfxName = Transform[str, _SfxName()]
"""An SFX of whom is named, or of the caller."""
RolledDice = Transform[str, _RolledDice("highest", "ones")]
"""Dice of the last roll."""
UsedOn = Transform[str, _UsedOn()]
"""A die of the last roll, or somebody."""
Shut = Transform[str, _Shut()]
"""A trait that is shut down."""
Resource = Transform[str, _Trait(TraitKind.RESOURCE)]
"""A resource that exists."""
Rival = Transform[str, _Rival()]
"""The other side of a contest."""


SHOW_AGAIN = "show"
"""What is typed as the dice of `/roll` to show the last open roll again."""


class _Dice(TypedText):
    """A pool: the saved ones first, then the last ones, then names for the last word."""

    longest = LONGEST_POOL

    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        asking, table, typed = asked(interaction), await table_of(interaction), str(value)
        if table is None:
            return []
        pools = [p for p in CORTEX.of(table).last_pools.get(asking.actor.id, ()) if p.startswith(typed)]
        kept = _kept(interaction, whose(table, asking.actor.id, interaction), typed)
        against = _after_vs(table, typed)
        sized = {} if against else _next_names(table, asking.actor, typed)
        found = [*pools, *against, *sized]
        offered = suggest("", found or ([] if kept else [typed]))
        for choice in offered:
            if choice.value in sized:
                choice.name = sized[choice.value][:LONGEST]
        is_roll = interaction.command is not None and interaction.command.name == "roll"
        if is_roll and typed and SHOW_AGAIN.startswith(typed.strip().casefold()):
            kept = [Choice(name=SHOW_AGAIN, value=SHOW_AGAIN), *kept]
        return [*kept, *offered][:MOST]


def _kept(interaction: Interaction, character: Character | None, typed: str) -> list[Choice[Any]]:
    """The pools that somebody keeps whose names begin as typed, by name and dice."""
    begun = fold(typed)
    options = getattr(interaction.command, "parameters", ())
    is_open = any(each.name == "vs" for each in options) and not getattr(interaction.namespace, "vs", None)
    found = []
    for each in CORTEX.has(character).kept.values() if character else ():
        if fold(each.name).startswith(begun):
            text = pool_text.saved_pool_text(each) if is_open else each.dice
            value = text if len(text) <= LONGEST else each.name
            found.append(Choice(name=pool_text.write_saved_pool(each)[:LONGEST], value=value))
    return found


def _after_vs(table: Table, typed: str) -> list[str]:
    """The pool as typed up to its `vs`, with what it can be against."""
    head, separator, last = typed.rpartition(" vs ")
    return [f"{head} vs {name}" for name in names(table) if separator and fold(name).startswith(fold(last))]


def _next_names(table: Table, actor: Actor, typed: str) -> dict[str, str]:
    """The pool as typed, with names for its last word: those not in it yet, of other trait sets first.

    Beside each the same with the size of its die, if it has one: `Mind d10` is read as `Mind`, too.
    """
    own = character_of(table, actor)
    known = with_sfx(known_names(table, own), own)
    head, separator, last = _last_word(typed)
    rules, pushed = CORTEX.of(table).ruleset, dict[str, Die]()
    if rules.statements or rules.push_stress is not PushStress.OFF:
        pushed = offered(table, own)
        known = {**known, **pushed}
        head, separator, last = _with_verb(rules, head, separator, last)
    used = dice_in(head, known)
    sets = {die.source for die in used if die.source.set or die.source == Source(TraitKind.DISTINCTION)}
    taken = {fold(die.label) for die in used}
    free = [name for name, die in known.items() if fold(die.label) not in taken]
    begun = [name for name in free if fold(name).startswith(fold(last))]
    begun.sort(key=lambda name: known[name].source in sets)
    sized = {}
    for name in begun:
        word, die = name if name in pushed else quote_label(name), known[name]
        pool = f"{head}{separator}{word}"
        sized[pool] = f"{pool} {rating_of(die)}" if die.size else pool
    return sized


def _with_verb(rules: Ruleset, head: str, separator: str, last: str) -> tuple[str, str, str]:
    """The same where the last word stands behind a verb that needs a name, which is part of it then."""
    before, _, verb = head.rstrip().rpartition(" ")
    if fold(verb) not in verbs(rules) or separator:
        return head, separator, last
    return f"{before} " if before else "", "", f"{verb} {last}"


class _Versus(TypedText):
    longest = LONGEST_POOL

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        typed = str(getattr(interaction.namespace, "vs", "") or "")
        head, plus, _ = typed.rpartition("+")
        if plus:
            return [f"{head.rstrip()} + {label}" for _, _, label, _ in trait_names(table)]
        gm = [roll for roll in CORTEX.of(table).rolls.values() if roll.gm and roll.hand.total]
        last = [str(sum(gm[-1].hand.dice[p].face for p in gm[-1].hand.total))] if gm else []
        return [*last, *names(table), *([typed] if typed else [])]


class _DoomDie(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [f"d{size}" for size in sorted(CORTEX.of(table).doom)]


class _DoomDice(TypedText):
    longest = LONGEST_POOL

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        here = CORTEX.of(table)
        sizes = [size for size, count in sorted(here.doom.items()) for _ in range(count)]
        return [*(f"d{size}" for size in sorted(here.doom)), *([write_dice(sizes)] if sizes else [])]


class _Pool(TypedText):
    """The name of a crisis or a challenge."""

    def __init__(self, foe: Foe) -> None:
        self.foe = foe

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        here = CORTEX.of(table)
        pools = here.crises if self.foe is Foe.CRISIS else here.challenges
        return [pool.name for pool in pools.values()]


class _PoolDie(TypedText):
    """Dice of the crisis or challenge that is named, or of the only one."""

    longest = LONGEST_POOL

    def __init__(self, foe: Foe) -> None:
        self.foe = foe

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        here = CORTEX.of(table)
        name = fold(str(getattr(interaction.namespace, "name", "") or ""))
        pools: Mapping[str, Crisis | Challenge] = here.crises if self.foe is Foe.CRISIS else here.challenges
        held = [pool.dice for one, pool in pools.items() if fold(one).startswith(name)]
        return [f"d{size}" for size in sorted({size for dice in held for size in dice})]


class _Gmc(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [c.name for c in table.characters.values() if c.gmc]


class _GmcDice(TypedText):
    """What the GMC that is named can roll."""

    longest = LONGEST_POOL

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        name = fold(str(getattr(interaction.namespace, "name", "") or ""))
        gmcs = [c for one, c in table.characters.items() if c.gmc and fold(one).startswith(name)]
        return [dice for each in gmcs[:1] for dice in gmcs_at(table).rollable(each)]


class _PoolName(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [pool.name for pool in CORTEX.of(table).pools.values()]


class _KeptName(TypedText):
    """A pool that somebody keeps."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        owner = whose(table, player, interaction)
        return [] if owner is None else [each.name for each in CORTEX.has(owner).kept.values()]


class _PoolDice(TypedText):
    """Dice of the named pool that is meant."""

    longest = LONGEST_POOL

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        name = fold(str(getattr(interaction.namespace, "name", "") or ""))
        held = [pool for one, pool in CORTEX.of(table).pools.items() if fold(one).startswith(name)]
        return [write_pool([die]) for pool in held[:1] for die in pool.dice]


class _HeroDie(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        return [f"d{size}" for size in sorted(CORTEX.has(own).hero, reverse=True)] if own else []


def _last_word(typed: str) -> tuple[str, str, str]:
    """What stands before the word that is being typed, what parts them, and the word."""
    place = max(typed.rfind(sign) for sign in ",+ ")
    separator = " " if place >= 0 and typed[place] in ",+" else ""
    return typed[: place + 1], separator, typed[place + 1 :].strip()


Dice = Transform[str, _Dice()]
"""A pool in dice notation."""
DiceText = Range[str, 1, LONGEST_POOL]
"""The same, without suggestions."""
Versus = Transform[str, _Versus()]
"""What a roll is against."""
DoomDie = Transform[str, _DoomDie()]
"""A die of the doom pool."""
DoomDice = Transform[str, _DoomDice()]
"""Dice of the doom pool."""
CrisisName = Transform[str, _Pool(Foe.CRISIS)]
"""A crisis."""
CrisisDie = Transform[str, _PoolDie(Foe.CRISIS)]
"""A die of a crisis."""
ChallengeName = Transform[str, _Pool(Foe.CHALLENGE)]
"""A challenge."""
ChallengeDie = Transform[str, _PoolDie(Foe.CHALLENGE)]
"""A die of a challenge."""
GmcName = Transform[str, _Gmc()]
"""A GMC."""
GmcDice = Transform[str, _GmcDice()]
"""A pool of a GMC, its traits by name."""
PoolName = Transform[str, _PoolName()]
"""A named pool."""
KeptName = Transform[str, _KeptName()]
"""A pool that somebody keeps."""
PoolDice = Transform[str, _PoolDice()]
"""Dice of a named pool."""
HeroDie = Transform[str, _HeroDie()]
"""One of the caller's hero dice."""
