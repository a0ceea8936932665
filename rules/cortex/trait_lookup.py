"""Find the trait that somebody means: by name, by the beginning of its name, or by kind."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count

from rules.campaign.seats import Actor, is_game_master, owner_of, seat_of
from rules.cortex import rating
from rules.cortex.kinds import KINDS, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import dice_of
from rules.errors import Ambiguous, PossibleAnswer, SettingOff, Undecided, Unknown
from rules.names import (
    LABEL,
    SCENE,
    Candidates,
    DidYouMean,
    alike,
    clean,
    find,
    fold,
    get_named,
    key,
    one_of,
    strip_quotes,
)
from rules.table import Character, Table
from rules.terms import ENGLISH, Term
from rules.terms import worded as worded_by
from rules.text import NO_WORDS, OR, Phrase, Row, Words, join_phrases, shorten


def wording(owner: str, kind: TraitKind, trait: Trait) -> str:
    """Return a trait with its owner, kind of track and dice, as text.

    >>> wording("Alice", TraitKind.COMPLICATION, Trait("Broken Leg", 8))
    'Alice · Broken Leg d8'
    >>> wording("Alice", TraitKind.STRESS, Trait("Physical", 6))
    'Alice · Physical stress d6'
    """
    return f"{owner} · {trait.label}{_kind_word(kind)} {dice_of(trait)}"


def worded(owner: str, kind: TraitKind, trait: Trait) -> Phrase:
    """Return a trait as `wording` does, as a phrase for messages."""
    label = Words(KINDS[kind].called, name=trait.label)
    whose = Words("{scene.One}") if owner == "Scene" else owner
    if trait.more:
        return Words("{owner} · {trait} {dice}", owner=whose, trait=label, dice=dice_of(trait))
    return Words("{owner} · {trait} d{die}", owner=whose, trait=label, die=trait.die)


def suggested(table: Table, owner: Character, kind: TraitKind, trait: Trait) -> str:
    """Return a trait as `wording` does, with the table's own words: `Alice · Physical strain d6` (N1)."""
    if not table.settings.words:
        return wording(owner.name, kind, trait)
    return worded(owner.name, kind, trait).said(worded_by(ENGLISH, tuple(table.settings.words.items())))


def _kind_word(kind: TraitKind) -> str:
    """The word that goes with the label of a stress track: ` stress`, ` trauma`."""
    return f" {kind}" if KINDS[kind].is_track else ""


def owners(table: Table) -> Iterator[tuple[str, Character]]:
    """Yield everybody who can have traits, by key, with the scene last."""
    yield from table.characters.items()
    yield SCENE, table.scenery


def _worded(table: Table, one: tuple[str, str, TraitKind]) -> Phrase:
    owner, trait, kind = one
    held = table.owner(owner)
    return worded(held.name, kind, CORTEX.has(held).traits(kind)[trait])


def _label(table: Table, one: tuple[str, str, TraitKind]) -> str:
    owner, trait, kind = one
    return CORTEX.has(table.owner(owner)).traits(kind)[trait].label


def label_for(table: Table, kind: TraitKind, what: str) -> str:
    """Return the label of a new trait; stress and trauma need a track of the ruleset (C5).

    Raises SettingOff if the campaign has no tracks; Unknown or Ambiguous for another track; Unreadable for
    a label with a die in it.
    """
    if not KINDS[kind].is_track:
        return rating.label(what)
    tracks = CORTEX.of(table).ruleset.stress
    if not tracks:
        raise SettingOff(
            "{stress.One} tracks are off in this campaign.", setting="stress tracks", value="Physical, Mental"
        )
    word = clean(what, LABEL)
    bare = word[: -len(kind) - 1] if fold(word).endswith(f" {kind}") else word
    if table.settings.words:
        words = kind_words(table, kind)
        bare = next((word[: -len(each)] for each in words if fold(word).endswith(each)), word)
    return find(bare, tracks, Words("{stress.one} track"))


TROUBLE, ADVANTAGE = "Trouble", "Advantage"
"""The labels of a complication and of an asset that nobody named."""


def new_label(table: Table, owner: str, kind: TraitKind, what: str) -> str:
    """Return the label of a trait that `owner` (a key) gets: as typed, or one that is free (C3).

    What is made without a name is `Trouble` or `Advantage`, then `Trouble 2`, and so on. Raises as
    `label_for` does.
    """
    if what.strip() or KINDS[kind].is_track:
        return label_for(table, kind, what)
    unnamed = ADVANTAGE if kind is TraitKind.ASSET else TROUBLE
    return free_label(CORTEX.has(table.owner(owner)).traits(kind), unnamed)


