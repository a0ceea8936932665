"""Who is pinged, and what typed words may do: nobody beyond those concerned, and nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.language.printers import harmless
from bot.loopback.model import Message, walk
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import put_back, seen
from tests.game import Game

ROOT = Path(__file__).parents[2] / "bot"
LONG = "x" * 100
SHOUT = "@everyone <@&1> **bold** ||hidden||"
NAME = "**bold** ||hidden|| @every one"
TYPED = (
    "alice: /asset add what:{name}",
    "alice: /comp add what:{name}",
    "alice: /dist add what:{name}",
    "alice: /roll dice:2d6 d8 note:{}",
    "alice: /ore roll dice:3d 1w note:{}",
    "gm: /ore crowd dice:2h count:30 note:{}",
    "alice: /pp spend why:{}",
    "gm: /pp give who:Alice why:{}",
    "gm: /doom add dice:d6 why:{}",
    "gm: /scene start name:{name}",
    "gm: /crisis new name:{name} dice:d6",
    "gm: /challenge new name:{name}",
    "gm: /gmc new name:{name} dice:Fangs d8, 4d10",
    "gm: /doom spend for:complication name:{name}",
    "gm: /doom spend for:extra name:{name}",
    "gm: /doom spend for:sfx name:{name}",
)
"""Lines in which people type words and names of their own, in public; a name holds no mention."""


def everything(game: Game) -> Iterator[Message]:
    """Every message of the evening, private ones too."""
    for place in game.discord.world.channels.values():
        yield from place.messages.values()


async def an_evening(game: Game) -> None:
    """Rolls with their buttons and forms, views, refusals, and a pinned table, all with hostile words."""
    await game.table()
    carol = game.person("carol")
    shout = f"{SHOUT} {carol.mention}"
    await game.says("gm: /table pin")
    for line in TYPED[:-4]:
        await game.says(line.format(shout, name=NAME))
    game.dice.show((1, 3, 2))
    hitch = await game.play("alice: /roll dice:2d6 d8")
    await game.gm.submit((await game.gm.press(hitch, "Hitches")).form, {"Name": NAME})
    game.dice.show((4, 3, 2))
    effect = await game.play("alice: /roll dice:2d6 d8 vs:5")
    await game.alice.submit((await game.alice.press(effect, "Apply d8")).form, {"Name": NAME})
    doom = await game.play("gm: /doom roll on:Alice")
    await game.alice.submit((await game.alice.press(doom, "Roll against")).form, {"Dice": "2d6 d8"})
    for view in ("table", "asset", "comp", "pp", "scene", "campaign"):
        await game.alice.press(await game.says(f"alice: /{view} show"), "Share")
    await game.alice.press(await game.says("alice: /log"), "Share")
    await game.says(f"alice: /comp stepup what:{NAME}")
    await game.says("gm: /session end")
    await game.at_rest()
    assert game.discord.pins()[0].versions


async def test_no_message_of_an_evening_pings_or_has_too_many_buttons(
    game: Game, subtests: pytest.Subtests
) -> None:
    await an_evening(game)
    with subtests.test("Nobody is pinged but whom a roll is on"):
        pinged = [message for message in everything(game) if message.pings]
        assert [message.pings for message in pinged] == [{game.alice.id}]
        assert "On: **Alice**" in pinged[0].text
    with subtests.test("Every message and edit says whom it may ping"):
        for message in everything(game):
            allowed = message.allowed_mentions
            assert allowed is not None, message.text
            assert not allowed.get("parse"), message.text
            assert not allowed.get("roles"), message.text
            assert message.embeds == []
    with subtests.test("No message has more than two rows of buttons"):
        for message in everything(game):
            rows = [part for part in walk(message.components) if part["type"] == 1]
            assert len(rows) <= 2, message.text
            assert all(1 <= len(row["components"]) <= 5 for row in rows)


async def test_who_is_taken_out_is_called(table: Game) -> None:
    await table.play("gm: /comp add what:Hurt who:Alice die:d12")
    out = await table.play("gm: /comp stepup what:Hurt")
    assert out.message is not None
    assert out.message.pings == {table.alice.id}
    assert [button.label for button in out.buttons] == ["Stay in: Alice"]


async def test_typed_markdown_and_mentions_appear_as_typed(table: Game, subtests: pytest.Subtests) -> None:
    typed = f"{SHOUT} {table.person('carol').mention}"
    begun = (await seen(table))[1]
    for line in TYPED:
        with subtests.test(line=line):
            await put_back(table, begun)
            reply = await table.play(line.format(typed, name=NAME))
            assert reply.message is not None
            assert harmless(NAME if "{name}" in line else typed) in reply.text
            assert reply.message.pings == frozenset()


async def test_the_name_of_a_new_campaign_is_as_it_was_typed(game: Game) -> None:
    reply = await game.play(f"gm: /campaign new name:{NAME}")
    assert harmless(NAME) in reply.text
    asked = await game.says("gm: /campaign new name:Other")
    assert harmless(NAME) in asked.text


async def test_a_contest_shows_its_note_as_typed_and_calls_who_is_to_answer(table: Game) -> None:
    typed = f"{SHOUT} {table.person('carol').mention}"
    reply = await table.play(f"alice: /contest start dice:2d6 d8 against:Bob note:{typed}")
    assert reply.message is not None
    assert harmless(typed) in reply.text
    assert reply.message.pings == {table.bob.id}
    shown = await table.says("alice: /contest show")
    assert harmless(typed) in shown.text
    assert (await table.alice.press(shown, "Share")).message.pings == frozenset()  # type: ignore[union-attr]


async def test_typed_words_stay_on_one_line(table: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(table))[1]
    for line in TYPED:
        with subtests.test(line=line):
            await put_back(table, begun)
            table.dice.show((5, 2, 6), (5, 2, 6))
            plain = (await table.play(line.format("one two", name="one two"))).text
            await table.says("gm: /undo")
            sly = (await table.play(line.format("one\n\r\u2028two", name="one\n\r\u2028two"))).text
            assert len(sly.splitlines()) == len(plain.splitlines())


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("**bold**", r"\*\*bold\*\*"),
        ("_line_", r"\_line\_"),
        ("~~gone~~", r"\~\~gone\~\~"),
        ("||hidden||", r"\|\|hidden\|\|"),
        ("`code`", r"\`code\`"),
        ("> said", r"\> said"),
        ("# big", r"\# big"),
        ("- item", r"\- item"),
        ("-# small", r"\-# small"),
        ("1. first", r"1\. first"),
        ("@everyone", r"\@everyone"),
        ("@here", r"\@here"),
        ("<@1>", r"\<@1>"),
        ("<@&1>", r"\<@&1>"),
        ("<#1>", r"\<#1>"),
        ("</roll:1>", r"\</roll:1>"),
        ("<:x:1>", r"\<:x:1>"),
        ("<a:x:1>", r"\<a:x:1>"),
        ("<t:1:f>", r"\<t:1:f>"),
        ("<id:guide>", r"\<id:guide>"),
        ("[a](http://b.c)", r"[a]\(http://b.c)"),
    ],
)
def test_what_is_typed_does_nothing(typed: str, shown: str) -> None:
    assert harmless(typed) == shown


async def names_of_100(game: Game) -> list[BotReply]:
    """Replies with buttons, where every name is as long as a name may be."""
    await game.table()
    await game.play(
        f"gm: /comp add what:{LONG} who:{'y' * 80} die:d12", f"gm: /comp add what:{LONG} who:scene"
    )
    out = await game.play(f"gm: /comp stepup what:{LONG} who:{'y' * 80}")
    game.dice.show((9, 1, 2, 3), (4, 1))
    rolled = await game.play(f"alice: /roll dice:d10 d8 2d6 vs:doom note:{LONG}")
    return [out, rolled, await game.play(f"gm: /doom roll with:{LONG} on:{'y' * 80}")]


async def test_labels_of_buttons_fit_with_the_longest_names(game: Game) -> None:
    replies = await names_of_100(game)
    for reply in replies:
        assert reply.buttons
        assert all(0 < len(button.label) <= 80 for button in reply.buttons)


async def test_forms_open_with_the_longest_names(game: Game) -> None:
    for reply in await names_of_100(game):
        for button in list(reply.buttons):
            for person in (game.gm, game.alice):
                opened = await person.push(reply, button)
                assert opened.failed is None, button.label
                assert "Something went wrong" not in opened.text


def test_only_one_place_makes_buttons() -> None:
    makers = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if "loopback" not in path.parts
        and re.search(
            r"ui\.Button\(|DynamicItem\[|ui\.button\b|components\.(button|link)\(", path.read_text()
        )
    }
    assert makers == {"client/layout.py"}


def test_every_send_and_edit_names_whom_it_may_ping() -> None:
    calls = re.compile(
        r"(?<!application)(?<!http)(?<!notices)\.(?:send|edit|send_message|edit_message|edit_original_response)"
        r"\((?!\)|archived=|name=)|handle_message_parameters\("  # which makes what `http` sends
    )
    for path in ROOT.rglob("*.py"):
        if "loopback" not in path.parts:
            for line in path.read_text().splitlines():
                if calls.search(line):
                    assert "allowed_mentions" in line or "**only" in line, f"{path}: {line}"


async def test_a_label_at_the_start_of_a_line_of_hitches_is_no_markdown(
    table: Game, subtests: pytest.Subtests
) -> None:
    for sign in ("#", "-#", ">", "1."):
        with subtests.test(sign=sign):
            table.dice.show((1, 8, 5, 3))
            rolled = await table.play(f'alice: /roll dice:"{sign} Big" d10, 2d8, d6')
            assert rolled.message is not None
            (hitches,) = [line for line in rolled.message.text.splitlines() if "(hitch)" in line]
            assert "\\" in hitches[: len(sign) + 1]
            assert hitches.replace("\\", "") == f"{sign} Big d10: 1 (hitch)"
