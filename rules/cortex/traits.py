"""Add, step and remove assets, complications, stress, trauma, distinctions and resources (C1 to C5)."""

from collections.abc import Iterable, Mapping

from rules.campaign.seats import (
    Actor,
    is_game_master,
    is_gm,
    owner_of,
    require_character,
    require_gm,
    several,
)
from rules.cortex import gm_pools, points, pool, rating
from rules.cortex.facts import BackIn, Cause, Change, ResourceUsed, TakenOut, TraitChanged, TraitShut, Why
from rules.cortex.kinds import HARMFUL, KINDS, LENDING, Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX, Roll, ladder, with_traits
from rules.cortex.pool import Rating
from rules.cortex.ruleset import Rest
from rules.cortex.trait_lookup import (
    TROUBLE,
    find_trait,
    free_label,
    label_for,
    owners,
    require_meant,
    worded,
)
from rules.dice import up
from rules.errors import NotAllowed, SettingOff, Unknown
from rules.facts import Fact
from rules.game import Step
from rules.names import SCENE, fold, get_named, key, key_in
from rules.table import Character, Table
from rules.text import Phrase, Words, shorten
from rules.values import replace

SCARRED = (Rest.SCENE_START, Rest.BY_HAND)
"""Where people rest like that, trauma is healed by recovery alone."""


def are_kept(table: Table, kind: TraitKind) -> bool:
    """Return whether traits of that kind are trauma that only recovery heals (N4)."""
    return kind is TraitKind.TRAUMA and CORTEX.of(table).ruleset.rest in SCARRED


def is_retired(table: Table, character: Character) -> bool:
    """Return whether trauma past d12 has taken the character out for good (N4)."""
    trauma = CORTEX.has(character).trauma
    return any(trait.out for trait in trauma.values()) and are_kept(table, TraitKind.TRAUMA)


def require_in_play(table: Table, character: Character, what: Phrase) -> None:
    """Check that a character isn't out for good. Raises NotAllowed if they are (N4)."""
    if not is_retired(table, character):
        return
    raise NotAllowed(
        "{who} is out for good, which rules out {what}. The {gm.one} can step the {trauma.one} down.",
        who=character.name,
        what=what,
    )


def require_healing(table: Table, actor: Actor, owner: str, kind: TraitKind) -> None:
    """Check that a player may remove trauma by hand. Raises NotAllowed if only recovery heals it (N4)."""
    if owner == SCENE or not are_kept(table, kind) or is_gm(table, actor):
        return
    character = table.characters[owner]
    require_in_play(table, character, Words("removing it"))
    track = next(iter(CORTEX.has(character).trauma.values())).label
    raise NotAllowed(
        "Only recovery or the {gm.one} can heal {trauma.one} in this campaign. Example: /stress "
        "recover what:{track} dice:2d8 trauma:True",
        track=track,
    )


MOST_TRAITS = 40
"""One owner has at most this many traits of one kind."""


def gained(table: Table, who: str, kind: TraitKind, label: str, die: int) -> Step:
    """Give somebody a trait. If they have it, a larger die replaces its die; otherwise it steps up (C3).

    Raises NotAllowed if they have as many traits of that kind as they can.
    """
    owner = table.owner(who)
    traits = CORTEX.has(owner).traits(kind)
    own = key_in(traits, label)
    old = traits.get(own)
    if old is not None and die <= old.die:
        return stepped_up(table, who, kind, own)
    if old is None and len(traits) >= MOST_TRAITS:
        raise NotAllowed(
            "{owner} already has {most_traits} traits of that kind, which is the limit.",
            owner=owner.name,
            most_traits=MOST_TRAITS,
        )
    new = Trait(label, die) if old is None else replace(old, die=die)
    if gm_pools.is_exceeded(table, who, kind, die):
        return knocked(table, who, kind, old)
    return _put(table, who, kind, old, new)


def knocked(table: Table, who: str, kind: TraitKind, old: Trait | None) -> Step:
    """Remove a die of a boss in place of a trait that exceeds it, and that trait if it was there (B1)."""
    step = Step(table, ()) if old is None else _put(table, who, kind, old, None)
    return step.then(gm_pools.knocked(step.table, who))


