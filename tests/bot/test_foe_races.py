"""Two people at once, at what the GM brings: no die is spent twice, no PP goes missing."""

import asyncio

import pytest
from discord import ButtonStyle

from rules.cortex.gm_pools import doom_dice
from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, plain, seen
from tests.bot.test_contests import do
from tests.game import Game

DELEGATE = "gm: /campaign gm player:@bob"
TWICE = {
    "doom made a crisis": ((), "/crisis new name:Of {} from_doom:2d6"),
    "a crisis of one name": ((), "/crisis new name:Fire dice:d6"),
    "a challenge of one name": ((), "/challenge new name:Storm"),
    "a GMC of one name": ((), "/gmc new name:Rex dice:4d10 kind:boss"),
    "a GMC brought in": (("gm: /gmc new name:Rex dice:Fangs d6 away:true",), "/doom spend for:gmc name:Rex"),
    "a crisis spent": (("gm: /crisis new name:Fire dice:d8",), "/crisis spend for:sfx"),
    "a crisis ended": (("gm: /crisis new name:Fire dice:d8",), "/crisis end"),
    "a challenge ended": (("gm: /challenge new name:Storm",), "/challenge end"),
    "who is first": (("gm: /challenge new name:Storm",), "/challenge first who:{}"),
    "a challenge's own turn": (
        ("gm: /challenge new name:Storm", "gm: /challenge skip who:Alice", "gm: /challenge skip who:Bob"),
        "/challenge act what:add",
    ),
    "the turn handed on": (
        ("gm: /challenge new name:Storm", "gm: /challenge first who:Alice"),
        "/challenge next who:Bob",
    ),
    "somebody skipped": (("gm: /challenge new name:Storm",), "/challenge skip who:Bob"),
    "giving in": (("alice: /contest start dice:2d6 against:Bob",), "/contest givein"),
    "the scene ended for doom": (("gm: /doom set dice:2d12",), "/doom spend for:end scene"),
}
"""What the GM and a delegate both do in the same instant, and only one of them can."""


@pytest.mark.parametrize("name", TWICE)
async def test_of_two_at_once_one_is_refused(table: Game, name: str) -> None:
    before, line = TWICE[name]
    await table.play(DELEGATE, *before)
    number, _ = await seen(table)
    both = await asyncio.gather(
        table.says(f"gm: {line.format('Alice')}"), table.says(f"bob: {line.format('Bob')}")
    )
    assert sorted(map(is_refused, both)) == [False, True], [reply.text for reply in both]
    assert (await seen(table))[0] == number + 1


