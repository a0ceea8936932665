"""Tables begin, rest, wake and go: by name, in their channels, with what is pinned."""

from tests.game import Game


async def test_a_table_that_begins_by_itself_is_called_like_its_channel(game: Game) -> None:
    await game.play("alice: /asset add what:Rope die:d8")
    assert (await game.says("bob: /table show")).text.startswith("table\n")


async def test_a_table_that_was_replaced_can_be_woken_by_its_name(game: Game) -> None:
    await game.play("alice: /asset add what:Rope die:d8", "bob: /campaign new name:New open:true")
    offered = [choice.value for choice in await game.alice.complete("/campaign join name:")]
    assert "table" in offered
    await game.play("alice: /campaign join name:table")
    assert "alice · Rope d8" in (await game.says("bob: /asset show")).text


async def test_tables_of_one_name_are_numbered(game: Game) -> None:
    for rope in ("Rope", "Line", "Cord"):
        await game.play(f"alice: /asset add what:{rope} die:d8", "alice: /campaign archive")
    offered = [choice.value for choice in await game.alice.complete("/campaign join name:")]
    assert offered == ["table", "table (2)", "table (3)"]
    await game.play("alice: /campaign join name:table (3)")
    assert len((await game.says("alice: /asset show")).text.splitlines()) == 1


async def test_leaving_takes_the_pinned_table_away(table: Game) -> None:
    await table.says("gm: /table pin")
    await table.play("gm: /campaign leave")
    await table.until(lambda: table.discord.pins() == [])


async def test_where_no_table_is_none_is_archived(game: Game) -> None:
    refused = await game.says("alice: /campaign archive")
    assert refused.private
    assert "There is no table here yet" in refused.text


async def test_somebody_new_is_announced(table: Game) -> None:
    reply = await table.play("gm: /pp give who:Alcie")
    assert "Alcie is a new character" in reply.text
    assert "new character" not in (await table.play("gm: /pp give who:Alice")).text


async def test_deleting_takes_the_pinned_table_away(table: Game) -> None:
    await table.says("gm: /table pin")
    asked = await table.says("gm: /campaign delete")
    await table.gm.press(asked, "Delete for ever")
    await table.until(lambda: table.discord.pins() == [])
