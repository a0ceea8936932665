"""What players never see: a GMC waiting to be brought in is for the GM alone, wherever one could look."""

import pytest

from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_hostile import slots
from tests.game import Game

VIEWS = (
    "/gmc show",
    "/character list",
    "/table show",
    "/stress show",
    "/comp show",
    "/asset show",
    "/pp show",
    "/xp show",
    "/sfx show",
    "/hero show",
    "/turn show",
    "/scene show",
    "/log count:50",
    "/log who:Morgath",
    "/session recap",
    "/stats who:all",
)
TRIED = (
    "/character show who:Morgath",
    "/character show who:Mor",
    "/character show who:Morgat",
    "/character play name:Morgath",
    "/roll dice:2d6 vs:Morgath",
    "/roll dice:Talons + d6",
    "/comp stepup what:Burned",
    "/undo step:{step}",
    "/contest start dice:2d6 against:Morgath",  # the last, since it may begin
)


@pytest.fixture
async def hiding(table: Game) -> Game:
    """Morgath is waiting to be brought in; the GM has made them, and done things to them."""
    await table.play("gm: /turn start who:Alice")
    for line in (
        "/gmc new name:Morgath dice:Talons d10, Wings d8 away:true",
        "/comp add what:Burned who:Morgath die:d6",
        "/sfx add name:Roar benefit:add d6 who:Morgath",
    ):
        made = await table.gm.slash(line)
        assert made.failed is None
        assert made.private, line
        assert "Morgath" in made.text
    await table.play("alice: /asset add what:Rope")
    await table.says("gm: /table pin")
    return table


def tells(reply: BotReply) -> bool:
    said = "\n".join((reply.text, *(button.label for button in reply.buttons)))
    return any(word in said for word in ("Morgath", "Talons", "Burned", "Roar"))


async def test_no_view_of_a_player_has_them_and_the_gms_has(hiding: Game, subtests: pytest.Subtests) -> None:
    for line in VIEWS:
        with subtests.test(line=line):
            assert not tells(await hiding.alice.slash(line))
            if line in ("/gmc show", "/character list", "/log count:50", "/session recap"):
                assert tells(await hiding.gm.slash(line))


async def test_what_the_gm_shares_has_them_not(hiding: Game, subtests: pytest.Subtests) -> None:
    for line in ("/gmc show", "/character list", "/log count:50", "/session recap"):
        with subtests.test(line=line):
            shown = await hiding.gm.slash(line)
            shared = await hiding.gm.press(shown, "Share")
            assert not shared.private
            assert not tells(shared)


async def test_neither_the_pinned_table_nor_any_public_message_has_them(hiding: Game) -> None:
    await hiding.play("gm: /scene end", "gm: /session end")
    await hiding.bot.pinned.later.flush()
    said = [text for message in hiding.discord.messages() for text in (message.text, *message.versions)]
    assert said
    assert not any("Morgath" in str(text) for text in said)


async def test_no_command_of_a_player_meets_them(hiding: Game, subtests: pytest.Subtests) -> None:
    number, before = await seen(hiding)
    for line in TRIED:
        with subtests.test(line=line):
            tried = await hiding.alice.slash(line.format(step=number - 2))
            assert is_refused(tried) or line.startswith("/contest")
            assert not any(word in tried.text for word in ("Talons d", "Burned d", "Did you mean", "waits"))
            after = (await seen(hiding))[1]
            assert after.characters["morgath"] == before.characters["morgath"]


async def test_no_suggestion_to_a_player_names_them(hiding: Game) -> None:
    tried = 0
    for slot in list(slots(hiding)):
        if slot.option.get("autocomplete"):
            line = f"/{' '.join((slot.command['name'], *slot.path))} {slot.option['name']}:"
            offered = [str(choice.name) for choice in await hiding.alice.complete(line)]
            assert not any(word in name for name in offered for word in ("Morgath", "Talons", "Roar")), line
            tried += 1
    assert tried > 50


async def test_the_gm_alone_hears_of_taking_back_and_putting_back(hiding: Game) -> None:
    number = (await seen(hiding))[0]
    for line in (f"/undo step:{number - 1}", "/redo", "/comp remove what:Burned who:Morgath"):
        done = await hiding.gm.slash(line)
        assert done.private, line
        assert tells(done)
    gone = await hiding.gm.slash("/gmc remove name:Morgath")
    assert gone.private
    assert gone.text == "Morgath leaves the table"
    assert not tells(await hiding.alice.slash("/log count:50"))


async def test_they_do_not_roll_in_the_open_before_they_are_there(hiding: Game) -> None:
    refused = await hiding.gm.slash("/gmc roll name:Morgath")
    assert is_refused(refused)
    assert "Morgath isn't in the scene" in refused.text


async def test_once_they_are_brought_in_everybody_sees_them(hiding: Game) -> None:
    await hiding.play("gm: /doom set dice:d12")
    entered = await hiding.play("gm: /doom spend for:gmc name:Morgath")
    assert "Morgath enters the scene" in entered.text
    assert "Morgath" in (await hiding.says("alice: /gmc show")).text
    assert "waits" not in (await hiding.says("alice: /log count:50")).text


async def test_a_step_of_many_tells_players_of_the_others(hiding: Game) -> None:
    await hiding.gm.slash("/asset add what:Amulet who:Morgath")
    ended = await hiding.play("gm: /scene end")
    assert "Alice · Rope is gone" in ended.text
    assert "Amulet" not in ended.text


async def test_their_name_is_taken_without_saying_by_whom(hiding: Game) -> None:
    refused = await hiding.bob.slash("/character new name:Morgath")
    assert is_refused(refused)
    assert refused.text == "Morgath can't be a new character's name here. Choose another name."


async def test_at_an_open_table_there_are_no_secrets(game: Game) -> None:
    made = await game.says("alice: /gmc new name:Morgath dice:Talons d10 away:true")
    assert made.failed is None
    assert "Morgath" in (await game.says("bob: /gmc show")).text


async def test_campaigns_are_offered_to_who_may_join_them(game: Game) -> None:
    for who, name in (("gm", "Secret Plans"), ("alice", "Second Home")):
        await game.person(who).slash(f"/campaign new name:{name}", game.discord.channel(name))
    await game.bob.slash("/campaign new name:Sea open:true", game.discord.channel("sea"))
    offered = {
        who: [choice.value for choice in await game.person(who).complete("/campaign join name:")]
        for who in ("gm", "alice", "bob")
    }
    assert offered == {"gm": ["Sea", "Secret Plans"], "alice": ["Sea", "Second Home"], "bob": ["Sea"]}
    refused = await game.says("bob: /campaign join name:Sec")
    assert is_refused(refused)
    assert "Secret" not in refused.text
    assert "Only the GM" in (await game.says("bob: /campaign join name:Secret Plans")).text


async def test_a_gm_is_warned_before_one_that_is_away_is_seen(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8, Swift d6")
    await table.says("gm: /gmc new name:Morgath dice:Talons d10 away:true")
    for line in (
        "/roll dice:2d6 who:Morgath",
        "/ore roll dice:3d who:Morgath",
        "/contest start dice:2d6 against:Alice who:Morgath",
        "/contest start dice:2d6 against:Morgath who:Rex",
        "/doom roll on:Morgath",
        "/gmc roll name:Rex on:Morgath",
    ):
        with subtests.test(line=line):
            refused = await table.says(f"gm: {line}")
            assert refused.private
            assert "Morgath isn't in the scene, so they can't do that openly. To" in refused.text
            assert "Morgath" not in (await table.says("bob: /log")).text
