"""Two spellings that look the same are the same thing, wherever something is named or looked up."""

import unicodedata
from collections.abc import Mapping

import pytest

from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, CortexCharacter
from rules.names import fold, key
from rules.table import Character, Table
from rules.values import replace
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_contests import do
from tests.bot.test_mended import labels
from tests.bot.test_typing import suggested
from tests.game import Game

STORED = "Zoe\u0308 O\u2019Brien\u2011Sky"
TYPED = "zo\u00eb\u00a0 O'BRIEN-sky"

SPELLINGS = (
    (
        "O\u2019Brien",
        (
            "O'Brien",
            "O\u2018Brien",
            "O\u02bcBrien",
            "O`Brien",
            "O\u00b4Brien",
            "O\u2032Brien",
            "o\uff07brien",
        ),
    ),
    (
        "The \u201cDuke\u201d",
        ('The "Duke"', "The \u201eDuke\u201c", "The \u00abDuke\u00bb", "the \uff02DUKE\uff02"),
    ),
    (
        "Jean-Luc",
        (
            "Jean\u2010Luc",
            "Jean\u2011Luc",
            "Jean\u2013Luc",
            "Jean\u2014Luc",
            "Jean\u2212Luc",
            "Jean\uff0dLuc",
        ),
    ),
    ("Zo\u00eb", ("Zoe\u0308", "ZOE\u0308", "\uff3ao\u00eb")),
    (
        "Sister Halda",
        ("Sister  Halda", "Sister\u00a0Halda", "Sister\u2009Halda", "Sister\u3000Halda", " sister halda "),
    ),
    (
        "Bolt",
        ("Bo\u200blt", "Bo\u00adlt", "Bo\u2060lt", "\ufeffBolt", "Bo\u200dlt", "\uff22\uff2f\uff2c\uff34"),
    ),
    ("Stra\u00dfe", ("STRASSE", "strasse")),
    ("\ufb01re", ("Fire", "FIRE")),
    ("\u2764\ufe0f Hope", ("\u2764 hope",)),
)


def test_names_that_look_the_same_are_folded_to_the_same(subtests: pytest.Subtests) -> None:
    for name, others in SPELLINGS:
        for other in others:
            with subtests.test(name=name, other=ascii(other)):
                assert fold(other) == fold(name)
                assert fold(fold(other)) == fold(other)
                assert fold(unicodedata.normalize("NFD", other)) == fold(name)


def test_names_that_look_different_stay_apart() -> None:
    names = (
        "Bob",
        "Bobo",
        "Bob 2",
        "x\u00b2",
        "x2",
        "\u00bd",
        "1/2",
        "Zoe",
        "Zo\u00eb",
        "OBrien",
        "O'Brien",
        "\u0411ob",
    )
    assert len({*map(fold, names)}) == len(names)