def stepped_up(table: Table, who: str, kind: TraitKind, trait: str, steps: int = 1, die: int = 0) -> Step:
    """Step a trait up. Past d12 it stays and takes its owner out (C4); stress also leaves trauma (C5).

    Of several dice the largest steps, or the one of size `die` (N21).
    """
    owner = table.owner(who)
    old = CORTEX.has(owner).traits(kind)[trait]
    sizes = ladder(table)
    new = pool.stepped(old, steps, sizes, die) or old
    # It was a d12, or whatever is largest here, before the last of the steps.
    is_past = up(old.die, steps - 1, sizes) >= sizes[-1]
    if gm_pools.is_exceeded(table, who, kind, new.die, is_past):
        return knocked(table, who, kind, old)
    if not is_past or kind not in HARMFUL or who == SCENE:
        return _put(table, who, kind, old, new)
    return taken_out(table, who, kind, trait)


def taken_out(table: Table, who: str, kind: TraitKind, trait: str) -> Step:
    """Let a trait take its owner out; stress leaves trauma of its track (C4, C5)."""
    owner = table.owner(who)
    old = CORTEX.has(owner).traits(kind)[trait]
    if gm_pools.is_boss(table, who):
        return knocked(table, who, kind, old)
    for_good = are_kept(table, kind)
    step = _put(table, who, kind, old, replace(old, die=max(old.die, ladder(table)[-1]), out=True))
    step = Step(step.table, (*step.facts, TakenOut(owner.name, old.label, kind, for_good, owner.gmc)))
    return (
        step.then(gained(step.table, who, TraitKind.TRAUMA, old.label, 6))
        if kind is TraitKind.STRESS
        else step
    )


def stepped_down(table: Table, who: str, kind: TraitKind, trait: str, steps: int = 1, die: int = 0) -> Step:
    """Step a trait down; below d4 it is gone (C1, C3). It no longer takes its owner out (C4).

    Of several dice the largest steps, or the one of size `die`; the trait goes with its last die (N21).
    """
    old = CORTEX.has(table.owner(who)).traits(kind)[trait]
    less = pool.stepped(old, -steps, ladder(table), die)
    return _put(table, who, kind, old, less and replace(less, out=False))


def challenge_trait(table: Table, who: str, kind: TraitKind, trait: str) -> Step:
    """Step down a challenged trait, but not below d4, and remember its first rating (N7)."""
    owner = table.owner(who)
    old = CORTEX.has(owner).traits(kind)[trait]
    sizes = ladder(table)
    less = old if old.die <= sizes[0] else pool.stepped(old, -1, sizes) or old
    new = replace(less, was=old.was or old.die)
    held = with_traits(owner, kind, {**CORTEX.has(owner).traits(kind), trait: new})
    said = TraitChanged(owner.name, kind, old, new, Why(Cause.CHALLENGE))
    return Step(table.with_owner(who, held), (said,))


def removed(table: Table, who: str, kind: TraitKind, trait: str) -> Step:
    """Remove a trait."""
    return _put(table, who, kind, CORTEX.has(table.owner(who)).traits(kind)[trait], None)


def add(
    table: Table, actor: Actor, kind: TraitKind, what: str, who: str | None = None, die: str | None = None
) -> Step:
    """Add a trait to a character or the scene, from text such as `Broken Arm d8` (C1, C3, C5)."""
    typed, size = rating.rated_once(what, die, CORTEX.of(table).ruleset, actor.agreed)
    table, owner = owner_of(table, actor, who, scene=not KINDS[kind].is_track)
    require_owner(table, actor, owner, Words("add {trait}", trait=KINDS[kind].one))
    label = label_for(table, kind, typed)
    if kind not in HARMFUL:
        _require_new(table.owner(owner), kind, label)
    return gained(table, owner, kind, label, size or KINDS[kind].first)


def add_asset(
    table: Table,
    actor: Actor,
    what: str,
    who: str | None = None,
    die: str | None = None,
    pay: bool | None = None,
    session: bool = False,
) -> Step:
    """Make an asset; at a table with a GM a player pays 1 PP unless something else has paid (C1, P2).

    With `session` it costs 2 PP and lasts until the session ends. Raises SettingOff if the table doesn't
    have such assets.
    """
    if session and not CORTEX.of(table).ruleset.session_assets:
        raise SettingOff("{asset.Many} only last {scene.a} in this campaign.", setting="session assets")
    typed, size = rating.rated(what, die, CORTEX.of(table).ruleset, actor.agreed)
    label, size = label_for(table, TraitKind.ASSET, typed), size or Rating(6)
    table, owner = owner_of(table, actor, who)
    is_player = not table.is_open and not is_gm(table, actor)
    pays = is_player if pay is None else pay
    if is_player and not pays and owner == SCENE:
        require_gm(table, actor, Words("add {asset.a} to the {scene.one} for free"))
    _require_new(table.owner(owner), TraitKind.ASSET, label)
    if not pays:
        free = gained(table, owner, TraitKind.ASSET, label, size.die)
        return _made(_paid_otherwise(free, is_player=is_player), owner, label, size, session)
    # What the GM makes for somebody is paid by them; everybody else pays with their own.
    table, payer = (
        (table, owner)
        if owner != SCENE and is_gm(table, actor)
        else owner_of(table, actor, None, scene=False)
    )
    cost = points.pay_points(table, payer, 2 if session else 1, Why(Cause.ASSET, label))
    step = cost.then(gained(cost.table, owner, TraitKind.ASSET, label, size.die))
    return _made(step, owner, label, size, session)


