"""`/character portrait` as it is met at a table: beside the sheet, with words, kept small, and forgotten."""

import asyncio
import json
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.loopback.model import Message, Permission, walk
from bot.loopback.reply import BotReply
from bot.pictures.portrait import LARGEST
from bot.store.personal import digest_of
from bot.worker import WorkerThread
from rules.errors import TooLate
from tests.bench.pictures import Memory, picture
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_process import serving
from tests.bot.test_voices import last
from tests.clock import HeldClock
from tests.game import Game
from tests.patience import PATIENCE


def beside(message: Message | BotReply | None) -> tuple[str, str] | None:
    """The portrait beside a message: the kind of its file, and its words; None where there is none."""
    shown = message.message if isinstance(message, BotReply) else message
    assert shown is not None
    for part in walk(shown.components):
        if part["type"] == 11:
            (file,) = shown.files
            assert part["media"]["url"] == file.url
            assert file.description == part["description"]
            image = Image.open(BytesIO(file.data))
            assert image.size == (256, 256)
            return str(image.format), part["description"]
    return None


async def test_it_stands_beside_the_sheet_with_its_words(table: Game, face: Path) -> None:
    given = await table.play(f"alice: /character portrait picture:{face} alt:A scar over the eye")
    assert given.text == "Alice has a new portrait"
    portrait = ("WEBP", "A scar over the eye")
    assert beside(given) == portrait
    await table.restart()
    shown = await table.says("bob: /character show who:Alice")
    assert beside(shown) == portrait
    assert beside(await table.bob.press(shown, "Share")) == portrait
    await table.says("gm: /table pin")
    assert beside(await table.alice.press(table.discord.pins()[0], "My sheet")) == portrait
    await table.play("alice: /undo")
    assert beside(await table.says("alice: /character show")) is None
    await table.play("alice: /redo", "alice: /character rename to:Nova")
    assert beside(await table.says("alice: /character show")) == portrait
    assert (await table.play("alice: /character portrait")).text == "Nova no longer has a portrait"
    assert beside(await table.says("alice: /character show")) is None


async def test_a_sheet_that_is_edited_keeps_it(table: Game, face: Path) -> None:
    await table.play(f"alice: /character portrait picture:{face}")
    form = (await table.says("alice: /character edit")).form
    await table.alice.submit(form, {"Sheet": "Attributes: Mind d10"})
    assert beside(await table.says("alice: /character show")) == ("WEBP", "Portrait of Alice")


async def test_who_speaks_has_it(table: Game, face: Path) -> None:
    await table.play(f"alice: /character portrait picture:{face}")
    for right in (True, False):
        if not right:
            table.discord.forbid(table.discord.table, Permission.MANAGE_WEBHOOKS)
            table.discord.faults.lose("POST /channels/*/messages")
        said = await table.says("alice: /say text:Over here")
        assert (last(table).author.name == "Alice (character)") == right
        assert last(table).text.endswith("Over here")
        assert beside(last(table)) == ("WEBP", "Portrait of Alice")
        await table.alice.press(said, "Take back")


async def test_who_rolls_has_it_whatever_becomes_of_the_roll(table: Game, face: Path) -> None:
    before = (await table.play("alice: /roll dice:d10 d8 2d6")).message
    await table.play(f"alice: /character portrait picture:{face}")
    table.dice.show((9, 7, 2, 3))
    portrait = ("WEBP", "Portrait of Alice")
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    message = rolled.message
    assert message is not None
    assert before is not None
    assert beside(message) == portrait
    assert (await table.alice.press(rolled, "Total 12, effect d8")).updated
    assert beside(message) == portrait
    await table.play("alice: /undo")
    await table.at_rest()
    assert "Total 16" in message.text
    assert beside(message) == portrait
    table.discord.forbid(table.discord.table, Permission.READ_MESSAGE_HISTORY)
    await table.play("alice: /redo")
    await table.at_rest()
    assert "Total 12" in message.text
    assert beside(message) is None, "the bot may not look what the message has"
    await table.alice.press(before, "Total")
    assert before.versions
    assert beside(before) is None, "no file comes with an edit"
    assert beside(await table.play("alice: /ore roll dice:5d")) == portrait
    assert beside(await table.play("bob: /roll dice:2d6")) is None