THINGS = (
    ("gm: /character new name:{}", "gm: /xp give who:{}", "1 XP (+1)"),
    ("gm: /character new name:{}", "gm: /comp add what:Wet who:{}", "Wet d6"),
    ("gm: /gmc new name:{} dice:2d8 kind:boss", "gm: /gmc hit name:{} die:d6", "Trouble d6"),
    ("gm: /gmc new name:{} dice:2d8 kind:boss", "alice: /roll dice:2d6 vs:{}", "Alice, vs"),
    ("gm: /crisis new name:{} dice:2d6", "gm: /crisis add name:{} dice:d8", "2d6 d8"),
    ("gm: /crisis new name:{} dice:2d6", "alice: /roll dice:2d6 vs:{}", "Crisis"),
    ("gm: /crisis new name:{} dice:2d6", "alice: /roll dice:2d6 vs:crisis {}", "Crisis"),
    ("gm: /challenge new name:{} difficulty:hard", "gm: /challenge end name:{}", "ends"),
    ("alice: /pool add name:{} dice:2d6", "bob: /pool add name:{} dice:d8", "2d6 d8"),
    ("alice: /pool add name:{} dice:2d6", "gm: /gmc new name:Ogre dice:2d8 kind:boss", "Ogre"),
    ("alice: /pool save name:{} dice:3d6", "alice: /roll dice:{}", "d6"),
    ("alice: /asset add what:{}", "alice: /asset stepup what:{}", "d8 (was d6)"),
    ("gm: /comp add what:{} who:Alice", "gm: /comp add what:{} who:Alice", "d8"),
    ("gm: /comp add what:{} who:Alice", "gm: /comp remove what:{}", "is gone"),
    ("gm: /comp add what:{} who:Alice", "alice: /roll dice:2d6 vs:11 + {}", "Against 11 with"),
    ("alice: /dist add what:{}", "alice: /roll dice:{} + d6", "d8"),
    ("alice: /dist add what:{}", "alice: /roll dice:2d6 hinder:{}", "hinders"),
    ("alice: /character set trait:{} die:d10 trait_set:Skills", "alice: /roll dice:{} + d6", "d10"),
    (
        "alice: /character set trait:{} die:d10 trait_set:Skills",
        "alice: /character set trait:{} die:d12",
        "d12",
    ),
    (
        "alice: /character set trait:{} die:d10 trait_set:Skills",
        "alice: /character unset trait:{}",
        "is gone",
    ),
    (
        "alice: /character set trait:Sky die:d10 trait_set:{}",
        "alice: /character set trait:Sea die:d6 trait_set:{}",
        "Sea d6",
    ),
    ("alice: /sfx add name:{} benefit:add d6 cost:1 PP", "alice: /sfx remove name:{}", "removed"),
    ("alice: /sfx add name:{} benefit:add d6 cost:1 PP", "alice: /roll dice:2d6 {}", "Alice uses"),
    ("gm: /note text:{} open:true", "gm: /note done:{}", "Done"),
    ("gm: /campaign set setting:words value:crisis = {}", "gm: /crisis new name:Fire dice:2d6", "Fire: 2d6"),
)


async def test_what_is_called_so_is_found_in_any_spelling(table: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(table))[1]
    for made, used, said in THINGS:
        with subtests.test(made=made, used=used):
            await put_back(table, begun)
            await table.play(made.format(STORED))
            answered = await table.says(used.format(TYPED))
            assert not answered.private, answered.text
            assert said in answered.text


TAKEN = (
    ("alice: /character new name:{}", "bob: /character new name:{}", "is already taken"),
    ("gm: /crisis new name:{} dice:d6", "gm: /crisis new name:{} dice:d8", "is already taken"),
    ("gm: /crisis new name:{} dice:d6", "bob: /character new name:{}", "is already taken"),
    ("gm: /crisis new name:{} dice:d6", "gm: /comp add what:Wet who:{}", "already the name of"),
    ("gm: /challenge new name:{}", "gm: /gmc new name:{} dice:d8", "is already taken"),
    ("gm: /gmc new name:{} dice:d8", "gm: /challenge new name:{}", "is already taken"),
    ("alice: /pool add name:{} dice:2d6", "gm: /crisis new name:{} dice:d6", "is already taken"),
    ("alice: /asset add what:{}", "gm: /asset add what:{} who:Alice", "already has"),
    ("alice: /dist add what:{}", "alice: /dist add what:{}", "already has"),
    (
        "alice: /dist add what:{}",
        "alice: /sfx add name:{} benefit:add d6 cost:1 PP",
        "already the name of a trait",
    ),
    ("gm: /note text:{} open:true", "gm: /note text:{} open:true", "already open"),
    ("gm: /character new name:{}", "gm: /character rename to:{} who:Alice", "is already taken"),
    ("gm: /ore company name:{} ratings:might 3", "bob: /character new name:{}", "is already taken"),
)


async def test_a_name_is_taken_in_every_spelling(table: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(table))[1]
    for made, again, because in TAKEN:
        with subtests.test(made=made, again=again):
            await put_back(table, begun)
            await table.play(made.format(STORED))
            refused = await table.says(again.format(TYPED))
            assert is_refused(refused)
            assert because in refused.text