def _made(step: Step, owner: str, label: str, size: Rating, session: bool) -> Step:
    """An asset that was made just now, with all its dice (N21, N14).

    It stays until the session ends where it is for the session.
    """
    if not (session or size.more or size.safe):
        return step
    assets = CORTEX.has(step.table.owner(owner)).assets
    own = key_in(assets, label)
    made = replace(assets[own], lasts=session, more=size.more, safe=size.safe)
    kept = {**assets, own: made}
    table = step.table.with_owner(owner, with_traits(step.table.owner(owner), TraitKind.ASSET, kept))
    facts = (replace(fact, after=made) if isinstance(fact, TraitChanged) else fact for fact in step.facts)
    return Step(table, tuple(facts))


def _paid_otherwise(step: Step, *, is_player: bool) -> Step:
    """A player's asset for which something else than a PP paid, and says so (C1)."""
    facts = (
        replace(fact, why=Why(Cause.ELSEWHERE)) if isinstance(fact, TraitChanged) and is_player else fact
        for fact in step.facts
    )
    return Step(step.table, tuple(facts))


def _require_new(owner: Character, kind: TraitKind, label: str) -> None:
    """Refuse an asset or a distinction that its owner has already; no PP is taken (C1, P2)."""
    traits = CORTEX.has(owner).traits(kind)
    old = get_named(traits, label)
    if old is not None:
        raise NotAllowed(
            "{owner} already has {old} d{die}. {instead}",
            owner=owner.name,
            old=old.label,
            die=old.die,
            instead=Words(KINDS[kind].again, old=old.label),
        )


def step_up(
    table: Table, actor: Actor, kind: TraitKind, what: str, steps: int = 1, who: str | None = None
) -> Step:
    """Step a trait up by hand."""
    owner, trait, _ = found = find_trait(table, actor, (kind,), what, who)
    require_owner(table, actor, owner, Words("step up {trait}", trait=KINDS[kind].one))
    require_meant(table, actor, found, what, who)
    check_steps(steps)
    die = rating.named_die(CORTEX.has(table.owner(owner)).traits(kind)[trait], what)
    return stepped_up(table, owner, kind, trait, steps, die)


def step_down(
    table: Table, actor: Actor, kind: TraitKind, what: str, steps: int = 1, who: str | None = None
) -> Step:
    """Step a trait down by hand."""
    owner, trait, _ = found = find_trait(table, actor, (kind,), what, who)
    require_owner(table, actor, owner, Words("step down {trait}", trait=KINDS[kind].one))
    require_meant(table, actor, found, what, who)
    require_healing(table, actor, owner, kind)
    check_steps(steps)
    die = rating.named_die(CORTEX.has(table.owner(owner)).traits(kind)[trait], what)
    return stepped_down(table, owner, kind, trait, steps, die)


def remove(table: Table, actor: Actor, kind: TraitKind, what: str, who: str | None = None) -> Step:
    """Remove a trait by hand."""
    owner, trait, _ = found = find_trait(table, actor, (kind,), what, who)
    require_owner(table, actor, owner, Words("remove {trait}", trait=KINDS[kind].one))
    require_meant(table, actor, found, what, who)
    require_healing(table, actor, owner, kind)
    return removed(table, owner, kind, trait)


def rename(table: Table, actor: Actor, kind: TraitKind, what: str, to: str, who: str | None = None) -> Step:
    """Give a trait another name; open rolls that are about it go on (C1, C3).

    Raises NotAllowed if its owner has a trait of that name already.
    """
    owner, trait, _ = found = find_trait(table, actor, (kind,), what, who)
    require_owner(table, actor, owner, Words("rename {trait}", trait=KINDS[kind].one))
    require_meant(table, actor, found, what, who)
    return renamed(table, owner, kind, trait, to)


