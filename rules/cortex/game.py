"""Cortex as an implementation of the shared game interface."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from rules.campaign.privacy import forgotten_facts, free_name
from rules.cortex import (
    characters,
    crisis,
    facts,
    files,
    gmc,
    roll,
    roll_status,
    scenes,
    settings,
    sheet,
    turn,
)
from rules.cortex.builder import Build
from rules.cortex.builder import forgotten as forgotten_build
from rules.cortex.characters import typed_sheet
from rules.cortex.facts import (
    CORTEX_FACTS,
    HiddenDropped,
    HiddenRolled,
    NamedPoolChanged,
    PoolChanged,
    RollChanged,
    RollMade,
)
from rules.cortex.files import CHECKS, faults
from rules.cortex.formats import cortexpal
from rules.cortex.kinds import Foe, Rank, TraitKind
from rules.cortex.model import CORTEX, Challenge, Crisis, Roll, forgotten_origin
from rules.cortex.pool import NamedPool
from rules.cortex.roll import misjudged_rolls
from rules.cortex.roll_status import resolve, with_effects
from rules.cortex.ruleset import PROFILE_HELP
from rules.cortex.settings import SETTINGS
from rules.cortex.story import CortexAttempts
from rules.dice import Thrown
from rules.facts import Fact
from rules.game import Fault, Foreign, Game, GmcRules, SessionListener, SheetRules, Step
from rules.names import SOMEBODY, Erasure, forgotten_line, key, reworded
from rules.table import Character, Table
from rules.terms import SHARED_TERMS, Term
from rules.text import Phrase, Words
from rules.values import replace


def forgotten(table: Table, who: Erasure) -> Table:
    """Return the table without somebody in rolls, contests and pools; their secret rolls are dropped."""
    here = CORTEX.of(table)
    left = {n: roll for n, roll in here.hidden.items() if roll.player != who.person}
    fresh = replace(
        here,
        rolls={n: forgotten_roll(roll, who) for n, roll in here.rolls.items()},
        hidden={n: forgotten_roll(roll, who) for n, roll in left.items()},
        contests={n: replace(each, sides=_sides(each.sides, who)) for n, each in here.contests.items()},
        last_pools={player: dice for player, dice in here.last_pools.items() if player != who.person},
        pools=dict(_pools(table, who)),
        first_sheet=who.note(here.first_sheet),
    )
    characters = {k: _without_origin(each, who) for k, each in table.characters.items()}
    return CORTEX.put(replace(table, characters=characters), fresh)


def _without_origin(character: Character, who: Erasure) -> Character:
    """A character, whose file of another program names nobody who is forgotten."""
    own = CORTEX.has(character)
    if own.origin is None and not own.asides:
        return character
    asides = tuple(reworded(each, who.reworded) for each in own.asides)
    origin = own.origin and forgotten_origin(own.origin, who)
    return CORTEX.give(character, replace(own, asides=asides, origin=origin))


def forgotten_roll(roll: Roll, who: Erasure) -> Roll:
    """Return a roll without somebody's names in the fields that name people, and without their note."""
    against, goal = roll.against, roll.recovery
    if against is not None and roll.contest:
        against = replace(against, label=who.name_in(against.label))
    if goal is not None:
        goal = replace(goal, said=forgotten_line(goal.said, who.left, who.shared))
    return replace(
        roll,
        player=0 if roll.player == who.person else roll.player,
        who=who.name_in(roll.who),
        turn=who.name_in(roll.turn),
        on=tuple(map(who.name_in, roll.on)),
        against=against,
        recovery=goal,
        note=who.own_note(roll.note, roll.player),
        after={n: forgotten_facts(events, who) for n, events in roll.after.items()},
        doers={act: who.person_in(name) for act, name in roll.doers.items()},
    )


def _sides(sides: tuple[str, str], who: Erasure) -> tuple[str, str]:
    return who.name_in(sides[0]), who.name_in(sides[1])


