"""Dice in what people write, as the one who reads it would type them."""

import re
import time
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex.dice_in_text import PoolWritten, find_dice
from rules.cortex.kinds import Trait
from rules.cortex.model import CORTEX, Challenge, CortexCharacter, CortexTable
from rules.cortex.roll import make
from rules.cortex.ruleset import ADEPT
from rules.cortex.tokens import TokenKind, classified, plain_text, raw_tokens
from rules.errors import NotAllowed, RuleError, Undecided, Unknown
from rules.table import Character, Table
from rules.text import LONGEST
from tests import strategies
from tests.rules.cortex.test_laws_of_dice import noise

ALICE = Actor(2, "Alice")


def meaning(table: Table, actor: Actor, typed: str) -> object:
    """What `/roll` makes of a text: its dice with their labels, the keep, and what they are against.

    Of a question it is the question.
    """
    try:
        after = make(table, actor, lambda sizes: [1] * len(sizes), typed).table
    except Undecided as question:
        return str(question)
    roll = max(CORTEX.of(after).rolls.values(), key=lambda one: one.number)
    dice = sorted((die.size, die.label) for die in roll.hand.dice)
    if (against := roll.against) is None:
        return dice, roll.hand.keep
    if against.hand is None:
        return dice, roll.hand.keep, against.number, against.plus
    return dice, roll.hand.keep, sorted(die.size for die in against.hand.dice)


def read(table: Table, actor: Actor, text: str) -> tuple[object, tuple[str, ...]]:
    """What is rolled of a message, and what is left out."""
    found = find_dice(table, actor, text)
    return meaning(table, actor, found.dice), found.left


READ = {
    "I kick the door (Strong d10 + d6)": "Strong d10 + d6",
    "I kick the door (Strong d10 + d6) vs 11": "Strong d10 + d6 vs 11",
    "I hit **Hard** d8 with my Crowbar d6 and d6": "Hard d8, Crowbar d6, d6",
    "d10 d8 d6": "d10, d8, d6",
    "!roll d10 d8 d6 vs 12": "d10, d8, d6 vs 12",
    "/roll d10 d8 d6 vs 12": "d10, d8, d6 vs 12",
    "`/roll dice:Strong d10 + d6 vs:11`": "Strong d10 + d6 vs 11",
    "Roll: d8 d10 d12 d6 — keep 3": "d8, d10, d12, d6 keep 3",
    "Roll d8, d10, d6 and keep 3 of them": "d8, d10, d6 keep 3",
    "I roll 4d6k3": "4d6 keep 3",
    "Strong d10 and d6 versus hard": "Strong d10, d6 vs hard",
    "I roll d10 and d8 and d6": "d10, d8, d6",
    "Mind d8 and d6 and d6 vs difficulty 12": "Mind d8, d6, d6 vs 12",
    "Strong d10 Sword d6 Angry d8": "Strong d10, Sword d6, Angry d8",
    "speed d10 strength d8": "speed d10, strength d8",
    "I roll my speed d10 and strength d8": "d10, d8",
    "d12 d12 (just kidding), d6 d6": "d12, d12, d6, d6",
    "2 d8 and a d10": "2d8, d10",
    "3xd6 and d8": "3d6, d8",
    "two d8s and a d10": "2d8, d10",
    "d6d8d10": "d6, d8, d10",
    "Strong (d10), Sword (d6), Angry (d8)": "Strong d10, Sword d6, Angry d8",
    "(d10) (d8) (d6)": "d10, d8, d6",
    "Sharp Tongue (d8) and my Great Big Heavy Sword d10": "Sharp Tongue d8, Great Big Heavy Sword d10",
    "I have Strong - d10, Sword = d6; Mind: d8": "Strong d10, Sword d6, Mind d8",
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
    "My gold: 12, Strong d10, d6, stakes 10": "Strong d10, d6",
    "Here goes!\nspeed d10 + strength d8\nd6 vs hard\nWish me luck.": "speed d10 + strength d8, d6 vs hard",
    "I roll d8x2 and 2xd6, three d4": "2d8, 2d6, 3d4",
    "I swing at it: double Sword d8 + up d6!": "double Sword d8, up d6",
    "I roll d8 + d6 > 11, please": "d8, d6 vs 11",
    "I roll d8 + d6 >= 12": "d8, d6 >= 12",
    "I roll d8 and d6, TN: 12": "d8, d6 vs 12",
    "I roll d8 and d6, tn12.": "d8, d6 vs 12",
    'My cloak: "Cloak and Dagger" d8, d6': '"Cloak and Dagger" d8, d6',
    "I use Man for All Seasons d8 + d6": '"Man for All Seasons" d8, d6',
    "My 💧 d8 and Ünder d6": "💧 d8, Ünder d6",
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
    assert read(Table(), ALICE, text) == (meaning(Table(), ALICE, READ[text]), ())


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
        ("> d6\nI am > 11, so d8 + d6", "d8 + d6", ("> 11",)),
        ("d8 + d6 against 3 guards", "d8 + d6", ("against 3 guards",)),
        ("d8 + d6 against the 2 dragons", "d8 + d6", ("against the 2 dragons",)),
        ("d7 is no die, d8 is", "d8", ("d7",)),
        ("I roll Strong d10 + 6 goblins", "Strong d10", ("6 goblins",)),
        ("d10 + d6 vs 11\nd6 + d8 vs 15", "d10, d6 vs 11", ("d6", "d8", "vs 15")),
        ("First (d10 + d6) vs 9, then (d6 + d8) vs Flood", "d10 + d6 vs 9", ("d6 + d8", "vs Flood")),
        ("Mind d10 + from doom d6", "Mind d10", ("from doom d6",)),
        ("/roll dice:d8\n/roll dice:d10 + d6", "d8", ("d10", "d6")),
        ("d20 and d6", "d6", ("d20",)),
        ("I roll 1d8 + 1d6 + 4", "1d8, 1d6", ("4",)),
        ("I roll ~~d12~~ d10 + d6", "d10 + d6", ("d12",)),
        ("I roll d1O and d8, -d6, d4!6", "d8", ("d1O", "-d6", "d4!6")),
        ("I roll 4d6 drop the lowest", "4d6", ("drop",)),
        ("I roll 2d8d7 and d6 -1", "d6", ("2d8d7", "-1")),
        ('He says "roll d8 and d6" and I roll d4', "d8, d6, d4", ()),
        ("(d10 + d6) or if it fails (d8 + d4)", "d10 + d6", ("d8 + d4",)),
        ("(d10 + d6), not Weak d4 or d20", "d10 + d6", ("Weak d4", "d20")),
        ("/pool add name:Esc dice:2d8", "2d8", ("name:Esc",)),
    ],
)
def test_what_is_left_out_is_said(text: str, dice: str, left: tuple[str, ...]) -> None:
    assert read(Table(), ALICE, text) == (meaning(Table(), ALICE, dice), left)


