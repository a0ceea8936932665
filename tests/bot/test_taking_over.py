"""`Take over`: who may be GM in the place of one who is gone, and what becomes of what was theirs alone."""

import asyncio
from typing import Any

import pytest

from bot.loopback.model import Message
from bot.loopback.reply import buttons_of
from rules.values import replace
from tests.bot.test_absent import days_later, looked, plain, told
from tests.bot.test_buttons import is_refused
from tests.bot.test_post import finished, hours_later
from tests.clock import START
from tests.game import Game

OVER = "This table no longer needs anyone to take over."


def zoe(table: Game) -> Any:
    """Somebody who may Manage Server, and plays nobody here."""
    return table.discord.person("zoe", manage_guild=True)


async def offered(table: Game, days: float = 15) -> Message:
    """The offer after a GM has done nothing for so long, and somebody plays on."""
    await days_later(table, days)
    await table.play("alice: /roll dice:2d6")
    await table.at_rest()
    assert told(table)
    return told(table)[-1]


async def is_gm(table: Game, who: str) -> bool:
    """Whether somebody may do what the GM may."""
    return not is_refused(await table.says(f"{who}: /doom add dice:d6"))


async def test_who_may_manage_the_server_takes_over_and_the_silent_gm_is_gm_no_more(table: Game) -> None:
    manager = zoe(table)
    offer = await offered(table)
    refused = await table.alice.press(offer, "Take over")
    assert refused.private
    assert refused.text == "Only members with Manage Server can take over this table."
    taken = await manager.press(offer, "Take over")
    assert taken.failed is None
    await table.at_rest()
    assert not buttons_of(offer)
    assert "This offer has ended." in offer.text
    assert taken.text == "zoe is GM\ngm is no longer GM"
    assert await is_gm(table, "zoe")
    assert is_refused(await table.says("gm: /doom add dice:d6"))


async def test_what_was_the_gms_alone_goes_to_the_new_one_and_stays_hidden_from_others(table: Game) -> None:
    await table.play("gm: /campaign set setting:hidden GM rolls value:on")
    await table.says("gm: /note text:The butler did it hidden:true")
    await table.says("gm: /gmc new name:Morgath dice:Talons d10 away:true")
    rolled = await table.says("gm: /roll dice:2d10 hidden:true note:Ambush")
    assert rolled.private
    offer = await offered(table)
    assert "butler" not in (await table.says("bob: /log")).text
    manager = zoe(table)
    await manager.press(offer, "Take over")
    await table.at_rest()
    assert not buttons_of(offer)
    for secret, line in (("butler", "/log"), ("Morgath", "/table show"), ("Ambush", "/log")):
        assert secret in (await table.says(f"zoe: {line}")).text
        assert secret not in (await table.says(f"bob: {line}")).text
    assert "butler" not in (await table.says("gm: /log")).text


async def test_a_gm_who_is_back_keeps_the_table_and_the_offer_is_closed(table: Game) -> None:
    offer = await offered(table)
    await table.play("gm: /note text:Back again")
    refused = await zoe(table).press(offer, "Take over")
    assert OVER in refused.text
    assert "GM here: gm." in refused.text
    await table.at_rest()
    assert not buttons_of(offer)
    assert await is_gm(table, "gm")


async def test_a_gm_who_presses_is_back(table: Game) -> None:
    offer = await offered(table)
    assert OVER in (await table.gm.press(offer, "Take over")).text
    await table.at_rest()
    assert not buttons_of(offer)
    assert await is_gm(table, "gm")


async def test_a_gm_who_is_on_the_server_again_keeps_the_table(slow: Game) -> None:
    home = slow.discord.world.home
    home.gone.add(slow.gm.user.id)
    await hours_later(slow, slow.gm.user.id, 25)
    await slow.at_rest()
    assert told(slow)
    (offer,) = told(slow)
    home.gone.clear()
    assert OVER in (await zoe(slow).press(offer, "Take over")).text
    await slow.at_rest()
    assert not buttons_of(offer)


async def test_it_is_offered_once_and_undone_as_any_step(table: Game) -> None:
    offer = await offered(table)
    manager = zoe(table)
    await table.restart()
    await manager.press(offer, "Take over")
    assert await is_gm(table, "zoe")
    await table.says("zoe: /undo")
    assert is_refused(await table.says("bob: /undo"))
    assert "Undone: “zoe is GM; gm is no longer GM" in (await table.says("zoe: /undo")).text
    assert await is_gm(table, "gm")
    await table.play("alice: /roll dice:2d6")
    await looked(table)
    assert len(told(table)) == 1


