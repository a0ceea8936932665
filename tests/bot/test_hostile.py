"""Whatever people type: always answered, refused or done, and nobody pinged or broken by it.

A few inputs for each option of each command are tried with every run. To try five thousand for each:

    DOOMKEEPER_INPUTS=5000 uv run pytest tests/bot/test_hostile.py
"""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from bot.loopback.model import InteractionKind
from bot.loopback.people import command_data
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import seen
from tests.game import Game

INPUTS = int(os.environ.get("DOOMKEEPER_INPUTS", "5"))
"""So many inputs are tried for each option."""
FRESH = 25
"""After so many inputs a new table is laid."""
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER = 1, 2, 3, 4, 5, 6
pytestmark = [pytest.mark.slow, pytest.mark.timeout(120 if INPUTS <= 50 else 0)]

NASTY = (
    "",
    " ",
    "x" * 6000,
    "**bold** __line__ ~~gone~~ `code` ```block``` ||hidden|| [link](https://example.org)",
    "# big\n> said\n- item\n-# small\n1. first",
    "<@{carol}> <@!{carol}> @everyone @here <@&1> <#1> </roll:1> <:x:1> <t:1:f>",
    "@everyone",
    "`<@{carol}",
    "\u200b\u2060\ufeff",
    "\u202egnp.exe\u202c",
    "\u2067שלום\u2069",
    "'; DROP TABLE entry; --",
    '" OR ""="',
    "%s %(x)s {0} {x} \\ \\n $1",
    "-1",
    "0",
    "9" * 400,
    "1e309",
    "NaN",
    "²",
    "٣d٦",
    "d六",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 60,
    "8\ufe0f\u20e3 \U0001f51f",
    "\x00\x07\x1b[31m\x7f",
    "a\r\nb\tc\vd",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b" * 20,
    "\ue000999999999999999999\ue001",
    "d6 " * 1900,
    "d6+" * 500,
    "30d12",
    "99999999999d6",
    "d6" * 99,
    "up " * 300 + "d6",
    "double split hinder up down d6",
    "last 99",
    "last \u00b2",
    ",,,,",
    "+ + +",
    "::: what: who:",
    "all",
    "scene",
    "GM",
    "Alice, all, scene",
    "Alice · Rope d6",
    "dk:keep:1:1:1",
    "_" * 1999,
    "*" * 100,
    "\\" * 100,
    "<" * 100,
)
PIECES = (
    *(
        "d6",
        "2d8",
        "12",
        "Alice",
        "Bob",
        "Rope",
        "Rain",
        "doom",
        "Mental",
        "+",
        ",",
        " ",
        " ",
        "-",
        "d4",
        "hard",
    ),
    *(
        "up",
        "double",
        "·",
        '"',
        "'",
        "*",
        "_",
        "`",
        "|",
        "~",
        "@",
        "<@",
        ">",
        "#",
        "\n",
        "\u200d",
        "\u202e",
        "é",
    ),
)
KNOWN = {
    "dice": "2d6 d8",
    "what": "Rope",
    "who": "Alice",
    "to": "Bob",
    "name": "Somewhere",
    "number": 1,
    "setting": "resources",
    "value": "on",
    "die": "d6",
    "against": "Bob",
}
"""What is typed into the options that are not being tried."""
ORE = {"dice": "5d", "second": "6d", "third": "6d", "fourth": "6d"}
"""The same for One-Roll games, which have dice of their own."""
NUMBERS = (-(2**53), -1000, -1, 0, 1, 2, 5, 25, 51, 999, 1000, 10**9, 2**53)


@dataclass(frozen=True)
class Slot:
    """One option of one command, with the command's other options that must be given."""

    command: dict[str, Any]
    path: tuple[str, ...]
    option: dict[str, Any]
    others: tuple[dict[str, Any], ...]

    def __str__(self) -> str:
        return f"/{' '.join((self.command['name'], *self.path))} {self.option['name']}"

    def filled(self, value: object, game: Game, **more: Any) -> list[dict[str, Any]]:
        """The options as Discord sends them, with that value in the one that is tried."""
        typed = {"name": self.option["name"], "type": self.option["type"], "value": value, **more}
        given = [typed, *(known(option, game, self) for option in self.others)]
        for depth, name in reversed(list(enumerate(self.path))):
            kind = GROUP if depth == 0 and len(self.path) == 2 else SUBCOMMAND
            given = [{"name": name, "type": kind, "options": given}]
        return given


