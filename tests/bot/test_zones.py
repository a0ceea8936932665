"""Time zones as they are typed into commands, forms and settings: meant, asked about, kept and suggested."""

import json
from datetime import UTC, datetime
from pathlib import Path

from bot.loopback.model import Channel
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused
from tests.game import Game


def stamp(reply: BotReply) -> datetime:
    """The first time in a reply."""
    return datetime.fromtimestamp(int(reply.text.partition("<t:")[2].partition(":")[0]), UTC)


async def file_of(table: Game, channel: Channel | None = None) -> bytes:
    """The table as a file."""
    exported = (await table.gm.slash("/campaign export", channel=channel)).message
    assert exported is not None
    return exported.files[0].data


async def zone_of(table: Game, channel: Channel | None = None) -> str:
    """The zone that the table keeps."""
    kept: str = json.loads(await file_of(table, channel))["table"]["settings"]["zone"]
    return kept


async def test_an_offset_is_so_many_hours_from_utc_and_is_kept(table: Game) -> None:
    planned = await table.play("gm: /session plan when:2027-01-10 20:00 zone:GMT+3")
    assert stamp(planned) == datetime(2027, 1, 10, 17, tzinfo=UTC)
    assert "This table's time zone: UTC+03:00" in planned.text
    await table.restart()
    moved = await table.play("gm: /session plan when:2027-01-10 21:00 again:weekly")
    assert stamp(moved) == datetime(2027, 1, 10, 18, tzinfo=UTC)
    assert "Time zone" not in moved.text
    assert await zone_of(table) == "UTC+03:00"


async def test_the_zone_of_one_plan_leaves_that_of_the_table_as_it_is(table: Game) -> None:
    await table.play("gm: /campaign set setting:time zone value:Europe/Berlin")
    planned = await table.play("gm: /session plan when:2027-01-10 20:00 zone:America/New_York")
    assert f"<t:{int(datetime(2027, 1, 11, 1, tzinfo=UTC).timestamp())}:F>" in planned.text
    assert "time zone" not in planned.text
    assert await zone_of(table) == "Europe/Berlin"
    asked = await table.play(
        "gm: /session plan when:2027-01-12 20:00, 2027-01-13 20:00 zone:America/New_York"
    )
    assert "Times on the buttons are in Europe/Berlin." in asked.text
    moved = await table.play("gm: /session plan when:2027-01-12 20:00")
    assert f"<t:{int(datetime(2027, 1, 12, 19, tzinfo=UTC).timestamp())}:F>" in moved.text
    assert await zone_of(table) == "Europe/Berlin"


async def test_a_zone_that_was_kept_by_its_name_has_its_own_meaning_still(table: Game) -> None:
    planned = await table.play("gm: /session plan when:2027-01-10 20:00 zone:Etc/GMT+3")
    assert stamp(planned) == datetime(2027, 1, 10, 23, tzinfo=UTC)
    assert await zone_of(table) == "Etc/GMT+3"


async def test_a_table_with_an_offset_goes_through_a_file(table: Game, tmp_path: Path) -> None:
    await table.play("gm: /campaign set setting:time zone value:UTC -3:30")
    (tmp_path / "table.json").write_bytes(await file_of(table))
    elsewhere = table.discord.channel("elsewhere")
    shown = await table.gm.slash(f"/campaign import file:{tmp_path / 'table.json'}", channel=elsewhere)
    await table.gm.press(shown, "Import")
    assert await zone_of(table, elsewhere) == "UTC-03:30"


async def test_a_date_says_its_own_zone(table: Game) -> None:
    away = await table.says("alice: /away until:2027-01-10 20:00 UTC+2")
    assert stamp(away) == datetime(2027, 1, 10, 18, tzinfo=UTC)
    assert "Your time zone" not in away.text
    for typed, meant in (("28 nov 7pm +02:00", 17), ("28 nov 7pm gmt -1", 20), ("28 nov 7pm JST", 10)):
        planned = await table.play(f"gm: /session plan when:{typed}")
        assert stamp(planned) == datetime(2026, 11, 28, meant, tzinfo=UTC)
    refused = await table.says("gm: /session plan when:28 nov 7pm GMT+15")
    assert 'There\'s no time zone at "GMT+15". Use UTC-12:00 to UTC+14:00' in refused.text
    refused = await table.says("gm: /session plan when:28 nov 7pm, 29 nov 7pm GMT+2")
    assert "Is GMT+2 the time zone of all these times?" in refused.text
    assert "/session plan when:28 nov 7pm, 29 nov 7pm zone:GMT+2" in refused.text


