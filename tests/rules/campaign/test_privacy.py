"""A person who is forgotten: nothing at the table tells of them, and everything else stays."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given

from rules.campaign import seats
from rules.campaign.files import check
from rules.campaign.privacy import common, forgotten, forgotten_facts, known_as, names_on, people
from rules.campaign.seats import Actor
from rules.cortex import hitches, points, roll
from rules.cortex.builder import Build, Piece
from rules.cortex.builder import forgotten as forgotten_build
from rules.cortex.facts import CORTEX_FACTS, PointsChanged, RollMade, TakenOut, note_why
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, Contest, CortexCharacter, CortexTable, Hand
from rules.cortex.named_pools import share
from rules.cortex.ruleset import ADEPT
from rules.facts import SHARED_FACTS, Ended, Noted, OldWords, Redone, SeatChange, Seated, Stretch, Undone
from rules.names import SOMEBODY, Coming, Erasure, Plan, Reply, Thread, key
from rules.ore import roll as one_roll
from rules.ore.model import ORE, ORE_FACTS
from rules.ore.pool import OrePool
from rules.table import Character, Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, GRETA, after, answered, faces, having, in_crisis, table
from tests.rules.test_laws import lively

ROOT = Path(__file__).parents[3]
QUINN = Actor(123456789012345678, "Quinn Ó'Dea")
NAMES = known_as(QUINN.id, [QUINN.name])


def played(at: Table) -> Table:
    """The table where Alice is Quinn's, and Quinn is a delegate too."""
    alice = replace(at.characters["alice"], player=QUINN.id, player_name=QUINN.name, owner=QUINN.id)
    return replace(at.with_owner("alice", alice), gms={**at.gms, QUINN.id: QUINN.name})


@given(strategies.tables())
def test_all_whose_id_is_on_a_table_are_known_and_of_who_is_forgotten_nothing_is_left(at: Table) -> None:
    nothing_is_left_and_the_rest_stays(at)
    all_are_known_whose_id_is_anywhere(at)


def nothing_is_left_and_the_rest_stays(at: Table) -> None:
    now = forgotten(played(at), QUINN.id, NAMES)
    assert str(QUINN.id) not in repr(now)
    assert QUINN.name not in repr(now)
    alice = replace(at.characters["alice"], player=0, player_name="", owner=0)
    assert now == at.with_owner("alice", alice)
    check(now)


def all_are_known_whose_id_is_anywhere(at: Table) -> None:
    players = {each: 10**17 + n for n, each in enumerate(("alice", "bob"))}
    for who, player in players.items():
        at = at.with_owner(who, replace(at.characters[who], player=player, owner=player + 10))
    at = after(roll.make(replace(at, gms={10**17 + 20: "Greta"}), QUINN, faces(1, 2, 6), "3d6"))
    ids = {int(digits) for digits in re.findall(r"(?<![0-9])[0-9]{15,}", repr(at))}
    # Who rolled in what is drawn of a game has a short id.
    assert {each for each in people(at) if each > 10**14} == ids
    assert len(ids) == 6


