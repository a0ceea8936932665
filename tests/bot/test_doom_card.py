"""`/doom spend` and `/crisis spend` alone: the dice and what they buy as menus, then at most one form."""

import pytest

from bot.loopback.forms import OpenForm
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused
from tests.game import Game

DICE, USES = "Dice: the smallest that will do", "What for"


def offered(card: BotReply) -> list[str]:
    return [option.label for menu in card.menus if menu.placeholder == USES for option in menu.options]


async def opened(table: Game, card: BotReply, use: str) -> OpenForm:
    """The form that the GM gets for a use."""
    form = (await table.gm.choose(card, USES, [use])).form
    assert form is not None
    return form


async def test_a_complication_is_bought_with_the_smallest_die(table: Game) -> None:
    await table.play("gm: /doom set dice:2d6 d8")
    card = await table.says("gm: /doom spend")
    assert card.private
    assert card.text == "Spend doom dice\nDoom pool: 2d6 d8"
    assert [menu.placeholder for menu in card.menus] == [DICE, USES]
    form = await opened(table, card, "Complication")
    assert [field.label for field in form.inputs()] == ["Name", "On", "Price"]
    bought = await table.gm.submit(form, {"Name": "Falling beams"})
    assert not bought.private
    assert "Doom pool: d6 d8 (d6 spent)" in bought.text
    assert "Scene · Falling beams d6 (complication)" in bought.text


async def test_a_die_that_is_chosen_pays_and_is_kept_for_pp(table: Game) -> None:
    await table.play("gm: /doom set dice:2d6 d8")
    card = await table.gm.choose(await table.says("gm: /doom spend"), DICE, ["d8"])
    assert card.updated
    form = await opened(table, card, "Asset")
    bought = await table.gm.submit(
        form, {"Name": "High ground", "On": "Alice", "Price": "Keep it, and give 1 PP"}
    )
    assert "Alice · High ground d8" in bought.text
    assert "Alice: 2 PP" in bought.text
    assert "2d6 d8" in (await table.says("gm: /doom show")).text


async def test_what_betters_a_roll_is_offered_after_one_and_bought_at_once(table: Game) -> None:
    await table.play("gm: /doom set dice:2d6 2d8")
    better = {"Another die in the total", "Another effect die"}
    assert not better & set(offered(await table.says("gm: /doom spend")))
    table.dice.show((4, 5, 6, 3))
    await table.play("gm: /doom roll")
    card = await table.says("gm: /doom spend")
    assert better <= set(offered(card))
    bought = await table.gm.choose(card, USES, ["Another die in the total"])
    assert bought.form is None
    assert "Total 15" in (await table.says("gm: /log")).text


@pytest.mark.parametrize(
    ("dice", "has_split", "has_end"), [("2d6", False, False), ("d10", True, False), ("2d12", False, True)]
)
async def test_only_what_can_be_paid_is_offered(
    table: Game, dice: str, *, has_split: bool, has_end: bool
) -> None:
    await table.play("gm: /doom set dice:" + dice)
    card = await table.says("gm: /doom spend")
    if has_end:
        card = await table.gm.choose(card, DICE, ["2d12"])
    assert ("Split the group" in offered(card)) is has_split
    assert ("End the scene" in offered(card)) is has_end


async def test_the_scene_ends_for_two_d12(table: Game) -> None:
    await table.play("gm: /doom set dice:2d12 d6")
    ended = await table.gm.choose(await table.says("gm: /doom spend"), USES, ["End the scene"])
    assert "Doom pool: d6 (2d12 spent)" in ended.text


async def test_the_group_is_split_and_a_gmc_comes_for_its_price(table: Game) -> None:
    await table.play("gm: /doom set dice:d6 d10 d12")
    card = await table.says("gm: /doom spend")
    split = await table.gm.submit(await opened(table, card, "Split the group"), {"Groups": "Alice"})
    assert "Alice" in split.text
    came = await table.gm.submit(await opened(table, card, "GMC"), {"Name": "Rex: Claws d12"})
    assert "Rex" in came.text
    assert "Doom pool: d6 (d12 spent)" in came.text


@pytest.mark.parametrize(
    ("use", "example", "name", "text"),
    [
        ("Scene distinction", "The lights go out", "The lights go out", "Scene · The lights go out d8"),
        ("Extra", "Thug: Brawler", "Thug: Brawler", "Thug"),
    ],
)
async def test_what_needs_a_name_has_an_example_that_works(
    table: Game, use: str, example: str, name: str, text: str
) -> None:
    await table.play("gm: /doom set dice:d8 d12")
    form = await opened(table, await table.says("gm: /doom spend"), use)
    assert form.inputs()[0].description == f"Example: {example}"
    assert text in (await table.gm.submit(form, {"Name": name})).text


async def test_a_crisis_pays_for_itself_and_an_empty_pool_for_nothing(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:d8", "gm: /crisis new name:Flood dice:d6")
    card = await table.says("gm: /crisis spend name:Fire")
    assert card.text == "Spend crisis dice\nCrisis Fire: d8"
    await table.gm.submit(await opened(table, card, "Asset"), {"Name": "Wind"})
    assert "Crisis Fire" not in (await table.says("gm: /crisis show")).text
    gone = await table.gm.choose(card, USES, ["Asset"])
    assert is_refused(gone)
    await table.play("gm: /doom clear")
    assert "There are no dice to spend." in (await table.says("gm: /doom spend")).text


async def test_players_spend_none_and_a_die_that_is_gone_is_refused(table: Game) -> None:
    refused = await table.says("alice: /doom spend")
    assert is_refused(refused)
    await table.play("gm: /doom set dice:2d6 d8")
    card = await table.gm.choose(await table.says("gm: /doom spend"), DICE, ["d8"])
    form = await opened(table, card, "Asset")
    await table.play("gm: /doom remove dice:d8")
    refused = await table.gm.submit(form, {"Name": "High ground"})
    assert is_refused(refused)
    assert "d8" in refused.text