def renamed(table: Table, owner: str, kind: TraitKind, trait: str, to: str) -> Step:
    """Return the step that gives a trait another name, whoever asks. Raises NotAllowed as `rename` does."""
    held, label = table.owner(owner), label_for(table, kind, to)
    traits = CORTEX.has(held).traits(kind)
    old, others = traits[trait], {k: each for k, each in traits.items() if k != trait}
    if label == old.label:
        raise NotAllowed("{label} already has that name.", label=label)
    _require_new(with_traits(held, kind, others), kind, label)
    new = replace(old, label=label)
    named = {(key(label) if k == trait else k): (new if k == trait else each) for k, each in traits.items()}
    here = CORTEX.of(table)
    rolls = {n: _with_renamed(roll, owner, kind, trait, old, new) for n, roll in here.rolls.items()}
    table = CORTEX.put(table, replace(here, rolls=rolls)).with_owner(owner, with_traits(held, kind, named))
    return Step(table, (TraitChanged(held.name, kind, old, new),))


def _with_renamed(roll: Roll, owner: str, kind: TraitKind, trait: str, old: Trait, new: Trait) -> Roll:
    goal = roll.recovery
    if goal is not None and (goal.owner, goal.kind, goal.trait) == (owner, kind, trait):
        goal = replace(goal, trait=key(new.label), said=goal.said.replace(old.label, new.label))
    closing = tuple(
        replace(each, label=new.label)
        if (each.owner, each.kind, each.label) == (owner, kind, old.label)
        else each
        for each in roll.closing
    )
    return replace(roll, recovery=goal, closing=closing)


def clear_stress(
    table: Table, actor: Actor, who: str | None = None, kind: TraitKind = TraitKind.STRESS
) -> Step:
    """Remove all stress (or trauma) of a character (C5). Raises NotAllowed if they have none."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    require_owner(table, actor, owner, Words("clear {kind}", kind=KINDS[kind].noun))
    held = tuple(CORTEX.has(table.owner(owner)).traits(kind))
    if not held:
        raise NotAllowed("{name} has no {kind}.", name=table.owner(owner).name, kind=KINDS[kind].noun)
    require_healing(table, actor, owner, kind)
    step = Step(table, ())
    for trait in held:
        step = step.then(removed(step.table, owner, kind, trait))
    return step


def stay_in(table: Table, actor: Actor, who: str | None, name: str, free: bool = False) -> Step:
    """Spend 1 PP for each takeout to stay in, and gain another d6 complication for each (C4, P2).

    The GM waives the price with `free`, or if the player has no PP.
    """
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    require_taken_out(table, actor, table.characters[owner])
    if free:
        require_gm(table, actor, Words("let a character stay in for free"))
    free = free or is_waived(table, actor, table.characters[owner])
    takeouts = count_takeouts(table.characters[owner])
    step = Step(table, ()) if free else _stay_price(table, owner, takeouts)
    for kind in HARMFUL:
        for trait, held in list(CORTEX.has(step.table.characters[owner]).traits(kind).items()):
            if held.out:
                step = step.then(_kept_in(step.table, owner, kind, trait))
    label = (name.strip() and rating.label(name)) or TROUBLE
    for _ in range(takeouts):
        own = free_label(CORTEX.has(step.table.characters[owner]).complications, label)
        step = step.then(gained(step.table, owner, TraitKind.COMPLICATION, own, 6))
    return step


def count_takeouts(character: Character) -> int:
    """Return how many takeouts a character would have to avoid to stay in, each at a price (C4).

    Trauma that stress has brought belongs to the takeout by that stress (C5).
    """
    has = CORTEX.has(character)
    out = [(kind, trait) for kind in HARMFUL for trait, held in has.traits(kind).items() if held.out]
    brought = {(TraitKind.TRAUMA, trait) for kind, trait in out if kind is TraitKind.STRESS}
    return len({*out} - brought)


def is_waived(table: Table, actor: Actor, character: Character) -> bool:
    """Return whether the GM is keeping in a player's character who has no PP, which is free (C4)."""
    return is_game_master(table, actor) and not character.gmc and not CORTEX.has(character).pp