def known(option: dict[str, Any], game: Game, slot: Slot) -> dict[str, Any]:
    """A value that makes sense in an option that is not being tried."""
    kind, name = option["type"], option["name"]
    words = KNOWN | ORE if slot.command["name"] == "ore" else KNOWN
    value: object = words.get(name, "Rope" if kind == STRING else 1)
    if option.get("choices"):
        value = option["choices"][0]["value"]
    if kind == USER:
        value = str(game.alice.id)
    return {"name": name, "type": kind, "value": value}


def slots(game: Game) -> Iterator[Slot]:
    """Every option that takes typed words or numbers, by what is registered."""
    for command in game.discord.commands:
        if command.get("type", 1) == 1:
            yield from _slots(command, command, ())


def _slots(command: dict[str, Any], inside: dict[str, Any], path: tuple[str, ...]) -> Iterator[Slot]:
    options = inside.get("options") or []
    for option in options:
        if option["type"] in (SUBCOMMAND, GROUP):
            yield from _slots(command, option, (*path, option["name"]))
        elif option["type"] in (STRING, INTEGER) and not option.get("choices"):
            others = tuple(o for o in options if o.get("required") and o is not option and o["type"] != USER)
            yield Slot(command, path, option, others)


def inputs(slot: Slot, game: Game, count: int) -> Iterator[object]:
    """Things that somebody could type there; the same ones each time."""
    chance = random.Random(str(slot))
    carol = game.person("carol").id
    option = slot.option
    if option["type"] == INTEGER:
        least, most = option.get("min_value", -(2**53)), option.get("max_value", 2**53)
        fits = [number for number in NUMBERS if least <= number <= most]
        yield from (chance.choice(fits) for _ in range(min(count, 3 * len(fits))))
        return
    least, most = option.get("min_length") or 0, option.get("max_length") or 6000
    nasty = list(NASTY)
    chance.shuffle(nasty)
    for number in range(count):
        text = nasty[number] if number < len(nasty) else made_up(chance)
        text = text.replace("{carol}", str(carol))[:most]
        yield text if len(text) >= least else text.ljust(least, "x")


def made_up(chance: random.Random) -> str:
    """A row of pieces and of characters from anywhere."""
    row = []
    for _ in range(chance.randrange(1, 60)):
        far = chr(chance.choice((chance.randrange(0x80), chance.randrange(0x3000), chance.randrange(0xD800))))
        row.append(chance.choice(PIECES) if chance.random() < 0.7 else far)
    return chance.choice(("", " ")).join(row)


async def lay(game: Game) -> None:
    """A new table with something on it, where the one before may have been cleared."""
    await game.table()
    await game.play(
        "alice: /asset add what:Rope",
        "alice: /comp add what:Lost",
        "alice: /stress add what:Mental",
        "alice: /dist add what:Pirate",
        "gm: /comp add what:Rain who:scene",
        "gm: /pp set who:all number:3",
        "gm: /crisis new name:Fire dice:d6 d8",
        "gm: /challenge new name:Storm",
        "gm: /gmc new name:Rex dice:Fangs d8, 4d10",
        "gm: /turn start",
        "gm: /doom roll",
        "alice: /roll dice:2d6 d8 vs:doom",
    )


async def check(game: Game, reply: BotReply, before: tuple[int, object], said: str) -> None:
    """The answer is a refusal that changed nothing, or a public result that pings nobody else."""
    assert reply.failed is None, (said, reply.failed)
    assert reply.interaction.refusals == [], (said, reply.interaction.refusals)
    assert "Something went wrong" not in reply.text, said
    if reply.form is not None:
        return
    assert reply.text.strip("\u200b\n "), said
    if reply.private and not reply.updated and "/safety " not in said:  # that is always answered so
        assert (await seen_here(game)) == before, said
    players = {game.alice.id, game.bob.id, game.gm.id}
    for message in (reply.message, *reply.more):
        assert message is not None
        assert message.pings <= players, (said, message.pings)
        assert message.allowed_mentions is not None, said
        assert message.embeds == [], said


async def seen_here(game: Game) -> tuple[int, object]:
    """The newest step here; none where a command has taken the channel out of its campaign."""
    try:
        return await seen(game)
    except AssertionError:
        return 0, None


