"""The local table: lines in, a transcript out."""

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused
from bot.loopback.play import lines_of, run
from bot.loopback.table import QUIET, LocalTable
from bot.loopback.terminal import LineCompleter, do_line, play_in_terminal
from tests.bot.loopback.small_bot import HASTY, SmallBot

pytestmark = pytest.mark.usefixtures("bot")


async def play(discord_: Loopback, script: str) -> tuple[int, str]:
    """The exit code and the transcript of a script."""
    written: list[str] = []
    code = await run(discord_, lines=lines_of(io.StringIO(script)), out=written.append)
    return code, "\n".join(written)


def script(text: str) -> str:
    """A script or transcript from an indented block."""
    lines = text.strip("\n").split("\n")
    return "\n".join(line.removeprefix("    ") for line in lines).rstrip()


TRANSCRIPTS = {
    "seats": (
        """
    # a comment, then an empty line

    /roll 2d6 vs:11
    @bob /roll d8 how:Secretly
    carol: /asset add what:Rope who:@bob
    as alice
    /say **hello** <t:0>
    seats
    """,
        """
    gm> /roll 2d6 vs:11
      gm rolls 2d6 vs 11 hard=False
    bob> /roll d8 how:Secretly
      (only bob sees) bob rolls d8 vs None hard=False
    carol> /asset add what:Rope who:@bob
      Rope on @bob
    gm> as alice
    alice> /say **hello** <t:0>
      hello 1970-01-01 00:00 UTC
    alice> seats
      gm, alice (you), bob, carol
    """,
    ),
    "buttons": (
        """
    /tally
    1
    /panel
    press 1 in 1
    bob: press Who in 2
    choose 6 Blue in 2
    undo this
    quit
    /say never
    """,
        """
    gm> /tally
      The count is 0
      [1] Count: 0   (message 1)
    gm> 1
      (edited) The count is 1
      [1] Count: 1   (message 1)
    gm> /panel
      A panel
      [1] Who  [2] Form  [3] Later  [4] Off (off)  [5] Rules <https://example.com/rules>
      [6] Colour: Red | Blue   (message 2)
    gm> press 1 in 1
      (edited) The count is 2
      [1] Count: 2   (message 1)
    bob> press Who in 2
      (only bob sees) You are bob
    gm> choose 6 Blue in 2
      (edited) chose b
      [1] Who  [2] Form  [3] Later  [4] Off (off)  [5] Rules <https://example.com/rules>
      [6] Colour: Red | Blue   (message 2)
    gm> undo this
      (only gm sees) undone: chose b
    gm> quit
    """,
    ),
    "forms": (
        """
    /form
    Name: Broken Leg
    Die: 2
    send
    @bob /form
    bob: send Name: Rope; On: alice
    /form
    cancel
    """,
        """
    gm> /form
      Form: New asset
        Assets help.
        Name (In a few words):
        Die: 1 d6 (chosen) | 2 d8
        On: 1 Alice | 2 Bob (chosen)
    gm> Name: Broken Leg
    gm> Die: 2
    gm> send
      Broken Leg d8 on Bob
    bob> /form
      Form: New asset
        Assets help.
        Name (In a few words):
        Die: 1 d6 (chosen) | 2 d8
        On: 1 Alice | 2 Bob (chosen)
    bob> send Name: Rope; On: alice
      Rope d6 on Alice
    gm> /form
      Form: New asset
        Assets help.
        Name (In a few words):
        Die: 1 d6 (chosen) | 2 d8
        On: 1 Alice | 2 Bob (chosen)
    gm> cancel
    """,
    ),
    "places": (
        """
    /pin
    pins
    channel side
    /say in the side channel
    pins
    thread deep
    /say in a thread
    dm
    /say in private
    channel table
    long "Give 1 PP" @alice
    complete /asset remove what:rop
    /slow
    /file
    wait 0
    """,
        """
    gm> /pin
      (only gm sees) 1 pinned
    gm> pins
      pinned words, edited
    gm> channel side
    gm> /say in the side channel
      in the side channel
    gm> pins
      (nothing is pinned here)
    gm> thread deep
    gm> /say in a thread
      in a thread
    gm> dm
    gm> /say in private
      in private
    gm> channel table
    gm> long "Give 1 PP" @alice
      1 PP for alice
    gm> complete /asset remove what:rop
      Rope
    gm> /slow
      thought about it
      (only gm sees) and this
    gm> /file
      a picture
      [file map.png: A map]
    gm> wait 0
    """,
    ),
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
async def test_a_script_becomes_a_transcript(discord_: Loopback, name: str) -> None:
    typed, seen = TRANSCRIPTS[name]
    code, transcript = await play(discord_, script(typed) + "\n")
    assert transcript == script(seen)
    assert code == 0


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("/rol 2d6", "There's no command /rol. Did you mean roll?"),
        ("/roll dcie:2d6", "/roll has no option dcie. Did you mean dice?"),
        ("prss 2", "prss 2. Did you mean press?"),
        (
            "Hello: there",
            "Hello: there. Type dice (2d6 d8), a command (/roll 2d6 d8), a button or its number, or help.",
        ),
        ("1", "There's nothing to press here."),
        ("press 1 in 9", "There's no message 9."),
        ("send", "send. gm has no open form."),
        ("wait long", "wait long. Type wait and a number of seconds: wait 2."),
        ("as", "as . Type as and one name: as bob."),
        ("show", "show. Type show and a name: show bob."),
    ],
)
async def test_a_line_that_is_not_understood_is_an_error(
    discord_: Loopback, line: str, sentence: str
) -> None:
    code, transcript = await play(discord_, f"# first\n{line}\n/say on\n")
    assert code == 1
    assert transcript.splitlines()[1:] == [f"Line 2: Not understood: {sentence}", "gm> /say on", "  on"]


