"""Who may do what: each command from each seat, at a table with a GM and at an open one."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.loopback.reply import BotReply
from bot.views.question import VERB as DECIDE
from bot.views.question import Pressed
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.game import Game

SEATS = {
    "gm": "gm",
    "own player": "alice",
    "another player": "bob",
    "stranger": "carol",
    "server manager": "dave",
}
"""The seats around Alice, whom alice plays: dave manages the server and has no seat at the table."""
GM, OWN, MANAGER, ALL = ("gm",), ("gm", "own player"), ("gm", "server manager"), tuple(SEATS)
BEFORE = (
    "alice: /asset add what:Lamp",
    "alice: /comp add what:Lost",
    "alice: /stress add what:Mental",
    "alice: /dist add what:Pirate",
    "{gm}: /asset add what:Crate who:scene pay:false",
    "{gm}: /comp add what:Rain who:scene",
    "{gm}: /dist add what:Fog who:scene",
    "{gm}: /pp give who:all number:2",
)
"""What there is of Alice's and of the scene's."""
TAKEN_OUT = ("alice: /comp add what:Hurt die:d12", "alice: /comp stepup what:Hurt")
ROLLED = ("alice: /roll dice:2d6 d8",)

LINES = {
    "/doom add dice:d8": GM,
    "/doom remove dice:d6": GM,
    "/doom stepup": GM,
    "/doom stepdown": GM,
    "/doom set dice:d8": GM,
    "/doom clear": GM,
    "/doom roll": GM,
    "/doom spend for:sfx": GM,
    "/act start": GM,
    "/act end": GM,
    "/scene start name:The roof": GM,
    "/scene end": GM,
    "/session start": GM,
    "/session end": GM,
    "/session title title:The fall": GM,
    "/session plan when:sat 19:30 zone:Europe/Berlin": GM,
    "/note text:The map lies": ("gm", "own player", "another player"),
    "/campaign set setting:resources value:on": GM,
    "/campaign archive": GM,
    "/campaign new name:Deep Water": MANAGER,
    "/campaign gm player:@bob": MANAGER,
    "/pp give who:Alice": GM,
    "/pp set who:Alice number:5": GM,
    "/pp move to:Bob who:Alice": GM,
    "/asset add what:Rope who:scene pay:false": GM,
    "/asset stepup what:Crate": GM,
    "/asset stepdown what:Crate": GM,
    "/asset remove what:Crate": GM,
    "/comp add what:Mud who:scene": GM,
    "/comp stepup what:Rain": GM,
    "/comp stepdown what:Rain": GM,
    "/comp remove what:Rain": GM,
    "/dist add what:Dark who:scene": GM,
    "/dist remove what:Fog": GM,
    "/crisis new name:Flood dice:d6": GM,
    "/crisis roll": GM,
    "/crisis spend for:sfx": GM,
    "/crisis add dice:d6": GM,
    "/crisis remove dice:d6": GM,
    "/crisis stepup": GM,
    "/crisis stepdown": GM,
    "/crisis end": GM,
    "/challenge new name:Flood": GM,
    "/challenge first who:Bob": GM,
    "/challenge skip who:Bob": GM,
    "/challenge roll": GM,
    "/challenge act what:add": GM,
    "/challenge add dice:d6": GM,
    "/challenge remove dice:d8": GM,
    "/challenge end": GM,
    "/gmc new name:Max dice:2d6 kind:boss": GM,
    "/gmc roll name:Rex": GM,
    "/gmc hit name:Rex die:d6": GM,
    "/gmc remove name:Rex": GM,
    "/hero give who:Alice die:d6": GM,
    "/turn start": GM,
    "/turn skip who:Bob": GM,
    "/turn end": GM,
    "/challenge next who:Bob": OWN,
    "/turn next who:Bob": OWN,
    "/contest start dice:2d6 against:Bob who:Alice": OWN,
    "/contest answer dice:2d6": OWN,
    "/contest escalate dice:2d6": OWN,
    "/contest givein": OWN,
    "/asset stepup what:Lamp": OWN,
    "/asset stepdown what:Lamp": OWN,
    "/asset remove what:Lamp": OWN,
    "/comp add what:Tired who:Alice": OWN,
    "/comp stepup what:Lost": OWN,
    "/comp stepdown what:Lost": OWN,
    "/comp remove what:Lost": OWN,
    "/comp stayin who:Alice name:Shaken": OWN,
    "/stress add what:Physical who:Alice": OWN,
    "/stress stepup what:Mental": OWN,
    "/stress stepdown what:Mental": OWN,
    "/stress remove what:Mental": OWN,
    "/stress clear who:Alice": OWN,
    "/dist add what:Sailor who:Alice": OWN,
    "/dist remove what:Pirate": OWN,
    "/pool save name:Fly dice:2d6 who:Alice": OWN,
    "/pp spend who:Alice": OWN,
    "/roll dice:2d6 who:Alice": OWN,
    "/ore clear": GM,
    "/ore roll dice:5d who:Alice": OWN,
    "/ore quick dice:5d who:Alice": OWN,
    "/ore actions dice:5d second:4d who:Alice": OWN,
    "/ore roll dice:5d 2w": ALL,
    "/ore quick dice:5d 2w": ALL,
    "/ore actions dice:5d second:4d": ALL,
    "/ore crowd dice:4d count:12": ALL,
    "/roll dice:2d6 d8": ALL,
    "/asset add what:Rope who:Alice die:d8": ALL,
    "/comp recover what:Lost who:Alice dice:2d6": ALL,
    "/stress recover what:Mental who:Alice dice:2d6": ALL,
}
"""Lines that change something, and the seats at a table with a GM that may send them."""
LOOKS = (
    "/doom show",
    "/asset show",
    "/comp show",
    "/stress show",
    "/pp show",
    "/table show",
    "/scene show",
    "/campaign show",
    "/crisis show",
    "/challenge show",
    "/gmc show",
    "/contest show",
    "/hero show",
    "/turn show",
    "/session recap",
    "/stats",
    "/privacy show",
    "/safety show",
    "/log",
    "/odds dice:2d6 d8 vs:11",
    "/ore order",
    "/ore odds dice:5d 1w",
    "/help",
    "/about",
)
FIRE = ("{gm}: /crisis new name:Fire dice:2d6",)
STORM = ("{gm}: /challenge new name:Storm",)
REX = ("{gm}: /gmc new name:Rex dice:Fangs d8, 4d10",)
BOB_CONTESTS = ("bob: /contest start dice:2d6 against:Alice",)
NEEDS = {
    "/ore clear": ("alice: /ore roll dice:5d",),
    "/session start": ("{gm}: /session end",),
    "/comp stayin who:Alice name:Shaken": TAKEN_OUT,
    **dict.fromkeys((line for line in LINES if line.startswith("/crisis") and " new " not in line), FIRE),
    **dict.fromkeys((line for line in LINES if line.startswith("/challenge") and " new " not in line), STORM),
    "/challenge act what:add": (*STORM, *(f"{{gm}}: /challenge skip who:{who}" for who in ("Alice", "Bob"))),
    "/challenge next who:Bob": (*STORM, "{gm}: /challenge first who:Alice"),
    **dict.fromkeys(("/gmc roll name:Rex", "/gmc hit name:Rex die:d6", "/gmc remove name:Rex"), REX),
    "/hero give who:Alice die:d6": ("{gm}: /campaign set setting:heroic success value:hero dice and effect",),
    **dict.fromkeys(
        ("/turn skip who:Bob", "/turn end", "/turn next who:Bob"), ("{gm}: /turn start who:Alice",)
    ),
    **dict.fromkeys(
        ("/contest answer dice:2d6", "/contest escalate dice:2d6", "/contest givein"), BOB_CONTESTS
    ),
}
"""What some lines need to have happened."""
STAYS = ("/campaign new", "/campaign gm")
"""What the next in turn cannot do as well, since it is not undone."""


async def at_a_table(game: Game) -> None:
    """A table with things of Alice's and of the scene's, and dave, who manages the server."""
    await game.table()
    await with_things(game, "gm")


async def with_things(game: Game, gm: str) -> None:
    """Things of Alice's and of the scene's, and dave, who manages the server."""
    game.discord.person("dave", manage_guild=True)
    game.person("carol")
    await game.play(*(line.format(gm=gm) for line in BEFORE))


async def open_table(game: Game) -> None:
    """The same where there is no GM."""
    new = await game.play("bob: /campaign new name:Skyfall ruleset:adept open:true")
    await game.alice.submit((await game.alice.press(new, "Join")).form, {"Name": "Alice"})
    await game.bob.submit((await game.bob.press(new, "Join")).form, {"Name": "Bob"})
    await game.play("bob: /session start", "bob: /scene start name:The docks")
    await with_things(game, "bob")


def says_who_may(reply: BotReply) -> bool:
    """A refusal that names who may do it."""
    return "GM" in reply.text or "Still to answer: Alice (against Bob)." in reply.text


CAMPAIGN = [line for line in LINES if line.startswith("/campaign ")]
"""The lines that each need a table of their own, since they change what table there is."""
OTHERS = sorted(LINES.keys() - set(CAMPAIGN))
SOME = 16
TOGETHER = [OTHERS[first : first + SOME] for first in range(0, len(OTHERS), SOME)]
"""The lines that are tried at one table, which is laid anew for each."""


@pytest.mark.begins(at=at_a_table)
@pytest.mark.parametrize(
    "allowed",
    [{line: LINES[line] for line in lines} for lines in TOGETHER]
    + [{line: LINES[line]} for line in CAMPAIGN if not line.startswith(STAYS)]
    + [{line: (seat,)} for line in CAMPAIGN if line.startswith(STAYS) for seat in LINES[line]],
    ids=lambda allowed: f"{next(iter(allowed))} by {next(iter(allowed.values()))[0]}",
)
async def test_who_may_does_it_and_nobody_else(
    table: Game, subtests: pytest.Subtests, allowed: dict[str, tuple[str, ...]]
) -> None:
    _, start = await seen(table)
    for line, seats in allowed.items():
        with subtests.test(line):
            await put_back(table, start)
            await who_may_does_it(table, line, seats)


async def agreed(game: Game, line: str) -> BotReply:
    """What comes of a line, and of the first answer where it asks something."""
    reply = await game.says(line)
    pressed = (Pressed.read(button.custom_id or "") for button in reply.buttons)
    is_asked = any(each is not None and each.verb == DECIDE for each in pressed)
    return await reply.by.press(reply, 0) if is_asked else reply


async def who_may_does_it(table: Game, line: str, seats: Sequence[str]) -> None:
    for needed in NEEDS.get(line, ()):
        await table.play(needed.format(gm="gm"))
    before = await seen(table)
    for seat in SEATS.keys() - set(LINES[line]):
        reply = await table.says(f"{SEATS[seat]}: {line}")
        assert is_refused(reply), (line, seat, reply.text)
        assert says_who_may(reply), (line, seat, reply.text)
        assert await seen(table) == before
    for seat in seats:
        reply = await agreed(table, f"{SEATS[seat]}: {line}")
        assert not is_refused(reply), (line, seat, reply.text)
        if seat != seats[-1]:
            await put_back(table, before[1])


@pytest.mark.begins(at=open_table)
@pytest.mark.parametrize("lines", [*TOGETHER, *([line] for line in CAMPAIGN)], ids=lambda lines: lines[0])
async def test_at_an_open_table_everybody_may_do_everything(
    game: Game, subtests: pytest.Subtests, lines: list[str]
) -> None:
    _, start = await seen(game)
    for line in lines:
        with subtests.test(line):
            await put_back(game, start)
            for needed in NEEDS.get(line, ()):
                await game.play(needed.format(gm="bob"))
            reply = await agreed(game, f"carol: {line}")
            assert not is_refused(reply), (line, reply.text)


async def test_anybody_may_look(table: Game) -> None:
    table.person("carol")
    before = await seen(table)
    for line in LOOKS:
        reply = await table.says(f"carol: {line}")
        assert reply.failed is None, line
        assert reply.private, line
        assert "Only" not in reply.text, (line, reply.text)
        assert await seen(table) == before, line


@pytest.mark.begins(at=at_a_table)
async def test_giving_a_pp_by_long_press_is_the_gms(table: Game) -> None:
    for seat, name in SEATS.items():
        reply = await table.person(name).menu_command("Give 1 PP", user=table.alice)
        assert is_refused(reply) == (seat != "gm"), (seat, reply.text)


@pytest.mark.begins(at=at_a_table)
@pytest.mark.parametrize("how", ["command", "long press"])
async def test_a_step_is_undone_by_who_made_it_or_the_gm(table: Game, how: str) -> None:
    for seat, name in SEATS.items():
        made = await table.play("alice: /asset add what:Rope")
        person = table.person(name)
        if how == "command":
            reply = await person.slash(f"/undo step:{(await seen(table))[0]}")
        else:
            reply = await person.menu_command("Undo this", message=made)
        assert is_refused(reply) == (seat not in OWN), (seat, reply.text)
        assert says_who_may(reply) or seat in OWN, (seat, reply.text)
        if is_refused(reply):
            await table.play("gm: /undo")


async def test_a_message_of_the_table_before_is_not_undone_at_the_next_one(table: Game) -> None:
    made = await table.play("alice: /asset add what:Rope")
    await table.begin("gm: /campaign new name:Deep Water")
    refused = await table.alice.menu_command("Undo this", message=made)
    assert (
        "That message doesn't show a step from this table's log. To take back the last step: /undo"
    ) in refused.text


@pytest.mark.begins(at=at_a_table)
async def test_only_the_gm_deletes_a_campaign(table: Game) -> None:
    for seat, name in SEATS.items():
        asked = await table.says(f"{name}: /campaign delete")
        assert ("Delete" in [button.label for button in asked.buttons]) == (seat == "gm"), seat


@pytest.mark.begins(at=at_a_table)
@pytest.mark.parametrize("line", ["/campaign export", "/character export who:Alice"])
async def test_a_file_is_for_the_gm_and_a_character_for_its_player_too(table: Game, line: str) -> None:
    for seat, name in SEATS.items():
        reply = await table.says(f"{name}: {line}")
        assert reply.private
        assert reply.message is not None
        has_it = seat == "gm" or (seat == "own player" and "character" in line)
        assert bool(reply.message.files) == has_it, seat


@pytest.mark.begins(at=at_a_table)
async def test_only_the_gm_imports_a_table(table: Game) -> None:
    before = await seen(table)
    file = '{"doomkeeper": "table", "version": 1, "table": {}}'
    for seat, name in SEATS.items():
        reply = await table.says(f"{name}: /campaign import text:{file}")
        assert bool(reply.buttons) == (seat == "gm"), seat
        assert says_who_may(reply), (seat, reply.text)
        assert await seen(table) == before


async def test_who_plays_a_character_now_acts_for_it(table: Game) -> None:
    carol = table.person("carol")
    await table.says("gm: /table pin")
    pinned = table.discord.pins()[0]
    asked = await table.alice.submit((await table.alice.press(pinned, "Join")).form, {"Name": "Ada"})
    await table.alice.press(asked, "Play Ada")
    await carol.choose(await carol.press(pinned, "Join"), "Choose a character", ["Alice"])
    assert is_refused(await table.says("alice: /pp spend who:Alice"))
    assert not is_refused(await table.says("carol: /pp spend who:Alice"))


@pytest.mark.begins(at=open_table)
async def test_a_claim_closes_an_open_table(game: Game) -> None:
    await game.play("carol: /campaign gm player:@carol")
    assert is_refused(await game.says("bob: /doom add dice:d6"))
    assert is_refused(await game.says("bob: /comp add what:Lame who:Alice"))
    assert not is_refused(await game.says("carol: /doom add dice:d6"))


async def test_a_plain_channel_is_an_open_table_that_anybody_claims(game: Game) -> None:
    await game.play("alice: /roll dice:d6", "bob: /campaign gm player:@alice")
    assert is_refused(await game.says("bob: /campaign gm player:@bob"))


@pytest.mark.begins(at=open_table)
async def test_two_claims_in_the_same_instant_make_one_gm(game: Game) -> None:
    both = await asyncio.gather(
        game.says("carol: /campaign gm player:@carol"), game.says("bob: /campaign gm player:@bob")
    )
    assert sorted(map(is_refused, both)) == [False, True]


async def test_a_delegate_does_what_the_gm_does_until_let_go(table: Game) -> None:
    await table.play("gm: /campaign gm player:@bob", "bob: /doom add dice:d6")
    await table.play("gm: /campaign gm player:@bob remove:true")
    assert is_refused(await table.says("bob: /doom add dice:d6"))


async def test_who_manages_the_server_names_a_gm_where_the_gm_is_gone(table: Game) -> None:
    table.discord.person("dave", manage_guild=True)
    assert is_refused(await table.says("dave: /doom add dice:d6"))
    await table.play("dave: /campaign gm player:@dave", "dave: /campaign gm player:@gm remove:true")
    await table.play("dave: /doom add dice:d6")
    table.gm.user.manage_guild = False
    assert is_refused(await table.says("gm: /doom add dice:d6"))


async def test_a_gm_needs_no_rights_on_the_server(table: Game) -> None:
    table.gm.user.manage_guild = False
    await table.play("gm: /doom add dice:d6", "gm: /campaign gm player:@bob")


@pytest.mark.parametrize("who", ["alice", "bob"])
async def test_a_player_of_another_campaign_cannot_bring_it_here(table: Game, who: str) -> None:
    elsewhere = table.discord.channel("elsewhere")
    reply = await table.person(who).slash("/campaign join name:Skyfall", channel=elsewhere)
    assert is_refused(reply)
    assert "GM" in reply.text


async def test_a_player_who_may_give_their_own_pp_away_is_told_how_by_command_and_long_press(
    table: Game,
) -> None:
    await table.play("gm: /campaign set setting:players give PP value:on")
    typed = await table.says("bob: /pp give who:Alice")
    held = await table.bob.menu_command("Give 1 PP", user=table.alice)
    assert held.private
    assert held.text == typed.text
    assert held.text.endswith("To give away yours: /pp move")
