"""Building a pool piece by piece before it is rolled: by names, steps, SFX, opposition (D2 to D7, X1)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from rules.cortex import roll
from rules.cortex.facts import Step
from rules.cortex.odds import Question, ask
from rules.cortex.pool import SET, Gathered, gather, known_names, with_sfx
from rules.cortex.seats import Actor
from rules.cortex.sfx import write_parts
from rules.cortex.sfx_pool import needs_die
from rules.cortex.spend import past_limits
from rules.cortex.table import Character, Kind, Table, key
from rules.dice import SCALE_WORD, SIZES, VERBS, Die, Throw, quoted, shorten, typable
from rules.errors import NotAllowed, RuleError, TooLate
from rules.notation import LONGEST, NO_DIE, SFX, read

MOST_PIECES = 30
"""A pool is built of at most so many pieces."""
SCALE_NAME = "Scale d8"
"""How the scale die is offered (D7)."""
DICE, SFX_SECTION = "Dice", "SFX"
_SECTIONS = {
    Kind.DISTINCTION: "Distinctions",
    Kind.ASSET: "Assets",
    Kind.RESOURCE: "Resources",
    Kind.COMPLICATION: "Complications and stress",
    Kind.STRESS: "Complications and stress",
    Kind.TRAUMA: "Complications and stress",
    Kind.TRAIT: "Traits",
    f"scene {Kind.DISTINCTION}": "The scene",
    f"scene {Kind.ASSET}": "The scene",
    f"scene {Kind.COMPLICATION}": "The scene",
    SFX: SFX_SECTION,
}
_PIECE = re.compile(r'(?:"[^"]*"|[^,+;\n"])+')


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a pool, as it is typed: what is done to it, in order, and a name or dice."""

    name: str
    verbs: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The piece in dice notation: `up double "Quick Wits"`."""
        return " ".join([*self.verbs, self.name])


@dataclass(frozen=True, slots=True)
class Build:
    """A pool that somebody builds: its pieces, what it is to be rolled against, and the chosen piece.

    `chosen` is the place of the piece that steps are for. `version` counts what was rolled and shared of it.
    """

    pieces: tuple[Piece, ...] = ()
    vs: str = ""
    chosen: int = -1
    version: int = 0

    @property
    def text(self) -> str:
        """The pool in dice notation."""
        return ", ".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can join the pool: its name, how it is shown, whether it is in, and its price in PP.

    An SFX that `needs_die` is used on the piece right behind it (X1).
    """

    name: str
    label: str
    is_in: bool
    price: int = 0
    needs_die: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Things of one kind that can join the pool: a trait set, assets, SFX, plain dice."""

    name: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A build as its player sees it: the pool with its odds, or why it cannot be rolled yet."""

    build: Build
    sections: tuple[Section, ...]
    gathered: Gathered | None = None
    asked: Question | None = None
    fault: str = ""
    over: int = 0
    gone: tuple[str, ...] = ()


def look(table: Table, actor: Actor, build: Build) -> Seen:
    """The build as it stands at the table now; names that are gone have left it."""
    known = _known(table, actor)
    build, gone = _swept(build, known)
    own = table.characters.get(key(_name(table, actor)))
    seen = Seen(build, tuple(_sections(table, known, build, own)), gone=gone)
    if not build.pieces:
        return seen
    try:
        gathered = gather(table, actor, build.text, None, _name(table, actor))
        seen = replace(seen, gathered=gathered, over=_over(table, gathered))
        return replace(seen, asked=ask(table, actor, build.text, build.vs or None))
    except RuleError as error:
        return replace(seen, fault=str(error))


def pick(build: Build, offered: Iterable[Offer], chosen: Iterable[Offer]) -> Build:
    """Of what is offered exactly the chosen is in the pool (D3)."""
    wanted = {each.name for each in chosen}
    offers = tuple(offered)
    out = {_plain(each.name) for each in offers if each.is_in and each.name not in wanted}
    at = build.pieces[build.chosen] if 0 <= build.chosen < len(build.pieces) else None
    pieces = [piece for piece in build.pieces if _plain(piece.name) not in out]
    for each in offers:
        if each.is_in or each.name not in wanted:
            continue
        if each.needs_die and at in pieces:
            pieces.insert(pieces.index(at), Piece(_named(each.name)))
        else:
            pieces.append(Piece(_named(each.name)))
            at = pieces[-1]
    _check_count(pieces)
    return replace(build, pieces=tuple(pieces), chosen=pieces.index(at) if at in pieces else len(pieces) - 1)


def choose(build: Build, place: int) -> Build:
    """Steps are for that piece from now on."""
    _require(build, place)
    return replace(build, chosen=place)


def change(build: Build, verb: str) -> Build:
    """Do something to the chosen piece; a step the other way takes the last one back (D4, D6)."""
    piece = _require(build, build.chosen)
    opposite = {"up": "down", "down": "up"}.get(verb)
    if verb == "hinder":
        is_in = verb in piece.verbs
        verbs = tuple(v for v in piece.verbs if v != verb) if is_in else (*piece.verbs, verb)
    elif piece.verbs and piece.verbs[-1] == opposite:
        verbs = piece.verbs[:-1]
    else:
        verbs = (*piece.verbs, verb)
    pieces = (*build.pieces[: build.chosen], replace(piece, verbs=verbs), *build.pieces[build.chosen + 1 :])
    return replace(build, pieces=pieces)


def put_first(build: Build) -> Build:
    """The chosen piece goes to the front: what is written first is done first (D6)."""
    piece = _require(build, build.chosen)
    others = (*build.pieces[: build.chosen], *build.pieces[build.chosen + 1 :])
    return replace(build, pieces=(piece, *others), chosen=0)


