"""Building a pool piece by piece before it is rolled: by names, steps, SFX, opposition (D2 to D7, X1)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rules import roller
from rules.cortex.notation import modifiers
from rules.cortex.notation.names import WRITTEN, Known
from rules.cortex.notation.pool import parsed
from rules.cortex.notation.tree import Node, Tree
from rules.cortex.rolling import roll
from rules.cortex.rolling.gather import vocabulary_of
from rules.cortex.rolling.own_trouble import CHALLENGE, PUSH
from rules.cortex.state.pool import quoted
from rules.cortex.state.several import alone
from rules.dice import ALL_SIZES, FROM_DOOM, SAFE_WORD, SCALE_WORD, Throw, shorten, typable, write
from rules.errors import NotAllowed, TooLate
from rules.kinds import key
from rules.result import Step
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

MOST_PIECES = 30
"""A pool is built of at most so many pieces."""
_BUILD = re.compile(r"build(?:[\s,]+vs\.?[\s:]+(?P<vs>.+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a pool, as it is typed: the SFX used on it, what is done to it in order, a name or dice."""

    name: str
    verbs: tuple[str, ...] = ()
    sfx: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The piece in dice notation: `Focus up "Quick Wits"`."""
        return " ".join([*self.sfx, *self.verbs, self.name])


@dataclass(frozen=True, slots=True)
class Build:
    """A pool that somebody builds: its pieces, what it is to be rolled against, and the chosen piece.

    `chosen` is the place of the piece that steps are for. `version` counts what was rolled and shared of it.
    `who` is for whom it is built, where it is not one's own character.
    """

    pieces: tuple[Piece, ...] = ()
    vs: str = ""
    chosen: int = -1
    version: int = 0
    who: str = ""

    @property
    def piece(self) -> Piece | None:
        """The piece that steps are for."""
        return self.pieces[self.chosen] if 0 <= self.chosen < len(self.pieces) else None

    @property
    def text(self) -> str:
        """The pool in dice notation."""
        return ", ".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that can join the pool: its name, how it is shown, whether it is in, and its price in PP.

    An SFX that `needs_die` is used on the piece right behind it (X1).
    """

    name: str
    label: str
    is_in: bool
    price: int = 0
    needs_die: bool = False


def pick(build: Build, offered: Iterable[Candidate], chosen: Iterable[Candidate]) -> Build:
    """Of what is offered exactly the chosen is in the pool (D3); an SFX is used on the chosen die (X1)."""
    wanted = {each.name for each in chosen}
    candidates = tuple(offered)
    out = {plain(each.name) for each in candidates if each.is_in and each.name not in wanted}
    left = [place for place, each in enumerate(build.pieces) if plain(each.name) not in out]
    pieces = [
        replace(each, sfx=tuple(name for name in each.sfx if plain(name) not in out))
        for each in (build.pieces[place] for place in left)
    ]
    at = left.index(build.chosen) if build.chosen in left else len(left) - 1
    for each in candidates:
        if each.is_in or each.name not in wanted:
            continue
        if each.needs_die and pieces:
            pieces[at] = replace(pieces[at], sfx=(*pieces[at].sfx, _named(each.name)))
        else:
            pieces.append(Piece(_named(each.name)))
            at = len(pieces) - 1
    _check_count(pieces)
    return replace(build, pieces=tuple(pieces), chosen=at)


def choose(build: Build, place: int) -> Build:
    """Steps are for that piece from now on."""
    _require(replace(build, chosen=place))
    return replace(build, chosen=place)


def change(build: Build, verb: str) -> Build:
    """Do something to the chosen piece; a step the other way takes the last one back (D4, D6)."""
    piece = _require(build)
    opposite = {"up": "down", "down": "up", "hinder": "hinder"}.get(verb)
    is_back = bool(piece.verbs) and piece.verbs[-1] == opposite
    return _with(build, replace(piece, verbs=piece.verbs[:-1] if is_back else (*piece.verbs, verb)))


def take_back(build: Build) -> Build:
    """What was done last to the chosen piece is not done; an SFX is not used on it."""
    piece = _require(build)
    if piece.verbs:
        return _with(build, replace(piece, verbs=piece.verbs[:-1]))
    if not piece.sfx:
        raise TooLate("There's nothing to take back on that die.")
    return _with(build, replace(piece, sfx=piece.sfx[:-1]))


def remove(build: Build) -> Build:
    """The chosen piece leaves the pool (D4)."""
    _require(build)
    left = (*build.pieces[: build.chosen], *build.pieces[build.chosen + 1 :])
    return replace(build, pieces=left, chosen=min(build.chosen, len(left) - 1))


def put_first(build: Build) -> Build:
    """The chosen piece goes to the front: what is written first is done first (D6)."""
    piece = _require(build)
    left = remove(build).pieces
    return replace(build, pieces=(piece, *left), chosen=0)


