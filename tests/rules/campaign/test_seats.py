"""Who sits at the table, and who may do what."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign import seats
from rules.campaign.seats import (
    MOST_CHARACTERS,
    Actor,
    character_of,
    join,
    name_gm,
    owner_of,
    seated,
    several,
)
from rules.cortex.model import CORTEX, CortexCharacter
from rules.errors import NotAllowed, OptionNeeded, RuleError, Undecided, Unknown
from rules.names import SCENE, key
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, in_crisis, table, tried

OPEN = replace(table(), gms={})


def test_a_table_without_a_gm_is_open_to_all() -> None:
    assert all(seats.is_gm(OPEN, who) for who in (GRETA, ALICE, ZOE))
    assert not any(seats.is_game_master(OPEN, who) for who in (GRETA, ALICE, ZOE))


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_a_table_with_a_gm_is_theirs(who: Actor, may: bool) -> None:
    assert seats.is_gm(table(), who) is may
    assert seats.is_game_master(table(), who) is may


@pytest.mark.parametrize(
    ("who", "name"), [(ALICE, "Alice"), (ZOE, "Zoe"), (Actor(9, "Scene"), "Scene (player)")]
)
def test_one_acts_as_who_one_plays_or_under_ones_own_name(who: Actor, name: str) -> None:
    assert character_of(table(), who).name == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Alice", "Alice 9"),
        ("Rex", "Rex 9"),
        ("Li, Wu", "Li Wu"),
        (",", "Somebody (player)"),
        ("\u200b", "Somebody (player)"),
    ],
)
def test_a_stranger_takes_nobodys_place(name: str, expected: str) -> None:
    at, who = seated(table(), Actor(9, name))
    assert at.characters[who].name == expected
    assert [at.characters[other].player for other in ("alice", "bob", "rex")] == [2, 3, 0]


def test_two_strangers_of_one_name_sit_apart() -> None:
    at = table()
    keys = []
    for number in (9, 1009, 2009, 3009):
        at, who = seated(at, Actor(number, "Alice"))
        keys.append(who)
    assert len(set(keys)) == 4
    assert sorted(one.player for one in at.characters.values()) == [0, 2, 3, 9, 1009, 2009, 3009]


def test_a_character_of_ones_name_that_nobody_plays_is_ones_own() -> None:
    at = table().with_owner("zoe", CORTEX.give(Character("Zoe"), CortexCharacter(pp=4)))
    at, who = seated(at, ZOE)
    assert (at.characters[who].player, CORTEX.has(at.characters[who]).pp) == (ZOE.id, 4)


@pytest.mark.parametrize(("is_session", "points"), [(True, 1), (False, 0)])
def test_P1_who_joins_a_session_has_the_starting_pp(is_session: bool, points: int) -> None:
    assert CORTEX.has(character_of(replace(table(), is_session=is_session), ZOE)).pp == points


@pytest.mark.parametrize(
    ("who", "named", "scene", "owner"),
    [
        (ALICE, None, True, "alice"),
        (ALICE, "  ", True, "alice"),
        (ALICE, "BOB", True, "bob"),
        (ALICE, "Scene", True, SCENE),
        (GRETA, None, True, SCENE),
        (GRETA, "Alice", False, "alice"),
        (replace(ZOE, agreed=("new zoe",)), None, False, "zoe"),
        (replace(ALICE, agreed=("new the wolf",)), "The Wolf", True, "the wolf"),
    ],
)
def test_whose_a_thing_is_is_read_as_people_mean_it(
    who: Actor, named: str | None, scene: bool, owner: str
) -> None:
    at, found = owner_of(table(), who, named, scene=scene)
    assert found == owner
    assert at.owner(found)


def test_nobody_becomes_a_character_unasked_where_there_is_a_gm() -> None:
    with pytest.raises(Undecided, match="You don't play a character at this table yet"):
        owner_of(table(), ZOE, None)
    assert owner_of(Table(), ZOE, None)[1] == "zoe"


@pytest.mark.parametrize(
    ("who", "named", "says"),
    [
        (GRETA, None, r"Which character\? There are 3: Alice, Bob and Rex\."),
        (GRETA, "scene", r"The scene can't have that\. Try Alice, Bob or Rex\."),
    ],
)
def test_what_the_scene_cannot_have_needs_a_character(who: Actor, named: str | None, says: str) -> None:
    with pytest.raises(OptionNeeded, match=says) as refused:
        owner_of(table(), who, named, scene=False)
    assert (refused.value.option, refused.value.choices) == ("who", ["Alice", "Bob", "Rex"])


@pytest.mark.parametrize(
    ("named", "because"),
    [
        ("GM", r'"GM" isn\'t a character\. Choose Alice, Bob or Rex'),
        ("all", r"means all characters, but this takes one\. Choose Alice or Bob"),
        ("Alice, Bob", r"That's several names, but this takes one\. Choose Alice or Bob"),
        ("Rope d8", "has a die in it"),
    ],
)
def test_a_name_that_means_something_else_makes_no_character(named: str, because: str) -> None:
    with pytest.raises(RuleError, match=because):
        owner_of(table(), ALICE, named)


@pytest.mark.parametrize("name", ["GM", "party", "Zed, Ink", "Zed、Ink", "and"])
def test_nobody_joins_by_a_name_that_means_something_else(name: str) -> None:
    with pytest.raises(NotAllowed, match=r"can't be a character's name\. Choose another name"):
        join(table(), ZOE, name)


def test_the_name_of_a_crisis_makes_no_character() -> None:
    with pytest.raises(NotAllowed, match='"fire" is already the name of a crisis or challenge here'):
        owner_of(in_crisis(table(), 6), ALICE, "fire")


def test_sixty_characters_are_the_most() -> None:
    at = table()
    names = [f"N{number}" for number in range(MOST_CHARACTERS)]
    with pytest.raises(NotAllowed, match="This table is full: it has 60 characters"):
        several(at, replace(GRETA, agreed=tuple(f"new {name.lower()}" for name in names)), ",".join(names))


@pytest.mark.parametrize(
    ("who", "keys"),
    [
        ("all", ("alice", "bob")),
        ("ALL ", ("alice", "bob")),
        ("Alice", ("alice",)),
        ("bob, alice", ("bob", "alice")),
        ("Alice,,alice", ("alice",)),
        ("Alice, Zed", ("alice", "zed")),
        ("Alice and Bob", ("alice", "bob")),
        ("Alice & Bob/Rex", ("alice", "bob", "rex")),
        ("Alice+Bob; Rex", ("alice", "bob", "rex")),
        ("party", ("alice", "bob")),
        ("@everyone", ("alice", "bob")),
        ("<@&77> and Rex", ("alice", "bob", "rex")),
        ("<@2>", ("alice",)),
        ("<@3> <@!2>", ("bob", "alice")),
        ("Rex", ("rex",)),
    ],
)
def test_several_are_named_with_commas(who: str, keys: tuple[str, ...]) -> None:
    assert several(table(), replace(GRETA, agreed=("new zed",)), who)[1] == keys


@pytest.mark.parametrize(
    ("at", "who", "way"),
    [
        (table(), ",", "Example: who:Alice"),
        (table(), "", "Example: who:Alice"),
        (Table(), "all", "Press Join, or type a name"),
    ],
)
def test_nobody_named_is_refused(at: Table, who: str, way: str) -> None:
    with pytest.raises(Unknown, match=way):
        several(at, GRETA, who)


@pytest.mark.parametrize(("name", "expected"), [("Alice", "alice"), ("al", "alice"), ("R", "rex")])
def test_a_character_is_found_by_the_beginning_of_a_name(name: str, expected: str) -> None:
    assert seats.find_character(table(), name) == expected


def test_one_joins_with_a_new_character_or_one_that_nobody_plays() -> None:
    at = join(table(), ZOE, "Zed").table
    assert at.characters["zed"].player == ZOE.id
    free = at.with_owner("kay", Character("Kay"))
    with pytest.raises(Undecided, match="Play Kay instead of Zed"):
        join(free, ZOE, "kay")
    moved = join(free, replace(ZOE, agreed=("over zed",)), "kay").table
    assert (moved.characters["kay"].player, moved.characters["zed"].player) == (ZOE.id, 0)


@pytest.mark.parametrize(
    ("who", "name", "says"),
    [(ZOE, "Alice", "already plays"), (ZOE, "Rex", "already plays"), (ALICE, "Alice", "already")],
)
def test_one_does_not_join_as_somebody_elses_character(who: Actor, name: str, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        join(table(), who, name)


def test_who_joins_as_somebody_elses_character_is_told_who_is_free() -> None:
    free = table().with_owner("kay", Character("Kay"))
    with pytest.raises(NotAllowed, match=r"the GM already plays Rex\. Free to play: Kay\."):
        join(free, ZOE, "Rex")


@pytest.mark.parametrize(
    ("at", "who", "may"),
    [
        (OPEN, ALICE, True),
        (table(), GRETA, True),
        (table(), ALICE, False),
        (table(), Actor(9, "Zoe", manages=True), True),
    ],
)
def test_a_gm_is_named_by_the_gm_at_an_open_table_or_by_who_manages(at: Table, who: Actor, may: bool) -> None:
    done = tried(lambda: name_gm(at, who, BOB))
    assert (done is not None) is may
    assert done is None or BOB.id in done.table.gms


def test_a_gm_is_let_go_and_the_last_one_leaves_the_table_open() -> None:
    at = name_gm(table(), GRETA, GRETA, remove=True).table
    assert at.is_open
    with pytest.raises(Unknown, match=r"Bob isn't a GM at this table\. GM here: Greta"):
        name_gm(table(), GRETA, BOB, remove=True)
    with pytest.raises(
        Unknown,
        match=(
            r"Bob isn't a GM at this table\. This table has no GM\. To become the GM: "
            r"/campaign gm"
        ),
    ):
        name_gm(at, ALICE, BOB, remove=True)
    with pytest.raises(NotAllowed, match="Greta is already a GM at this table"):
        name_gm(table(), GRETA, GRETA)


def test_a_refusal_says_who_may() -> None:
    with pytest.raises(NotAllowed, match=r"Only the GM can dance\. GM here: Greta and Gil\."):
        seats.require_gm(replace(table(), gms={1: "Greta", 4: "Gil"}), ALICE, Words("dance"))
    with pytest.raises(NotAllowed, match=r"or the GM can dance for Bob\. GM here: Greta\."):
        seats.require_character(table(), ALICE, table().characters["bob"], Words("dance"))


@given(strategies.set_tables(), st.integers(4, 5000), st.text(max_size=40))
def test_taking_a_seat_takes_nobody_elses(at: Table, number: int, name: str) -> None:
    done, who = seated(at, Actor(number, name))
    assert done.characters[who].player == number
    for other, character in at.characters.items():
        if character.player or character.gmc:
            assert done.characters[other] == character


@given(strategies.set_tables(), strategies.typed())
def test_any_text_names_people_or_is_refused(at: Table, text: str) -> None:
    found = tried(lambda: several(at, GRETA, text))
    if found is not None:
        assert found[1]
        assert set(found[1]) <= {*found[0].characters}
        assert {*at.characters} <= {*found[0].characters}
    for who in (ALICE, GRETA, ZOE):
        owner = tried(partial(owner_of, at, who, text))
        assert owner is None or owner[1] == SCENE or owner[1] in owner[0].characters
    try:
        at = join(at, ZOE, text).table
    except RuleError:
        return
    assert sum(one.player == ZOE.id for one in at.characters.values()) == 1
    assert all(where == key(one.name) for where, one in at.characters.items())
