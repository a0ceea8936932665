"""What CortexPal2000 shows of a game, read as it is and as it gets damaged on the way."""

from contextlib import suppress

import pytest

from rules.campaign.seats import Actor
from rules.cortex.formats import cortexpal
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, CortexCharacter, CortexTable, Crisis
from rules.cortex.pool import Die, NamedPool
from rules.cortex.ruleset import ADEPT, PRIME
from rules.dice import ALL_SIZES
from rules.errors import NotAllowed, Unreadable
from rules.table import Character, Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, table

INFO = """**Cortex Game Information**

**Assets**
*Alice*: D8 Rope, D6 Lamp, Oil And Matches
*Scene*: D10 Barricade

**Complications**
*Mary Jane O'neil*: D6 Broken Leg

**Distinctions**
*Alice*: D8 Old Soldier

**Stress**
*Alice*: D6 General, D10 Mental

**Plot Points**
*Alice*: 3
*Mary Jane O'neil*: 0

**Dice Pools**
*Doom*: 2D6 D8
*Fire Crisis*: D6 D10
*Escape*: 2D10
*Empty*:

**Experience Points**
*Alice*: 12
"""
PLAIN = INFO.replace("*", "")
LONG_LINE = " ".join(INFO.split())
HALF_LINE = " ".join(INFO.split()).replace("**Stress**", "\n**Stress**")


def brought(text: str = INFO, at: Table | None = None, actor: Actor = GRETA) -> Table:
    return cortexpal.bring(at or Table(), actor, cortexpal.read(text)).table


def labels(character: Character, kind: TraitKind) -> dict[str, int]:
    return {trait.label: trait.die for trait in CORTEX.has(character).traits(kind).values()}


@pytest.mark.parametrize("text", [INFO, PLAIN, LONG_LINE, HALF_LINE, INFO.upper().replace("\n", "\r\n")])
def test_everything_is_understood(text: str) -> None:
    now = brought(text)
    here = CORTEX.of(now)
    alice, mary = now.characters["alice"], now.characters["mary jane o'neil"]
    own = CORTEX.has(alice)
    assert {key.casefold(): die for key, die in labels(alice, TraitKind.ASSET).items()} == {
        "rope": 8,
        "lamp, oil and matches": 6,
    }
    assert list(labels(alice, TraitKind.DISTINCTION).values()) == [8]
    assert list(labels(alice, TraitKind.STRESS).values()) == [6, 10]
    assert list(labels(mary, TraitKind.COMPLICATION).values()) == [6]
    assert list(labels(now.scenery, TraitKind.ASSET).values()) == [10]
    assert (own.pp, alice.xp, CORTEX.has(mary).pp) == (3, 12, 0)
    assert here.doom == {6: 2, 8: 1}
    assert list(here.crises["fire"].dice.items()) == [(6, 1), (10, 1)]
    assert here.pools["escape"].dice == (Die(10), Die(10))


def test_N13_dice_are_those_of_the_table() -> None:
    text = "**Assets**\n*Alice*: D20 Comet, D8 Rope\n\n**Dice Pools**\n*Doom*: D3 D20\n*Escape*: D14"
    foreign = cortexpal.foreign(text)
    assert foreign.left_out(Table()) == ("Alice: D20 Comet", "*Doom*: D3 D20", "*Escape*: D14")
    at = CORTEX.put(table(), CortexTable(ruleset=replace(ADEPT, sizes=ALL_SIZES)))
    assert foreign.left_out(at) == ("D3 of the doom pool, which holds no d4",)
    now = foreign.bring(at, GRETA).table
    assert labels(now.characters["alice"], TraitKind.ASSET) == {"Comet": 20, "Rope": 8}
    assert CORTEX.of(now).doom == {20: 1}
    assert CORTEX.of(now).pools["escape"].dice == (Die(14),)


def test_an_empty_pool_is_understood_and_makes_none() -> None:
    assert cortexpal.left_out(Table(), cortexpal.read(INFO)) == ()
    assert "empty" not in CORTEX.of(brought()).pools


