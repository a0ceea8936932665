"""Tables and characters from a file: what comes along, who plays whom, and who may."""

import pytest
from hypothesis import given

from rules.campaign import files
from rules.campaign.seats import Actor
from rules.cortex import roll
from rules.cortex.facts import Change, HeroDiceChanged
from rules.cortex.model import CORTEX, Contest, CortexCharacter, CortexTable, Hand
from rules.cortex.ruleset import ADEPT, HEROIC, Heroic
from rules.errors import NotAllowed
from rules.facts import Imported, SeatChange, Seated
from rules.ore import roll as one_roll
from rules.ore.model import ORE
from rules.ore.pool import OrePool
from rules.table import Character, Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces
from tests.rules.test_laws import lively

LIVELY = lively(ADEPT)
HERO = CORTEX.give(
    Character("Hero", player=77, player_name="Hal", owner=77, xp=9), CortexCharacter(pp=3, hero={8: 1})
)


def brought(
    table: Table, found: Table, actor: Actor = GRETA, *, home: bool = True, same: bool = True
) -> Table:
    return files.bring_table(table, actor, found, is_home=home, is_same=same).table


@given(strategies.tables())
def test_a_table_comes_back_to_itself_exactly(found: Table) -> None:
    now = replace(LIVELY, number=2000)
    assert brought(now, found) == replace(found, number=2000, name=now.name)


def test_open_rolls_and_contests_come_back_to_their_own_table_only() -> None:
    found = after(roll.make(LIVELY, ALICE, faces(1, 2, 3), "3d6"))
    found = CORTEX.put(
        found, replace(CORTEX.of(found), contests={3: Contest(("Alice", "Bob"), 0, 3, Hand(()))})
    )
    now = replace(LIVELY, number=found.number + 5)
    assert CORTEX.of(brought(now, found)).rolls == CORTEX.of(found).rolls
    assert CORTEX.of(brought(now, found)).contests == CORTEX.of(found).contests
    elsewhere = brought(now, found, same=False)
    here = CORTEX.of(elsewhere)
    assert (here.rolls, here.contests) == ({}, {})


def test_a_contest_of_another_table_stays_behind_whatever_its_number() -> None:
    found = CORTEX.put(LIVELY, CortexTable(contests={0: Contest(("Alice", "Bob"), 0, 3, Hand(()))}))
    assert CORTEX.of(brought(LIVELY, found, same=False)).contests == {}


def test_Z1_a_hero_die_that_was_won_comes_where_its_roll_stays_behind() -> None:
    table = lively(HEROIC)
    heroic = replace(CORTEX.of(table).ruleset, heroic=Heroic.HERO_DICE)
    table = CORTEX.put(table, replace(CORTEX.of(table), ruleset=heroic, doom={6: 2}))
    found = after(roll.make(table, ALICE, faces(6, 6, 8, 1, 2), "2d6 d8", "doom"))
    before = CORTEX.has(found.characters["alice"]).hero
    now = replace(LIVELY, number=max(CORTEX.of(found).rolls))
    step = files.bring_table(now, GRETA, found, is_home=False, is_same=False)
    assert CORTEX.has(step.table.characters["alice"]).hero == {**before, 6: before.get(6, 0) + 1}
    assert step.facts[1:] == (HeroDiceChanged("Alice", (8, 8, 6), Change.ADDED, 6),)
    assert CORTEX.has(brought(now, found).characters["alice"]).hero == before


def test_one_roll_rolls_come_back_to_their_own_table_only() -> None:
    found = after(one_roll.full(LIVELY, ALICE, lambda sizes: [7] * len(sizes), OrePool(dice=3)))
    now = replace(LIVELY, number=found.number + 5)
    assert ORE.of(brought(now, found)).rolls == ORE.of(found).rolls
    assert ORE.of(brought(now, found, same=False)).rolls == {}


def test_a_roll_that_this_table_has_not_come_to_yet_stays_behind() -> None:
    found = after(roll.make(LIVELY, ALICE, faces(1, 2, 3), "3d6"))
    here = CORTEX.of(found)
    assert max(here.rolls) not in CORTEX.of(brought(replace(LIVELY, number=max(here.rolls) - 1), found)).rolls


