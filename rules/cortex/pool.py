"""Pools as people type them at the table: by names, with what hinders, or the last one again (D2, P1)."""

import re

from rules.cortex import plot, resource
from rules.cortex.facts import Fact
from rules.cortex.seats import Actor, seated
from rules.cortex.table import Character, Kind, Table, Trait, key
from rules.dice import SIZES, Die, shorten
from rules.errors import NotAllowed, Unknown
from rules.names import clean, find, offer
from rules.notation import Reading, read

_DISTINCTIONS = (Kind.DISTINCTION, f"scene {Kind.DISTINCTION}")
SET = "set "
"""How the source of a die of a trait set begins."""
_LAST = re.compile("last(?: ([0-9]{1,3}))?", re.IGNORECASE)


def known_names(table: Table, character: Character | None) -> dict[str, Die]:
    """Names that stand for dice: one's own first, then the scene's, then other people's."""
    own = [] if character is None else [table.characters.get(key(character.name), character)]
    others = [c for c in table.characters.values() if c not in own]
    known: dict[str, Die] = {}
    seen: set[str] = set()
    lasting = (Kind.TRAIT, Kind.DISTINCTION, Kind.ASSET)
    groups: tuple[tuple[list[Character], tuple[Kind, ...]], ...] = (
        (own, (*lasting, Kind.RESOURCE) if table.ruleset.resources else lasting),
        ([table.scenery], (Kind.DISTINCTION, Kind.ASSET, Kind.COMPLICATION)),
        (others, (Kind.ASSET, Kind.COMPLICATION, Kind.STRESS, Kind.TRAUMA)),
    )
    for people, kinds in groups:
        for person in people:
            for kind in kinds:
                for label, trait in person.traits(kind).items():
                    if label not in seen:
                        seen.add(label)
                        known[trait.label] = Die(trait.die, trait.label, _source(table, person, kind, trait))
    return known


def _source(table: Table, owner: Character, kind: Kind, trait: Trait) -> str:
    """Where a die comes from: the kind of trait, of a sheet also the trait set (D2, D3)."""
    if kind is Kind.TRAIT and trait.set:
        return f"{SET}{trait.set}"
    return f"scene {kind}" if owner is table.scenery else kind


def recent_pool(table: Table, player: int, which: int) -> str:
    """One of a person's last pools, 1 for the newest. Raises Unknown when there is none."""
    pools = table.last_pools.get(player, ())
    if not 1 <= which <= len(pools):
        there_is = f"There are {len(pools)}." if pools else "There is none yet."
        raise Unknown(f"There is no last pool {which} of yours. {there_is} Example: 2d6 d8")
    return pools[which - 1]


def pooled(
    table: Table, actor: Actor, typed: str, hinder: str | None, name: str, gm: bool
) -> tuple[Reading, tuple[Fact, ...], Table]:
    """The pool as typed, hindered distinctions paid for (P1)."""
    last = _LAST.fullmatch(" ".join(typed.split()))
    if last:
        typed = recent_pool(table, actor.id, int(last[1] or 1))
    known = known_names(table, table.characters.get(key(name)))
    reading = read(typed, known, table.ruleset.step_up_d12)
    if hinder and hinder.strip():
        reading = _with_hindered(reading, known, clean(hinder, "distinction"))
    _check_hindered(reading, known)
    facts: list[Fact] = []
    for label in () if gm else {key(label): label for label in reading.hindered}.values():
        table, who = seated_as(table, actor, name)
        step = plot.earned(table, who, 1, f"{label} hinders")
        table, facts = step.table, [*facts, *step.facts]
    used = () if gm else tuple(die.label for die in reading.pool if die.source == Kind.RESOURCE)
    if used:
        table, who = seated_as(table, actor, name)
        step = resource.spent(table, who, dict.fromkeys(used))
        table, facts = step.table, [*facts, *step.facts]
    return reading, tuple(facts), table


def _with_hindered(reading: Reading, known: dict[str, Die], label: str) -> Reading:
    """The distinction goes in as d4: in the place of its die, or added."""
    name = _hinderable(_distinctions(reading, known), label)
    if key(name) in map(key, reading.hindered):
        return reading
    hindered = Die(SIZES[0], name, Kind.DISTINCTION)
    pool = list(reading.pool)
    place = next((n for n, die in enumerate(pool) if key(die.label) == key(name)), None)
    if place is None:
        pool.append(hindered)
    else:
        pool[place] = hindered
    return Reading(tuple(pool), (*reading.hindered, name))


def _check_hindered(reading: Reading, known: dict[str, Die]) -> None:
    """Refuse to hinder what is no distinction: a die without a label, an asset (P1)."""
    for label in reading.hindered:
        there = _distinctions(reading, known)
        if key(label) not in map(key, there):
            raise _no_distinction(label, there)
        if key(label) not in (key(die.label) for die in reading.pool):
            raise NotAllowed(
                f"Stepped down, {label} leaves the pool and hinders nothing. Example: hinder {label}"
            )


def _distinctions(reading: Reading, known: dict[str, Die]) -> list[str]:
    """What can hinder: distinctions of one's own or of the scene, and dice labelled in the pool (P1)."""
    names = [name for name, die in known.items() if die.source in _DISTINCTIONS]
    typed = [die.label for die in reading.pool if die.label and die.source in ("", *_DISTINCTIONS)]
    return list({key(name): name for name in (*typed, *names)}.values())


def _hinderable(names: list[str], typed: str) -> str:
    """The distinction that is meant. Raises Unknown or Ambiguous."""
    try:
        return find(typed, names, "distinction")
    except Unknown:
        raise _no_distinction(typed, names) from None


def _no_distinction(typed: str, names: list[str]) -> Unknown:
    example = names[0] if names else "Reckless d8"
    there_is = offer(typed, names)
    return Unknown(
        f"There is no distinction called {shorten(typed)} to hinder. {there_is} Example: hinder {example}"
    )


def seated_as(table: Table, actor: Actor, name: str) -> tuple[Table, str]:
    """The character that rolls, at the table."""
    if key(name) in table.characters:
        return table, key(name)
    return seated(table, actor)