@pytest.mark.parametrize("what", ["press Nothing", "press 9", "press 6", "choose 1 Red", "choose 6 Green"])
async def test_a_wrong_button_or_choice_is_an_error(discord_: Loopback, what: str) -> None:
    code, transcript = await play(discord_, f"/panel\n{what}\n")
    assert code == 1
    assert "Line 2: Not understood: " in transcript


@pytest.mark.parametrize("what", ["Nmae: x", "Die: d12\nName: x\nsend", "send nonsense"])
async def test_a_wrong_field_is_an_error(discord_: Loopback, what: str) -> None:
    code, transcript = await play(discord_, f"/form\n{what}\n")
    assert code == 1
    assert "Not understood: " in transcript


@pytest.mark.parametrize("line", ["/roll", "/roll 2d6 vs:99"])
async def test_a_line_that_a_client_would_not_send_is_an_error(discord_: Loopback, line: str) -> None:
    code, transcript = await play(discord_, f"{line}\n")
    assert code == 1
    assert "(not sent)" in transcript


async def test_a_file_is_read_saved_and_given(discord_: Loopback, tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    lines = f"alice: /file\nalice: read\nalice: save {path}\nalice: /weigh file:{path}\nalice: read 9"
    code, transcript = await play(discord_, lines)
    assert code == 1
    assert "  pixels\n" in transcript
    assert f"(map.png is saved as {path})" in transcript
    assert "map.png, 6, image/png: pixels" in transcript
    assert "There's no message 9" in transcript


async def test_people_write_ordinary_messages_too(discord_: Loopback) -> None:
    _, transcript = await play(discord_, 'bob: say **Hello**\\nthere\nalice: long "Undo this" 1')
    assert "bob writes: Hello\n  there" in transcript
    assert "undone: Hello" in transcript


@HASTY
async def test_silence_of_the_bot_is_an_error(discord_: Loopback) -> None:
    assert await play(discord_, "/silent\n") == (1, "gm> /silent\n  (no answer) no answer in 0.01 s")


async def completions(table: LocalTable, text: str) -> list[str]:
    """What the terminal would offer after this text."""
    found = LineCompleter(table).get_completions_async(Document(text), CompleteEvent())
    return [text[: len(text) + c.start_position] + c.text async for c in found]


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("/as", ["/asset "]),
        ("/asset", ["/asset "]),
        ("/asset r", ["/asset remove "]),
        ("@bob /asset remove", ["@bob /asset remove "]),
        (
            "/asset remove what:ro",
            [f"/asset remove what:{n}" for n in ("Broken Chair", "Rope", "Rotten Egg")],
        ),
        ("/asset remove what:broken ch", ["/asset remove what:Broken Chair"]),
        ("/roll dice:2 how:s", ["/roll dice:2 how:Secretly"]),
        ("/roll dice:2 ha", ["/roll dice:2 hard:"]),
        ("@bob /asset add who:@al", ["@bob /asset add who:@alice"]),
        ("pre", ["press"]),
    ],
)
async def test_the_terminal_completes(discord_: Loopback, text: str, offered: list[str]) -> None:
    assert await completions(LocalTable(discord_), text) == offered


