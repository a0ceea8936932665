"""Turn a typed pool into dice at a table: names, hindering distinctions, earlier pools (D2, P1)."""

import re
from collections.abc import Collection, Iterable, Mapping

from rules.campaign.seats import Actor, played_as, require_gm, seated
from rules.cortex import gm_pools, points, pool_grammar, push_and_challenge, traits
from rules.cortex.facts import Cause, Change, Why
from rules.cortex.kinds import HARMFUL, LENDING, TROUBLE, Foe, KeptPool, Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX, Modifier
from rules.cortex.opposition import name_in_dice
from rules.cortex.opposition import names as opponents
from rules.cortex.pool import (
    NEW,
    SCENE_SOURCES,
    SOURCES,
    Die,
    MultiDieName,
    NamedPool,
    Pool,
    Source,
    Special,
    TraitUse,
    is_resource,
    quote_label,
    source_of,
    write_pool,
)
from rules.cortex.pool_grammar import parted
from rules.cortex.pool_items import PoolTree
from rules.cortex.pool_text import check_hindered, dice_of, is_dice_alone, parsed, read, with_hindered
from rules.cortex.pool_words import NO_DIE, WRITTEN, NameIndex, TypedDice
from rules.cortex.push_and_challenge import ahead, helps
from rules.cortex.ruleset import ANY_SIZE, PushStress, ResourceUse
from rules.cortex.sfx_effects import (
    NOTHING,
    SfxBesidePool,
    Standing,
    beside_pool,
    lent_by,
    moved_to_doom,
    needs_die,
    require_given,
    settled,
    standing,
    worked,
)
from rules.custom_terms import with_doom
from rules.dice import check_count
from rules.errors import NotAllowed, RuleError, Unknown, Unreadable
from rules.facts import Fact
from rules.game import Step
from rules.names import clean, fold, get_named, key
from rules.table import Character, Table
from rules.text import Words, counted, shorten
from rules.values import Value, replace

_LASTING = tuple(kind for kind in LENDING if kind is not TraitKind.RESOURCE)


_OF_OTHERS = (TraitKind.ASSET, *HARMFUL)


LAST = re.compile("last(?: ([0-9]{1,3}))?", re.IGNORECASE)
"""What means the last pool again, or one before it."""


def known_names(table: Table, character: Character | None) -> dict[str, Die]:
    """Return the dice that names stand for, by label: the character's own, then the scene's, then others'."""
    mine = None if character is None else table.characters.get(key(character.name), character)
    own = [] if mine is None else [mine]
    others = [c for c in table.characters.values() if c is not mine]
    known: dict[str, Die] = {}
    seen: dict[str, str] = {}
    rules = CORTEX.of(table).ruleset
    lasting = (*_LASTING, TraitKind.RESOURCE) if rules.resources is not ResourceUse.OFF else _LASTING
    groups: tuple[tuple[list[Character], tuple[TraitKind, ...]], ...] = (
        (own, (*lasting, *TROUBLE) if rules.d4_helps else lasting),
        ([table.scenery], (TraitKind.DISTINCTION, TraitKind.ASSET, TraitKind.COMPLICATION)),
        (others, _OF_OTHERS),
    )
    for people, kinds in groups:
        for person in people:
            for kind in kinds:
                for label, trait in CORTEX.has(person).traits(kind).items():
                    if people is own and kind in HARMFUL and not helps(rules, kind, trait.die):
                        continue
                    name, folded = trait.label, fold(label)
                    is_lookalike = people is own and seen.get(folded, label) != label
                    if folded in seen and not is_lookalike:
                        name = owned_name(person, trait)
                        folded = fold(name)
                    if folded not in seen or is_lookalike:
                        seen[folded] = label
                        source = _source(table, person, kind, trait, is_own=people is own)
                        known[name] = (
                            _several(table, person, kind, trait, source)
                            if trait.more or trait.part_of
                            else Die(trait.die, trait.label, source, trait.safe and rules.safe_dice)
                        )
    if mine is not None and (pool := boss_dice(mine)) is not None and pool.label not in seen:
        known[pool.label] = pool
    return known


