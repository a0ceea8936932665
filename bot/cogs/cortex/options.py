"""The options of Cortex's commands: its traits, sheets and turns, with suggestions from the table."""

from collections.abc import Iterable

from discord import Interaction
from discord.app_commands import Transform

from bot.cogs.options import LONGEST, SeveralPeople, Somebody, Typed, whose
from rules.cortex import reroll, trait_lookup, traits, turn
from rules.cortex.characters import RESOURCES, sets
from rules.cortex.kinds import ON_SHEET, Trait, TraitKind
from rules.cortex.model import CORTEX, Hand, TurnOrder
from rules.cortex.sfx_use import owned
from rules.custom_terms import suggested
from rules.names import GM, key
from rules.table import Character, Table


class _Payer(Somebody):
    """Who has PP: a character, and the GM where the setting says so."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        gm = [suggested(table, GM)] if CORTEX.of(table).ruleset.gm_pp else []
        return [*super().found(table, player, it), *gm]


class _Payers(SeveralPeople):
    """One or several who have PP, or the GM."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        gm = [suggested(table, GM)] if CORTEX.of(table).ruleset.gm_pp else []
        return [*super().found(table, player, it), *gm]


class _Trait(Typed):
    """A trait that exists, with its owner: `Alice · Broken Leg d8`."""

    def __init__(self, *kinds: TraitKind) -> None:
        self.kinds = kinds

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        people = sorted(trait_lookup.owners(table), key=lambda pair: pair[1] is not own)
        for _, owner in people:
            for kind in self.kinds:
                for trait in CORTEX.has(owner).traits(kind).values():
                    full = trait_lookup.suggested(table, owner, kind, trait)
                    yield full if len(full) <= LONGEST else trait.label


class _Held(_Trait):
    """A trait that exists, of the kinds that the command's group is about."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        kinds: tuple[TraitKind, ...] = getattr(getattr(it.command, "binding", None), "kinds", ())
        return _Trait(*kinds).found(table, player, it)


class _Track(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return CORTEX.of(table).ruleset.stress


class _NextInOrder(Typed):
    """Who can be named next in the turn order."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [table.characters[who].name for who in turn.candidates(table)]


class _NextInChallenge(Typed):
    """Who can be named next in the challenge that is named, or in the only one."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        name = str(getattr(it.namespace, "name", "") or "").casefold()
        orders = [c.order for one, c in CORTEX.of(table).challenges.items() if one.startswith(name)]
        left = turn.left(table, (orders or [TurnOrder()])[0], gmcs=False)
        players = [who for who, character in table.characters.items() if not character.gmc]
        return [table.characters[who].name for who in (left or players)]


class _Lasting(Typed):
    """A trait of a sheet: of whom is named, or of the caller."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [trait.label for trait in _on_sheet(table, player, it)]


class _Whole(Typed):
    """A trait of that sheet which can have parts: it is none itself, nor the one that is changed (N23)."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        changed = key(str(getattr(it.namespace, "trait", "") or ""))
        held = _on_sheet(table, player, it)
        return [one.label for one in held if not one.part_of and key(one.label) != changed]


def _on_sheet(table: Table, player: int, it: Interaction) -> list[Trait]:
    """The traits of a sheet: of whom is named, or of the caller."""
    owner = whose(table, player, it)
    own = CORTEX.has(owner) if owner else None
    return [trait for kind in ON_SHEET for trait in own.traits(kind).values()] if own else []


class _SfxName(Typed):
    """An SFX with its owner: `Alice · Lucky`, the caller's own first."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        named = getattr(it.namespace, "who", "")
        own = whose(table, player, it)
        people = [own] if named and own else sorted(table.characters.values(), key=lambda one: one is not own)
        whole = [owned(one, sfx) for one in people for sfx in CORTEX.has(one).sfx.values()]
        return [sfx.name for one in people for sfx in CORTEX.has(one).sfx.values()] if named else whole


class _RolledDice(Typed):
    """The dice of the last roll of whom is named, or of the caller, by what they show; `more` to remove."""

    def __init__(self, *more: str) -> None:
        self.more = more

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        owner = whose(table, player, it)
        who = owner.name if owner else str(getattr(it.namespace, "who", "") or "")
        rolls = CORTEX.of(table).rolls.values()
        own = [made for made in rolls if (key(made.who) == key(who) if who else made.player == player)]
        hand = own[-1].hand if own else Hand(())
        free = [place for place, die in enumerate(hand.dice) if not reroll.is_fixed(die)]
        shown = [reroll.shown(hand.dice[place]) for place in reroll.distinct(hand, free)]
        return [*shown, *(self.more if getattr(it.namespace, "remove", False) else ())]


class _UsedOn(_RolledDice):
    """What an SFX can be used on: a die of the last roll, or somebody."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [*super().found(table, player, it), *(each.name for each in table.characters.values())]


class _Shut(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        owner = whose(table, player, it)
        return [] if owner is None else [trait.label for _, trait in traits.held(owner) if trait.shut]


class _TraitSet(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [*sets(table, whose(table, player, it) or Character("")), RESOURCES]


class _Rival(Typed):
    """Who can be contested: whoever waits for the caller first."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
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
Lasting = Transform[str, _Lasting()]
"""A trait of a sheet."""
Whole = Transform[str, _Whole()]
"""A trait of the sheet that can have parts."""
SfxName = Transform[str, _SfxName()]
"""An SFX of whom is named, or of the caller."""
RolledDice = Transform[str, _RolledDice("highest", "ones")]
"""Dice of the last roll."""
UsedOn = Transform[str, _UsedOn()]
"""A die of the last roll, or somebody."""
Shut = Transform[str, _Shut()]
"""A trait that is shut down."""
TraitSet = Transform[str, _TraitSet()]
"""A trait set of the ruleset or of a sheet."""
Resource = Transform[str, _Trait(TraitKind.RESOURCE)]
"""A resource that exists."""
Rival = Transform[str, _Rival()]
"""The other side of a contest."""