def test_of_names_too_long_for_one_pool_the_dice_are_rolled() -> None:
    names = [f"{'A' * 38} {number}" for number in range(28)]
    text = "I roll " + " and ".join(f'"{name}" d8' for name in names)
    found = find_dice(Table(), ALICE, text)
    assert meaning(Table(), ALICE, found.dice) == meaning(Table(), ALICE, "28d8")
    assert found.left[0].startswith('"AAA')


def test_names_of_ones_sheet_are_read_in_brackets() -> None:
    mind, rope = {"mind": Trait("Mind", 8)}, {"rope": Trait("Rope", 6)}
    table = Table(
        characters={
            "alice": CORTEX.give(Character("Alice", ALICE.id), CortexCharacter(sheet=mind, assets=rope))
        }
    )
    assert read(table, ALICE, "I climb (Mind + Rope + d6)") == (meaning(table, ALICE, "Mind + Rope + d6"), ())
    assert read(table, ALICE, "I climb (Mind + Rope)") == (meaning(table, ALICE, "Mind + Rope"), ())
    assert read(table, ALICE, "I use (Mind, Rope, d6)") == (meaning(table, ALICE, "Mind, Rope, d6"), ())
    assert read(table, ALICE, "(up Mind, double d8)") == (meaning(table, ALICE, "up Mind, double d8"), ())
    assert read(table, ALICE, "I climb it with Mind + Rope + d6") == (
        meaning(table, ALICE, "Mind, Rope, d6"),
        (),
    )
    assert read(table, ALICE, "(Mind)") == (meaning(table, ALICE, "Mind"), ())
    for text in ("Mind, Rope and a d6", "Mind and Rope and d6", "I use my Mind with Rope plus d6"):
        assert read(table, ALICE, text) == (meaning(table, ALICE, "Mind, Rope, d6"), ())
    assert read(table, ALICE, "d6 and Rope") == (meaning(table, ALICE, "Rope, d6"), ())
    assert read(table, ALICE, "I (Mind, of course) roll d10 + d6") == (
        meaning(table, ALICE, "Mind, d10, d6"),
        (),
    )
    assert read(table, ALICE, "Mind + Rope vs 11 + d8") == (
        meaning(table, ALICE, "Mind + Rope vs 11 + d8"),
        (),
    )
    assert read(table, Actor(3, "Bob"), "I climb (Mind + Rope)") == (meaning(table, ALICE, "Rope"), ("Mind",))
    assert read(table, ALICE, "Mind, Rope") == (meaning(table, ALICE, "Mind + Rope"), ())
    assert read(table, ALICE, "I roll mind d8 with up Rope + d6") == (
        meaning(table, ALICE, "Mind, up Rope, d6"),
        (),
    )
    for text in ("Mind the gap", "I like Mind, and Rope", "I am (12)"):
        with pytest.raises(Unknown):
            find_dice(table, ALICE, text)


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
        "against a doom d6 d8": "doom d6 d8",
        "vs very hard": "very hard",
    }.items():
        for text in (f"d8 + d6 {typed}", f"I roll d8 + d6 {typed}, sorry."):
            assert read(table, ALICE, text) == (meaning(table, ALICE, f"d8 + d6 vs {against}"), ())