def _stay_price(table: Table, owner: str, takeouts: int) -> Step:
    """What staying in costs, a PP each; for a GMC the GM's, a doom die, or nothing without doom (C4, P1)."""
    here = CORTEX.of(table)
    if not table.characters[owner].gmc:
        return points.pay_points(table, owner, takeouts, Why(Cause.STAYING_IN))
    if here.ruleset.gm_pp:
        return points.gm_paid(table, takeouts, Why(Cause.STAYING_IN))
    if not here.ruleset.doom:
        return Step(table, ())
    sizes = gm_pools.dice(table, gm_pools.DOOM)
    if len(sizes) < takeouts:
        raise NotAllowed(
            "Each takeout costs {gmc.a} {doom_pool.a_short} die, and the {doom_pool.one} has too few. "
            "Example: free:true"
        )
    return gm_pools.remove_dice(table, gm_pools.DOOM, sizes[:takeouts], Change.SPENT, Why(Cause.STAYING_IN))


def require_taken_out(table: Table, actor: Actor, character: Character) -> None:
    """Check that the caller may keep the character in (C4).

    Raises NotAllowed if it is somebody else's character, or if nothing takes them out.
    """
    require_character(table, actor, character, Words("stay in"))
    if not CORTEX.has(character).is_taken_out:
        raise NotAllowed(
            "{character} isn't taken out, so they don't need to stay in.",
            character=character.name,
        )
    require_in_play(table, character, Words("staying in"))


def require_owner(table: Table, actor: Actor, owner: str, what: Phrase) -> None:
    """Check that the caller may act for this owner; only the GM may act for the scene."""
    if owner == SCENE:
        require_gm(table, actor, Words("{what} in the {scene.one}", what=what))
    else:
        require_character(table, actor, table.characters[owner], what)


def check_steps(steps: int) -> None:
    """Check a number of steps. Raises NotAllowed unless it is 1 to 5."""
    if not 1 <= steps <= 5:
        raise NotAllowed("You can't step by {steps}. Choose 1 to 5.", steps=steps)


def _kept_in(table: Table, owner: str, kind: TraitKind, trait: str) -> Step:
    """A trait no longer takes its owner out; the trauma that came with it goes again (C5)."""
    held = CORTEX.has(table.characters[owner]).traits(kind)[trait]
    step = _put(table, owner, kind, held, replace(held, out=False), paid=True)
    scar = CORTEX.has(step.table.characters[owner]).trauma.get(trait)
    if kind is not TraitKind.STRESS or scar is None or scar.out:
        return step
    # A d6 came with it, and goes whole by two steps; a larger one was stepped up once.
    return step.then(stepped_down(step.table, owner, TraitKind.TRAUMA, trait, 1 + (scar.die == 6)))


def but(traits: Mapping[str, Trait], label: str) -> dict[str, Trait]:
    """Return the traits without one of them; its parts become traits of their own (N23).

    >>> knives = Trait("Knives", 6, part_of="Fight")
    >>> but({"fight": Trait("Fight", 8), "knives": knives}, "Fight")["knives"].part_of
    ''
    """
    left = {k: each for k, each in traits.items() if k != key(label)}
    parts = [k for k, each in left.items() if each.part_of and fold(each.part_of) == fold(label)]
    return left | {k: replace(left[k], part_of="") for k in parts}


def _put(
    table: Table, who: str, kind: TraitKind, old: Trait | None, new: Trait | None, paid: bool = False
) -> Step:
    """Put a trait in the place of another, and tell what changed."""
    before = table.owner(who)
    own = CORTEX.has(before)
    traits = dict(own.traits(kind))
    if new is not None:
        traits[key(new.label)] = new
    elif old is not None:
        traits = but(traits, old.label)
    after = with_traits(before, kind, traits)
    has = CORTEX.has(after)
    facts: list[Fact] = []
    if (
        old is None
        or new is None
        or pool.sizes_of(old) != pool.sizes_of(new)
        # A trait that only lets go of its owner is told by their being back.
        or not (own.is_taken_out and not has.is_taken_out)
    ):
        facts.append(TraitChanged(after.name, kind, old, new))
    if own.is_taken_out and not has.is_taken_out:
        facts.append(BackIn(after.name, paid))
    return Step(table.with_owner(who, after), tuple(facts))


def require_on(table: Table) -> None:
    """Check that the campaign has resources. Raises SettingOff if it hasn't."""
    if not CORTEX.of(table).ruleset.has_resources:
        raise SettingOff("Resources are off in this campaign.", setting="resources")


def use(table: Table, actor: Actor, what: str, who: str | None = None) -> Step:
    """Use a resource outside a roll; it stays spent until the scene ends (C2)."""
    require_on(table)
    owner, label, _ = find_trait(table, actor, (TraitKind.RESOURCE,), what, who)
    require_character(table, actor, table.characters[owner], Words("use a resource"))
    return spent(table, owner, (label,))