async def test_a_line_is_one_in_every_spelling_and_so_is_a_stress_track(table: Game) -> None:
    await table.says(f"gm: /safety line what:{STORED}")
    refused = await table.says(f"alice: /safety line what:{TYPED}")
    assert "is already a line" in refused.text
    removed = await table.says(f"gm: /safety remove what:{TYPED}")
    assert STORED in removed.text
    asked = await table.says(f"gm: /campaign set setting:stress tracks value:{STORED}, {TYPED}, Physical")
    assert not (await table.gm.press(asked, asked.buttons[0].label)).private
    assert CORTEX.of((await seen(table))[1]).ruleset.stress == (STORED, "Physical")
    assert (
        f"Alice · {STORED} stress d6"
        in (await table.play(f"gm: /stress add what:{TYPED} who:Alice die:d6")).text
    )


async def test_what_is_shown_is_as_first_typed(table: Game) -> None:
    await table.play(f"alice: /character new name:{STORED}", f"alice: /asset add what:{STORED} pay:false")
    shown = await table.play(f"gm: /comp add what:Wet who:{TYPED}")
    assert shown.text.startswith(f"{STORED} · Wet d6")
    assert f"{STORED} · {STORED} d8" in (await table.play(f"alice: /asset stepup what:{TYPED}")).text
    assert STORED in (await table.play("gm: /table show")).text


async def test_who_is_renamed_to_another_spelling_stays_who_they_are(table: Game) -> None:
    await table.play(f"alice: /character new name:{STORED}", "alice: /asset add what:Rope pay:false")
    await table.play(f"alice: /character rename to:{TYPED}")
    own = (await seen(table))[1].played_by(table.alice.id)
    assert own is not None
    assert fold(own.name) == fold(STORED)
    assert own.name != STORED
    assert "d8" in (await table.play("alice: /asset stepup what:Rope")).text