def boss_dice(gmc: Character) -> MultiDieName | None:
    """Return the unlabelled dice of a boss or a mob by the name `boss` or `mob`; None for others (B1, B2).

    >>> boss_dice(Character("Alice")) is None
    True
    """
    own = CORTEX.has(gmc)
    sizes = [size for size, count in sorted(own.pool.items()) for _ in range(count)]
    if own.rank is None or not sizes:
        return None
    return MultiDieName(sizes[-1], str(own.rank), SOURCES[Foe.GMC], more=tuple(sizes[:-1]))


def _several(table: Table, owner: Character, kind: TraitKind, trait: Trait, source: Source) -> Die:
    """A trait with several dice, or a part, which brings its trait along (N21, N23)."""
    whole = get_named(CORTEX.has(owner).traits(kind), trait.part_of)
    has_safe = CORTEX.of(table).ruleset.safe_dice
    is_safe = trait.safe and has_safe
    if not trait.part_of or whole is None:
        return MultiDieName(trait.die, trait.label, source, is_safe, more=trait.more)
    own = SOURCES[Special.FURTHER_RESOURCE] if source.kind is TraitKind.RESOURCE else SOURCES[Special.PART]
    brings = MultiDieName(whole.die, whole.label, source, whole.safe and has_safe, more=whole.more)
    return MultiDieName(trait.die, trait.label, own, is_safe, more=trait.more, whole=brings)


def owned_name(owner: Character, trait: Trait) -> str:
    """Return a trait with its owner, for labels that several characters have: `Rex · Stuck`."""
    return f"{owner.name} · {trait.label}"


def _source(table: Table, owner: Character, kind: TraitKind, trait: Trait, *, is_own: bool) -> Source:
    """Where a die comes from: one's own trait, the scene's, or another's (D2, D3)."""
    if is_own:
        return Source(kind, use=TraitUse.HELPS) if kind in HARMFUL else source_of(kind, trait)
    return (SCENE_SOURCES if owner is table.scenery else SOURCES)[kind]


def likeliest(table: Table, character: Character | None) -> str:
    """Return a first pool to suggest, as text: a distinction and the best trait of each set."""
    if character is None:
        return ""
    best: dict[str, Trait] = {}
    for trait in CORTEX.has(character).sheet.values():
        if trait.set and trait.die > best.get(trait.set, Trait("", 0)).die:
            best[trait.set] = trait
    traits = [*list(CORTEX.has(character).distinctions.values())[:1], *best.values()]
    return ", ".join(_quoted(trait.label) for trait in traits if not trait.shut)


def recent_pool(table: Table, player: int, which: int) -> str:
    """Return one of a player's last pools as text, 1 for the newest. Raises Unknown if there is none."""
    pools = CORTEX.of(table).last_pools.get(player, ())
    if not 1 <= which <= len(pools):
        there_is = (
            counted(len(pools), "There are {count}.", "There are {count}.")
            if pools
            else Words("There are none yet.")
        )
        raise Unknown(
            "You don't have a last pool {which} yet. {there_is}",
            which=which,
            there_is=there_is,
        )
    return pools[which - 1]


def kept_as(character: Character | None, known: Iterable[str], typed: str) -> KeptPool | None:
    """Return the pool saved under exactly this name; None if there is none or a die has the name."""
    if character is None or not CORTEX.has(character).kept:
        return None
    is_die = fold(typed) in map(fold, known)
    return None if is_die else get_named(CORTEX.has(character).kept, typed)