def spent(table: Table, who: str, labels: Iterable[str]) -> Step:
    """Mark a character's resources as spent (C2). Raises NotAllowed if one is spent already."""
    character = table.characters[who]
    own = CORTEX.has(character)
    held, facts = dict(own.resources), list[Fact]()
    for label in labels:
        named = key_in(held, label)
        resource = held[named]
        if resource.spent:
            said = worded(character.name, TraitKind.RESOURCE, resource)
            raise NotAllowed(
                "{said} is spent until the {scene.one} ends. The {gm.one} can refresh it: /resource refresh",
                said=said,
            )
        held[named] = replace(resource, spent=True)
        facts.append(ResourceUsed(character.name, resource.label, resource.die, True, resource.more))
    return Step(table.with_owner(who, CORTEX.give(character, replace(own, resources=held))), tuple(facts))


def refresh(table: Table, actor: Actor, who: str | None = None) -> Step:
    """Refresh spent resources, as the GM: those of one character, several or all (C2).

    Raises NotAllowed if none is spent.
    """
    require_gm(table, actor, Words("refresh resources"))
    require_on(table)
    table, keys = several(table, actor, who or "all")
    step = refreshed(table, keys)
    if not step.facts:
        raise NotAllowed("None of those resources is spent.")
    return step


def refreshed(table: Table, keys: Iterable[str] | None = None) -> Step:
    """Refresh the spent resources of these characters, or of all."""
    facts: list[Fact] = []
    wanted = None if keys is None else set(keys)
    for who, owner in list(owners(table)):
        own = CORTEX.has(owner)
        again = [one for one in own.resources.values() if one.spent]
        if not again or (wanted is not None and who not in wanted):
            continue
        held: dict[str, Trait] = {k: replace(one, spent=False) for k, one in own.resources.items()}
        table = table.with_owner(who, CORTEX.give(owner, replace(own, resources=held)))
        facts += [ResourceUsed(owner.name, one.label, one.die, False, one.more) for one in again]
    return Step(table, tuple(facts))


def held(character: Character) -> list[tuple[TraitKind, Trait]]:
    """Return the character's traits that SFX can belong to, each with its kind."""
    return [(kind, trait) for kind in LENDING for trait in CORTEX.has(character).traits(kind).values()]


def shut(table: Table, who: str, label: str) -> Step:
    """Shut a trait down; it joins no pool until it is recovered (X1).

    Raises Unknown if there is no such trait; NotAllowed if it is shut down already.
    """
    character = table.characters[who]
    for kind, trait in held(character):
        if fold(trait.label) == fold(label):
            require_open(trait)
            return _changed(table, who, kind, trait, is_shut=True)
    raise Unknown("{character} has no {label} to shut down.", character=character.name, label=shorten(label))


def opened(table: Table, who: str, label: str) -> Step:
    """Recover a trait that was shut down."""
    for kind, trait in held(table.characters[who]):
        if trait.shut and fold(trait.label) == fold(label):
            return _changed(table, who, kind, trait, is_shut=False)
    return Step(table, ())


def all_opened(table: Table) -> Step:
    """Recover every trait that was shut down, as the scene has ended."""
    step = Step(table, ())
    for who, character in table.characters.items():
        for _, trait in held(character):
            step = step.then(opened(step.table, who, trait.label)) if trait.shut else step
    return step


def require_open(trait: Trait) -> None:
    """Check that a trait isn't shut down. Raises NotAllowed if it is (X1)."""
    if trait.shut:
        raise NotAllowed(
            "{trait} is shut down until it's recovered or the {scene.one} ends. Example: /sfx recover "
            "what:{trait}",
            trait=trait.label,
        )


def require_usable(character: Character, sfx: Sfx) -> None:
    """Check that the trait of an SFX isn't shut down. Raises NotAllowed if it is (X1)."""
    for _, trait in held(character):
        if sfx.trait and fold(trait.label) == fold(sfx.trait):
            require_open(trait)


def _changed(table: Table, who: str, kind: TraitKind, old: Trait, *, is_shut: bool) -> Step:
    character = table.characters[who]
    traits = {**CORTEX.has(character).traits(kind), key(old.label): replace(old, shut=is_shut)}
    said = TraitShut(character.name, old.label, old.die, is_shut)
    return Step(table.with_owner(who, with_traits(character, kind, traits)), (said,))