async def test_an_abbreviation_asks_for_the_place(table: Game) -> None:
    asked = await table.says("gm: /session plan when:2027-01-10 20:00 zone:PST")
    assert is_refused(asked)
    assert '"PST" could be the time zone of Los Angeles or Vancouver. Which place do you mean?' in asked.text
    planned = await table.gm.press(asked, "Vancouver")
    assert stamp(planned) == datetime(2027, 1, 11, 4, tzinfo=UTC)
    assert "This table's time zone: America/Vancouver" in planned.text
    asked = await table.says("gm: /session plan when:2027-01-10 7pm IST")
    assert [each.label for each in asked.buttons] == ["India", "Ireland", "Israel"]
    assert stamp(await table.gm.press(asked, "Ireland")) == datetime(2027, 1, 10, 19, tzinfo=UTC)
    assert await zone_of(table) == "America/Vancouver"
    asked = await table.says("gm: /campaign set setting:time zone value:CET")
    assert [each.label for each in asked.buttons] == ["Berlin", "Paris", "Rome"]
    await table.gm.press(asked, "Paris")
    assert await zone_of(table) == "Europe/Paris"


async def test_an_abbreviation_in_a_form_asks_for_the_place(table: Game) -> None:
    planned = await table.play("gm: /session plan when:2027-01-10 20:00 UTC")
    form = (await table.gm.press(planned, "Move")).form
    assert form is not None
    asked = await table.gm.submit(form, {"When": "2027-01-11 20:00", "Time zone": "EST"})
    assert [each.label for each in asked.buttons] == ["New York", "Toronto"]
    assert stamp(await table.gm.press(asked, "New York")) == datetime(2027, 1, 12, 1, tzinfo=UTC)


async def test_everybody_has_their_own_zone(table: Game) -> None:
    away = await table.says("alice: /away until:2027-01-10 20:00 zone:GMT-8")
    assert stamp(away) == datetime(2027, 1, 11, 4, tzinfo=UTC)
    assert "Your time zone: UTC-08:00" in away.text
    assert stamp(await table.says("alice: /away until:2027-01-10 8pm")) == stamp(away)
    quiet = await table.says("alice: /quiet from:22:00 to:8:00")
    assert "Quiet from 22:00 to 8:00 (UTC-08:00)" in quiet.text
    asked = await table.says("alice: /quiet zone:BST")
    assert [each.label for each in asked.buttons] == ["London", "Bangladesh"]
    assert "to 8:00 (Asia/Dhaka)" in (await table.alice.press(asked, "Bangladesh")).text
    asked = await table.says("bob: /away until:2027-01-10 20:00 zone:CST")
    gone = await table.bob.press(asked, "China")
    assert stamp(gone) == datetime(2027, 1, 10, 12, tzinfo=UTC)
    assert "Your time zone: Asia/Shanghai" in (await table.says("bob: /quiet")).text


async def test_what_lacks_a_zone_is_refused_with_the_command_as_it_was_typed(table: Game) -> None:
    for line in (
        "gm: /session plan when:Sat 19:30",
        "gm: /session plan note:Bring snacks when:sat 19:30, sun 15:00 again:weekly",
        "gm: /session plan when:2027-01-10 20:00 UTC again:every two weeks",
        "alice: /away until:sat 19:30",
        "bob: /quiet by:morning from:22:00 to:8:00",
    ):
        refused = await table.says(line)
        assert is_refused(refused)
        assert "ame your time zone once" in refused.text or "name the time zone once" in refused.text
        example = refused.text.partition("Example: ")[2].replace("\\", "")
        who, _, typed = line.partition(": ")
        assert all(word in example for word in typed.split(" "))
        done = await table.says(f"{who}: {example}")
        assert done.failed is None
        assert "zone:Europe/Berlin" in example
        assert "time zone once" not in done.text
        if who == "gm":  # whose zone the table keeps
            await table.play("gm: /campaign set setting:time zone value:off")


async def test_a_zone_is_suggested_by_what_it_means(table: Game) -> None:
    for typed, meant in (
        ("PST", ["America/Los_Angeles", "America/Vancouver"]),
        ("ist", ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]),
        ("GMT-8", ["UTC-08:00"]),
        ("gmt", ["UTC"]),
        ("GMT+", []),
        ("berl", ["Europe/Berlin"]),
    ):
        for line in (f"session plan zone:{typed}", f"campaign set setting:time zone value:{typed}"):
            offered = [each.value for each in await table.gm.complete(f"/{line}")]
            assert offered[: len(meant)] == meant
            assert not any("Etc/" in str(each) for each in offered)
    assert [each.value for each in await table.alice.complete("/quiet zone:etc")] == []


async def test_a_time_with_its_zone_is_completed_as_it_is_understood(table: Game) -> None:
    await table.play("gm: /campaign set setting:time zone value:Berlin")
    offered = await table.gm.complete("/session plan when:2027-01-10 20:00 GMT+3")
    assert [each.name for each in offered] == ["Sunday 10 January 2027, 18:00 (Europe/Berlin)"]
    offered = await table.gm.complete("/session plan when:2027-01-10 20:00 IST")
    places = ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"]
    assert [each.value for each in offered] == [f"2027-01-10 20:00 {place}" for place in places]
    offered = await table.gm.complete("/session plan zone:GMT+3 when:2027-01-10 20:00")
    assert [each.name for each in offered] == ["Sunday 10 January 2027, 20:00 (UTC+03:00)"]
    offered = await table.gm.complete("/session plan when:2027-01-10 GMT+3")
    assert offered[0].value == "2027-01-10 18:00 gmt+3"
