"""Nobody comes by a right that is not theirs: over channels, history, pins or forms."""

import asyncio

import pytest

from tests.game import Game

SKY = "gm: /campaign new name:Sky ruleset:adept"


async def mallorys_campaign(game: Game, name: str = "Mine") -> None:
    """Mallory has a campaign of her own, in another channel."""
    other = game.discord.channel("other")
    made = await game.person("mallory").slash(f"/campaign new name:{name}", other)
    assert not made.private


async def test_no_other_campaign_comes_into_a_gms_channel(game: Game) -> None:
    await game.play(SKY)
    await mallorys_campaign(game)
    refused = await game.says("mallory: /campaign join name:Mine")
    assert refused.private
    assert "Only the GM can switch this channel to another table" in refused.text
    await game.play("gm: /doom add dice:d6")


async def test_who_manages_the_server_may_bring_another_campaign(game: Game) -> None:
    await game.play("alice: /campaign new name:Sky")
    other = game.discord.channel("other")
    await game.gm.slash("/campaign new name:Mine", other)
    asked = await game.says("gm: /campaign join name:Mine")
    assert asked.text == "Going ahead takes Sky out of this channel. /campaign join brings it back."
    assert (
        "Mine is played in this channel" in (await game.gm.press(asked, "Take it out of this channel")).text
    )


async def test_undo_makes_nobody_gm_again(game: Game) -> None:
    game.person("mallory")
    await game.play(
        SKY, "gm: /campaign gm player:@mallory", "mallory: /campaign gm player:@mallory remove:true"
    )
    refused = await game.says("mallory: /undo")
    assert refused.private
    assert "only the GM can undo it" in refused.text
    assert (await game.says("mallory: /doom add dice:d6")).private


async def test_undo_opens_no_table_that_has_a_gm_now(game: Game) -> None:
    await game.play("mallory: /roll dice:2d6", "mallory: /campaign gm player:@gm")
    assert (await game.says("mallory: /undo")).private
    assert (await game.says("mallory: /pp give who:mallory number:9")).private


async def test_an_archived_campaign_is_changed_by_its_gm_alone(game: Game) -> None:
    await game.play(SKY, "alice: /character new name:Alice")
    await game.play("alice: /asset add what:Rope die:d8 pay:false", "gm: /campaign archive")
    assert "is archived" in (await game.says("alice: /undo")).text
    await game.play("gm: /undo")
    await game.play("alice: /asset stepup what:Rope")


async def test_of_two_campaigns_begun_at_once_one_is_refused(game: Game) -> None:
    replies = await asyncio.gather(
        game.person("carol").slash("/campaign new name:One"),
        game.person("dave").slash("/campaign new name:Two"),
    )
    assert sorted(reply.private for reply in replies) == [False, True]


async def test_only_the_gm_unpins_the_table(table: Game) -> None:
    await table.says("gm: /table pin")
    assert "Only the GM can unpin" in (await table.says("mallory: /table unpin")).text
    assert len(table.discord.pins()) == 1


async def test_names_full_of_markdown_do_not_break_the_pinned_table(table: Game) -> None:
    await table.says("gm: /table pin")
    for number in range(45):
        await table.play(f"alice: /asset add what:x die:d6 pay:false who:{'_' * 70}{number}")
    await table.bot.pinned.later.flush()
    assert "To see the rest: /table show" in table.discord.pins()[0].text


async def test_a_campaign_of_the_same_name_in_capitals_locks_nobody_out(game: Game) -> None:
    await game.play(SKY, "gm: /campaign archive")
    await mallorys_campaign(game, "SKY")
    offered = [str(choice.value) for choice in await game.gm.complete("/campaign join name:")]
    assert len(offered) == 1
    await game.play(f"gm: /campaign join name:{offered[0]}")


async def test_long_labels_can_be_touched_by_an_opportunity(table: Game) -> None:
    for number in range(2):
        await table.play(f"gm: /comp add what:{'L' * 97}{number} die:d8 who:Alice")
    table.dice.show((1, 4))
    roll = await table.play("gm: /doom roll")
    form = (await table.alice.press(roll, "Opportunities")).form
    assert form is not None
    done = await table.alice.submit(form)
    assert "d6 (was d8)" in done.text


async def test_a_gm_is_named_in_a_private_conversation(game: Game) -> None:
    private = game.discord.dm(game.alice)
    await game.alice.slash("/campaign new name:Solo open:true", private)
    assert (await game.alice.slash("/campaign gm player:@alice", private)).text == "alice is GM"


@pytest.mark.parametrize("what", ["Session 9 begins", "Session 9 begins;"])
async def test_a_recap_begins_where_the_session_did(table: Game, what: str) -> None:
    await table.play("mallory: /character new name:Mallory", f"mallory: /asset add what:{what} die:d6")
    await table.play("alice: /asset add what:Rope die:d6")
    recap = (await table.gm.press(await table.says("gm: /session recap"), "Every roll")).text
    assert "Rope" in recap
    assert "Session 1 begins" in recap