def retype(build: Build, dice: str, vs: str | None = None) -> Build:
    """The pool as it is typed, and against what. Raises Unreadable for text that is too long."""
    if len(dice) > LONGEST:
        raise NotAllowed(f"That has {len(dice)} characters; a pool has {LONGEST} at most. Example: 2d6 d8")
    pieces = [
        _piece(part) for part in _PIECE.findall(dice.replace("“", '"').replace("”", '"')) if part.strip()
    ]
    _check_count(pieces)
    against = build.vs if vs is None else " ".join(vs.split())
    return replace(build, pieces=tuple(pieces), vs=against, chosen=len(pieces) - 1)


def oppose(build: Build, vs: str) -> Build:
    """What the pool is to be rolled against."""
    return replace(build, vs=vs)


def throw_build(table: Table, actor: Actor, throw: Throw, build: Build) -> Step:
    """Roll what was built, in the open, exactly as `/roll` would (R9)."""
    if not build.pieces:
        raise NotAllowed("There is no die in that pool yet. Choose a trait in the menus first.")
    return roll.make(table, actor, throw, build.text, build.vs or None)


def is_build(dice: str) -> bool:
    """Whether what is typed for dice asks for the builder."""
    return dice.strip().casefold() == "build"


def require_version(build: Build, seen: str) -> None:
    """Refuse to roll or share the same pool twice by a second press."""
    if str(build.version) != seen:
        raise TooLate("That pool was rolled or shared already. To roll it again: /roll dice:last")


def _name(table: Table, actor: Actor) -> str:
    return roll.roller(table, actor, None)[0]


def _known(table: Table, actor: Actor) -> dict[str, Die]:
    own: Character | None = table.characters.get(key(_name(table, actor)))
    return with_sfx(known_names(table, own), own)


def _swept(build: Build, known: dict[str, Die]) -> tuple[Build, tuple[str, ...]]:
    """The build without names that nothing at the table has any more."""
    left = tuple(piece for piece in build.pieces if _is_there(piece, known))
    gone = tuple(piece.name.strip('"') for piece in build.pieces if piece not in left)
    return replace(build, pieces=left, chosen=min(build.chosen, len(left) - 1)), gone


def _is_there(piece: Piece, known: dict[str, Die]) -> bool:
    """Whether a piece still means something: a name that is known, or anything with a die of its own."""
    if any(c.isdigit() for c in piece.name) or piece.name.lower() == SCALE_WORD:
        return True
    return _plain(piece.name) in {_plain(name) for name in known} or _reads(piece, known)


def _reads(piece: Piece, known: dict[str, Die]) -> bool:
    try:
        read(f"{piece.name}, d4", known)
    except RuleError:
        return False
    return True


def _sections(table: Table, known: dict[str, Die], build: Build, own: Character | None) -> Iterable[Section]:
    """Everything that can join the pool, by trait set and kind, each with its price (D3)."""
    named = {_plain(piece.name) for piece in build.pieces}
    sources = [die.source for name, die in known.items() if _plain(name) in named]
    rows = [(_section(die.source), name, die) for name, die in known.items()]
    order = list(dict.fromkeys(section for section, _, _ in rows))
    rows.sort(key=lambda row: order.index(row[0]))
    for section, held in groupby(rows, key=lambda row: row[0]):
        offers = (_offer(table, own, name, die, named, sources) for _, name, die in held)
        yield Section(section, tuple(offers))
    plain = [f"d{size}" for size in SIZES]
    dice = [Offer(die, die, die in named) for die in plain]
    yield Section(DICE, (*dice, Offer(SCALE_WORD, SCALE_NAME, SCALE_WORD in named)))


def _offer(
    table: Table, own: Character | None, name: str, die: Die, named: set[str], sources: list[str]
) -> Offer:
    """A trait or an SFX as it is offered; a die past a limit with its price."""
    is_in = _plain(name) in named
    if die.size == NO_DIE and own is not None:
        sfx = own.sfx[key(name)]
        return Offer(name, f"{name}: {write_parts(sfx)}", is_in, needs_die=needs_die(sfx))
    now, then = past_limits(sources, table.ruleset), past_limits([*sources, die.source], table.ruleset)
    price = 0 if is_in else then - now
    return Offer(name, f"{name} d{die.size}", is_in, price)


def _section(source: str) -> str:
    return source.removeprefix(SET) if source.startswith(SET) else _SECTIONS.get(source, "More")


def _over(table: Table, gathered: Gathered) -> int:
    return past_limits([die.source for die in gathered.pool], table.ruleset)


def _piece(text: str) -> Piece:
    """A part as typed: the verbs before it, and the rest as it is."""
    words, verbs = text.split(), list[str]()
    while len(words) > 1 and words[0].lower() in VERBS:
        verbs.append(words.pop(0).lower())
    return Piece(" ".join(words), tuple(verbs))


def _named(name: str) -> str:
    """A name as it stands in a pool: dice and the scale as they are, else quoted where it has to be."""
    return name if name in (SCALE_WORD, *(f"d{size}" for size in SIZES)) else quoted(Die(4, name))


def _plain(name: str) -> str:
    """The key of a name as it stands in a pool or at the table."""
    return key(typable(name.strip('"')))


def _require(build: Build, place: int) -> Piece:
    if not 0 <= place < len(build.pieces):
        raise TooLate("Choose a die of the pool first.")
    return build.pieces[place]


def _check_count(pieces: list[Piece]) -> None:
    if len(pieces) > MOST_PIECES:
        raise NotAllowed(f"A pool has {MOST_PIECES} parts at most; {shorten(pieces[-1].name)} is too many.")
