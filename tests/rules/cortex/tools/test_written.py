"""Dice in what people write, as the one who reads it would type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex.rolling.roll import make
from rules.cortex.state.kinds import Trait
from rules.cortex.state.part import CORTEX, CortexCharacter, CortexTable
from rules.cortex.state.ruleset import ADEPT
from rules.cortex.state.table import Challenge
from rules.cortex.tools.written import PoolWritten, understood
from rules.errors import NotAllowed, Unknown
from rules.seats import Actor
from rules.table import Character, Table

ALICE = Actor(2, "Alice")


READ = {
    "I kick the door (Strong d10 + d6)": "Strong d10 + d6",
    "I kick the door (Strong d10 + d6) vs 11": "Strong d10 + d6 vs 11",
    "I hit **Hard** d8 with my Crowbar d6 and d6": "Hard d8, Crowbar d6, d6",
    "d10 d8 d6": "d10, d8, d6",
    "/roll d10 d8 d6 vs 12": "d10, d8, d6 vs 12",
    "`/roll dice:Strong d10 + d6 vs:11`": "Strong d10 + d6 vs 11",
    "Roll: d8 d10 d12 d6 — keep 3": "d8, d10, d12, d6",
    "Strong d10 and d6 versus hard": "Strong d10, d6 vs hard",
    "I roll d10 and d8 and d6": "d10, d8, d6",
    "Mind d8 and d6 and d6 vs difficulty 12": "Mind d8, d6, d6 vs 12",
    "Strong d10 Sword d6 Angry d8": "Strong d10, Sword d6, Angry d8",
    "speed d10 strength d8": "d10, d8",
    "d12 d12 (just kidding), d6 d6": "d12, d12, d6, d6",
    "2 d8 and a d10": "2d8, d10",
    "3xd6 and d8": "3d6, d8",
    "two d8s and a d10": "2d8, d10",
    "d6d8d10": "d6, d8, d10",
    "Strong (d10), Sword (d6), Angry (d8)": "Strong d10, Sword d6, Angry d8",
    "(d10) (d8) (d6)": "d10, d8, d6",
    "Sharp Tongue (d8) and my Great Big Heavy Sword d10": "Sharp Tongue d8, Great Big Heavy Sword d10",
    "Strong - d10, Sword = d6; Mind: d8": "Strong d10, Sword d6, Mind d8",
    "Man Out of Time d8": "Man Out of Time d8",
    "Pool: d10, d8": "d10, d8",
    "d10 d8 against a difficulty of 12": "d10, d8 vs 12",
    "d10 d8 TN 11": "d10, d8 vs 11",
    "d10 d8 (difficulty 11)": "d10, d8 vs 11",
    "d10 d8 vs11": "d10, d8 vs 11",
    "d10 d8 against the lock (11)": "d10, d8 vs 11",
    "d10 d8 vs Doctor Doom 2d8": "d10, d8 vs 2d8",
    "d8 + d10 vs difficulty d8 d8": "d8 + d10 vs d8, d8",
    "I hit Bob vs his Agile d8. I have Strong d10 and d6.": "Strong d10, d6 vs d8",
    "vs 11: d10 + d6": "d10, d6 vs 11",
    "> Bob wrote: I roll d12 + d12\nI roll d6 + d8": "d6, d8",
    "> (Strong d10 + d6)\nMy turn: (Weak d4 + d6) vs 9": "Weak d4 + d6 vs 9",
    "~~d12~~ d10 + d6": "d10 + d6",
    "W10 + W6": "d10, d6",
    'my "rope and hook" d6, d8': '"rope and hook" d6, d8',
    '"rope, hook + bait" d6 + d8': '"rope, hook + bait" d6 + d8',
    "(see above) then `2d8 + d4`": "2d8 + d4",
    "With Broken Arm D8, against d8 and d6": "Broken Arm d8 vs d8, d6",
    "Weak d4 + d6 against Bob, with Sword d8": "Weak d4, d6, Sword d8",
    "d8 + d6 vs hard + d10": "d8 + d6 vs hard + d10",
    "/roll dice:d8, d6 vs:hard + d10": "d8, d6 vs hard + d10",
    "d8 + d6 vs 10 and d4": "d8 + d6 vs 10 + d4",
    "(d8 + d6) vs 11 + Beams d8": "d8 + d6 vs 11 + Beams d8",
    "vs 11 and d8 + d6": "d8, d6 vs 11",
    "d8+d6 vs very  hard": "d8+d6 vs very hard",
    "I use (Strong d10, Crowbar d6, d6)": "Strong d10, Crowbar d6, d6",
    "double d8, up d6": "double d8, up d6",
    "I roll d10 Mind, d8 Fight": "Mind d10, Fight d8",
    "d8 + d6 Crowbar": "d8, Crowbar d6",
    "/roll dice:d8, d6 vs:11 note:d10 was it": "d8, d6 vs 11",
    "d8 + d6 vs hard, I hope": "d8, d6 vs hard",
    "We are 4, Strong d10 + d6": "Strong d10, d6",
    "Gold: 12, Strong d10, d6, stakes 10": "Strong d10, d6",
    "d10 + d6 vs d8 + Beams d6": "d10 + d6 vs d8 + Beams d6",
    "d10 + d8 against his Agile d8 and Sword d6": "d10 + d8 vs d8 + Sword d6",
    "d10 + d6 vs 11 + his d8": "d10 + d6 vs 11 + d8",
    "d10 + d6 vs d8 plus d6": "d10 + d6 vs d8, d6",
    "d10 + d6 vs two d8s": "d10 + d6 vs 2d8",
    "d10 + d6 opposed by 2d8": "d10 + d6 vs 2d8",
    "d10 + d6 to beat 11": "d10 + d6 vs 11",
    "d10 + d6 vs (11 + d8)": "d10 + d6 vs 11 + d8",
    "d10 + d6 vs 11 (+ d8)": "d10 + d6 vs 11 + d8",
    "d10 + d6 vs [d8 + d6]": "d10 + d6 vs d8, d6",
    "Mind (d10) + Body (d6) against the lock (d8, d6)": "Mind d10, Body d6 vs d8, d6",
    "I fight against Bob (Strong d10 + d6)": "Strong d10 + d6",
    "d10 + d6 vs the Guard: d8 d6": "d10 + d6 vs d8, d6",
    "I push against the hard door, d10 + d6": "d10, d6",
    "I have Mind d10 and my extra dice: d8, d6": "Mind d10, d8, d6",
    "d10 + d6 vs `11`": "d10 + d6 vs 11",
    "Strong d10 + d8 , Quick d8": "Strong d10 + d8, Quick d8",
}


@pytest.mark.parametrize("text", READ)
def test_dice_are_read_in_what_is_written(text: str) -> None:
    assert understood(Table(), ALICE, text) == PoolWritten(READ[text])


@pytest.mark.parametrize(
    ("text", "dice", "left"),
    [
        ("(Mind + Rope + d6) vs 11", "d6 vs 11", ("Mind", "Rope")),
        ("Mind + Rope + d6", "d6", ("Mind", "Rope")),
        ("d10 d8 vs doom", "d10, d8", ("vs doom",)),
        ("d10 d8 vs doom + d8", "d10, d8", ("vs doom + d8",)),
        ("d8 + d6 vs 11 + Rain", "d8 + d6 vs 11", ("+ Rain",)),
        ("d8 + d6 vs Flood", "d8 + d6", ("vs Flood",)),
        ("d8 + d6 vs 1000", "d8 + d6", ("vs 1000",)),
        ("d8 + d6 vs 10.5", "d8 + d6", ("vs 10.5",)),
        ("d8 + d6 > 11", "d8 + d6", ("> 11",)),
        ("d8 + d6 against 3 guards", "d8 + d6", ("against 3 guards",)),
        ("d8 + d6 against the 2 dragons", "d8 + d6", ("against the 2 dragons",)),
        ("d7 is no die, d8 is", "d8", ("d7",)),
        ("Strong d10 + 6 goblins", "Strong d10", ("6 goblins",)),
        ("d10 + d6 vs 11\nd6 + d8 vs 15", "d10, d6, d6, d8 vs 11", ("vs 15",)),
        ("First (d10 + d6) vs 9, then (d6 + d8) vs Flood", "d10 + d6 vs 9", ("d6 + d8", "vs Flood")),
        ("Mind d10 + from doom d6", "d10", ("Mind", "from doom d6")),
        ("/roll dice:d8\n/roll dice:d10 + d6", "d8", ("d10", "d6")),
        ("d20 and d6", "d6", ("d20",)),
        ("1d8 + 1d6 + 4", "1d8, 1d6", ("4",)),
        ("(d10 + d6) or if it fails (d8 + d4)", "d10 + d6", ("d8 + d4",)),
        ("(d10 + d6), not Weak d4 or d20", "d10 + d6", ("Weak d4", "d20")),
        ("/pool add name:Esc dice:2d8", "2d8", ("name:Esc",)),
    ],
)
def test_what_is_left_out_is_said(text: str, dice: str, left: tuple[str, ...]) -> None:
    assert understood(Table(), ALICE, text) == PoolWritten(dice, left)


def test_names_of_ones_sheet_are_read_in_brackets() -> None:
    mind, rope = {"mind": Trait("Mind", 8)}, {"rope": Trait("Rope", 6)}
    table = Table(
        characters={
            "alice": CORTEX.give(Character("Alice", ALICE.id), CortexCharacter(sheet=mind, assets=rope))
        }
    )
    assert understood(table, ALICE, "I climb (Mind + Rope + d6)") == PoolWritten("Mind + Rope + d6")
    assert understood(table, ALICE, "I climb (Mind + Rope)") == PoolWritten("Mind + Rope")
    assert understood(table, ALICE, "I use (Mind, Rope, d6)") == PoolWritten("Mind, Rope, d6")
    assert understood(table, ALICE, "(up Mind, double d8)") == PoolWritten("up Mind, double d8")
    assert understood(table, ALICE, "I climb it with Mind + Rope + d6") == PoolWritten("Mind, Rope, d6")
    assert understood(table, ALICE, "(Mind)") == PoolWritten("Mind")
    for text in ("Mind, Rope and a d6", "Mind and Rope and d6", "I use my Mind with Rope plus d6"):
        assert understood(table, ALICE, text) == PoolWritten("Mind, Rope, d6")
    assert understood(table, ALICE, "d6 and Rope") == PoolWritten("Rope, d6")
    assert understood(table, ALICE, "I (Mind, of course) roll d10 + d6") == PoolWritten("Mind, d10, d6")
    assert understood(table, ALICE, "Mind + Rope vs 11 + d8") == PoolWritten("Mind + Rope vs 11 + d8")
    assert understood(table, Actor(3, "Bob"), "I climb (Mind + Rope)") == PoolWritten("Rope", ("Mind",))
    for text in ("Mind the gap", "Mind, Rope"):
        with pytest.raises(Unknown):
            understood(table, ALICE, text)


def test_what_opposes_is_read_by_its_name() -> None:
    spy = CORTEX.give(Character("Spy", gmc=True), CortexCharacter(sheet={"quick": Trait("Quick", 8)}))
    flood = Challenge("Flood", {6: 2})
    table = CORTEX.put(
        Table(characters={"spy": spy}),
        CortexTable(challenges={"flood": flood}, doom={6: 1, 8: 1}, ruleset=ADEPT),
    )
    for typed, against in {
        "vs the spy": "Spy",
        "against Flood + d8": "Flood + d8",
        "vs doom + d8": "doom + d8",
        "against doom and Beams d6": "doom + Beams d6",
        "vs Flood 2d8": "2d8",
        "against Spy's Quick d8": "d8",
        "against Spy (Quick d8)": "d8",
        "vs doom's d8 and d6": "d8, d6",
        "vs crisis Flood": "Flood",
    }.items():
        assert understood(table, ALICE, f"d8 + d6 {typed}") == PoolWritten(f"d8 + d6 vs {against}")


def test_dice_come_from_doom_where_it_is_said() -> None:
    table = CORTEX.put(Table(gms={ALICE.id: ALICE.name}), CortexTable(doom={6: 1, 8: 1}, ruleset=ADEPT))
    for text in ("from doom d6, d8", "(from doom d6 + d8)"):
        assert understood(table, ALICE, text).dice.startswith("from doom d6")


@pytest.mark.parametrize("text", ["40d6", "30d6 2d8", "0d6 d8", "I roll 2d10 with 500d6"])
def test_a_pool_of_too_many_dice_is_refused_as_that(text: str) -> None:
    with pytest.raises(NotAllowed, match="30"):
        understood(Table(), ALICE, text)


@pytest.mark.parametrize(
    "text",
    ["", "Hello", "d7 and 3d5", "vs 11", "()[]``", "mid6 d6th", "(Mind + Rope)", "https://a.test/?x=d6"],
)
def test_where_there_are_none_it_says_how_they_look(text: str) -> None:
    with pytest.raises(Unknown, match="Dice in one look so"):
        understood(Table(), ALICE, text)


@given(st.text(alphabet='dD1246810 +,()[]`"*vs.|Aa\n', max_size=200) | st.text(max_size=200))
def test_what_is_read_can_be_rolled(text: str) -> None:
    try:
        typed = understood(Table(), ALICE, text)
    except (Unknown, NotAllowed):
        return
    assert make(Table(), ALICE, lambda sizes: [1] * len(sizes), typed.dice).facts