def test_names_stay_as_they_are_written() -> None:
    now = brought()
    here = CORTEX.of(now)
    assert [each.name for each in now.characters.values()] == ["Alice", "Mary Jane O'neil"]
    assert here.crises == {"fire": Crisis("Fire", {6: 1, 10: 1})}
    assert here.pools == {"escape": NamedPool("Escape", (Die(10), Die(10)))}
    assert CORTEX.has(now.scenery).assets == {"barricade": Trait("Barricade", 10)}


@pytest.mark.parametrize(
    ("line", "missed"),
    [
        ("**Assets**\n*Alice*: D7 Rope", "Alice: D7 Rope"),
        ("**Assets**\n*Alice*: D6 Rope, D8 Rope", "Alice: D8 Rope"),
        ("**Assets**\n*Alice*: 2D6 Crates", "Alice: 2D6 Crates (taken as one d6)"),
        ("**Assets**\n*All*: D6 Rope", "All: D6 Rope"),
        ("**Assets**\n*A, B*: D6 Rope", "A, B: D6 Rope"),
        ("**Assets**\n*Alice*: Rope", "Alice: Rope"),
        (f"**Assets**\n*{'x' * 81}*: D6 Rope", f"{'x' * 81}: D6 Rope"),
        (f"**Assets**\n*Alice*: D6 {'x' * 101}", f"Alice: D6 {'x' * 101}"),
        ("**Plot Points**\n*Bob*: many", "*Bob*: many"),
        ("**Plot Points**\n*Scene*: 3", "*Scene*: 3"),
        ("**Plot Points**\nBob has none", "Bob has none"),
        ("**Dice Pools**\n*Odd*: D6 D20", "*Odd*: D6 D20"),
        ("**Dice Pools**\n*Odd*: 100D6", "*Odd*: 100D6"),
        ("**Dice Pools**\n*Odd*: 50D6", "*Odd*: 50D6"),
        ("**Dice Pools**\n*Doom*: 16D6 15D8", "*Doom*: 16D6 15D8"),
        ("**Dice Pools**\n*Odd*: D6\n*Odd*: D8", "*Odd*: D8"),
        ("**Dice Pools**\n*Odd*: D6\n*ODD*: D8", "Dice pool ODD"),
        ("**Dice Pools**\n*Odd Crisis*: D6\n*Odd*: D8", "Dice pool Odd"),
        ("**Dice Pools**\n*Odd Crisis*: D6\n*Crisis: Odd*: D8", "Dice pool Crisis: Odd"),
        ("**Dice Pools**\n*Doom*: D6\n*DOOM*: D8", "Dice pool DOOM"),
        ("**Dice Pools**\n*Zoe*: D6", "Dice pool Zoe"),
        ("**Plot Points**\n*Alice*: 3\n*ALICE*: 2", "*ALICE*: 2"),
        ("**Plot Points**\n*Alice*: 3\n*Alice*: 2", "*Alice*: 2"),
        ("**Assets**\n*Alice*: D6 Rope\n*ALICE*: D8 Lamp", "ALICE: D8 Lamp"),
        ("**Plot Points**\n*Alice*: 1000", "*Alice*: 1000"),
        ("**Experience Points**\n*Alice*: 10000", "*Alice*: 10000"),
        (f"**Plot Points**\n*Alice*: {'9' * 5000}", f"*Alice*: {'9' * 5000}"),
        ("**Dice Pools**\n*Easy*: D6", "Dice pool Easy"),
        ("**Dice Pools**\n*Doom*: 2D4 D6", "2D4 of the doom pool, which holds no d4"),
        ("Hello there", "Hello there"),
        ("*Alice*: D6 Rope", "*Alice*: D6 Rope"),
    ],
)
def test_what_is_not_understood_is_told_and_the_rest_comes(line: str, missed: str) -> None:
    text = f"{line}\n**Plot Points**\n*Zoe*: 2"
    info = cortexpal.read(text)
    assert cortexpal.left_out(Table(), info) == (missed,)
    assert CORTEX.has(brought(text).characters["zoe"]).pp == 2