async def test_of_two_who_press_at_once_one_is_gm(table: Game) -> None:
    first, second = zoe(table), table.discord.person("yan", manage_guild=True)
    offer = await offered(table)
    both = await asyncio.gather(*(each.press(offer, "Take over") for each in (first, second)))
    (refused,) = [each for each in both if each.private]
    (taken,) = [each for each in both if not each.private]
    assert taken.text.endswith("is GM\ngm is no longer GM")
    assert OVER in refused.text or "The table changed in the meantime." in refused.text
    assert [await is_gm(table, name) for name in ("zoe", "yan")].count(True) == 1


@pytest.fixture
async def slow(table: Game) -> Game:
    """A table by post, at which a roll waits for the GM."""
    await table.play("gm: /campaign set setting:pace value:post", "alice: /roll dice:2d8")
    await table.at_rest()
    return table


async def test_a_delegate_who_is_there_takes_over_where_the_gm_has_left(slow: Game) -> None:
    bob, gm = slow.bob.user.id, slow.gm.user.id
    await slow.play("gm: /campaign gm player:@bob")
    await slow.at_rest()
    slow.discord.world.home.gone.add(gm)
    await hours_later(slow, gm, 25)
    await slow.at_rest()
    assert told(slow)
    (offer,) = told(slow)
    assert "gm has left this server." in plain(offer)
    assert "\nbob can take over.\n" in plain(offer)
    assert "Manage Server" not in offer.text
    assert offer.pings == {bob}
    refused = await zoe(slow).press(offer, "Take over")
    assert refused.text == "Only bob can take over this table."
    await slow.play("bob: /note text:I lead meanwhile")
    await hours_later(slow, gm, 25)
    await looked(slow)
    assert len(told(slow)) == 1
    await slow.bob.press(offer, "Take over")
    await slow.at_rest()
    assert not buttons_of(offer)
    assert slow.discord.messages()[-1].text == "bob is GM\ngm is no longer GM"


async def test_delegates_who_are_silent_too_are_asked_before_who_manages_the_server(table: Game) -> None:
    await table.play("gm: /campaign gm player:@bob")
    offer = await offered(table)
    assert "gm and bob: last active at" in plain(offer)
    lines = plain(offer).splitlines()
    assert lines[2] == "bob can take over."
    assert lines[3].startswith("A member with Manage Server can take over, or name another GM: /campaign gm")
    assert offer.pings == {table.bob.user.id}
    refused = await table.alice.press(offer, "Take over")
    assert refused.text == "Only bob or members with Manage Server can take over this table."
    await table.bob.press(offer, "Take over")
    await table.at_rest()
    assert not buttons_of(offer)
    assert await is_gm(table, "bob")


async def test_a_gm_for_whom_something_waits_is_missed_also_where_all_wait(slow: Game) -> None:
    await hours_later(slow, slow.gm.user.id, 25)
    of = next(iter(await slow.ledger.past.changed_last()))[0]
    job = await slow.ledger.jobs.get(f"absent:{of}")
    assert job is not None
    assert 13 <= (job.due - START).days <= 14
    await days_later(slow, 15)
    assert told(slow) == []
    await finished(slow, replace(job, due=START))
    assert len(told(slow)) == 1


async def test_who_has_let_the_table_sleep_is_not_missed(table: Game) -> None:
    await days_later(table, 15)
    await table.play("alice: /roll dice:2d6")
    await table.at_rest()
    assert told(table)
    await table.play("gm: /note text:Back again")
    await table.play("alice: /note text:Bye", "gm: /campaign archive")
    await days_later(table, 15)
    await looked(table)
    assert len(told(table)) == 1


async def test_where_discord_does_not_say_who_is_there_nothing_is_taken_over(slow: Game) -> None:
    slow.discord.world.home.gone.add(slow.gm.user.id)
    await hours_later(slow, slow.gm.user.id, 25)
    await slow.at_rest()
    assert told(slow)
    (offer,) = told(slow)
    slow.discord.faults.fail("GET /guilds/*/members/*", times=9)
    refused = await zoe(slow).press(offer, "Take over")
    assert refused.text == "Discord didn't say who has left. Press again in a moment."
    assert buttons_of(offer)