def printed(path: Path) -> Iterator[str]:
    """What a module could say in the log: its texts without docstrings, refusals, patterns and examples."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(node.value)
        elif isinstance(node, ast.Raise):
            silent |= set(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in silent:
            yield "" if "\\" in node.value else node.value.partition("Example")[0]


def test_facts_forget_people_wherever_they_name_one() -> None:
    said = (
        Seated("Mira", SeatChange.PLAYED, "Quinn"),
        Seated("Quinn", SeatChange.GM, "Quinn"),
        PointsChanged("Quinn", 1, 2, note_why("for Quinn, up to it")),
        Undone(3, (TakenOut("Quinn", "Quinn", TraitKind.COMPLICATION), OldWords("Quinn: 3 PP (+1)"))),
        Ended(Stretch.SCENE, 1, "Quinn", ("Quinn", "Rex")),
    )
    names, left = frozenset({"Quinn", "Rex"}), frozenset({"Quinn"})
    assert forgotten_facts(said, Erasure(5, names, left)) == (
        Seated("Mira", SeatChange.PLAYED, SOMEBODY),
        Seated(SOMEBODY, SeatChange.GM, SOMEBODY),
        PointsChanged(SOMEBODY, 1, 2, note_why(f"for {SOMEBODY}, up to it")),
        Undone(3, (TakenOut(SOMEBODY, "Quinn", TraitKind.COMPLICATION), OldWords(f"{SOMEBODY}: 3 PP (+1)"))),
        Ended(Stretch.SCENE, 1, "Quinn", (SOMEBODY, "Rex")),
    )


def test_facts_forget_who_rolled() -> None:
    step = roll.make(table(ADEPT), QUINN, faces(1, 2, 6), "3d6", note="Quinn Ó'Dea tries")
    (made,) = (fact for fact in forgotten_facts(step.facts, Erasure(QUINN.id, NAMES, NAMES)))
    assert isinstance(made, RollMade)
    assert (made.roll.player, made.roll.who, made.roll.note) == (0, SOMEBODY, "[deleted]")


def test_what_somebody_typed_as_a_note_goes_whoever_takes_their_step_back() -> None:
    lies, theirs = Noted("The map lies"), Noted("[deleted]")
    who = Erasure(QUINN.id, NAMES, NAMES, steps=frozenset({3}))
    assert forgotten_facts((lies,), replace(who, is_author=True)) == (theirs,)
    assert forgotten_facts((lies, Noted("Quinn Ó'Dea lies")), who) == (lies, Noted(f"{SOMEBODY} lies"))
    for back in (Undone, Redone):
        assert forgotten_facts((back(3, (lies,)), back(4, (lies,))), who) == (
            back(3, (theirs,)),
            back(4, (lies,)),
        )
        assert forgotten_facts((back(4, (lies,)),), replace(who, is_author=True)) == (back(4, (lies,)),)


def test_the_open_notes_that_somebody_typed_go_from_the_table() -> None:
    threads = {key(text): Thread(text) for text in ("The map lies", "Who took it?")}
    now = forgotten(Table(threads=threads), QUINN.id, NAMES, noted=frozenset({"The map lies"}))
    assert [each.text for each in now.threads.values()] == ["Who took it?"]


def test_every_text_in_a_fact_says_what_it_is() -> None:
    plain = {"setting", "value", "value_before", "settings"}
    for kind in (*SHARED_FACTS.tags, *CORTEX_FACTS.tags, *ORE_FACTS.tags):
        hints = get_type_hints(kind, include_extras=True)
        texts = {name for name, hint in hints.items() if "str" in re.findall(r"[\w.]+", str(hint))}
        assert texts <= plain or not [name for name in texts - plain if "TextMark" not in str(hints[name])], (
            kind
        )


def test_a_table_without_them_stays_as_it_is() -> None:
    at = lively(ADEPT)
    assert forgotten(at, QUINN.id, NAMES) == at


def test_open_notes_name_nobody_who_is_forgotten() -> None:
    held = {"quinn ó'dea hides it": Thread("Quinn Ó'Dea hides it", about="Quinn Ó'Dea")}
    (thread,) = forgotten(Table(threads=held), QUINN.id, NAMES).threads.items()
    assert thread == ("somebody hides it", Thread(f"{SOMEBODY} hides it", about=SOMEBODY))


def test_nobody_knows_any_more_whether_they_come() -> None:
    said = {GRETA.id: Reply("Greta", Coming.IN), QUINN.id: Reply(QUINN.name, Coming.MAYBE)}
    at = Table(plan=Plan(1, 1, f"{QUINN.name} brings snacks", replies=said))
    assert people(at) == {GRETA.id, QUINN.id}
    assert names_on(at, QUINN.id) == {QUINN.name}
    left = {GRETA.id: Reply("Greta", Coming.IN)}
    assert forgotten(at, QUINN.id, NAMES).plan == Plan(1, 1, "Somebody brings snacks", replies=left)


def test_their_rolls_stay_without_their_name() -> None:
    at = after(roll.make(table(ADEPT), QUINN, faces(1, 2, 6), "3d6"))
    now = forgotten(at, QUINN.id, NAMES)
    here = CORTEX.of(now)
    assert [(each.player, each.who) for each in here.rolls.values()] == [(0, SOMEBODY)]
    assert not here.last_pools


def test_their_one_roll_rolls_stay_without_their_name() -> None:
    at = one_roll.full(table(ADEPT), QUINN, lambda sizes: [7] * len(sizes), OrePool(dice=3)).table
    assert names_on(at, QUINN.id) == {"Quinn Ó'Dea"}
    now = forgotten(at, QUINN.id, NAMES)
    assert [(each.player, each.who) for each in ORE.of(now).rolls.values()] == [(0, SOMEBODY)]


def test_who_did_something_to_a_roll_of_another_is_forgotten() -> None:
    at = after(roll.make(table(ADEPT), GRETA, faces(1, 2, 6), "3d6"))
    (rolled,) = CORTEX.of(at).rolls.values()
    at = CORTEX.put(
        at, replace(CORTEX.of(at), rolls={rolled.number: replace(rolled, doers={"bought": QUINN.name})})
    )
    (now,) = CORTEX.of(forgotten(at, QUINN.id, NAMES)).rolls.values()
    assert now.doers == {"bought": SOMEBODY}


def test_a_side_of_a_contest_is_forgotten() -> None:
    at = CORTEX.put(table(ADEPT), CortexTable(contests={1: Contest((QUINN.name, "Bob"), 0, 1, Hand(()))}))
    assert CORTEX.of(forgotten(at, QUINN.id, NAMES)).contests[1].sides == (SOMEBODY, "Bob")


def test_a_plain_character_with_no_other_name_is_renamed() -> None:
    at = after(answered(GRETA, lambda actor: points.give_points(table(ADEPT), actor, QUINN.name)))
    at, _ = seats.seated(at, QUINN)
    now = forgotten(at, QUINN.id, NAMES)
    assert now.characters["somebody"] == CORTEX.give(Character(SOMEBODY), CortexCharacter(pp=1))
    assert QUINN.name not in repr(now)


def test_two_of_them_are_told_apart() -> None:
    people = {key: Character(key.title()) for key in ("quinn", "somebody", "quinn 678")}
    now = forgotten(replace(table(ADEPT), characters=people), QUINN.id, frozenset({"Quinn"}))
    assert [each.name for each in now.characters.values()] == ["Somebody 2", "Somebody", "Somebody 3"]


def test_a_character_of_somebody_else_keeps_a_name_like_theirs() -> None:
    at = table(ADEPT)
    now = forgotten(at, QUINN.id, frozenset({"Alice", "Rex"}))
    assert now == at


def test_somebody_elses_rolls_keep_a_characters_name_like_theirs() -> None:
    at = after(roll.make(table(ADEPT), Actor(2, "Ann"), faces(1, 2, 6), "3d6"))
    assert forgotten(at, QUINN.id, frozenset({"Alice"})) == at


def test_their_names_are_found_at_the_table() -> None:
    at = after(roll.make(played(table(ADEPT)), replace(QUINN, name="Q"), faces(1, 2, 6), "3d6"))
    assert names_on(at, QUINN.id) == {QUINN.name}
    plain = after(roll.make(table(ADEPT), replace(QUINN, name="Q"), faces(1, 2, 6), "3d6"))
    assert names_on(plain, QUINN.id) == {"Q"}


def test_words_of_every_table_are_no_names() -> None:
    assert known_as(5, ["Doom", "scene", "somebody", "Quinn, the"]) == {
        "Doom (player)",
        "scene (player)",
        "Quinn, the",
        "Quinn the",
    }


@pytest.mark.parametrize(
    ("said", "is_shared", "now"),
    [
        ("Zoe is played by Quinn", True, "Zoe is played by Somebody"),
        ("Undone: Zoe is played by Quinn; Bob: 1 PP", True, "Undone: Zoe is played by Somebody; Bob: 1 PP"),
        ("Zoe is imported, played by Quinn", True, "Zoe is imported, played by Somebody"),
        ("Quinn is GM", True, "Somebody is GM"),
        ("Quinn is no longer GM", True, "Somebody is no longer GM"),
        ("campaign: Sky; Quinn is GM", True, "campaign: Sky; Somebody is GM"),
        ("Quinn: 3 PP (+1)", True, "Somebody: 3 PP (+1)"),
        ("Undone: Quinn: 3 PP (+1)", True, "Undone: Somebody: 3 PP (+1)"),
        ("Quinn · Broken Leg d8", True, "Somebody · Broken Leg d8"),
        ("Bob: 1 PP; Quinn is taken out by Mud", True, "Bob: 1 PP; Somebody is taken out by Mud"),
        ("Alice · Quinnsword d8", False, "Alice · Quinnsword d8"),
        ("Alice · Quinn d8 (asset)", True, "Alice · Quinn d8 (asset)"),
        ("Alice · Quinn d8 (asset)", False, "Alice · Somebody d8 (asset)"),
        ("Closed are the rolls of Quinn and Bob", True, "Closed are the rolls of Somebody and Bob"),
        ("Rex: 3 PP (+1)", False, "Rex: 3 PP (+1)"),
        ("Bob is played by Rex", False, "Bob is played by Somebody"),
    ],
)
def test_a_line_of_the_log_tells_of_them_no_more(said: str, is_shared: bool, now: str) -> None:
    names, left = frozenset({"Quinn", "Rex"}), frozenset({"Quinn"})
    shared = left if is_shared else frozenset[str]()
    assert Erasure(5, names, left, shared).line(said) == now


def test_a_name_that_is_a_word_of_the_game_is_only_taken_from_people() -> None:
    at = having(table(ADEPT), "bob", TraitKind.ASSET, Trait("Rose window", 8))
    assert common(at, ["Total", "Rose", "Zoltan", "Physical"]) == {"Rose", "Physical"}


def test_other_peoples_pools_crises_and_dice_stay_as_they_are() -> None:
    at = in_crisis(played(table(ADEPT)), 8, name="Quinn storm")
    at = after(roll.make(at, replace(ALICE, id=77), faces(1, 2, 6, 3), "3d6", "Quinn storm"))
    now = forgotten(at, QUINN.id, NAMES, common(at, NAMES))
    here = CORTEX.of(now)
    assert here.rolls == CORTEX.of(at).rolls
    assert here.crises == CORTEX.of(at).crises


def test_a_pool_that_they_shared_has_another_name() -> None:
    at = after(share(table(ADEPT), QUINN, Build((Piece("2d6"),))))
    now = forgotten(at, QUINN.id, NAMES)
    here = CORTEX.of(now)
    assert [pool.name for pool in here.pools.values()] == [SOMEBODY]
    assert set(here.pools) == {"somebody"}


def test_what_others_build_against_them_forgets_them() -> None:
    built = Build((Piece(f'"{QUINN.name} · Leg"'), Piece("d6")), QUINN.name.upper(), 1)
    assert forgotten_build(built, NAMES) == Build((Piece("d6"),))
    assert forgotten_build(Build((Piece("d6"),), "11"), NAMES) == Build((Piece("d6"),), "11")


def test_nobody_pays_for_the_rolls_of_who_is_forgotten() -> None:
    at = after(roll.make(table(ADEPT), QUINN, faces(1, 2), "2d6"))
    free = at.with_owner("bob", replace(at.characters["bob"], player=0))
    now = forgotten(free, QUINN.id, NAMES)
    paid = hitches.buy(now, GRETA, 1, hitches.Way.COMPLICATION, "Trouble", None)
    assert paid.table.characters["bob"] == free.characters["bob"]


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("Doom pool: d8 (d6 stepped up)", "Doom pool: d8 (d6 stepped up)"),
        ("up: 2 PP (+1, thanks up)", "Somebody: 2 PP (+1, thanks Somebody)"),
        ("Doom pool: 2d6 (d6 added). Why: up was late", "Doom pool: 2d6 (d6 added). Why: Somebody was late"),
        ("Mira is played by up; up: 1 PP (+1)", "Mira is played by Somebody; Somebody: 1 PP (+1)"),
        ("Bob gives in. up wins the contest", "Bob gives in. Somebody wins the contest"),
        ("The sheet of up is changed", "The sheet of Somebody is changed"),
        ("Storm acts against up, who rolls first", "Storm acts against Somebody, who rolls first"),
        ("Round 2 begins: up names who is first", "Round 2 begins: Somebody names who is first"),
    ],
)
def test_a_name_in_small_letters_goes_from_an_old_line_where_somebody_stands(said: str, now: str) -> None:
    names = frozenset({"up"})
    assert Erasure(5, names, names).line(said) == now


def test_a_name_in_small_letters_goes_from_what_was_typed() -> None:
    said = (PointsChanged("Bob", 1, 2, note_why("for zoltan")), Seated("Mira", SeatChange.PLAYED, "zoltan"))
    names = frozenset({"zoltan"})
    assert forgotten_facts(said, Erasure(5, names, names, common(table(ADEPT), names))) == (
        PointsChanged("Bob", 1, 2, note_why(f"for {SOMEBODY}")),
        Seated("Mira", SeatChange.PLAYED, SOMEBODY),
    )