class Gathered(Value):
    """A pool to be rolled, with what is paid and gained for it: hindered distinctions and SFX (P1, X1).

    - `used`: SFX, each with the die that it is used on; `beside`: what they give besides dice.
    - `stands`: the complications and stress that they step.
    - `lent`: dice taken out of the doom pool by hand (D4).
    - `plus`: modifiers of the total (N13).
    - `typed`: the text that makes the same pool again, if the dice alone don't.
    - `is_owing`: an earlier roll may owe what happens when it closes (N2, N3, N7).
    """

    pool: Pool
    hindered: tuple[str, ...] = ()
    used: tuple[tuple[Sfx, Die | None], ...] = ()
    beside: SfxBesidePool = NOTHING
    stands: tuple[Standing, ...] = ()
    typed: str = ""
    lent: tuple[int, ...] = ()
    plus: tuple[Modifier, ...] = ()
    is_owing: bool = True
    keep: int = 0
    """How many results are kept, where the text says it; 0 where it does not."""
    moved: tuple[int, ...] = ()
    """The sizes of dice that SFX move to doom (D4)."""

    def kept(self, keep: int) -> int:
        """Return how many results are kept.

        Raises NotAllowed if the dice and the option give different numbers.
        """
        return kept_of(self.keep, keep)

    @property
    def text(self) -> str:
        """Return the pool as text that can be typed again, with everything that is paid or gained for it."""
        text = self.typed or write_pool(self.pool)
        return pool_grammar.beside_modifiers(text, self.plus) if self.plus else text


def kept_of(typed: int, keep: int) -> int:
    """Return how many results are kept: `typed` among the dice (0 for none), else the option `keep`.

    >>> kept_of(3, 2), kept_of(0, 3)
    (3, 3)

    Raises NotAllowed if both choose different numbers; 2 is the default of the option, and no choice.
    """
    if typed and keep not in (2, typed):
        raise NotAllowed(
            "The option dice says keep {typed}, but the option keep says {keep}. Leave one of them out.",
            typed=typed,
            keep=keep,
        )
    return typed or keep


class TypedRoll(Value):
    """A typed roll: its tree, the names it was read with, and who rolls."""

    tree: PoolTree
    known: NameIndex
    character: Character | None
    usual: str = ""
    """What a pool that is kept by name is against where nothing else is typed."""

    def against(self, vs: str | None) -> str | None:
        """Return the opposition, typed with the dice or as an option. Raises NotAllowed if these differ."""
        typed = self.tree.versus
        if vs and vs.strip() and typed and fold(vs) != fold(typed):
            raise NotAllowed(
                "The option dice says vs {typed}, but the option vs says {vs}. Leave one of them out.",
                typed=shorten(typed),
                vs=shorten(vs),
            )
        return vs if vs and vs.strip() else typed or self.usual or None

    def kept(self, keep: int) -> int:
        """Return how many results are kept.

        Raises NotAllowed if the dice and the option give different numbers.
        """
        return kept_of(self.tree.keep, keep)


def typed_roll(table: Table, actor: Actor, typed: str, name: str, hinder: str | None = None) -> TypedRoll:
    """Read a pool that somebody types to roll it as this character (D2).

    `last` means an earlier pool of theirs, and the name of a saved pool means that pool. Raises Unreadable,
    NotAllowed or Unknown as `parsed` does; Undecided if two readings give different dice.
    """
    table, _ = _closed_before(table, name)
    if fold(typed) == "build":
        raise NotAllowed("To open the builder, use a separate command. Example: /pool build")
    last = LAST.fullmatch(" ".join(typed.split()))
    # A form is filled in with the last pool, and it is suggested: then the bot wrote it.
    is_written = WRITTEN in actor.agreed or typed in CORTEX.of(table).last_pools.get(actor.id, ())
    if last:
        typed, is_written = recent_pool(table, actor.id, int(last[1] or 1)), True
    else:
        typed = name_in_dice(table, typed)
        typed = with_doom(table, typed) if table.settings.words else typed
    character = table.characters.get(key(name))
    has_kept = character is not None and bool(CORTEX.has(character).kept)
    is_named = bool(hinder) or has_kept or not is_dice_alone(typed)
    known = vocabulary_of(table, actor, character) if is_named else NameIndex()
    known.rules, known.decided, known.is_written = CORTEX.of(table).ruleset, actor.agreed, is_written
    known.opponents = lambda: opponents(table)
    try:
        dice, versus, keep = parted(typed, known) if has_kept else (typed, "", 0)
        if kept := kept_as(character, known, dice):
            tree = parsed(kept.dice, known, is_roll=True)
            usual = kept.vs or tree.versus  # a sheet may say it in other words than vs: `tn 12`
            return TypedRoll(replace(tree, versus=versus, keep=keep or tree.keep), known, character, usual)
        tree = parsed(typed, known, is_roll=True)
    except Unreadable:
        push_and_challenge.require_read(table, character, typed, known)
        _require_no_pool(table, character, typed)
        raise
    if has_kept:
        for label in (node.label for node in tree.nodes if node.label):
            _require_no_pool(table, character, label, is_whole=True)
    return TypedRoll(tree, known, character)