async def test_only_its_player_and_the_gm_change_it(table: Game, face: Path) -> None:
    assert is_refused(await table.says(f"bob: /character portrait picture:{face} who:Alice"))
    await table.play(f"gm: /character portrait picture:{face} who:Alice")
    assert is_refused(await table.says("bob: /character portrait who:Alice"))


async def test_what_is_no_picture_is_refused(table: Game, tmp_path: Path) -> None:
    before = await seen(table)
    fake = tmp_path / "face.png"
    fake.write_text("<html>")
    refused = await table.says(f"alice: /character portrait picture:{fake}")
    assert is_refused(refused)
    assert "The bot can't read that picture" in refused.text
    fake.write_bytes(b"x" * (LARGEST + 1))
    assert "8,388,608" in (await table.says(f"alice: /character portrait picture:{fake}")).text
    assert await seen(table) == before


async def test_it_goes_with_who_brought_it(table: Game, face: Path) -> None:
    await table.play(f"alice: /character portrait picture:{face}")
    await table.forget(table.alice)
    assert beside(await table.says("gm: /character show who:Alice")) is None
    assert await table.ledger.portraits.find(*await _first(table)) is None


async def _first(game: Game) -> tuple[int, str]:
    table = (await seen(game))[1]
    entry = await game.ledger.servers.campaigns(game.discord.world.home.id)
    return next(iter(entry)).id, next(each.picture for each in table.characters.values() if each.picture)


async def exported(game: Game, line: str) -> str:
    """The file that a command gives."""
    reply = await game.says(line)
    assert reply.message is not None
    return reply.message.files[0].data.decode()


@pytest.mark.parametrize("what", ["campaign", "character"])
async def test_a_file_brings_it_along(table: Game, face: Path, tmp_path: Path, what: str) -> None:
    await table.play(f"alice: /character portrait picture:{face} alt:A scar")
    file = tmp_path / "file.json"
    file.write_text(await exported(table, f"{'gm' if what == 'campaign' else 'alice'}: /{what} export"))
    elsewhere = table.discord.channel("elsewhere")
    asked = await table.gm.slash(f"/{what} import file:{file}", elsewhere)
    await table.gm.press(asked, "Import")
    assert beside(await table.gm.slash("/character show who:Alice", elsewhere)) == ("WEBP", "A scar")


async def test_a_file_brings_no_portrait_of_nobody(table: Game, face: Path, tmp_path: Path) -> None:
    await table.play(f"alice: /character portrait picture:{face}")
    text = json.loads(await exported(table, "alice: /character export"))
    text["character"]["picture"] = ""
    file = tmp_path / "file.json"
    file.write_text(json.dumps(text))
    elsewhere = table.discord.channel("elsewhere")
    asked = await table.bob.slash(f"/character import file:{file}", elsewhere)
    await table.bob.press(asked, "Import")
    data = json.loads(await exported(table, "bob: /privacy export"))
    assert [each["portraits"] for each in data["tables"]] == [{}, {}]


async def test_a_forged_file_is_refused(table: Game, face: Path, tmp_path: Path) -> None:
    await table.play(f"alice: /character portrait picture:{face}")
    text = await exported(table, "alice: /character export")
    (digest,) = json.loads(text)["pictures"]
    other = BytesIO()
    Image.new("RGB", (300, 256)).save(other, "WEBP")
    forged = {
        "the picture isn't base64": {digest: "%"},
        "the picture doesn't match its name": {digest: b64encode(other.getvalue()).decode()},
        "it isn't a portrait": {digest_of(other.getvalue()): b64encode(other.getvalue()).decode()},
        "pictures.x": {"x": 1},
    }
    for why, pictures in forged.items():
        file = tmp_path / "forged.json"
        file.write_text(json.dumps(json.loads(text) | {"pictures": pictures}))
        refused = await table.says(f"bob: /character import file:{file}")
        assert why in refused.text
        assert not refused.buttons


