"""What the GM keeps stays theirs: no step back takes the last GM away, and the log has no holes."""

import pytest

from tests.bot.test_buttons import is_refused
from tests.game import Game


async def claimed(game: Game) -> None:
    """An open table with a lamp, which the GM claims, and where they note something for themselves."""
    await game.play("alice: /asset add what:Lamp die:d8", "gm: /campaign gm")
    await game.says("gm: /note text:The butler did it hidden:true")


async def is_still_led(game: Game) -> bool:
    """Whether nobody else becomes GM, and the GM alone reads what they noted."""
    assert is_refused(await game.says("bob: /campaign gm"))
    assert "butler" not in (await game.says("bob: /log")).text
    return "butler" in (await game.says("gm: /log")).text


async def test_undoing_the_step_that_named_the_gm_alone_keeps_them(game: Game) -> None:
    await claimed(game)
    undone = await game.says("gm: /undo step:2")
    assert undone.text == "Undone: “gm is GM”; gm stays GM"
    assert await is_still_led(game)


async def test_going_back_step_by_step_and_forward_again_keeps_the_gm(game: Game) -> None:
    await claimed(game)
    assert "stays GM" not in (await game.says("gm: /undo")).text
    assert (await game.says("gm: /undo")).text.endswith("; gm stays GM")
    assert (await game.says("gm: /undo")).text.endswith("; gm stays GM")
    assert await is_still_led(game)
    for step in ("alice · Lamp d8", "gm is GM"):
        assert (await game.says("gm: /redo")).text.startswith(f"Redone: {step}")
        assert await is_still_led(game)


async def test_going_back_before_a_step_in_one_go_says_so_too(game: Game) -> None:
    await game.play("gm: /asset add what:Lamp die:d8", "gm: /campaign gm", "gm: /asset stepup what:Lamp")
    entangled = await game.says("gm: /undo step:1")
    assert is_refused(entangled)
    undone = await game.gm.press(entangled, "Go back before step 1")
    assert undone.text.splitlines()[-1] == "gm stays GM"
    assert is_refused(await game.says("bob: /campaign gm"))


async def test_where_another_gm_is_left_the_step_is_undone_as_any(game: Game) -> None:
    await game.play("gm: /campaign gm", "gm: /campaign gm player:@bob")
    assert (await game.says("gm: /undo step:1")).text == "Undone: “gm is GM”"
    assert is_refused(await game.says("gm: /doom add dice:d8"))
    assert not is_refused(await game.says("bob: /note text:The map lies"))


async def test_a_campaign_that_is_undone_as_a_whole_opens_nothing(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall")
    await game.says("gm: /note text:The butler did it hidden:true")
    await game.says("gm: /undo")
    assert (await game.says("gm: /undo")).text.endswith("; gm stays GM")
    assert await is_still_led(game)


async def test_who_named_the_gm_takes_back_nothing_that_is_the_gms(game: Game) -> None:
    await game.play("alice: /roll dice:2d6", "alice: /campaign gm player:@gm")
    refused = await game.says("alice: /undo")
    assert is_refused(refused)
    assert "only the GM can undo it" in refused.text


async def test_letting_the_last_gm_go_is_put_back_as_it_was_asked_for(game: Game) -> None:
    await game.play("gm: /campaign gm", "gm: /campaign gm player:@gm remove:true", "gm: /undo")
    assert (await game.says("gm: /redo")).text == "Redone: gm is no longer GM"
    assert not is_refused(await game.says("bob: /campaign gm"))


@pytest.mark.parametrize(
    "secret",
    ["/note text:The butler did it hidden:true", "/roll dice:2d6 d8 hidden:true"],
)
async def test_a_hidden_step_has_its_number_in_everybodys_log(table: Game, secret: str) -> None:
    await table.play("gm: /campaign set setting:hidden GM rolls value:on")
    await table.says(f"gm: {secret}")
    await table.play("alice: /asset add what:Rope")
    own = (await table.says("gm: /log count:3")).text.splitlines()[1:]
    seen = await table.says("alice: /log count:3")
    _, first, hidden, third = seen.text.splitlines()
    number = own[1].partition("\\.")[0]
    assert hidden == f"{number}: a hidden step"
    assert (first, third) == (own[0], own[2])
    shared = await table.alice.press(seen, "Share")
    assert hidden in shared.text.splitlines()
    told = (await table.gm.press(await table.says("gm: /log count:3"), "Share")).text
    assert hidden in told.splitlines()
    assert "butler" not in told


async def test_a_hidden_step_is_the_same_whatever_becomes_of_it(table: Game) -> None:
    await table.says("gm: /note text:The butler did it hidden:true")
    number = (await table.says("gm: /log count:1")).text.splitlines()[1].partition("\\.")[0]
    await table.says("gm: /undo")
    seen = (await table.says("alice: /log count:2")).text.splitlines()
    assert seen == [f"{int(number) + 1}: a hidden step", f"{number}: a hidden step"]
    offered = [choice.value for choice in await table.alice.complete("/undo step:")]
    assert int(number) not in offered
    assert "hidden step" not in (await table.says("alice: /log who:Alice count:50")).text
    assert is_refused(await table.says(f"alice: /undo step:{number}"))