def retype(table: Table, actor: Actor, build: Build, dice: str, vs: str | None = None) -> Build:
    """The pool as it is typed, and against what. Raises what the notation raises for names unknown here."""
    own = table.characters.get(key(roller.roller(table, actor, build.who or None)[0]))
    known = vocabulary_of(table, actor, own)
    for name, die in alone(known).items():
        known[name] = die
    tree = parsed(dice, known)
    if tree.keep:
        raise NotAllowed(
            "{typed} doesn't belong with these dice. Leave it out.", typed=shorten(f"keep {tree.keep}")
        )
    pieces = _pieces(tree, known)
    pieces += [Piece(modifiers.write([each])) for each in tree.plus]
    _check_count(pieces)
    against = tree.versus or (build.vs if vs is None else " ".join(vs.split()))
    return replace(build, pieces=tuple(pieces), vs=against, chosen=len(pieces) - 1)


def cleared(build: Build) -> Build:
    """The pool begins anew, for whom it was built."""
    return Build(version=build.version, who=build.who)


def oppose(build: Build, vs: str) -> Build:
    """What the pool is to be rolled against."""
    return replace(build, vs=vs)


def begin(table: Table, actor: Actor, build: Build, who: str | None) -> Build:
    """The build of somebody: one's own, or of whom one may roll for; another one's begins anew."""
    name = roller.roller(table, actor, who)[0] if who and who.strip() else ""
    return build if name == build.who else Build(version=build.version, who=name)


def throw_build(table: Table, actor: Actor, throw: Throw, build: Build) -> Step:
    """Roll what was built, in the open, exactly as `/roll` would (R9)."""
    if not build.pieces:
        raise NotAllowed("That pool has no dice yet. Choose a trait in the menus first.")
    return roll.make(table, decided(actor), throw, build.text, build.vs or None, who=build.who or None)


def decided(actor: Actor) -> Actor:
    """Return the person with the sign that nothing is asked: it was asked when they typed the pool."""
    return replace(actor, agreed=(*actor.agreed, WRITTEN))


def build_vs(dice: str) -> str | None:
    """What a pool is to be built against, where `build vs 11` is typed for dice; None for mere dice."""
    found = _BUILD.fullmatch(dice.strip())
    return (found["vs"] or "") if found else None


def require_version(build: Build, seen: str) -> None:
    """Refuse to roll or share the same pool twice by a second press."""
    if str(build.version) != seen:
        raise TooLate("That pool has already been rolled or shared. To open it again: /pool build")


def _pieces(tree: Tree, known: Known) -> list[Piece]:
    """The pieces that typed dice mean: an SFX belongs to the piece behind it, if there is one."""
    pieces, sfx = list[Piece](), list[str]()
    for node in tree.nodes:
        if node.name and not known.die(node.name).size:
            sfx.append(_named(node.name))
        else:
            pieces.append(Piece(_node_text(node), node.verbs, tuple(sfx)))
            sfx = []
    return [*pieces, *map(Piece, sfx)]


def _node_text(node: Node) -> str:
    """A name or dice as they stand in a pool."""
    name = _named(node.name) if node.name else quoted(node.label)
    name = SCALE_WORD if node.is_scale else name
    kind = f"{FROM_DOOM} " if node.is_lent else f"{SAFE_WORD} " if node.is_safe else ""
    dice = f"{kind}{write(node.sizes)}"
    return " ".join(part for part in (name, dice if node.sizes else "") if part and part != '""')


def _named(name: str) -> str:
    """A name as it stands in a pool: dice, scale and verbs as they are, else quoted where it has to be."""
    if name.startswith((f"{PUSH} ", f"{CHALLENGE} ")):
        return name
    return name if name in (SCALE_WORD, *(f"d{size}" for size in ALL_SIZES)) else quoted(name)


def plain(name: str) -> str:
    """The key of a name, as it stands in a pool or at the table."""
    return key(typable(name.strip('"')))


def _require(build: Build) -> Piece:
    if build.piece is None:
        raise TooLate("Choose a die in the pool first.")
    return build.piece


def _with(build: Build, piece: Piece) -> Build:
    """The build with another piece in the place of the chosen one."""
    before, after = build.pieces[: build.chosen], build.pieces[build.chosen + 1 :]
    return replace(build, pieces=(*before, piece, *after))


def _check_count(pieces: list[Piece]) -> None:
    if len(pieces) > MOST_PIECES:
        raise NotAllowed(
            "A pool can have at most {most_pieces} parts; {name} is one too many.",
            most_pieces=MOST_PIECES,
            name=shorten(pieces[-1].name),
        )


def forgotten(build: Build, names: frozenset[str]) -> Build:
    """What somebody else builds, without the names."""
    wanted = {key(name) for name in names}
    pieces = tuple(
        each for each in build.pieces if key(each.name.strip('"').partition(" · ")[0]) not in wanted
    )
    vs = "" if key(build.vs) in wanted else build.vs
    is_same = (pieces, vs) == (build.pieces, build.vs)
    return build if is_same else replace(build, pieces=pieces, vs=vs, chosen=-1)