def test_of_names_that_differ_in_capitals_the_first_is_taken() -> None:
    now = brought("**Plot Points**\n*Alice*: 3\n*ALICE*: 2\n**Experience Points**\n*Alice*: 4\n*alice*: 5")
    assert now.characters == {"alice": CORTEX.give(Character("Alice", xp=4), CortexCharacter(pp=3))}


def test_a_line_that_could_mean_several_things_is_not_guessed() -> None:
    text = "Assets Alice: D6 Rope Bob: D8 Lamp Plot Points Alice: 1"
    info = cortexpal.read(text)
    assert info.missed == ["Alice: D6 Rope Bob: D8 Lamp"]


def test_the_farewell_of_a_purge_is_read_too() -> None:
    text = f"**ATTENTION:**\nBecause you have not played, here is your game:\n\n{INFO}"
    assert CORTEX.has(brought(text).characters["alice"]).pp == 3


@pytest.mark.parametrize("head", ["(from joined channel)", "(from channel #den)"])
def test_a_joined_channels_head_is_no_riddle(head: str) -> None:
    assert cortexpal.read(f"**Cortex Game Information**\n{head}\n{INFO}").missed == []


@pytest.mark.parametrize("text", ["hello", "Cortex Game Information", "**Assets**", ":", "*", "*:*:*" * 500])
def test_a_text_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="neither a file from this bot"):
        cortexpal.read(text)


def test_settings_that_it_needs_are_turned_on_and_told() -> None:
    step = cortexpal.bring(CORTEX.put(Table(), CortexTable(ruleset=PRIME)), GRETA, cortexpal.read(INFO))
    rules = CORTEX.of(step.table).ruleset
    assert (rules.doom, rules.crisis, rules.stress) == (True, True, ("General", "Mental"))
    assert [fact.setting for fact in step.facts if hasattr(fact, "setting")] == ["stress tracks", "doom pool"]


def test_gms_name_and_ruleset_stay() -> None:
    before = table(ADEPT)
    now = brought(at=before)
    assert (now.gms, now.name, CORTEX.of(now).ruleset.name) == (before.gms, before.name, "adept")


def test_who_plays_a_character_of_that_name_goes_on_playing_it() -> None:
    assert brought(at=table(ADEPT)).characters["alice"].player == ALICE.id


def test_only_the_gm_imports() -> None:
    with pytest.raises(NotAllowed, match="Only the GM"):
        brought(at=table(ADEPT), actor=BOB)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "**Plot Points**\n" + "\n".join(f"*A{n}*: 1" for n in range(61)),
            "characters: that's 61 entries; the limit is 60",
        ),
    ],
)
def test_the_limits_of_a_table_hold(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        brought(text)


def test_a_longer_text_than_it_ever_shows_is_refused() -> None:
    text = INFO + "x" * (cortexpal.LONGEST - len(INFO))
    assert CORTEX.has(brought(text).characters["alice"]).pp == 3
    with pytest.raises(Unreadable, match="It has 12,001 characters; the limit is 12,000"):
        cortexpal.read(text + "x")


@pytest.mark.parametrize(
    "text",
    ["1 ", "a: 1 ", "12 a ", "*:*:", "Plot Points ", "**Dice Pools**\n*a" + " " * 50_000 + "b*: D6 "],
    ids=lambda text: text[:15],
)
def test_no_text_is_long_to_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cortexpal, "LONGEST", 100_000)
    with suppress(Unreadable):
        info = cortexpal.read("Plot Points Zed: 1 " + text * (60_000 // len(text)))
        cortexpal.bring(Table(), GRETA, info)


def test_on_one_line_the_longer_of_two_names_is_meant() -> None:
    now = brought("Plot Points Bob: 1 Mary Bob: 2 Experience Points Bob: 3 Mary Bob: 4")
    assert {each.name: (CORTEX.has(each).pp, each.xp) for each in now.characters.values()} == {
        "Bob": (1, 3),
        "Mary Bob": (2, 4),
    }