def find_trait(
    table: Table, actor: Actor, kinds: tuple[TraitKind, ...], what: str, who: str | None = None
) -> tuple[str, str, TraitKind]:
    """Return the owner's key, the trait's key and the kind of the trait that is meant.

    It can be typed as the bot writes it, or by label; the caller's own come before others'. Raises Unknown
    if there is none; Ambiguous if there are several.
    """
    chosen = None if not who else owner_of(table, actor, who, new=False)[1]
    all_of = [
        (owner, trait, kind)
        for owner, held in owners(table)
        for kind in kinds
        for trait in CORTEX.has(held).traits(kind)
        if chosen in (None, owner)
    ]
    typed = fold(what)
    written = [one for one in all_of if typed in _written(table, one)]
    if len(written) > 1:
        written = [one for one in written if what == str(_worded(table, one))] or written
    if written and len({(owner, kind) for owner, _, kind in written}) == len(written):
        return written[0]
    labels = [one[1] for one in all_of]
    if (rated := rating.read_named(what, labels)).rating:
        return find_trait(table, actor, kinds, rated.label, who)
    owned = [one for one in all_of if typed == fold(f"{table.owner(one[0]).name} · {one[1]}")]
    if len(owned) == 1:
        return owned[0]
    label = fold(clean(what, LABEL))
    own = table.played_by(actor.id)
    mine = [one for one in all_of if own is not None and one[0] == key(own.name)]
    for group in (mine, all_of):
        for fits in (_is_equal, _begins):
            hits = written or [one for one in group if fits(table, one, label)]
            if len(hits) == 1:
                return hits[0]
            if hits:
                raise Ambiguous(
                    "{what} could be {names}. Type the whole name.",
                    what=shorten(what),
                    names=Candidates([_worded(table, one) for one in hits]),
                )
    if (bare := strip_quotes(what)) != what:
        return find_trait(table, actor, kinds, bare, who)
    raise _not_found(table, actor, kinds, all_of, what, chosen)


def _not_found(
    table: Table,
    actor: Actor,
    kinds: tuple[TraitKind, ...],
    among: Sequence[tuple[str, str, TraitKind]],
    what: str,
    owner: str | None,
) -> Unknown:
    """Return the refusal of an unknown trait, with the nearest of the known ones, or all of them."""
    there_is = [_worded(table, one) for one in among]
    near = alike(what, [_label(table, one) for one in among])
    noun = Row([KINDS[kind].noun for kind in kinds], OR)
    offer = DidYouMean(near) if near else Words("Try {names}.", names=one_of(there_is))
    if owner is not None:
        return Unknown(
            "{who} has no {noun} called {what}. {offer}",
            who=table.owner(owner).name,
            noun=noun,
            what=shorten(what),
            offer=join_phrases(seat_of(table, actor), offer if there_is else NO_WORDS),
        )
    if not there_is:
        return Unknown("There's no {noun} called {what}.", noun=noun, what=shorten(what))
    return Unknown("There's no {noun} called {what}. {offer}", noun=noun, what=shorten(what), offer=offer)


def require_meant(
    table: Table, actor: Actor, found: tuple[str, str, TraitKind], what: str, who: str | None = None
) -> None:
    """Ask before a trait of somebody else changes, unless its owner was named (T5).

    Raises Undecided to ask.
    """
    owner, trait, kind = found
    own, held = table.played_by(actor.id), table.owner(owner)
    is_named = bool(who and who.strip()) or fold(held.name) in fold(what)
    if own is None or owner in (SCENE, key(own.name)) or is_named or is_game_master(table, actor):
        return
    sign = f"mean {kind} {trait} of {owner}"
    if sign not in actor.agreed:
        raise Undecided(
            "{own} has no {kind} called {what}. Did you mean {found}?",
            PossibleAnswer(Words("Yes, {name}", name=held.name), sign),
            own=own.name,
            kind=KINDS[kind].noun,
            what=shorten(what),
            found=worded(held.name, kind, CORTEX.has(held).traits(kind)[trait]),
        )


def free_label(traits: Mapping[str, Trait], label: str) -> str:
    """Return the label, with a number if a trait has it already (C4).

    >>> free_label({"stuck": Trait("Stuck", 6), "stuck 2": Trait("Stuck 2", 6)}, "Stuck")
    'Stuck 3'
    """
    numbered = (f"{label} {number}" for number in count(2))
    return next(each for each in chain((label,), numbered) if get_named(traits, each) is None)


def _written(table: Table, one: tuple[str, str, TraitKind]) -> tuple[str, ...]:
    owner, trait, kind = one
    held = table.owner(owner)
    found = CORTEX.has(held).traits(kind)[trait]
    full, dice = fold(wording(held.name, kind, found)), f" {dice_of(found)}"
    if not table.settings.words:
        return full, full.removesuffix(dice)
    own = fold(suggested(table, held, kind, found))
    return full, full.removesuffix(dice), own, own.removesuffix(dice)


def _is_equal(table: Table, one: tuple[str, str, TraitKind], label: str) -> bool:
    if not table.settings.words:
        return fold(one[1]) in (label, label.removesuffix(f" {one[2]}"))
    return fold(one[1]) in (label, *(label.removesuffix(each) for each in kind_words(table, one[2])))


def kind_words(table: Table, kind: TraitKind) -> tuple[str, ...]:
    """Return what may follow the label of a track, such as ` stress`, including the table's own word."""
    own = table.settings.words.get(Term(kind)) if KINDS[kind].is_track else None
    return (f" {kind}", f" {fold(own.one)}") if own else (f" {kind}",)


def _begins(table: Table, one: tuple[str, str, TraitKind], label: str) -> bool:
    return fold(one[1]).startswith(label)