@pytest.mark.parametrize("who", ["gm", "alice"])
async def test_every_option_takes_whatever_is_typed(game: Game, who: str) -> None:
    person = game.person(who)
    tried = 0
    for slot in list(slots(game)):
        for value in inputs(slot, game, INPUTS if who == "gm" else (INPUTS + 2) // 3):
            if tried % FRESH == 0:
                await lay(game)
            before = await seen_here(game)
            data = command_data(slot.command, game.discord.table) | {"options": slot.filled(value, game)}
            reply = await person._act(InteractionKind.COMMAND, game.discord.table, data)
            await check(game, reply, before, f"{who}: {slot}:{value!r}")
            tried += 1
    assert tried >= 100
    assert [one.refusals for one in game.discord.world.interactions.values() if one.refusals] == []


async def test_every_suggestion_is_made_whatever_is_typed(game: Game) -> None:
    await lay(game)
    for slot in list(slots(game)):
        if not slot.option.get("autocomplete"):
            continue
        for value in inputs(slot, game, INPUTS):
            data = command_data(slot.command, game.discord.table)
            data["options"] = slot.filled(str(value), game, focused=True)
            opened = await game.discord.send(
                game.alice.user, game.discord.table, InteractionKind.AUTOCOMPLETE, data
            )
            answer = await game.alice._answer(opened)
            assert answer is not None, (str(slot), value, opened.refusals)


FORMS = {
    "Apply d8": ("alice", "Name"),
    "Hitches: 1": ("gm", "Name"),
    "Oppose": ("gm", "Dice"),
    "Roll against": ("alice", "Dice"),
    "Stay in: Alice": ("alice", "Name"),
    "Join": ("bob", "Name"),
    "Roll against Fire": ("alice", "Dice"),
    "Roll against Bob": ("alice", "Dice"),
    "First: someone else": ("gm", "Name"),
}


@pytest.mark.parametrize("label", FORMS)
async def test_every_field_of_a_form_takes_whatever_is_typed(game: Game, label: str) -> None:
    who, name = FORMS[label]
    person = game.person(who)
    chance = random.Random(label)
    nasty = chance.sample(NASTY, min(len(NASTY), 3 * INPUTS))
    for number, text in enumerate([*nasty, *(made_up(chance) for _ in range(INPUTS))]):
        if number % FRESH == 0:
            await lay(game)
        reply = await leading_to(game, label)
        opened = await person.press(reply, label)
        assert opened.form is not None, opened.text
        field = opened.form.field(name)
        typed = text.replace("{carol}", str(game.person("carol").id))[: field.most] or "x"
        before = await seen_here(game)
        reply = await person.submit(opened.form, {name: typed})
        await check(game, reply, before, f"{label}:{typed!r}")
        if reply.buttons and reply.buttons[0].label == "Try again":
            again = await person.press(reply, "Try again")
            assert again.failed is None, (label, typed, again.failed)
            assert again.form is not None


async def leading_to(game: Game, label: str) -> BotReply:
    """A message with that button."""
    if label == "Apply d8":
        game.dice.show((4, 3, 2))
        return await game.play("alice: /roll dice:2d6 d8 vs:5")
    if label == "Hitches: 1":
        game.dice.show((1, 3, 2))
        return await game.play("alice: /roll dice:2d6 d8")
    if label == "Oppose":
        return await game.play("alice: /roll dice:2d6 d8")
    if label == "Roll against":
        return await game.play("gm: /doom roll")
    if label == "Roll against Fire":
        return await game.says("alice: /crisis show")
    if label == "Roll against Bob":
        for who in ("alice", "bob"):
            await game.says(f"{who}: /contest givein")
        await game.play("bob: /contest start dice:2d8 against:Alice")
        return await game.says("alice: /contest show")
    if label == "First: someone else":
        for number in range(26):
            await game.says(f"gm: /gmc new name:Thug {number} dice:d6")
        return await game.play("gm: /turn start")
    if label == "Join":
        return await game.begin("gm: /campaign new name:Another ruleset:adept")
    await game.play("gm: /pp set who:Alice number:3", "gm: /comp add what:Hurt who:Alice die:d12")
    return await game.play("gm: /comp stepup what:Alice · Hurt d12")
