"""A campaign as a file to keep: all its sessions in order, what was typed as text, nothing that is secret."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from zoneinfo import ZoneInfo

from markdown_it import MarkdownIt
from PIL import Image

from bot.loopback.reply import BotReply
from tests.clock import START
from tests.game import Game

TYPED = "The *map* lies [here](http://x.example) <script>alert(1)</script>"
EVENING = (
    "gm: /session title title:# The _first_ & <b>last</b>",
    "gm: /crisis new name:Fire dice:d6",
    "alice: /dist add what:Sky *pirate*",
    "alice: /roll dice:2d6 d8 vs:5 note:Force the door",
    f"alice: /note text:{TYPED}",
    "gm: /doom add dice:2d6",
    "gm: /comp add what:Lost who:Bob die:d8",
    "gm: /session end",
    "gm: /session start",
    "gm: /scene start name:The roof",
    "bob: /roll dice:2d6 vs:3",
    "gm: /doom add dice:d8",
)


class Texts(HTMLParser):
    """The words of a page by the tag around them, and all tags that there are."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.labels: list[str] = []
        self.goes: list[str] = []
        self.said: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.goes += [value or "" for name, value in attrs if name == "href"]
        self.labels += [value or "" for name, value in attrs if name == "aria-label"]
        if tag in ("h1", "h2", "h3", "li", "p", "dt", "dd", "blockquote"):
            self.said.setdefault(tag, []).append("")
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag == self._open[-1]:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            self.said[self._open[-1]][-1] += data


def file_of(reply: BotReply) -> tuple[str, str]:
    """The name of the file that came, and what is in it."""
    assert reply.message is not None
    (file,) = reply.message.files
    return file.name, file.data.decode()


async def test_a_page_tells_every_session_and_needs_nothing_else(table: Game) -> None:
    table.dice.show((6, 5, 4), (1, 2))
    await table.play(*EVENING)
    reply = await table.says("bob: /chronicle")
    assert reply.private
    name, page = file_of(reply)
    assert name == "skyfall.html"
    found = Texts(page)
    assert found.said["h1"] == ["Skyfall"]
    assert found.said["h2"] == [
        "Contents",
        "Session 1: # The _first_ & <b>last</b>",
        "Session 2",
        "All sessions",
        "People and places",
    ]
    assert found.said["p"][0] == "GM: gm"
    assert found.said["li"][:5] == [
        "Alice, played by alice: Sky *pirate*",
        "Bob, played by bob",
        "Session 1: # The _first_ & <b>last</b>",
        "Session 2",
        "People and places",
    ]
    assert found.said["h3"][0] == "The docks"
    assert found.said["p"][2] == (
        "Crisis Fire began. Alice forced the door (heroic). Bob came away with Lost d8."
    )
    assert found.said["blockquote"] == [f"“{TYPED}”"]
    assert "Still open: Crisis Fire; Bob: Lost d8" in found.said["li"]
    (rolled,) = [line for line in found.said["li"] if line.startswith("alice: Alice: Total 11")]
    assert "heroic success by 6" in rolled
    assert len(found.labels) == 2, "a chart for each session, told in words"
    assert found.labels[0].startswith("Session 1: doom dice and PP.")
    assert not {"script", "img", "link", "iframe", "b"} & set(found.tags)
    assert found.goes == ["#part-1", "#part-2", "#known"], "nowhere but within the page"
    assert page.count("http") == TYPED.count("http")
    assert "open" not in page.partition("<details>")[0].partition("<body>")[2]
    assert page.count("<details>") == 2, "the rolls of each session are folded"


async def test_markdown_says_the_same_and_what_was_typed_means_nothing(table: Game) -> None:
    table.dice.show((6, 5, 4), (1, 2))
    await table.play(*EVENING)
    shown = await table.play("alice: /chronicle as:Markdown share:true")
    name, written = file_of(shown)
    assert name == "skyfall.md"
    read = Texts(MarkdownIt().render(written))
    page = Texts(file_of(await table.says("alice: /chronicle"))[1])
    assert ["Contents", *read.said["h2"]] == page.said["h2"]
    links = ["Session 1: # The _first_ & <b>last</b>", "Session 2", "People and places"]
    shown_too = [line for line in page.said["li"] if line not in links] + page.said["dt"]
    assert sorted(line.strip() for line in read.said["li"]) == sorted(shown_too)
    assert not {"script", "a", "b"} & set(read.tags)


async def test_days_in_files_are_those_of_the_tables_time_zone(table: Game) -> None:
    at = START.replace(hour=23, minute=30) + timedelta(days=2)
    await table.play(f"gm: /session plan when:{at:%Y-%m-%dT%H:%MZ}", "alice: /note text:A map")
    await table.play("gm: /campaign set setting:time zone value:Europe/Berlin")
    await table.stop()
    with closing(sqlite3.connect(table.file)) as clock:
        clock.execute("UPDATE entry SET at = '2026-02-21 23:30:00.000000'")
        clock.commit()
    table.discord.gateway.ready.clear()
    await table.start()
    assert '<p class="days">2026-02-22</p>' in file_of(await table.says("bob: /chronicle"))[1]
    steps = json.loads(file_of(await table.says("gm: /privacy export"))[1])["tables"][0]["steps"]
    assert {each["at"] for each in steps} == {"2026-02-22T00:30:00+01:00"}
    there = at.astimezone(ZoneInfo("Europe/Berlin"))
    assert f"The next session is on {there:%Y-%m-%d %H:%M} Europe/Berlin" in [each["said"] for each in steps]
    await table.play("gm: /campaign set setting:time zone value:off")
    assert '<p class="days">2026-02-21 to ' in file_of(await table.says("bob: /chronicle"))[1]


async def test_a_page_holds_the_portraits_of_who_plays(table: Game, tmp_path: Path) -> None:
    face = tmp_path / "face.png"
    Image.new("RGB", (64, 64), (200, 40, 40)).save(face)
    await table.play(f"alice: /character portrait picture:{face} alt:Red <hair>", *EVENING[:2])
    page = file_of(await table.says("bob: /chronicle"))[1]
    assert page.count('<img src="data:image/webp;base64,') == 1
    assert 'alt="Red &lt;hair&gt;"' in page
    assert "<img" not in file_of(await table.says("bob: /chronicle as:Markdown"))[1]


async def test_an_undone_step_is_in_no_chronicle_nor_is_what_the_gm_keeps(table: Game) -> None:
    await table.play("alice: /note text:Undone words", "alice: /undo", "bob: /note text:Known words")
    await table.says("gm: /gmc new name:Hidden_waits dice:2d6 kind:boss away:true")
    for who in ("gm", "alice"):
        written = file_of(await table.says(f"{who}: /chronicle"))[1]
        assert "Known words" in written
        assert "Undone words" not in written
        assert "Hidden_waits" not in written


async def test_where_nothing_has_happened_there_is_nothing_to_tell(game: Game) -> None:
    reply = await game.says("alice: /chronicle")
    assert reply.private
    assert "Nothing has happened at this table yet" in reply.text