def test_dice_come_from_doom_where_it_is_said() -> None:
    table = CORTEX.put(Table(gms={ALICE.id: ALICE.name}), CortexTable(doom={6: 1, 8: 1}, ruleset=ADEPT))
    for text in ("from doom d6, d8", "(from doom d6 + d8)"):
        assert "from doom d6" in find_dice(table, ALICE, text).dice


@pytest.mark.parametrize("text", ["40d6", "30d6 2d8", "0d6 d8", "I roll 2d10 with 500d6"])
def test_a_pool_of_too_many_dice_is_refused_as_that(text: str) -> None:
    with pytest.raises(NotAllowed, match="30"):
        find_dice(Table(), ALICE, text)


@pytest.mark.parametrize(
    "text",
    ["", "Hello", "d7 and 3d5", "vs 11", "()[]``", "mid6 d6th", "(Mind + Rope)", "https://a.test/?x=d6"],
)
def test_where_there_are_none_it_says_how_they_look(text: str) -> None:
    with pytest.raises(Unknown, match=r"no dice to roll\. Put them in parentheses, like"):
        find_dice(Table(), ALICE, text)


@given(st.text(alphabet='dD1246810 +,()[]`"*vs.|Aa\n', max_size=200) | st.text(max_size=200))
def test_what_is_read_can_be_rolled(text: str) -> None:
    try:
        typed = find_dice(Table(), ALICE, text)
    except (Unknown, NotAllowed):
        return
    assert meaning(Table(), ALICE, typed.dice)


TYPED = """
d8
2d6 d8
d8, d6
d8 + d6
D8
W8
d8x2 d6 d4
2xd10
d10*2
d10 x2
2 d8
x2 d8
two d8
a d6 and two d8s
2d8s
2d10d8
3d6 k3
3d6 keep 3
4d6k3
keep 3, 3d6
Mind(d10) + Fight(d8)
Mind (d10), Fight (d8)
[d10] {d8}
**d8**
__d8__ and ||d6||
`d8` d6
d８
💧d8
d8💧
8
8 6
d8 vs hard
d8 v 11
d8 v. 11
d8 versus 11
d8 >12
d8 >= 12
d8 ≥ 12
d8 tn 12
d8 tn12
d8 dc: 12
d8 target 12
d8 beats 12
d8 against hard
d8 difficulty 12
d8 vs difficulty 12
D6+D8 vs. 2d6
d8 vs d6 d6
d8 vs 11 + d8
d8 vs Rope d6 + Flood d8
3d6 keep 3 vs 12
3d6 vs 12 keep 3
Claws d8 Senses d10
claws d8 / senses d10
Claws: d8 | d6 & d4
d8 Claws, d10 Senses
"Cloak and Dagger" d8
d8 "Mind 4"
up d8
double d8, d6
split d10
hinder Man Out of Time d8
scale
scale d10
Agent 47 d8
The Duke d8
d8 • d6 · d4
d8; d6
d6 plus d8
Rope + Gang
rope + gang
Rope d6, d8
Rope, d8 vs Storm
Ro, d8
less one Gang, d8
up Boys, d8
d8 vs doom
d8 vs Rex
Émile + d8 vs Fire + Broken Leg
d8 vs crisis Fire
Rope d6 + d8 vs doom + d8
"""