async def test_suggestions_come_in_every_spelling(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(
        f"alice: /character new name:{STORED}",
        f"alice: /asset add what:{STORED} pay:false",
        f"gm: /crisis new name:{STORED} Blaze dice:2d6",
        f"alice: /pool save name:{STORED} Dice dice:2d6",
        f"gm: /note text:{STORED} Clue open:true",
    )
    begun = "zo\u00eb o'brien-"
    for line, value in (
        (f"gm: /pp give who:{begun}", STORED),
        (f"gm: /pp give who:Alice, {begun}", f"Alice, {STORED}"),
        (f"gm: /crisis end name:{begun}", f"{STORED} Blaze"),
        (f"alice: /asset stepup what:{begun}", f"{STORED} · {STORED} d6"),
        (f"alice: /roll dice:2d6 vs:{begun}", f"{STORED} Blaze"),
        (f"alice: /roll dice:2d6 vs {begun}", f"2d6 vs {STORED} Blaze"),
        (f"alice: /pool save name:{begun}", f"{STORED} Dice"),
        (f"gm: /note done:{begun}", f"{STORED} Clue"),
    ):
        with subtests.test(line=line):
            assert value in await suggested(table, line)


async def test_one_roll_finds_its_ratings_creatures_and_companies_in_every_spelling(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll", "alice: /character new name:Rook")
    await game.play(f"alice: /character set trait:{STORED} die:3d trait_set:Stats")
    assert "3d" in (await game.play(f"alice: /ore roll dice:{TYPED}")).text
    assert "4d" in (await game.play(f"alice: /character set trait:{TYPED} die:4d")).text
    own = (await seen(game))[1].played_by(game.alice.id)
    assert own is not None
    await game.play(f"gm: /gmc new name:{STORED} dice:Fight 5d", f"gm: /gmc roll name:{TYPED}")
    assert "is already taken" in (await game.says(f"gm: /ore company name:{TYPED} ratings:might 3")).text
    await game.play(f"gm: /ore company name:{STORED} Corps ratings:might 3")
    assert "might 3 to 4" in (await game.play(f"gm: /ore company name:{TYPED} corps ratings:might 4")).text


TWINS = ("O'Brien", "O\u2019Brien")


def with_twins(table: Table) -> Table:
    """Return a table of an older version, with two characters and two assets that look the same."""
    people: Mapping[str, Character] = {
        key(name): CORTEX.give(Character(name, owner=number), CortexCharacter(pp=number))
        for number, name in enumerate(TWINS, 1)
    }
    alice = table.characters["alice"]
    assets = {key(name): Trait(name, die) for name, die in zip(TWINS, (6, 8), strict=True)}
    alice = CORTEX.give(alice, CORTEX.has(alice).with_traits(TraitKind.ASSET, assets))
    return replace(table, characters={**table.characters, **people, "alice": alice})


async def test_of_two_old_names_that_look_the_same_a_press_says_which(
    table: Game, subtests: pytest.Subtests
) -> None:
    begun = with_twins((await seen(table))[1])
    for typed in (*TWINS, "o`brien"):
        for number, name in enumerate(TWINS, 1):
            with subtests.test(typed=ascii(typed), name=ascii(name)):
                await put_back(table, begun)
                asked = await table.says(f"gm: /pp give who:{typed}")
                assert is_refused(asked)
                assert asked.text == "Do you mean O'Brien or O\u2019Brien? They look the same."
                assert labels(asked) == [*TWINS]
                given = await table.gm.press(asked, name)
                assert f"{name}: {number + 1} PP" in given.text
                after = (await seen(table))[1]
                assert [CORTEX.has(after.characters[key(each)]).pp for each in TWINS] == [
                    1 + (each == name) if each == TWINS[0] else 2 + (each == name) for each in TWINS
                ]


async def test_two_old_things_that_look_the_same_are_both_kept_and_asked_for(table: Game) -> None:
    await put_back(table, with_twins((await seen(table))[1]))
    await table.restart()
    people = (await seen(table))[1].characters
    assert [people[key(name)].name for name in TWINS] == [*TWINS]
    asked = await table.says("alice: /asset stepup what:o`brien")
    assert is_refused(asked)
    stepped = await table.alice.press(asked, labels(asked)[1])
    assert "d10 (was d8)" in stepped.text
    renamed = await table.says(f"gm: /character rename who:{TWINS[1]} to:Patrick")
    await table.gm.press(renamed, TWINS[1])
    assert "O'Brien: 2 PP" in (await table.play(f"gm: /pp give who:{TWINS[1]}")).text


async def test_two_old_traits_that_look_the_same_are_asked_for_in_a_pool(table: Game) -> None:
    await put_back(table, with_twins((await seen(table))[1]))
    for typed in (*TWINS, "o`brien"):
        asked = await table.says(f"alice: /roll dice:2d6, {typed}")
        assert is_refused(asked)
        assert labels(asked) == [*TWINS]
        rolled = await table.alice.press(asked, TWINS[1])
        assert f"{TWINS[1]} d8" in rolled.text
    assert f"{TWINS[1]} d8" in (await table.play("alice: /roll dice:last")).text


async def test_a_form_asks_too_and_goes_on_as_it_was_typed(table: Game) -> None:
    await put_back(table, with_twins((await seen(table))[1]))
    table.dice.show((6, 6, 2))
    rolled = await table.play("alice: /roll dice:2d8 d10 vs:0")
    fields = {"What": "Complication d12", "Name": "Wet", "On": TWINS[1]}
    asked = await do(table, "alice", rolled, "Apply d12", fields)
    assert is_refused(asked)
    done = await table.alice.press(asked, TWINS[1])
    assert f"{TWINS[1]} \u00b7 Wet d12" in done.text


async def test_what_is_replaced_keeps_its_name_as_first_typed(table: Game) -> None:
    await table.play("alice: /sfx add name:O'Twin benefit:add d6", "alice: /pool save name:O'Us dice:2d6")
    assert "SFX O'Twin: add d8" in (await table.play("alice: /sfx add name:O\u2019TWIN benefit:add d8")).text
    assert "Saved pool O'Us: 2d8" in (await table.play("alice: /pool save name:o\u2019us dice:2d8")).text
