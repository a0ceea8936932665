"""Build a pool piece by piece before it is rolled, with its price and odds (D2 to D7, X1)."""

import re
from collections.abc import Iterable

from rules.campaign import rolls
from rules.campaign.seats import Actor
from rules.cortex import pool_grammar, roll, traits
from rules.cortex.kinds import HARMFUL, KINDS, TraitKind
from rules.cortex.model import CORTEX, ladder
from rules.cortex.odds import OddsQuestion, asked_of, count_odds
from rules.cortex.opposition import name_in_dice, name_opponent
from rules.cortex.pool import Die, MultiDieName, Source, TraitUse, alone, quote_label, rating_of
from rules.cortex.pool_items import Node, PoolTree
from rules.cortex.pool_resolver import (
    Gathered,
    gather,
    known_names,
    likeliest,
    paid_for,
    require_alone,
    vocabulary_of,
    with_sfx,
)
from rules.cortex.pool_text import parsed
from rules.cortex.pool_words import FIRST_OF_TIE, NO_DIE, WRITTEN, NameIndex
from rules.cortex.push_and_challenge import CHALLENGE, PUSH, offered
from rules.cortex.ruleset import PushStress, Ruleset
from rules.cortex.sfx import comes_after, parts_of, write_parts
from rules.cortex.sfx_effects import needs_die
from rules.cortex.spending import past_limits
from rules.dice import ALL_SIZES, FROM_DOOM, SAFE_WORD, SCALE_WORD, Throw, typable, write_dice
from rules.errors import NotAllowed, RuleError, TooLate
from rules.game import Step
from rules.names import fold, key
from rules.table import Character, Table
from rules.terms import in_terms, later
from rules.text import Phrase, shorten
from rules.values import Value, replace

MOST_PIECES = 30
"""A pool is built of at most so many pieces."""


_BUILD = re.compile(r"build(?:[\s,]+vs\.?[\s:]++(?P<vs>.+))?", re.IGNORECASE)