def _pools(table: Table, who: Erasure) -> Iterable[tuple[str, NamedPool]]:
    """The named pools; one that is called as somebody who is forgotten has another name."""
    here = CORTEX.of(table)
    for one, pool in here.pools.items():
        vs = "" if who.is_left(pool.vs) else pool.vs
        if not who.is_left(one):
            yield one, replace(pool, vs=vs)
            continue
        owner = table.characters.get(pool.who)
        name = owner.name if owner and key(owner.name) not in here.pools else free_name(table)
        yield key(name), replace(pool, name=name, vs=vs)


_PLAYER = attrgetter("player")


class Cortex(Game):
    """The game Cortex: dice pools, plot points and doom.

    >>> GAME.has_meaning("hard"), GAME.has_meaning("Fire")
    (True, False)
    """

    part = CORTEX
    checks = CHECKS
    facts = CORTEX_FACTS
    built = Build
    made = RollMade

    def foreign(self, text: str) -> Foreign:
        """Read a table that CortexPal2000 exported."""
        return cortexpal.foreign(text)

    settings = SETTINGS
    terms = tuple(term for term in Term if term not in SHARED_TERMS)
    rulesets = PROFILE_HELP
    options = MappingProxyType(
        {
            "scene start": ("distinctions", "kind"),
            "act start": ("dice",),
            "act end": ("arc",),
            "character set": ("statement", "part_of"),
            "gmc new": ("kind", "away"),
            "gmc roll": ("vs", "keep", "on"),
        }
    )
    gmcs = GmcRules(
        kinds=(*Rank,),
        new=gmc.new,
        roll=gmc.roll_gmc,
        remove=gmc.remove,
        rollable=gmc.rollable,
        enters=Words("To bring them in: /doom spend for:gmc"),
    )
    sheets = SheetRules(
        join=characters.join,
        with_text=characters.with_text,
        put=characters.put,
        unset=characters.unset,
        text=characters.form_text,
        export=partial(characters.form_text, is_form=False),
        example=characters.example_sheet,
        mark=characters.mark,
        labels=characters.labels,
        wholes=characters.wholes,
        sets=characters.sets_to_choose,
    )

    def ruleset(self, table: Table) -> str:
        """Return the profile that the table's settings are based on."""
        return CORTEX.of(table).ruleset.name

    def with_ruleset(self, table: Table, name: str) -> Table:
        """Return the table with another profile, and the single settings that were changed by hand."""
        return settings.with_profile(table, name)

    def require_agreed(self, before: Table, after: Table, setting: str, agreed: Collection[str]) -> None:
        """Raise Undecided before a setting removes names in use or puts something out of play."""
        settings.require_agreed(before, after, setting, agreed)

    def setting_changed(self, table: Table, setting: str) -> Step:
        """Return a step that reports which hand-made settings a new profile has kept."""
        return settings.changed_by_hand(table, setting)

    def usual(self, table: Table, blank: Table) -> Table:
        """Return the blank table with the settings of the other table's profile."""
        return settings.table_by_profile(table, blank)

    def ruled(self, table: Table) -> object:
        """Return the ruleset with all its settings."""
        return CORTEX.of(table).ruleset

    def find_misjudged(self, table: Table, before: Table) -> Collection[int]:
        """Return the numbers of rolls that changed and no longer fit what their dice come to (R8, Z1, T4)."""
        return misjudged_rolls(table, before)

    def newcomer(self, table: Table, character: Character) -> Character:
        """Return a new character with their first plot points while a session runs (P1)."""
        pp = CORTEX.of(table).ruleset.starting_pp if table.is_session else 0
        return CORTEX.give(character, replace(CORTEX.has(character), pp=pp))

    def with_first_sheet(self, table: Table, character: Character) -> Character:
        """Return the character with the traits of the campaign's blank sheet (D1)."""
        first = characters.of(table)
        return character if characters.is_none(first) else sheet.put_sheet(character, first)

    def with_typed(self, table: Table, character: Character, text: str) -> Character:
        """Return the character with the sheet that was typed for them (D1)."""
        return sheet.put_sheet(character, typed_sheet(table, text))

    def taken_names(self, table: Table) -> Mapping[str, Phrase]:
        """Return the names of crises and challenges, which are rolled against by name (K1, L1)."""
        here = CORTEX.of(table)
        return dict.fromkeys((*here.crises, *here.challenges), Words("{crisis.a} or {challenge.one}"))

    def scene_begun(
        self, table: Table, typed: Mapping[str, str | None], agreed: Collection[str] = ()
    ) -> Step:
        """Start a scene with its distinctions."""
        return scenes.begun(table, typed, agreed)

    def scene_ending(self, table: Table, agreed: Collection[str] = ()) -> Step:
        """Ask about rolls without a ruling (C4), apply open recoveries (T5), and bank hero dice (Z1)."""
        return scenes.ending(table, agreed)

    def scene_ended(self, before: Table, table: Table) -> Step:
        """Remove temporary assets (C1), bars and takeouts (T5), turns and the split of the group."""
        return scenes.ended(before, table)

    def act_begun(self, table: Table, typed: Mapping[str, str | None]) -> Step:
        """Start an act with its doom dice (M2)."""
        return scenes.act_begun(table, typed)

    def act_ended(self, table: Table, typed: Mapping[str, str | None]) -> Step:
        """End an act with the doom dice that are left (M2)."""
        return scenes.act_ended(table, typed)

    def session_begun(self, table: Table) -> Step:
        """Give starting PP (P1), and start an act if doom is on."""
        return scenes.session_begun(table)

    def hero_taken(self, table: Table, who: str) -> Step:
        """Give starting PP while a session runs (P1)."""
        return scenes.with_starting_points(table, who) if table.is_session else Step(table, ())

    def session_ended(self, table: Table) -> Step:
        """Remove assets that were bought for the session."""
        return scenes.session_ended(table)

    def has_meaning(self, label: str) -> bool:
        """Whether a name already means something as an opposition."""
        return crisis.has_meaning(label)

    def removed(self, table: Table, who: str, name: str) -> Table:
        """Return the table without that character in turns and contests."""
        return roll_status.without_contests_of(turn.without_in_turns(table, who), name)

    def renamed(self, table: Table, who: str, name: str) -> Table:
        """Return the table with a character renamed in rolls, contests, pools and turns."""
        return characters.renamed(table, who, name)

    def shown_step(self, step: Step) -> Step:
        """Return the step with the effect of each roll."""
        return with_effects(step)

    def stored_step(self, step: Step) -> Step:
        """Return the step with its consequences on its rolls; facts hold rolls as they were made."""
        return facts.with_consequences(step)

    def without_traces(self, table: Table) -> Table:
        """Return the table without people's last pools, unless a roll's effect was applied."""
        here = CORTEX.of(table)
        is_applied = any(roll.applied for roll in here.rolls.values())
        return table if is_applied else CORTEX.put(table, replace(here, last_pools={}))

    def without_pools(self, table: Table) -> Table:
        """Return the table without named pools."""
        return CORTEX.put(table, replace(CORTEX.of(table), pools={}))

    def without_own(self, character: Character) -> Character:
        """Return the character without saved pools (D2)."""
        return CORTEX.give(character, replace(CORTEX.has(character), kept={}))

    def stays_behind(self, found: Table, closing: Collection[int]) -> Step:
        """Bank hero dice (Z1), and do what is due when these rolls close (N2, N3, N7)."""
        step = Step(found, ())
        for number in sorted(closing):
            step = step.then(roll.close_roll(step.table, CORTEX.of(found).rolls[number]))
        return step

    def brought(self, table: Table, until: int) -> Table:
        """Return the table with only those contests that had begun by step `until`, and no secret rolls."""
        here = CORTEX.of(table)
        going = {number: each for number, each in here.contests.items() if number <= until}
        return CORTEX.put(table, replace(here, contests=going, hidden={}))

    def without_people(self, table: Table) -> Table:
        """Return the table without anybody's last pools."""
        return CORTEX.put(table, replace(CORTEX.of(table), last_pools={}))

    def unpaid(self, table: Table, character: Character) -> Character:
        """Return the character without hero dice and with starting PP: these are the GM's to give."""
        pp = CORTEX.of(table).ruleset.starting_pp if table.is_session else 0
        return CORTEX.give(character, replace(CORTEX.has(character), pp=pp, hero={}))

    def require_kept(self, table: Table, character: Character) -> None:
        """Raise NotAllowed if the table's imported sheet files would be too long together."""
        files.require_room(table, character)

    def people(self, table: Table) -> Iterable[int]:
        """Yield the Discord ids of everybody who rolled here or whose last pools are stored."""
        return (*map(_PLAYER, self.all_rolls(table)), *CORTEX.of(table).last_pools)

    def about(self, table: Table, person: int) -> Mapping[str, Any]:
        """Return one person's rolls and last pools, by name."""
        rolls = tuple(roll for roll in self.all_rolls(table) if roll.player == person)
        pools = CORTEX.of(table).last_pools.get(person, ())
        return {"rolls": rolls, "pools": pools}

    def own(self, character: Character) -> Iterable[str]:
        """Return the names of saved pools (D2)."""
        return [pool.name for pool in CORTEX.has(character).kept.values()]

    def things(self, table: Table, names: Collection[str]) -> Iterable[str]:
        """Yield the names of traits, stress tracks and pools."""
        here = CORTEX.of(table)
        for each in (*table.characters.values(), table.scenery):
            yield from (trait.label for kind in TraitKind for trait in CORTEX.has(each).traits(kind).values())
        pools: list[Crisis | Challenge | NamedPool] = [*here.crises.values(), *here.challenges.values()]
        pools += here.pools.values()
        yield from (pool.name for pool in pools if key(pool.name) not in names)
        yield from here.ruleset.stress

    def pool_names(self, table: Table) -> Iterable[str]:
        """Return the keys of named pools, which can be named after those who share them."""
        return CORTEX.of(table).pools

    def forgotten(self, table: Table, who: Erasure) -> Table:
        """Return the table without somebody in rolls, contests and pools."""
        return forgotten(table, who)

    def forgotten_roll(self, roll: Roll, who: Erasure) -> Roll:
        """Return a roll without somebody's names, also in its opposition and consequences."""
        return forgotten_roll(roll, who)

    def forgotten_fact(self, fact: Fact, who: Erasure) -> Fact:
        """Return a fact without somebody's names; a pool named after them gets another name."""
        if isinstance(fact, NamedPoolChanged) and who.is_left(fact.pool.name):
            return replace(fact, pool=replace(fact.pool, name=SOMEBODY, who=""))
        return super().forgotten_fact(fact, who)

    def most_rolls(self) -> int:
        """Return how many rolls a table keeps open."""
        return roll.OPEN_ROLLS

    def as_made(self, fact: Fact) -> Fact | None:
        """Return the fact of a roll as made or changed, with its effects then; None for other facts."""
        return RollMade(fact.roll, fact.effects) if isinstance(fact, RollMade | RollChanged) else None

    def rolls_now(self, table: Table) -> Mapping[int, Fact]:
        """Return the table's rolls by number, each with its effects now."""
        rolls = CORTEX.of(table).rolls
        return {n: RollMade(each, resolve(table, each).counted) for n, each in rolls.items()}

    def named_in(self, fact: Fact) -> Iterable[str]:
        """Yield the names in a fact: a roll's roller, targets and opposition, or doom for doom dice."""
        if isinstance(fact, PoolChanged) and fact.pool.foe is Foe.DOOM:
            return (Foe.DOOM,)
        if not isinstance(fact, RollMade | HiddenRolled | HiddenDropped):
            return super().named_in(fact)
        against = fact.roll.against
        return (fact.roll.who, *fact.roll.on, *(() if against is None else (against.label,)))

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """Return the dice thrown in a roll: its own as they are, the opposition's, and each reroll."""
        return roll_status.thrown(fact)

    def forgotten_build(self, build: Build, names: frozenset[str]) -> Build:
        """Return a pool that somebody is building, without those names."""
        return forgotten_build(build, names)

    def attempts(self, hearing: SessionListener) -> CortexAttempts:
        """Return what happened: rolls as they ended, points, and traits that stayed."""
        return CortexAttempts(hearing)

    def faults(self, table: Table) -> Iterator[Fault]:
        """Yield what does not fit together: turns of people who are not here, GMC fields of players."""
        return faults(table)


GAME = Cortex()
"""One of the games that can be played."""