def vocabulary_of(table: Table, actor: Actor, character: Character | None) -> NameIndex:
    """Return the names that a character can type, with SFX and verbs for traits (D2, X1, N3, N7)."""
    rules = CORTEX.of(table).ruleset
    known = NameIndex(with_sfx(known_names(table, character), character))
    known.rules, known.decided = rules, actor.agreed
    known.whose, known.own = "" if character is None else character.name, played_as(table, actor)
    if rules.statements or rules.push_stress is not PushStress.OFF:
        known.offered = push_and_challenge.typed_offers(table, character)
        known.refused = push_and_challenge.refusals(table, character)
    return known


def _closed_before(table: Table, name: str) -> tuple[Table, bool]:
    """The table once the earlier rolls of somebody have closed, and whether any may have to (N2, N3, N7)."""
    is_owing = any(roll.closing for roll in CORTEX.of(table).rolls.values())
    return (ahead(table, name).table, True) if is_owing else (table, False)


def gather(
    table: Table, actor: Actor, typed: str | TypedRoll, hinder: str | None, name: str, *, asks: bool = True
) -> Gathered:
    """Return the typed pool with its names, steps and SFX applied; nothing is paid yet (D2, D6, P1, X1).

    With `asks` off, nothing is asked about what an SFX steps. The character's earlier rolls close first (N2,
    N3, N7). Raises NotAllowed for an opposition in plain text; otherwise as `typed_roll` does.
    """
    table, is_owing = _closed_before(table, name)
    rules = CORTEX.of(table).ruleset
    has_mods = rules.d4_helps or rules.statements or rules.push_stress is not PushStress.OFF
    if isinstance(typed, str):
        typed = typed_roll(table, actor, typed, name, hinder)
        if typed.tree.versus:
            raise NotAllowed("This roll already has opposition. Leave vs out. Example: Mind d10 + d6")
    tree, known, character = typed.tree, typed.known, typed.character
    reading = dice_of(tree, known, is_roll=True)
    if hinder and hinder.strip():
        reading = with_hindered(reading, known, clean(hinder, Words("{distinction.one}")))
    check_hindered(reading, known)
    _check_open(reading.pool, [label for label, _ in reading.used], character)
    held = {} if character is None else CORTEX.has(character).sfx
    used = tuple((held[key(label)], die) for label, die in reading.used)
    who = key(name) if key(name) in table.characters else ""
    stands = tuple(
        one for sfx, _ in used for one in standing(table, who, sfx, actor.agreed, reading.pool, asks=asks)
    )
    pool = reading.pool
    if has_mods or used:
        sfxs = [sfx for sfx, _ in used]
        pool = push_and_challenge.trouble_points(table, character, pool, sfxs, actor.agreed, asks)
        push_and_challenge.require_paid(table, pool, sfxs)
        pool = push_and_challenge.marked(pool)
    moved: tuple[int, ...] = ()
    for sfx, die in used:
        pool, gone = worked(pool, sfx, die, rules, who, stands, known.decided, asks=asks)
        moved += gone
    check_count(len(pool))
    is_more = used or reading.hindered or (has_mods and push_and_challenge.has_marks(pool))
    text = _typed(reading, tuple(known.offered.values())) if is_more else ""
    extra = beside_pool(sfx for sfx, _ in used) if used else NOTHING
    paid_and_given = (pool, reading.hindered, used, extra, stands, text, reading.lent)
    return Gathered(*paid_and_given, reading.plus, is_owing, tree.keep, moved)


