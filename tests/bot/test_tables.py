"""Tables begin, rest, wake and go: by name, in their channels, with what is pinned."""

import pytest

from bot.store.history import Author, Place
from tests.bot.store.samples import gift
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game


async def begin_nameless(game: Game) -> int:
    """A table without a name, as a state that cannot be read whole may leave one: its campaign."""
    place = Place(game.discord.table.id, game.discord.world.home.id)
    return (await game.ledger.append(place, Author(game.gm.id, "gm"), 1, gift())).campaign


async def test_a_table_that_begins_by_itself_is_called_like_its_channel(game: Game) -> None:
    await game.play("alice: /asset add what:Rope die:d8")
    assert (await game.says("bob: /table show")).text.startswith("table\n")


async def test_who_and_where_have_no_name_that_can_be_seen_are_called_something(game: Game) -> None:
    unseen = game.discord.channel("\u200b")
    await game.discord.person("zed", display="\u200b").slash("/note text:A map", channel=unseen)
    assert "Somebody, " in (await game.bob.slash("/log", channel=unseen)).text
    assert (await game.bob.slash("/table show", channel=unseen)).text.startswith("Table\n")


async def test_a_table_that_was_replaced_can_be_woken_by_its_name(game: Game) -> None:
    await game.play("alice: /asset add what:Rope die:d8")
    await game.begin("bob: /campaign new name:New open:true")
    offered = [choice.value for choice in await game.alice.complete("/campaign join name:")]
    assert "table" in offered
    await game.alice.press(await game.says("alice: /campaign join name:table"), "Take it out of this channel")
    assert "alice · Rope d8" in (await game.says("bob: /asset show")).text


async def test_a_table_that_is_played_is_archived_only_when_somebody_says_so(table: Game) -> None:
    before = await seen(table)
    asked = await table.says("gm: /campaign new name:Deep Water")
    assert asked.private
    assert asked.text == (
        "Starting a new campaign in this channel archives Skyfall. /campaign join brings it back."
    )
    assert await seen(table) == before
    assert is_refused(await table.says("gm: /campaign new name:\u200b")), "nothing is asked of that"
    begun = await table.gm.press(asked, "Archive it")
    assert begun.text.startswith("Deep Water begins")
    woken = await table.play("gm: /campaign archive", "gm: /campaign join name:Skyfall")
    assert "Skyfall is played in this channel" in woken.text


async def test_a_table_without_characters_is_archived_only_when_somebody_says_so(
    game: Game, subtests: pytest.Subtests
) -> None:
    for number, line in enumerate(
        (
            "/note text:hello",
            "/comp add what:Rain who:scene",
            "/crisis new name:Fire dice:2d6",
            "/pool add name:Escape dice:2d8",
            "/scene start name:The docks",
            "/campaign set setting:doom pool value:on",
        )
    ):
        with subtests.test(line):
            place = game.discord.channel(f"place-{number}")
            assert not is_refused(await game.bob.slash(line, channel=place))
            asked = await game.alice.slash("/campaign new name:Mine", channel=place)
            assert "archives place-" in asked.text
    rolled = game.discord.channel("rolled")
    await game.bob.slash("/roll dice:2d6", channel=rolled)
    assert "Mine begins" in (await game.alice.slash("/campaign new name:Mine", channel=rolled)).text


async def test_a_thread_of_a_table_begins_one_of_its_own_unasked(table: Game) -> None:
    thread = table.discord.thread("side")
    begun = await table.gm.slash("/campaign new name:Deep Water", channel=thread)
    assert begun.text.startswith("Deep Water begins")
    assert "Skyfall" in (await table.says("gm: /table show")).text


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
    await table.at_rest()
    assert table.discord.pins() == []


async def test_where_no_table_is_none_is_archived(game: Game) -> None:
    refused = await game.says("alice: /campaign archive")
    assert refused.private
    assert "There's no table in this channel yet" in refused.text


async def test_somebody_new_is_announced(table: Game) -> None:
    reply = await table.play("gm: /pp give who:Zed")
    assert "Zed is a new character" in reply.text
    assert "new character" not in (await table.play("gm: /pp give who:Alice")).text


async def test_deleting_takes_the_pinned_table_away(table: Game) -> None:
    await table.says("gm: /table pin")
    asked = await table.says("gm: /campaign delete")
    await table.gm.press(asked, "Delete")
    await table.at_rest()
    assert table.discord.pins() == []


async def test_a_pinned_table_that_is_deleted_while_it_is_edited_stays_away(table: Game) -> None:
    await table.says("gm: /table pin")
    is_free = table.discord.faults.hold("PATCH /channels/*/messages/*")
    await table.play("gm: /pp give who:Alice")
    await table.at_rest()
    assert table.discord.server.held == 1
    await table.gm.press(await table.says("gm: /campaign delete"), "Delete")
    await table.rest()
    is_free.set()
    await table.at_rest()
    assert table.discord.pins() == []
    assert not [each for each in table.discord.messages() if "Alice: 2 PP" in each.text]


async def test_a_table_without_a_gm_is_deleted_only_by_who_manages_the_server(game: Game) -> None:
    await game.play("alice: /asset add what:Rope die:d8")
    refused = await game.says("alice: /campaign delete")
    assert is_refused(refused)
    assert "Manage Server" in refused.text
    assert refused.buttons == []
    asked = await game.says("gm: /campaign delete")
    assert is_refused(await game.bob.slash("/campaign restore name:table"))
    assert (await game.gm.press(asked, "Delete")).text.startswith("table is deleted")


