"""Characters: made, played, handed on, changed, renamed, removed."""

from collections.abc import Callable, Iterator

import pytest

from rules.campaign import characters
from rules.campaign.characters import edited, give, new, play, remove, rename
from rules.campaign.seats import Actor
from rules.cortex import challenge, contest, effects
from rules.cortex.characters import join, mark, put, unset
from rules.cortex.effects import can_recover, recover
from rules.cortex.kinds import Rank, Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll import make
from rules.cortex.roll_status import resolve
from rules.cortex.sheet import MOST_TRAITS, of, write
from rules.errors import Ambiguous, NotAllowed, RuleError, Unknown, Unreadable
from rules.game import Step
from rules.names import Thread
from rules.table import Table
from rules.values import Value, replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, challenged, die, faces, facing, having, table


def words(thing: object) -> Iterator[str]:
    """Every text in a value, at any depth."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        for name, each in thing.items():
            yield from words(name)
            yield from words(each)
    elif isinstance(thing, tuple):
        for each in thing:
            yield from words(each)
    elif isinstance(thing, Value):
        for name in thing.__struct_fields__:
            yield from words(getattr(thing, name))


def busy() -> Table:
    """A table where Rex and Alice are named in every place that there is."""
    at = facing(table(), "Rex", "Fangs d8 4d10", Rank.BOSS)
    at = having(at, "alice", TraitKind.COMPLICATION, Trait("Leg", 6))
    at = challenged(at, 8, 8)
    at = after(challenge.first(at, GRETA, "Alice"))
    at = after(make(at, ALICE, faces(6, 8, 4, 2, 2, 2, 2, 3), "d6 d8 d10", "Rex"))
    at = after(recover(at, ALICE, faces(6, 6, 1, 2, 3), (TraitKind.COMPLICATION,), "Leg", "2d6"))
    at = after(contest.start(at, ALICE, faces(5, 6), "2d6", "Rex"))
    return CORTEX.put(at, replace(CORTEX.of(at), split=(("Alice",), ("Bob",))))


@pytest.mark.parametrize(("who", "to"), [("Alice", "Zelda"), ("Rex", "Max")])
def test_everything_that_names_somebody_follows_their_new_name(who: str, to: str) -> None:
    at = busy()
    assert who in set(words(at))
    named = rename(at, GRETA, to, who).table
    assert {who, who.casefold()}.isdisjoint(words(named))
    assert to in set(words(named))


def test_open_notes_about_whoever_is_renamed_are_about_them_still() -> None:
    held = {"why?": Thread("Why?", about="ALICE"), "who?": Thread("Who?", about="Regent")}
    now = after(rename(replace(table(), threads=held), ALICE, "Nova"))
    assert [each.about for each in now.threads.values()] == ["Nova", "Regent"]


def test_a_renamed_boss_can_be_hit_and_a_renamed_owner_recovers() -> None:
    at = rename(busy(), GRETA, "Max", "Rex").table
    first, second = sorted(CORTEX.of(at).rolls)[:2]
    assert effects.target_of(at, resolve(at, CORTEX.of(at).rolls[first])) is not None
    at = rename(at, GRETA, "Zelda", "Alice").table
    assert can_recover(at, resolve(at, CORTEX.of(at).rolls[second]))


@pytest.mark.parametrize("who", ["Alice", "Rex"])
def test_who_leaves_is_in_no_order_and_in_no_contest(who: str) -> None:
    left = remove(busy(), GRETA, who).table
    here = CORTEX.of(left)
    assert here.contests == {}
    assert who.casefold() not in left.characters
    assert who.casefold() not in set(words(here.challenges))


def test_a_new_character_is_played_and_the_one_before_waits() -> None:
    at = after(new(table(), ALICE, "Zelda"))
    assert at.characters["zelda"].player == ALICE.id
    assert at.characters["alice"].player == 0
    at = after(play(at, ALICE, "Alice"))
    assert (at.characters["zelda"].player, at.characters["alice"].player) == (0, ALICE.id)


@pytest.mark.parametrize("name", ["Bob", "doom", "a,b", "\u200b", "hard", "2d8", "x" * 81])
def test_what_is_no_free_name_is_refused(name: str) -> None:
    with pytest.raises(RuleError):
        new(table(), ALICE, name)


def test_a_character_is_handed_on_for_an_evening_and_taken_back() -> None:
    at = after(give(table(), ALICE, "Alice", BOB))
    assert (at.characters["alice"].player, at.characters["bob"].player) == (BOB.id, 0)
    with pytest.raises(NotAllowed, match="Bob already plays"):
        play(at, ZOE, "Alice")
    assert play(at, ALICE, "Alice").table.characters["alice"].player == ALICE.id


def test_who_plays_a_character_is_not_handed_it() -> None:
    with pytest.raises(NotAllowed, match=r"Alice already plays Alice\."):
        give(table(), GRETA, "Alice", ALICE)


def test_B2_only_the_gm_plays_a_gmc() -> None:
    with pytest.raises(NotAllowed, match=r"Only the GM can play Rex\. GM here: Greta\."):
        play(table(), ALICE, "Rex")
    assert play(table(), GRETA, "Rex").table.characters["rex"].player == GRETA.id


def test_another_name_is_not_the_one_there_is() -> None:
    with pytest.raises(NotAllowed, match=r"Alice already has that name\."):
        rename(table(), ALICE, "Alice")
    assert rename(table(), ALICE, "ALICE").table.characters["alice"].name == "ALICE"


@pytest.mark.parametrize("who", [BOB, ZOE])
def test_nobody_else_changes_a_sheet(who: Actor) -> None:
    deeds: tuple[tuple[Callable[[], Step], str], ...] = (
        (lambda: put(table(), who, "Mind", "d8", "Attributes", "Alice"), "change the sheet"),
        (lambda: edited(table(), who, "Alice", "Attributes: Mind d8"), "change the sheet"),
        (lambda: rename(table(), who, "Zelda", "Alice"), "choose a new name"),
        (lambda: remove(table(), who, "Alice"), "use /character remove"),
        (lambda: give(table(), who, "Alice", who), "choose another player"),
    )
    for deed, what in deeds:
        with pytest.raises(NotAllowed, match=f"Only the player or the GM can {what} for Alice"):
            deed()


@pytest.mark.parametrize(
    ("trait_set", "kind"),
    [
        ("Attributes", TraitKind.TRAIT),
        ("attr", TraitKind.TRAIT),
        ("Powers", TraitKind.TRAIT),
        ("Distinctions", TraitKind.DISTINCTION),
        ("Signature assets", TraitKind.ASSET),
        ("Resources", TraitKind.RESOURCE),
    ],
)
def test_D1_a_trait_goes_into_its_set_and_out_again(trait_set: str, kind: TraitKind) -> None:
    at = after(put(table(), ALICE, "Mind", "d10", trait_set))
    assert die(at, "alice", kind, "Mind") == 10
    at = after(put(at, ALICE, "mind", "d12"))
    assert die(at, "alice", kind, "Mind") == 12
    assert die(unset(at, ALICE, "Mind").table, "alice", kind, "Mind") == 0


def test_a_trait_without_a_set_is_refused_with_the_sets_there_are() -> None:
    with pytest.raises(NotAllowed, match="Choose a trait set: Distinctions, Attributes"):
        put(table(), ALICE, "Mind", "d10")


def test_D1_forty_traits_of_a_set_are_the_most() -> None:
    traits = (Trait(f"T{number}x", 6, set="Skills") for number in range(MOST_TRAITS))
    with pytest.raises(NotAllowed, match="Skills already has 40 traits, which is the limit"):
        put(having(table(), "alice", TraitKind.TRAIT, *traits), ALICE, "Mind", "d10", "Skills")


def test_the_name_of_a_trait_set_has_forty_characters_at_most() -> None:
    with pytest.raises(Unreadable, match="That trait set has 41 characters; the limit is 40"):
        put(table(), ALICE, "Mind", "d10", "x" * 41)


def test_the_scene_has_no_sheet() -> None:
    at = having(table(), "scene", TraitKind.DISTINCTION, Trait("Fog", 8))
    with pytest.raises(
        NotAllowed, match=r"The scene has no sheet\. To remove a distinction from it: /dist remove"
    ):
        unset(at, GRETA, "Fog", "scene")


def test_a_trait_takes_its_sfx_along() -> None:
    at = after(put(table(), ALICE, "Mind", "d10", "Attributes"))
    alice = CORTEX.give(
        at.characters["alice"],
        replace(
            CORTEX.has(at.characters["alice"]), sfx={"focus": Sfx("Focus", ("double Mind",), trait="Mind")}
        ),
    )
    assert CORTEX.has(unset(at.with_owner("alice", alice), ALICE, "Mind").table.characters["alice"]).sfx == {}


def test_a_sheet_edited_meanwhile_is_not_overwritten() -> None:
    at = after(edited(table(), ALICE, "Alice", "Attributes: Mind d10\nMilestones: Find the map"))
    assert (
        write(of(at.characters["alice"])) == "Distinctions:\nAttributes: Mind d10\nMilestones: Find the map"
    )
    seen = mark(at.characters["alice"])
    at = after(put(at, GRETA, "Body", "d6", "Attributes", "Alice"))
    with pytest.raises(NotAllowed, match="Alice's sheet changed in the meantime"):
        edited(at, ALICE, "Alice", "Attributes: Mind d4", seen)


def test_a_mistake_is_told_with_its_line() -> None:
    with pytest.raises(RuleError, match=r'^Line 2, "Skills: Fight": "Fight" needs a die'):
        edited(table(), ALICE, "Alice", "Attributes: Mind d10\nSkills: Fight")


def test_who_is_not_there_is_named() -> None:
    with pytest.raises((Unknown, Ambiguous)):
        characters.character_shown(table(), ALICE, "Nobody")
    with pytest.raises(NotAllowed, match="You don't play a character at this table"):
        characters.character_shown(table(), ZOE)


def test_who_joins_may_bring_a_sheet() -> None:
    step = join(table(), ZOE, "Zoe", "Skills: Fight d8\nSFX: Fury: add d6")
    assert CORTEX.has(step.table.characters["zoe"]).sheet["fight"].die == 8
    assert set(CORTEX.has(step.table.characters["zoe"]).sfx) == {"fury"}
    assert CORTEX.has(join(table(), ZOE, "Zoe", "Skills:\nNotes:").table.characters["zoe"]).sheet == {}
    with pytest.raises(RuleError, match="Line 1"):
        join(table(), ZOE, "Zoe", "Skills: Fight")
    free = having(table(), "bob", TraitKind.TRAIT, Trait("Fight", 8))
    free = free.with_owner("bob", replace(free.characters["bob"], player=0))
    with pytest.raises(NotAllowed, match="Bob already has a sheet, so yours wasn't used"):
        join(free, ZOE, "Bob", "Skills: Fight d4")
