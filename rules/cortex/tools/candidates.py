"""What can join a pool that is built, with its price, and the pool with its odds (D3, D7, X1)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rules import roller
from rules.cortex.notation import modifiers
from rules.cortex.notation.verbs import NO_DIE
from rules.cortex.rolling.gather import (
    Gathered,
    gather,
    known_names,
    paid_for,
    require_alone,
    with_sfx,
)
from rules.cortex.rolling.own_trouble import offered
from rules.cortex.state.kinds import HARMFUL, KINDS, Kind
from rules.cortex.state.part import CORTEX, ladder
from rules.cortex.state.pool import Die, Source, TraitUse
from rules.cortex.state.ruleset import PushStress, Ruleset
from rules.cortex.state.several import Several, rating_of
from rules.cortex.state.sfx import comes_after, parts_of, write_parts
from rules.cortex.tools.build import Build, Candidate, Piece, decided, plain
from rules.cortex.tools.odds import OddsQuestion, asked_of, counted
from rules.cortex.tools.spend import past_limits
from rules.cortex.traits import shut_down
from rules.cortex.traits.sfx_pool import needs_die
from rules.dice import SCALE_WORD
from rules.errors import RuleError
from rules.kinds import key
from rules.seats import Actor
from rules.table import Character, Table
from rules.terms import in_terms
from rules.values import replace
from rules.words import Phrase, later

SCALE_NAME = "Scale d8"
"""How the scale die is offered (D7)."""
SECTION_OF_SCENE = later("The {scene.one}")
"""What stands over what the scene has."""
DICE, SFX_SECTION, HARMS = later("Dice"), later("SFX"), in_terms(KINDS[Kind.COMPLICATION].section)
DISTINCTIONS, THE_SCENE = in_terms(KINDS[Kind.DISTINCTION].section), in_terms(SECTION_OF_SCENE)
"""Sections that are no trait sets."""
_ORDER = {DISTINCTIONS: 0, "Assets": 2, "Resources": 2, HARMS: 3, THE_SCENE: 4, SFX_SECTION: 5}
"""Where sections stand, trait sets second."""
_QUOTED = re.compile(r'"[^"]*"')
_DICE = re.compile(r"[0-9]*[dD]?[0-9]+")


@dataclass(frozen=True, slots=True)
class PoolSection:
    """Things of one kind that can join the pool: a trait set, assets, SFX, plain dice."""

    name: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class BuildSeen:
    """A build as its player sees it: the pool with its odds, or why it cannot be rolled yet."""

    build: Build
    sections: tuple[PoolSection, ...]
    gathered: Gathered | None = None
    asked: OddsQuestion | None = None
    fault: Phrase | None = None
    over: int = 0
    gone: tuple[str, ...] = ()


def look(table: Table, actor: Actor, build: Build) -> BuildSeen:
    """The build as it stands at the table now; names that are gone have left it."""
    name, gm = roller.roller(table, actor, build.who or None)
    own = table.characters.get(key(name))
    known = {**with_sfx(known_names(table, own), own), **offered(table, own)}
    build, gone = _swept(build, known)
    seen = BuildSeen(build, tuple(_sections(table, known, build, own)), gone=gone)
    if not build.pieces:
        return seen
    try:
        gathered = gather(table, decided(actor), build.text, None, name, asks=False)
        seen = replace(seen, gathered=gathered, over=_over(table, gathered))
        if not build.vs:
            require_alone(gathered)
        paid_for(table, actor, gathered, name, gm)
        return replace(seen, asked=counted(asked_of(table, actor, gathered, build.vs)))
    except RuleError as error:
        return replace(seen, fault=error.words)


def _swept(build: Build, known: dict[str, Die]) -> tuple[Build, tuple[str, ...]]:
    """The build without names that nothing at the table has any more."""
    names = {plain(name) for name in known}
    left = [
        replace(piece, sfx=tuple(name for name in piece.sfx if plain(name) in names))
        for piece in build.pieces
        if _is_there(piece, names)
    ]
    gone = [piece.name.strip('"') for piece in build.pieces if not _is_there(piece, names)]
    gone += [name.strip('"') for piece in build.pieces for name in piece.sfx if plain(name) not in names]
    return replace(build, pieces=tuple(left), chosen=min(build.chosen, len(left) - 1)), tuple(gone)


def _is_there(piece: Piece, names: set[str]) -> bool:
    """Whether a piece still means something: a name that is known, dice, or a label with a die."""
    if plain(piece.name) in names or piece.name.lower() == SCALE_WORD or modifiers.is_one(piece.name):
        return True
    return any(_DICE.fullmatch(word) for word in _QUOTED.sub(" ", piece.name).split())


def _sections(
    table: Table, known: dict[str, Die], build: Build, own: Character | None
) -> Iterable[PoolSection]:
    """Everything that can join the pool, by trait set and kind, each with its price (D3)."""
    named = {plain(name) for piece in build.pieces for name in (piece.name, *piece.sfx)}
    sources: dict[str, Source] = {}
    for name, die in known.items():
        sources |= _brought(name, die) if plain(name) in named else {}
    rows: dict[str, list[Candidate]] = {}
    for name, die in known.items():
        offer = _offer(table, own, name, die, named, sources)
        if offer is not None:
            rows.setdefault(_section(_source(die)), []).append(offer)
    theirs = f"{key(build.vs)} ·"
    against = [each for each in rows.get(HARMS, ()) if build.vs and key(each.label).startswith(theirs)]
    if against:
        rows[HARMS] = [*against, *(each for each in rows[HARMS] if each not in against)]
    for section in sorted(rows, key=lambda name: _ORDER.get(name, 1)):
        yield PoolSection(section, tuple(rows[section]))
    dice = [Candidate(f"d{size}", f"d{size}", f"d{size}" in named) for size in ladder(table)]
    yield PoolSection(DICE, (*dice, Candidate(SCALE_WORD, SCALE_NAME, SCALE_WORD in named)))


def _offer(
    table: Table, own: Character | None, name: str, die: Die, named: set[str], sources: dict[str, Source]
) -> Candidate | None:
    """A trait or an SFX as it is offered, a die past a limit with its price; none for what cannot be used."""
    here = CORTEX.of(table)
    is_in = plain(name) in named
    if die.size == NO_DIE and own is not None:
        sfx = CORTEX.has(own).sfx[key(name)]
        is_late = any(map(comes_after, parts_of(sfx)))
        offer = Candidate(name, f"{name}: {write_parts(sfx)}", is_in, needs_die=needs_die(sfx))
        return None if is_late and not is_in else offer
    if own is not None and not is_in and _is_spent(own, die):
        return None
    label = f"{name} {rating_of(die)}"
    if die.source.use is TraitUse.HELPS:
        return Candidate(name, f"{label} (+1 PP)", is_in)
    if die.source.use is not None:
        return Candidate(name, label, is_in, _push_price(here.ruleset, die, is_in=is_in))
    now = past_limits([*sources.values()], here.ruleset)
    then = past_limits([*(sources | _brought(name, die)).values()], here.ruleset)
    if _section(_source(die)) == HARMS and " · " not in name:
        label = f"{_owner_of(table, own, die)} · {label}"
    return Candidate(name, label, is_in, 0 if is_in else then - now)


def _push_price(rules: Ruleset, die: Die, *, is_in: bool) -> int:
    """The PP that pushing costs (N3)."""
    costs = die.source.use is TraitUse.PUSHED and rules.push_stress is PushStress.ONE_PP
    return 1 if costs and not is_in else 0


def _is_spent(own: Character, die: Die) -> bool:
    """Whether a trait of one's own is shut down, or a resource that is spent (C2, X1)."""
    mine = [trait for _, trait in shut_down.held(own) if key(trait.label) == key(die.label)]
    return not die.source.is_new and any(trait.shut or trait.spent for trait in mine)


def _owner_of(table: Table, own: Character | None, die: Die) -> str:
    """Who has the complication or stress that a plain name stands for."""
    for other in table.characters.values():
        held = map(CORTEX.has(other).traits, HARMFUL)
        if (own is None or other.name != own.name) and any(key(die.label) in traits for traits in held):
            return other.name
    return "Scene"


def _brought(name: str, die: Die) -> dict[str, Source]:
    """Where what a name brings comes from, by key: a part brings its trait, once (N23)."""
    whole = die.whole if isinstance(die, Several) else None
    return {plain(name): die.source} | ({key(whole.label): whole.source} if whole else {})


def _source(die: Die) -> Source:
    """Where a die comes from; a part from where its trait does (N23)."""
    return die.whole.source if isinstance(die, Several) and die.whole else die.source


def _section(source: Source) -> str:
    """The section of what comes from there: a trait set, a kind of trait, the scene, an SFX."""
    if source.is_scene:
        return THE_SCENE
    if isinstance(source.kind, Kind):
        return source.set or in_terms(KINDS[source.kind].section)
    return SFX_SECTION


def _over(table: Table, gathered: Gathered) -> int:
    return past_limits([die.source for die in gathered.pool], CORTEX.of(table).ruleset)