async def test_in_direct_messages_one_deletes_ones_own_table_and_brings_it_back_there(game: Game) -> None:
    own, other = game.discord.dm(game.alice), game.discord.dm(game.bob)
    await game.alice.slash("/campaign new name:Diary open:true", channel=own)
    asked = await game.alice.slash("/campaign delete", channel=own)
    await game.alice.press(asked, "Delete")
    assert is_refused(await game.alice.slash("/campaign restore name:Diary"))
    assert is_refused(await game.bob.slash("/campaign restore name:Diary", channel=other))
    back = await game.alice.slash("/campaign restore name:Diary", channel=own)
    assert back.text == "Diary has been brought back to this channel"


async def deleted(table: Game) -> None:
    """Alice's campaign, with a rope, is deleted by her."""
    await table.play("alice: /campaign new name:Deep Water", "alice: /asset add what:Rope die:d8 who:Alice")
    asked = await table.says("alice: /campaign delete")
    assert "whole history? You can bring the campaign back" in asked.text
    await table.alice.press(asked, "Delete")


@pytest.mark.parametrize("who", ["alice", "gm"])
async def test_a_deleted_campaign_is_brought_back_by_who_deleted_it_or_manages(game: Game, who: str) -> None:
    await deleted(game)
    refused = await game.says("bob: /campaign restore name:Deep Water")
    assert is_refused(refused)
    assert (
        "There's no deleted campaign you can bring back to this channel. You can bring one back within "
        "14 days if you have Manage Server, or deleted it and see its channel."
    ) in refused.text
    assert await game.bob.complete("/campaign restore name:") == []
    offered = await game.person(who).complete("/campaign restore name:")
    assert [each.value for each in offered] == ["Deep Water"]
    back = await game.play(f"{who}: /campaign restore name:deep")
    assert back.text == "Deep Water has been brought back to this channel"
    assert "Alice · Rope d8" in (await game.says("bob: /asset show")).text
    assert "is deleted" in (await game.says("bob: /log")).text
    assert is_refused(await game.says(f"{who}: /campaign restore name:deep"))


async def test_while_it_is_deleted_a_campaign_is_nowhere(game: Game) -> None:
    await deleted(game)
    assert await game.alice.complete("/campaign join name:") == []
    assert is_refused(await game.says("alice: /campaign join name:Deep Water"))
    assert is_refused(await game.says("alice: /undo"))
    assert (await game.says("alice: /asset show")).text == "No assets yet."
    assert "Deep Water (deleted): you are GM" in (await game.says("alice: /privacy show")).text


async def test_what_is_forgotten_does_not_come_back_with_a_campaign(game: Game) -> None:
    await deleted(game)
    await game.forget(game.alice)
    assert is_refused(await game.says("alice: /campaign restore name:Deep Water"))
    await game.play("gm: /campaign restore name:Deep Water")
    assert "alice" not in (await game.says("gm: /log")).text


async def test_a_table_without_a_name_is_archived_and_deleted_as_any(game: Game) -> None:
    await begin_nameless(game)
    assert "Delete this table and its whole history?" in (await game.says("gm: /campaign delete")).text
    await game.says("gm: /table pin")
    await game.play("gm: /campaign archive")
    (pinned,) = game.discord.pins()
    choosing = await game.alice.press(pinned, "Join")
    refused = await game.alice.choose(choosing, "Choose a character", [choosing.menus[0].options[0].label])
    assert refused.text == "That table is archived. /campaign join wakes it."


async def test_a_pinned_table_that_is_erased_while_it_is_drawn_says_so(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.says("gm: /table pin")
    (pinned,) = table.discord.pins()
    ((campaign, _),) = await table.ledger.past.changed_last()
    newest = table.ledger.newest

    async def erased(of: int) -> object:
        await table.ledger.upkeep.erase(of)
        return await newest(of)

    monkeypatch.setattr(table.ledger, "newest", erased)
    table.bot.pinned.later.touch(campaign)
    await table.at_rest()
    assert pinned.text == "This table is gone."


async def test_a_deleted_campaign_that_nobody_knows_is_not_brought_back(table: Game) -> None:
    await table.gm.press(await table.says("gm: /campaign delete"), "Delete")
    refused = await table.says("gm: /campaign restore name:Deep Water")
    assert is_refused(refused)
    assert refused.text == 'There\'s no deleted campaign called "Deep Water". Try Skyfall.'


async def test_what_shows_nothing_offers_nothing_to_share(table: Game, subtests: pytest.Subtests) -> None:
    empty = table.discord.channel("empty")
    for line in ("crisis", "challenge", "gmc", "pool", "contest", "hero", "asset", "scene", "turn", "sfx"):
        with subtests.test(line):
            shown = await table.alice.slash(f"/{line} show", channel=empty)
            assert shown.private
            assert shown.text.strip()
            assert "Share" not in [button.label for button in shown.buttons]
    assert not (await table.alice.slash("/log", channel=empty)).buttons
    off = await table.play("gm: /campaign set setting:crisis pools value:off", "gm: /crisis show")
    assert off.text.startswith("Crises are off in this campaign.")
    assert "Share" not in [button.label for button in off.buttons]
    assert "Share" in [button.label for button in (await table.says("gm: /scene show")).buttons]