def _require_no_pool(
    table: Table, character: Character | None, typed: str, *, is_whole: bool = False
) -> None:
    """Refuse the name of a pool in text that cannot be read, by how the pool is rolled (D2, D4).

    `is_whole` says that the text is a label of dice, which is a saved pool's name or none.
    """
    text = fold(typed)
    for kept in CORTEX.has(character).kept.values() if character is not None else ():
        if text == fold(kept.name) if is_whole else _holds(text, kept.name):
            raise NotAllowed(
                "{pool} is a saved pool, so roll it without other dice. Example: /roll dice:{pool}",
                pool=kept.name,
            )
    for pool in () if is_whole else CORTEX.of(table).pools.values():
        if _holds(text, pool.name):
            raise NotAllowed("{pool} is a named pool. To roll it: /pool roll name:{pool}", pool=pool.name)


def _holds(text: str, name: str) -> bool:
    """Whether a name stands in a text as words of their own."""
    return re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", text) is not None


def _typed(reading: TypedDice, verbs: Collection[Die]) -> str:
    """A pool as it is typed, with what hinders, and each SFX before the die that it is used on."""
    hindered, left = {fold(label) for label in reading.hindered}, list(reading.used)
    parts: list[str] = []
    for die in reading.pool:
        parts += [_quoted(name) for name, on in left if on == die]
        left = [(name, on) for name, on in left if on != die]
        if die.source.kind is Special.DOUBLED and die.label and parts:
            parts[-1] = f"double {parts[-1]}"
            continue
        is_hindered = fold(die.label) in hindered
        plain = push_and_challenge.write_trouble(die, verbs) or write_pool([die])
        parts.append(f"hinder {_quoted(die.label)} d8" if is_hindered else plain)
        hindered.discard(fold(die.label))
    return ", ".join([*parts, *(_quoted(name) for name, _ in left)])


def _quoted(label: str) -> str:
    return quote_label(label)


def gathered_before(table: Table, actor: Actor, shared: NamedPool, name: str) -> Gathered:
    """Return a shared pool for this character to roll now (D2, X1).

    Raises Unknown for an SFX that is gone.
    """
    table = ahead(table, name).table
    character = table.characters.get(key(name))
    held = {} if character is None else CORTEX.has(character).sfx
    missing = [each for each in shared.sfx if key(each) not in held]
    if missing:
        raise Unknown(
            "Pool {shared} uses the SFX {missing}, which is gone. Clear the pool, then build it again: "
            "/pool build",
            missing=missing[0],
            shared=shared.name,
        )
    _check_open(shared.dice, shared.sfx, character)
    used = tuple((held[key(each)], None) for each in shared.sfx)
    has = {} if character is None else CORTEX.has(character).resources
    pool = tuple(
        replace(die, source=NEW) if is_resource(die) and key(die.label) not in has else die
        for die in push_and_challenge.still(table, character, shared.dice)
    )
    who = key(name) if key(name) in table.characters else ""
    stands = tuple(one for sfx, _ in used for one in standing(table, who, sfx, actor.agreed, shared.dice))
    beside = beside_pool(sfx for sfx, _ in used)
    return Gathered(pool, shared.hindered, used, beside, stands, moved=shared.moved)