async def test_many_at_once_take_one_die_each(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:6d6")
    names = ["alice", "bob", *(f"person{number}" for number in range(4))]
    for name in names:
        table.person(name)
    rolls = []
    for name in names:
        table.dice.show((4, 3, 2), (2,) * 6)
        rolls.append(await table.play(f"{name}: /roll dice:2d6 d8 vs:Fire"))
    done = await asyncio.gather(
        *(do(table, name, roll, "Apply d8") for name, roll in zip(names, rolls, strict=True))
    )
    assert not any(map(is_refused, done))
    assert CORTEX.of((await seen(table))[1]).crises == {}
    await table.at_rest()
    assert any("is resolved" in message.text for reply in done for message in reply.more)
    assert sum("is resolved" in message.text for reply in done for message in reply.more) == 1


async def test_hitting_and_spending_the_same_die_at_once_takes_it_once(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d6")
    table.dice.show((4, 3, 2), (4,))
    roll = await table.play("alice: /roll dice:2d6 d8 vs:Fire")
    button = table.alice.look_for(roll, "Apply d8")
    hit, spent = await asyncio.gather(
        table.alice.push(roll, button), table.says("gm: /crisis spend for:complication what:Smoke")
    )
    entry = (await seen(table))[1]
    assert CORTEX.of(entry).crises == {}
    assert hit.updated is is_refused(spent)
    assert bool(CORTEX.has(entry.scenery).complications) is not hit.updated


async def test_the_last_pp_buys_one_thing(table: Game) -> None:
    await table.play("bob: /comp add what:Lost", "gm: /crisis new name:Fire dice:2d6")
    table.dice.show((3, 2, 4), (1, 6))
    roll = await table.play("alice: /roll dice:2d6 d8 vs:Fire")
    spend = await table.alice.press(roll, "Spend")
    seize = await table.alice.press(roll, "Opportunities: 1")
    both = await asyncio.gather(
        table.alice.submit(spend.form, {"What": "Another die in the total"}),
        table.alice.submit(seize.form, {}),
    )
    assert sorted(map(is_refused, both)) == [False, True]
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 0


async def test_undo_and_a_press_at_once_leave_the_table_whole(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    table.dice.show((4, 3, 2), (2, 2))
    roll = await table.play("alice: /roll dice:2d6 d8 vs:Fire")
    before = (await seen(table))[1]
    button = table.alice.look_for(roll, "Apply d8")
    pressed, undone = await asyncio.gather(table.alice.push(roll, button), table.says("gm: /undo"))
    after = (await seen(table))[1]
    here = CORTEX.of(after)
    assert pressed.failed is undone.failed is None
    if pressed.updated:
        assert plain(after) == plain(before)
    else:
        assert here.rolls == {}
        assert here.crises["fire"].dice == {6: 2}


async def test_a_repeated_press_is_done_once(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:3d6")
    table.dice.show((4, 3, 2), (2, 2, 2))
    roll = await table.play("alice: /roll dice:2d6 d8 vs:Fire")
    done = await table.alice.press(roll, "Apply d8")
    before = await seen(table)
    await table.alice.again(done)
    assert await seen(table) == before


async def test_one_older_step_is_undone_alone_or_names_what_is_built_on_it(table: Game) -> None:
    made = await table.play("gm: /crisis new name:Fire dice:2d6")
    await table.play("gm: /doom add dice:d8", "gm: /challenge new name:Storm")
    await table.gm.menu_command("Undo this", message=made)
    entry = (await seen(table))[1]
    here = CORTEX.of(entry)
    assert here.crises == {}
    assert doom_dice(entry) == (6, 6, 8)
    assert list(here.challenges) == ["storm"]
    storm = (await seen(table))[0] - 1
    await table.play("gm: /challenge first who:Alice")
    refused = await table.says(f"gm: /undo step:{storm}")
    assert is_refused(refused)
    assert "step 10 builds on it" in refused.text


async def test_what_a_button_names_and_is_gone_is_said_before_anything_else_is_asked(
    table: Game, subtests: pytest.Subtests
) -> None:
    begins = ("/gmc new name:Rex dice:Fangs d8, 4d8", "/challenge new name:Storm")
    await table.play(*(f"gm: {line}" for line in begins), "gm: /challenge first who:Alice")
    for begun, against, count, ended, name in (
        ("/crisis new name:Flood dice:2d8", "Flood", 2, "/crisis end name:Flood", "Crisis Flood"),
        ("/crisis show", "Rex", 5, "/gmc remove name:Rex", "Rex"),
        ("/crisis show", "Storm", 2, "/challenge end", "Challenge Storm"),
    ):
        with subtests.test(name=name):
            await table.play(f"gm: {begun}")
            table.dice.show((8, 8, 6), (2,) * count)
            rolled = await table.play(f"alice: /roll dice:2d8 d12 vs:{against}")
            button = next(each for each in rolled.buttons if each.label.startswith("Apply"))
            await table.says(f"gm: {ended}")
            asked = await table.alice.push(rolled, button)
            assert asked.private
            assert asked.text == f"{name} is gone, so there's nothing left for this effect die to hit."
            form = (await table.alice.press(asked, "Use the die for something else")).form
            assert form is not None
            kept = await table.alice.submit(form, {"What": "Asset d12", "Name": "Dry ground"})
            assert "Dry ground d12" in kept.text


async def test_what_is_gone_is_called_by_the_tables_word(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:words value:crisis = Peril", "gm: /crisis new name:Flood dice:2d8"
    )
    table.dice.show((8, 8, 6), (2, 2))
    rolled = await table.play("alice: /roll dice:2d8 d12 vs:Flood")
    await table.says("gm: /crisis end name:Flood")
    asked = await table.alice.press(rolled, "Apply d12 to Flood")
    assert asked.text == "Peril Flood is gone, so there's nothing left for this effect die to hit."


async def test_spend_that_is_for_the_gm_alone_is_in_no_colour(table: Game) -> None:
    await table.play("gm: /pp set who:Alice number:0", "gm: /doom set dice:2d6")
    for faces in ((4, 3), (6, 5)), ((6, 5), (2, 3)):
        table.dice.show(*faces)
        rolled = await table.play("alice: /roll dice:2d6 vs:doom")
        (spend,) = (each for each in rolled.buttons if each.label == "Spend")
        assert spend.style == ButtonStyle.secondary.value
        assert "Alice has no PP to spend." in (await table.alice.push(rolled, spend)).text
        assert (await table.gm.push(rolled, spend)).form is not None