def test_a_table_of_another_server_brings_none_of_its_people() -> None:
    found = CORTEX.put(
        Table(gms={77: "Gus"}, characters={"hero": HERO}), CortexTable(last_pools={77: ("2d6",)})
    )
    come = brought(LIVELY, found, home=False, same=False)
    assert come.gms == {GRETA.id: GRETA.name}
    assert come.characters["hero"] == replace(HERO, player=0, player_name="", owner=0)
    assert not CORTEX.of(come).last_pools


def test_the_gms_of_the_table_stay_where_a_file_is_of_another_server() -> None:
    gms = {**LIVELY.gms, ZOE.id: ZOE.name}
    come = brought(replace(LIVELY, gms=gms), Table(gms={77: "Gus"}), home=False, same=False)
    assert come.gms == gms
    assert brought(Table(), Table(gms={77: "Gus"}), ZOE, home=False, same=False).gms == {ZOE.id: ZOE.name}


def test_who_plays_a_character_of_that_name_here_goes_on_playing_it() -> None:
    found = Table(characters={"alice": replace(HERO, name="Alice")})
    come = brought(LIVELY, found, home=False, same=False).characters["alice"]
    assert (come.player, come.xp) == (ALICE.id, 9)


def test_the_gm_who_imports_stays_gm() -> None:
    assert brought(LIVELY, Table(gms={77: "Gus"})).gms == {77: "Gus", GRETA.id: GRETA.name}
    assert brought(LIVELY, Table()).gms == {GRETA.id: GRETA.name}
    assert brought(Table(), Table(), ZOE).gms == {}


def test_an_archived_table_wakes() -> None:
    assert not brought(LIVELY, replace(LIVELY, archived=True)).archived


def test_only_the_gm_imports_a_table() -> None:
    with pytest.raises(NotAllowed, match="Only the GM"):
        brought(LIVELY, Table(), ALICE)


def test_the_fact_names_who_is_there_now() -> None:
    step = files.bring_table(LIVELY, GRETA, Table(characters={"hero": HERO}), is_home=True, is_same=False)
    assert step.facts == (Imported(LIVELY.name, ("Hero",)),)


def character(
    actor: Actor, found: Character = HERO, table: Table = LIVELY, *, home: bool = True
) -> Character:
    step = files.bring_character(table, actor, found, is_home=home)
    return step.table.characters[found.name.casefold()]


def test_a_player_who_plays_nobody_plays_what_they_import() -> None:
    come = character(ZOE)
    assert (come.player, come.owner) == (ZOE.id, ZOE.id)


def test_a_player_who_plays_somebody_owns_what_they_import() -> None:
    come = character(BOB)
    assert (come.player, come.player_name, come.owner) == (0, "", BOB.id)


def test_a_gm_brings_a_character_back_to_its_player() -> None:
    assert character(GRETA) == HERO
    assert character(GRETA, home=False) == replace(HERO, player=0, player_name="", owner=0)
    busy = replace(HERO, player=ALICE.id, player_name="Alice")
    assert character(GRETA, busy).player == 0


def test_what_only_a_gm_gives_comes_with_a_gm_only() -> None:
    come = character(ZOE)
    own = CORTEX.has(come)
    assert (own.pp, come.xp, own.hero) == (CORTEX.of(LIVELY).ruleset.starting_pp, 0, {})
    assert character(ZOE, table=replace(LIVELY, gms={})).xp == 9


def test_only_a_gm_brings_a_gmc() -> None:
    rex = Character("Hero", gmc=True)
    assert character(GRETA, rex) == rex
    with pytest.raises(NotAllowed, match="Only the GM"):
        character(ZOE, rex)


def test_a_name_that_is_taken_is_told_with_what_to_do() -> None:
    with pytest.raises(NotAllowed, match="/character rename to:ALICE 2 who:ALICE"):
        character(ZOE, replace(HERO, name="ALICE"))


def test_a_full_table_takes_no_more() -> None:
    full = CORTEX.put(
        replace(LIVELY, characters={f"a{n}": Character(f"A{n}") for n in range(60)}),
        replace(CORTEX.of(LIVELY), order=None),
    )
    with pytest.raises(NotAllowed, match="This table is full: it has 60 characters"):
        character(GRETA, table=full)


def test_the_import_of_a_character_says_who_plays_it() -> None:
    step = files.bring_character(LIVELY, ZOE, HERO, is_home=False)
    assert step.facts == (Seated("Hero", SeatChange.IMPORTED_PLAYED, ZOE.name),)