class Piece(Value):
    """One part of a pool as typed: a name or dice, with the SFX and verbs for it, in order.

    >>> Piece('"Quick Wits"', verbs=("up",), sfx=("Focus",)).text
    'Focus up "Quick Wits"'
    """

    name: str
    verbs: tuple[str, ...] = ()
    sfx: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The piece in dice notation: `Focus up "Quick Wits"`."""
        return " ".join([*self.sfx, *self.verbs, self.name])


class Build(Value):
    """A pool that somebody is building: its pieces, its opposition, and the selected piece.

    `chosen` is the index of the selected piece, -1 for none. `version` counts how often the pool was
    rolled or shared. `who` is the name of the character it is built for, empty for one's own.
    """

    pieces: tuple[Piece, ...] = ()
    vs: str = ""
    chosen: int = -1
    version: int = 0
    who: str = ""

    @property
    def piece(self) -> Piece | None:
        """The selected piece, which steps apply to; None if none is selected."""
        return self.pieces[self.chosen] if 0 <= self.chosen < len(self.pieces) else None

    @property
    def text(self) -> str:
        """The pool in dice notation.

        >>> Build((Piece("Strong"), Piece("d8", ("up",)))).text
        'Strong, up d8'
        """
        return ", ".join(piece.text for piece in self.pieces)


class Candidate(Value):
    """Something that can join the pool: its name, label, whether it is in, and its price in PP.

    An SFX that `needs_die` applies to the piece that follows it (X1).
    """

    name: str
    label: str
    is_in: bool
    price: int = 0
    needs_die: bool = False


def pick(build: Build, offered: Iterable[Candidate], chosen: Iterable[Candidate]) -> Build:
    """Put exactly the chosen candidates into the pool (D3); an SFX joins the selected die (X1).

    Raises NotAllowed for too many pieces.

    >>> strong, d8 = Candidate("Strong", "Strong d10", False), Candidate("d8", "d8", False)
    >>> pick(Build(), [strong, d8], [strong, d8]).text
    'Strong, d8'
    >>> pick(Build((Piece("d8"),)), [replace(d8, is_in=True)], []).text
    ''
    """
    wanted = {each.name for each in chosen}
    candidates = tuple(offered)
    out = {fold_name(each.name) for each in candidates if each.is_in and each.name not in wanted}
    left = [place for place, each in enumerate(build.pieces) if fold_name(each.name) not in out]
    pieces = [
        replace(each, sfx=tuple(name for name in each.sfx if fold_name(name) not in out))
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
    """Select the piece that steps apply to. Raises TooLate if there is no piece at that index.

    >>> choose(Build((Piece("d6"), Piece("d8"))), 0).piece.name
    'd6'
    """
    _require(replace(build, chosen=place))
    return replace(build, chosen=place)


def change(build: Build, verb: str) -> Build:
    """Apply a verb to the selected piece; a step the other way undoes the last one (D4, D6).

    Raises TooLate if no piece is selected.

    >>> build = Build((Piece("d8"),), chosen=0)
    >>> change(build, "up").text
    'up d8'
    >>> change(change(build, "up"), "down").text
    'd8'
    >>> change(change(build, "up"), "double").text
    'up double d8'
    """
    piece = _require(build)
    opposite = {"up": "down", "down": "up", "hinder": "hinder"}.get(verb)
    is_back = bool(piece.verbs) and piece.verbs[-1] == opposite
    return _with(build, replace(piece, verbs=piece.verbs[:-1] if is_back else (*piece.verbs, verb)))


def take_back(build: Build) -> Build:
    """Undo the last verb on the selected piece, or else remove its last SFX.

    Raises TooLate if no piece is selected or there is nothing to undo.

    >>> take_back(Build((Piece("d8", ("up", "double")),), chosen=0)).text
    'up d8'
    >>> take_back(Build((Piece("d8", sfx=("Focus",)),), chosen=0)).text
    'd8'
    """
    piece = _require(build)
    if piece.verbs:
        return _with(build, replace(piece, verbs=piece.verbs[:-1]))
    if not piece.sfx:
        raise TooLate("There's nothing to take back on that die.")
    return _with(build, replace(piece, sfx=piece.sfx[:-1]))


def remove(build: Build) -> Build:
    """Remove the selected piece from the pool (D4). Raises TooLate if no piece is selected.

    >>> remove(Build((Piece("d6"), Piece("d8")), chosen=0)).text
    'd8'
    """
    _require(build)
    left = (*build.pieces[: build.chosen], *build.pieces[build.chosen + 1 :])
    return replace(build, pieces=left, chosen=min(build.chosen, len(left) - 1))


def put_first(build: Build) -> Build:
    """Move the selected piece to the front: what is written first is done first (D6).

    Raises TooLate if no piece is selected.

    >>> put_first(Build((Piece("d6"), Piece("d8")), chosen=1)).text
    'd8, d6'
    """
    piece = _require(build)
    left = remove(build).pieces
    return replace(build, pieces=(piece, *left), chosen=0)


def retype(table: Table, actor: Actor, build: Build, dice: str, vs: str | None = None) -> Build:
    """Return the build with a pool typed anew, and its opposition if one is typed.

    Raises NotAllowed if the text says how many dice to keep or has too many pieces, and what the
    notation raises for unknown names.
    """
    own = table.characters.get(key(rolls.find_roller(table, actor, build.who or None)[0]))
    known = vocabulary_of(table, actor, own)
    for name, die in alone(known).items():
        known[name] = die
    tree = parsed(name_in_dice(table, dice), known)
    if tree.keep:
        raise NotAllowed(
            "{typed} doesn't belong with these dice. Leave it out.", typed=shorten(f"keep {tree.keep}")
        )
    pieces = _pieces(tree, known)
    pieces += [Piece(pool_grammar.write([each])) for each in tree.plus]
    _check_count(pieces)
    against = tree.versus or (build.vs if vs is None else " ".join(vs.split()))
    return replace(build, pieces=tuple(pieces), vs=name_opponent(table, against), chosen=len(pieces) - 1)


def opened(table: Table, actor: Actor, build: Build) -> Build:
    """Return the build as its player left it; a first one begins with the likeliest traits."""
    if build != Build():
        return build
    return retype(table, actor, build, likeliest(table, table.played_by(actor.id)))


def cleared(build: Build) -> Build:
    """Return an empty build for the same character.

    >>> cleared(Build((Piece("d6"),), vs="11", version=2, who="Kim"))
    Build(pieces=(), vs='', chosen=-1, version=2, who='Kim')
    """
    return Build(version=build.version, who=build.who)


def oppose(build: Build, vs: str) -> Build:
    """Return the build with another opposition.

    >>> oppose(Build((Piece("d6"),)), "11").vs
    '11'
    """
    return replace(build, vs=vs)


def begin(table: Table, actor: Actor, build: Build, who: str | None) -> Build:
    """Return the build for that character: the same build, or an empty one if it was for another."""
    name = rolls.find_roller(table, actor, who)[0] if who and who.strip() else ""
    return build if name == build.who else Build(version=build.version, who=name)


def throw_build(table: Table, actor: Actor, throw: Throw, build: Build) -> Step:
    """Roll the pool in the open, exactly as `/roll` would (R9).

    Raises NotAllowed if it has no dice, and what `/roll` raises.
    """
    if not build.pieces:
        raise NotAllowed("That pool has no dice yet. Choose a trait in the menus first.")
    return roll.make(table, decided(actor), throw, build.text, build.vs or None, who=build.who or None)


def decided(actor: Actor) -> Actor:
    """Return the actor marked as asked already, since questions came up when the pool was typed."""
    return replace(actor, agreed=(*actor.agreed, WRITTEN))


def build_vs(dice: str) -> str | None:
    """Return the opposition where `build` or `build vs 11` is typed for dice; None for dice.

    >>> build_vs("build vs 11")
    '11'
    >>> build_vs("build")
    ''
    >>> build_vs("Build, vs: hard")
    'hard'
    >>> build_vs("2d8") is None
    True
    """
    found = _BUILD.fullmatch(dice.strip())
    return (found["vs"] or "") if found else None


def require_version(build: Build, seen: str) -> None:
    """Raise TooLate if the pool was rolled or shared since the button showing version `seen` was made.

    >>> require_version(Build(version=1), "1")
    >>> require_version(Build(version=1), "0")
    Traceback (most recent call last):
        ...
    rules.errors.TooLate: That pool has already been rolled or shared. To open it again: /pool build
    """
    if str(build.version) != seen:
        raise TooLate("That pool has already been rolled or shared. To open it again: /pool build")


def _pieces(tree: PoolTree, known: NameIndex) -> list[Piece]:
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
    name = _named(node.name) if node.name else quote_label(node.label)
    name = SCALE_WORD if node.is_scale else name
    kind = f"{FROM_DOOM} " if node.is_lent else f"{SAFE_WORD} " if node.is_safe else ""
    dice = f"{kind}{write_dice(node.sizes)}"
    return " ".join(part for part in (name, dice if node.sizes else "") if part and part != '""')


def _named(name: str) -> str:
    """A name as it stands in a pool: dice, scale and verbs as they are, else quoted where it has to be."""
    if name.startswith((f"{PUSH} ", f"{CHALLENGE} ")):
        return name
    return name if name in (SCALE_WORD, *(f"d{size}" for size in ALL_SIZES)) else quote_label(name)


def fold_name(name: str) -> str:
    """Return the key of a name, whether written as in a pool or as at the table.

    >>> fold_name('"Quick Wits"')
    'quick wits'
    """
    return fold(typable(name.strip('"')))


_PART = re.compile(r'(?:"[^"]*"|[^,"])+')
_SIZES = re.compile(r"(?:^|\s)[0-9]*d[0-9]+(?=\s|$)")
_WORD_BEFORE = re.compile(r"(?<!\w)\w++\s+")
_NO_NAME = frozenset(map(fold_name, ("", SAFE_WORD, SCALE_WORD, FROM_DOOM)))
"""What stands before a die without being the name of a trait."""


def still_held(table: Table, own: Character | None, pool: str) -> str:
    """Return a last pool without the traits that a character with a sheet no longer has, or has spent.

    `Mind d10, "Old rope" d8, 2d6` becomes `Mind d10, 2d6` once the rope is gone. Characters without a sheet
    keep every label.
    """
    if own is None or not CORTEX.has(own).sheet:
        return pool
    spent = {fold(t.label) for kind in TraitKind for t in CORTEX.has(own).traits(kind).values() if t.spent}
    names = {fold_name(name) for name in known_names(table, own)} - spent
    return ", ".join(part.strip() for part in _PART.findall(pool) if _is_held(part, names))


def _is_held(part: str, names: set[str]) -> bool:
    """Whether a part of a pool is dice, a number, or a name that is known, with a word before it or not."""
    label = _SIZES.sub(" ", part).strip()
    is_number = not any(map(str.isalpha, label))
    return is_number or not {fold_name(label), fold_name(_WORD_BEFORE.sub("", label, count=1))}.isdisjoint(
        names | _NO_NAME
    )


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
    """Return somebody else's build without those names.

    >>> forgotten(Build((Piece("Kim"), Piece("d8")), vs="Kim"), frozenset({"Kim"}))
    Build(pieces=(Piece(name='d8', verbs=(), sfx=()),), vs='', chosen=-1, version=0, who='')
    """
    wanted = {key(name) for name in names}
    pieces = tuple(
        each for each in build.pieces if key(each.name.strip('"').partition(" · ")[0]) not in wanted
    )
    vs = "" if key(build.vs) in wanted else build.vs
    is_same = (pieces, vs) == (build.pieces, build.vs)
    return build if is_same else replace(build, pieces=pieces, vs=vs, chosen=-1)


SCALE_NAME = "Scale d8"
"""How the scale die is offered (D7)."""


SECTION_OF_SCENE = later("The {scene.one}")
"""What stands over what the scene has."""


DICE, SFX_SECTION, HARMS = later("Dice"), later("SFX"), in_terms(KINDS[TraitKind.COMPLICATION].section)


DISTINCTIONS, THE_SCENE = in_terms(KINDS[TraitKind.DISTINCTION].section), in_terms(SECTION_OF_SCENE)
"""Sections that are no trait sets."""


_ORDER = {DISTINCTIONS: 0, "Assets": 2, "Resources": 2, HARMS: 3, THE_SCENE: 4, SFX_SECTION: 5}
"""Where sections stand, trait sets second."""


_QUOTED = re.compile(r'"[^"]*"')


_DICE = re.compile(r"(?:[0-9]*[dD])?[0-9]+")


class PoolSection(Value):
    """Candidates of one kind for the pool: a trait set, assets, SFX, plain dice."""

    name: str
    candidates: tuple[Candidate, ...]


class BuildSeen(Value):
    """A build as its player sees it: the pool with its odds, or the reason why it cannot be rolled yet.

    `over` is how many dice exceed the usual pool; `gone` are names that have left the table.
    """

    build: Build
    sections: tuple[PoolSection, ...]
    gathered: Gathered | None = None
    asked: OddsQuestion | None = None
    fault: Phrase | None = None
    over: int = 0
    gone: tuple[str, ...] = ()


def look(table: Table, actor: Actor, build: Build) -> BuildSeen:
    """Return the build as it stands at the table now, without names that are gone."""
    name, gm = rolls.find_roller(table, actor, build.who or None)
    own = table.characters.get(key(name))
    known = {**with_sfx(known_names(table, own), own), **offered(table, own)}
    build, gone = _swept(build, known)
    seen = BuildSeen(build, tuple(_sections(table, known, build, own)), gone=gone)
    if not build.pieces:
        return seen
    looker = decided(actor)
    looker = replace(looker, agreed=(*looker.agreed, FIRST_OF_TIE))
    try:
        gathered = gather(table, looker, build.text, None, name, asks=False)
        seen = replace(seen, gathered=gathered, over=_over(table, gathered))
        if not build.vs:
            require_alone(gathered)
        paid_for(table, actor, gathered, name, gm)
        return replace(seen, asked=count_odds(asked_of(table, looker, gathered, build.vs)))
    except RuleError as error:
        return replace(seen, fault=error.words)


def _swept(build: Build, known: dict[str, Die]) -> tuple[Build, tuple[str, ...]]:
    """The build without names that nothing at the table has any more."""
    names = {fold_name(name) for name in known}
    left = [
        replace(piece, sfx=tuple(name for name in piece.sfx if fold_name(name) in names))
        for piece in build.pieces
        if _is_there(piece, names)
    ]
    gone = [piece.name.strip('"') for piece in build.pieces if not _is_there(piece, names)]
    gone += [name.strip('"') for piece in build.pieces for name in piece.sfx if fold_name(name) not in names]
    return replace(build, pieces=tuple(left), chosen=min(build.chosen, len(left) - 1)), tuple(gone)


def _is_there(piece: Piece, names: set[str]) -> bool:
    """Whether a piece still means something: a name that is known, dice, or a label with a die."""
    if fold_name(piece.name) in names or piece.name.lower() == SCALE_WORD or pool_grammar.is_one(piece.name):
        return True
    return any(_DICE.fullmatch(word) for word in _QUOTED.sub(" ", piece.name).split())


def _sections(
    table: Table, known: dict[str, Die], build: Build, own: Character | None
) -> Iterable[PoolSection]:
    """Everything that can join the pool, by trait set and kind, each with its price (D3)."""
    named = {fold_name(name) for piece in build.pieces for name in (piece.name, *piece.sfx)}
    sources: dict[str, Source] = {}
    for name, die in known.items():
        sources |= _brought(name, die) if fold_name(name) in named else {}
    rows: dict[str, list[Candidate]] = {}
    for name, die in known.items():
        offer = _offer(table, own, name, die, named, sources)
        if offer is not None:
            rows.setdefault(_section(_source(die)), []).append(offer)
    theirs = f"{fold(build.vs)} ·"
    against = [each for each in rows.get(HARMS, ()) if build.vs and fold(each.label).startswith(theirs)]
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
    is_in = fold_name(name) in named
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
    owner = "" if " · " in name else _owner_of(table, own, die)
    label = f"{owner} · {label}" if owner else label
    return Candidate(name, label, is_in, 0 if is_in else then - now)


def _push_price(rules: Ruleset, die: Die, *, is_in: bool) -> int:
    """The PP that pushing costs (N3)."""
    costs = die.source.use is TraitUse.PUSHED and rules.push_stress is PushStress.ONE_PP
    return 1 if costs and not is_in else 0


def _is_spent(own: Character, die: Die) -> bool:
    """Whether a trait of one's own is shut down, or a resource that is spent (C2, X1)."""
    mine = [trait for _, trait in traits.held(own) if fold(trait.label) == fold(die.label)]
    return not die.source.is_new and any(trait.shut or trait.spent for trait in mine)