@pytest.mark.parametrize("text", TYPED.strip().splitlines())
def test_L2_a_pool_means_what_it_means_in_roll(text: str) -> None:
    table = strategies.set_table()
    assert read(table, ALICE, text) == (meaning(table, ALICE, text), ())


@pytest.mark.parametrize(
    "text",
    [
        *("4 d6", "Level 4 d8", "Rope d12", "d12 Rope", "2d6 d8; 2d10", "d8 d6 x2", "Double Agent d8"),
        *("stakes 10, d6", "~~d12~~ d10 + d6", "Strong - d10, Sword = d6; Mind: d8"),
        "Gold: 12, Strong d10, d6, stakes 10",
    ],
)
def test_L5_what_is_asked_in_roll_is_asked_as_it_is_typed(text: str) -> None:
    assert find_dice(strategies.set_table(), ALICE, text) == PoolWritten(text)


@given(strategies.set_tables(), noise() | strategies.typed())
def test_L2_whatever_roll_reads_is_read_as_the_same(table: Table, text: str) -> None:
    try:
        rolled = meaning(table, ALICE, text)
    except RuleError:
        return
    assume(isinstance(rolled, tuple))
    assert read(table, ALICE, text) == (rolled, ())


PROSE = (
    *(
        "I",
        "kick",
        "the door",
        "my",
        "Strong",
        "Sword",
        "with",
        "and then",
        "roll",
        "(",
        "(",
        ")",
        ")",
        "d10 + d6",
        ", ",
    ),
    *(
        "d8!",
        "d20",
        "d7",
        "Roll: ",
        "against the Storm",
        "vs hard",
        "hard",
        "Storm",
        "to beat 11",
        "`",
        "Gang",
        "Rope",
    ),
    *(
        "12",
        "3 guards",
        "2d8",
        "d6",
        "two d8s",
        "d10x2",
        "k3",
        "keep 3",
        "\n",
        "> d4",
        "~~d4~~",
        '"',
        '"rope and hook"',
    ),
    *(
        "+ Mind",
        "- ",
        "Level 4",
        "d8-d6",
        "d1O",
        "4d6kl1",
        "from doom d6",
        "scale",
        "up",
        "2d10d8",
        "6d",
        "...",
    ),
)


@given(
    strategies.set_tables(),
    st.lists(st.sampled_from(PROSE), min_size=1, max_size=12),
    st.sampled_from([" ", " ", ", ", ""]),
)
def test_L4_every_die_of_a_message_is_in_the_pool_or_left_out(
    table: Table, pieces: list[str], gap: str
) -> None:
    text = gap.join(pieces)
    try:
        found = find_dice(table, ALICE, text)
    except (Unknown, NotAllowed):
        return
    assert meaning(table, ALICE, found.dice)
    left = " ".join(found.left).lower()
    missing = dice_in(re.sub("(?m)^ ?>.*$", "", text)) - dice_in(found.dice)
    assert len(found.left) > 9 or all(die in left for die in missing), (text, found)


def dice_in(text: str) -> Counter[str]:
    """The dice of a text, as its tokens have them."""
    tokens = (token for raw in raw_tokens(plain_text(text)) for token in classified(raw))
    return Counter(token.text.lower().strip(".?") for token in tokens if token.kind is TokenKind.DICE)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "(",
            "()",
            "(d8 + ",
            "(Rope, Gang) ",
            "Strong ",
            "A and ",
            "vs ",
            "vs A ",
            "against the ",
            "d8",
            "d8 d6 ",
        ),
        *(
            "against Bob the ",
            "x2 ",
            '"',
            '"a" ',
            "**",
            "`",
            "`d8` ",
            "~~d8",
            "+ ",
            "d8 + A ",
            "d8, vs 11 + A d8 + ",
        ),
        *(
            "Rope + (",
            "Level 4 d8 ",
            "from doom d8 ",
            "up ",
            "dice:d8 vs:",
            "/roll ",
            "d8! ",
            "d8\n",
            ".",
            "😀",
        ),
        *("\ufe0f", "a_", "[d8, "),
    ],
)
def test_hostile_messages_are_read_at_once(piece: str) -> None:
    begun = time.process_time()
    with suppress(Unknown, NotAllowed):
        find_dice(strategies.set_table(), ALICE, piece * LONGEST)
    assert time.process_time() - begun < 0.5