async def test_press_completes_labels_of_the_newest_message_first(discord_: Loopback) -> None:
    table = LocalTable(discord_)
    await table.do("/tally")
    assert await completions(table, "press ") == ["press Count: 0"]
    assert await completions(table, "press c") == ["press Count: 0"]
    assert await completions(table, "press x") == []


async def test_an_option_that_there_is_not_is_refused(discord_: Loopback) -> None:
    code, shown = await play(discord_, "/roll dice:2d6 whom:Alice\n")
    assert code == 1
    assert "/roll has no option whom." in shown


async def test_text_with_a_colon_is_no_option(discord_: Loopback) -> None:
    code, _ = await play(discord_, "/say hello: see https://example.org at 10:30, Rex: or a: b\n")
    assert code == 0


async def test_the_terminal_draws_a_panel_for_each_message(discord_: Loopback, bot: SmallBot) -> None:
    screen = Console(file=io.StringIO(), width=60)
    table = LocalTable(discord_)
    for line in ("/tally", "bob: 1", "/rol", "/roll", "help", "/roll d6 how:Secretly"):
        await do_line(table, line, screen.print)
    assert isinstance(screen.file, io.StringIO)
    drawn = screen.file.getvalue()
    for words in (
        "The count is 0",
        "(edited)",
        "[1] Count: 1",
        "Not understood",
        "/roll needs dice",
        "(only gm sees)",
    ):
        assert words in drawn


async def test_lines_may_come_from_anywhere(discord_: Loopback) -> None:
    async def lines() -> AsyncIterator[str]:
        yield "/say hello"

    written: list[str] = []
    assert await run(discord_, lines=lines(), out=written.append) == 0
    assert written == ["gm> /say hello", "  hello"]


async def test_the_terminal_reads_until_quit(discord_: Loopback) -> None:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("/say hello\rquit\r")
        screen = Console(file=io.StringIO(), width=60)
        assert await play_in_terminal(LocalTable(discord_), screen) == 0
    assert [message.text for message in discord_.messages()] == ["hello"]


async def test_what_follows_an_answer_late_is_still_shown_with_its_line(discord_: Loopback) -> None:
    discord_.faults.delay("POST /webhooks/", 10 * QUIET)
    _, shown = await play(discord_, "/slow\nseats\n")
    assert shown.index("and this") < shown.index("seats")


async def test_a_hidden_channel_takes_no_command_until_it_is_shown(discord_: Loopback) -> None:
    table = LocalTable(discord_)
    await table.do("channel secret")
    await table.do("hide bob")
    with pytest.raises(InputRefused, match="bob can't see #secret"):
        await table.do("bob: /roll 2d6")
    await table.do("hide")
    await table.do("show bob")
    assert await table.do("bob: /roll 2d6")
    await table.do("dm")
    with pytest.raises(InputRefused, match="already hidden"):
        await table.do("hide bob")