def _owner_of(table: Table, own: Character | None, die: Die) -> str:
    """Who else has the trait that a plain name stands for; empty for what is one's own or the scene's."""
    source = _source(die)
    kind = source.kind
    if source.is_scene or not isinstance(kind, TraitKind):
        return ""
    is_harm = kind in HARMFUL
    if own is not None and not is_harm and key(die.label) in CORTEX.has(own).traits(kind):
        return ""
    kinds = HARMFUL if is_harm else (kind,)
    for other in table.characters.values():
        held = map(CORTEX.has(other).traits, kinds)
        if (own is None or other.name != own.name) and any(key(die.label) in traits for traits in held):
            return other.name
    return "Scene" if is_harm else ""


def _brought(name: str, die: Die) -> dict[str, Source]:
    """Where what a name brings comes from, by key: a part brings its trait, once (N23)."""
    whole = die.whole if isinstance(die, MultiDieName) else None
    return {fold_name(name): die.source} | ({fold(whole.label): whole.source} if whole else {})


def _source(die: Die) -> Source:
    """Where a die comes from; a part from where its trait does (N23)."""
    return die.whole.source if isinstance(die, MultiDieName) and die.whole else die.source


def _section(source: Source) -> str:
    """The section of what comes from there: a trait set, a kind of trait, the scene, an SFX."""
    if source.is_scene:
        return THE_SCENE
    if isinstance(source.kind, TraitKind):
        return source.set or in_terms(KINDS[source.kind].section)
    return SFX_SECTION


def _over(table: Table, gathered: Gathered) -> int:
    return past_limits([die.source for die in gathered.pool], CORTEX.of(table).ruleset)