async def test_who_brought_it_has_it_in_their_own_file(table: Game, face: Path) -> None:
    await table.play(f"alice: /character portrait picture:{face}")
    for who, count in (("alice", 1), ("bob", 0)):
        data = json.loads(await exported(table, f"{who}: /privacy export"))
        assert len(data["tables"][0]["portraits"]) == count


async def test_pictures_wait_for_each_other_and_nobody_else_does(
    table: Game, face: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.client.uploads.PATIENCE", PATIENCE)
    handed_over = table.discord.faults.hold("GET /attachments/*")
    line = f"/character portrait picture:{face}"
    sent = [asyncio.create_task(table.alice.slash(line)) for _ in range(4)]
    await table.at_rest()
    assert not table.discord.faults.waiting
    refused = await table.alice.slash(line)
    assert is_refused(refused)
    assert "You already have 3 pictures waiting, in a queue of 3" in refused.text
    theirs = asyncio.create_task(table.bob.slash(line))
    assert "Success" in (await table.says("bob: /odds dice:2d6 vs:4")).text
    exported = (await table.says("gm: /campaign export")).message
    assert exported is not None
    path = face.parent / "table.json"
    path.write_bytes(exported.files[0].data)
    assert "Import" in [
        button.label for button in (await table.says(f"gm: /campaign import file:{path}")).buttons
    ]
    assert not any(one.done() for one in (*sent, theirs))
    handed_over.set()
    replies = [await one for one in (*sent, theirs)]
    assert {reply.text for reply in replies} == {"Alice has a new portrait", "Bob has a new portrait"}
    steps = (await table.says("gm: /log count:5")).text.splitlines()
    changed = [line for line in reversed(steps) if "portrait" in line]
    assert "Bob" in changed[1], "each has their turn before anybody has their next"


async def test_whoever_goes_meanwhile_keeps_nobody_waiting() -> None:
    lane, over = WorkerThread("a", most=1), asyncio.Event()
    one, gone, next_, refused = (
        asyncio.create_task(_stands_in(lane, person, over)) for person in (1, 2, 3, 3)
    )
    await HeldClock().rest()
    gone.cancel()
    with pytest.raises(TooLate, match="already have 1 requests waiting, in a queue of 2"):
        await refused
    over.set()
    assert [await one, await next_, await _stands_in(lane, 2, over)] == [1, 3, 2]


async def _stands_in(lane: WorkerThread, person: int, over: asyncio.Event) -> int:
    async with lane.turn(person):
        await over.wait()
        return person


@pytest.mark.slow
@pytest.mark.needs("/proc/self/clear_refs")
async def test_whatever_is_sent_takes_80_mib_at_most_and_gives_them_back(tmp_path: Path) -> None:
    sent = {
        "progressive": picture("JPEG", (4900, 4900), quality=60, progressive=True),
        "clear": picture("PNG", (4000, 2000), "RGBA", compress_level=1),
        "WebP": picture("WEBP", (2000, 2000), "RGBA", method=0),
    }
    async with serving(tmp_path) as (program, loopback):
        alice = loopback.person("alice")
        await alice.slash("/character new name:Alice")
        for kind in ("JPEG", "PNG", "WEBP"):  # what reads a kind is loaded with the first of it
            path = tmp_path / kind
            path.write_bytes(picture(kind, (300, 300)))
            await alice.slash(f"/character portrait picture:{path}")
        memory = Memory(program.process.pid)
        for name, data in sent.items():
            path = tmp_path / name
            path.write_bytes(data)
            assert (
                await alice.slash(f"/character portrait picture:{path}")
            ).text == "Alice has a new portrait"
            assert memory.now < 8, name
        assert 40 < memory.peak < 80