def paid_for(table: Table, actor: Actor, gathered: Gathered, name: str, gm: bool, hit: str = "") -> Step:
    """Pay and gain what a pool costs and gives: hindered distinctions, resources and SFX (P1, C2, X1).

    `hit` is the key of whoever is rolled against, who gets the complication of an SFX.
    """
    step = ahead(table, name) if gathered.is_owing else Step(table, ())
    table, rules = step.table, CORTEX.of(table).ruleset
    has_mods = rules.d4_helps or rules.statements or rules.push_stress is not PushStress.OFF
    is_marked = has_mods and push_and_challenge.has_marks(gathered.pool)
    resources = tuple(die.label for die in gathered.pool if is_resource(die))
    if gathered.lent:
        require_gm(table, actor, Words("take dice from {doom_pool.short}"))
    lent = (*gathered.lent, *(size for sfx, _ in gathered.used for size in lent_by(sfx)))
    if lent:
        step = step.then(gm_pools.remove_dice(table, gm_pools.DOOM, lent, Change.TO_POOL))
    if not (gathered.used or is_marked) and (gm or not (gathered.hindered or resources)):
        return step
    table, who = seated_as(step.table, actor, name)
    step = Step(table, step.facts)
    for label in () if gm else {fold(label): label for label in gathered.hindered}.values():
        step = step.then(points.earn_points(step.table, who, 1, Why(Cause.HINDRANCE, label)))
    if resources and not gm:
        step = step.then(traits.spent(step.table, who, dict.fromkeys(resources)))
    if is_marked:
        sfxs = [sfx for sfx, _ in gathered.used]
        step = step.then(push_and_challenge.paid(step.table, who, gathered.pool, sfxs, gm=gm))
    for sfx, die in gathered.used:
        require_given(sfx, rules)
        on = _said(die) if die is not None and needs_die(sfx) else ""
        step = step.then(settled(step.table, who, sfx, on, hit, stands=_of(gathered, sfx)))
    return step.then(moved_to_doom(step.table, gathered.moved))


def _of(gathered: Gathered, sfx: Sfx) -> tuple[Standing, ...]:
    return tuple(one for one in gathered.stands if one.sfx == sfx.name)


def pooled(
    table: Table, actor: Actor, typed: str | TypedRoll, hinder: str | None, name: str, gm: bool
) -> tuple[Gathered, tuple[Fact, ...], Table]:
    """Return the typed pool, the facts of what it cost, and the table with that paid."""
    gathered = gather(table, actor, typed, hinder, name)
    require_alone(gathered)
    step = paid_for(table, actor, gathered, name, gm)
    return gathered, step.facts, step.table


def require_alone(gathered: Gathered) -> None:
    """Check that no SFX steps opposing dice, for a roll without any. Raises NotAllowed if one does (X1)."""
    if gathered.beside.theirs:
        raise NotAllowed(
            "{name} needs opposing dice that haven't been rolled yet. Example: /roll dice:{typed} vs:2d8",
            name=gathered.used[0][0].name,
            typed=gathered.text,
        )


def dice_in(typed: str, known: Mapping[str, Die]) -> tuple[Die, ...]:
    """Return the dice and SFX in a text that is still being typed; () while it can't be read."""
    if not typed.strip():
        return ()
    try:
        reading = read(typed, known, ANY_SIZE, is_roll=True, is_written=True)
    except RuleError:
        return ()
    return (*reading.pool, *(known[name] for name, _ in reading.used))


def with_sfx(known: dict[str, Die], character: Character | None) -> dict[str, Die]:
    """Return the names with those of the character's SFX; a trait hides an SFX of the same name (X1)."""
    if character is None or not CORTEX.has(character).sfx:
        return known
    taken, held = {fold(name) for name in known}, CORTEX.has(character).sfx.values()
    free = [one.name for one in held if fold(one.name) not in taken]
    return {**known, **{name: Die(NO_DIE, name, SOURCES[Special.SFX]) for name in free}}


def _check_open(pool: Pool, sfx: Iterable[str], character: Character | None) -> None:
    """Refuse traits that are shut down, and SFX of such traits (X1)."""
    if character is None:
        return
    used = {fold(die.label) for die in pool if not die.source.is_new and die.label}
    for _, trait in traits.held(character) if used else ():
        if trait.shut and fold(trait.label) in used:
            traits.require_open(trait)
    for name in sfx:
        traits.require_usable(character, CORTEX.has(character).sfx[key(name)])


def _said(die: Die) -> str:
    return f"{die.label} d{die.size}".strip()


def seated_as(table: Table, actor: Actor, name: str) -> tuple[Table, str]:
    """Return the table and the key of the character that rolls."""
    if key(name) in table.characters:
        return table, key(name)
    return seated(table, actor)
