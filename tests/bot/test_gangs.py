"""Traits of several dice, parts and safe dice, end to end (N21, N23, N14)."""

from rules.cortex.kinds import Trait
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_contests import do
from tests.bot.test_rulings import labels, options
from tests.game import Game


async def test_N21_a_gang_is_made_rolled_thinned_out_and_whole_again(table: Game) -> None:
    made = await table.play(
        "gm: /campaign set setting:gangs thin out value:on",
        "alice: /character set trait:Crew die:3d6 trait_set:Skills",
    )
    assert "Alice · Crew 3d6 (trait)" in made.text
    table.dice.show((1, 5, 4, 3))
    rolled = await table.play("alice: /roll dice:Crew, d8")
    assert rolled.text.count("Crew d6: ") == 3
    way = "Crew loses a die for good, free"
    assert way in await options(table, "gm", rolled, "Hitches")
    done = await do(table, "gm", rolled, "Hitches", {"What": way})
    assert "Alice · Crew 2d6 (was 3d6)" in done.text
    assert "Skills Crew 2d6" in (await table.says("bob: /character show who:Alice")).text
    await table.play("gm: /undo")
    assert (await seen(table))[1].characters["alice"] is not None
    assert CORTEX.has((await seen(table))[1].characters["alice"]).sheet["crew"].more == (6, 6)


async def test_N21_steps_and_what_is_said_of_them(table: Game) -> None:
    await table.play("gm: /asset add what:Wolves die:2d6 who:Alice pay:false")
    assert "Alice · Wolves d8 d6 (was 2d6)" in (await table.play("alice: /asset stepup what:Wolves")).text
    assert "Alice · Wolves 2d8 (was d8 d6)" in (await table.play("alice: /asset stepup what:Wolves d6")).text
    assert "Wolves 2d8" in (await table.says("bob: /table show")).text


async def test_N23_a_part_brings_its_trait(table: Game) -> None:
    await table.play("alice: /character set trait:Fight die:d8 trait_set:Skills")
    made = await table.play("alice: /character set trait:Knives die:d6 part_of:Fight")
    assert "Alice · Knives d6 (part of Fight)" in made.text
    table.dice.show((5, 4, 3), (2,))
    rolled = await table.play("alice: /roll dice:Knives, d4")
    assert "Fight d8: 5" in rolled.text
    assert "Knives d6: 4" in rolled.text
    alone = await table.play("alice: /roll dice:Knives d6")
    assert "Fight" not in alone.text
    assert "Skills Fight d8 (> Knives d6)" in (await table.says("alice: /character show")).text
    form = (await table.says("alice: /character edit")).form
    assert form is not None
    assert "Skills: Fight d8 (> Knives d6)" in str(form.field("Sheet").default)
    moved = await table.play("alice: /character set trait:Knives die:d6 part_of:-")
    assert "Alice · Knives d6, now a separate trait" in moved.text
    back = await table.play("alice: /character set trait:Knives die:d6 part_of:Fight")
    assert "Alice · Knives d6, now part of Fight" in back.text
    await table.play("alice: /character unset trait:Fight")
    held = CORTEX.has((await seen(table))[1].characters["alice"]).sheet
    assert held == {"knives": Trait("Knives", 6, set="Skills")}


async def test_N23_a_part_has_no_parts_and_is_not_suggested_as_what_has_some(table: Game) -> None:
    await table.play(
        "alice: /character set trait:Fight die:d8 trait_set:Skills",
        "alice: /character set trait:Knives die:d6 part_of:Fight",
        "alice: /character set trait:Sneak die:d6 trait_set:Skills",
    )
    begun = "/character set trait:Sneak die:d6 part_of:"
    assert [choice.value for choice in await table.alice.complete(begun)] == ["Fight"]
    for new in ("Small", "Fight"):
        refused = await table.says(f"alice: /character set trait:{new} die:d4 part_of:knives")
        assert is_refused(refused)
        assert (
            "Knives is part of Fight, so it can't have parts. Detach it first. Example: /character "
            r"set trait:Knives die:d6 part\_of:-"
        ) in refused.text
        assert "Example: /character set trait:Knives die:d6" in refused.text


async def test_N14_a_safe_die_has_no_hitch(table: Game) -> None:
    refused = await table.says("alice: /asset add what:Shield die:safe d8")
    assert is_refused(refused)
    assert "Safe dice" in refused.text
    made = await table.play(
        "gm: /campaign set setting:safe dice value:on", "alice: /asset add what:Shield die:safe d8"
    )
    assert "Alice · Shield safe d8 (asset" in made.text
    table.dice.show((1, 1, 1, 4))
    rolled = await table.play("alice: /roll dice:Shield, safe d6, 2d8")
    assert "Shield d8: 1 (safe)" in rolled.text
    assert "Hitches: 1" in labels(rolled)
