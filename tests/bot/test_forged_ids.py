"""Ids that nobody of this version has made: each is refused in the same words, and leaves no trace.

The buttons and forms are those that the client answers; a new one is tried with the next run.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from structlog.testing import capture_logs

from bot.loopback.model import InteractionKind, Json, Message
from bot.loopback.reply import BotReply
from bot.views.question import STALE
from rules.values import replace
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game

FAR = "9" * 30
SUBJECTS = ("x", ":x", ":", "x:y:z", FAR, "-1", "1.", "1.x", ".", "²", "00000000.", "character.", "é" * 30)
UNREADABLE = (
    "dk:{verb}:{campaign}:{number}",
    "dk:{verb}:{campaign}::",
    "dk:{verb}::1:",
    "dk::{campaign}:1:",
    "dk:{verb}:" + FAR + ":1:",
    "dk:{verb}:{campaign}:" + FAR + ":",
    "dk:{verb}:-1:1:",
    "dk:{verb}:{campaign}:x:",
    "dk:{verb}:²:1:",
    "dk:nothing:{campaign}:1:",
    "DK:{verb}:{campaign}:1:",
    "dk",
    "something else",
)
EXAMPLES = ("", "1", "0", "99", "1.2", "12.8", "00000000", "00000000.00000000", "table",
            "00000000.00000000.00000000",
            "turn:1.00000000", "00000000:1.00000000", "turn:1.00000000:00000000", "up", "999999999",
            "hitches", "in", "1.0123456789abcdef", "doom.0", "doom.0.1.1.1.1f", "looks.99",
            "asset", "doom..6", "doom..6.asset", "crisis.00000000.6",
            "-.00000000.-.+0", "00000000.-.-.-9", "99.99.5d", "0.0.x", "0.3×7", "99.99×99")  # fmt: skip
"""Subjects that can be read, though they mean nothing at the table; each verb takes those that fit it."""
FIELDS = ("total", "effect", "what", "dice", "name", "on", "count", "set", "sheet1", "against", "new", "file")
FILLED = (
    "",
    "99",
    "0,0",
    "0,99",
    "x",
    ":x",
    "x:y",
    "x.y",
    FAR,
    "-1",
    "²",
    "stress:",
    "out ",
    "reroll.99",
    "use.00000000.99",
)
UNKNOWN_CHOICES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("hitches", "", {"what": "sing"}),
    ("hitches", "", {"name": "Trouble"}),
    ("spend", "2.0", {}),
    ("apply", "0", {"what": "love d8", "name": "Bob"}),
    ("oppose", "", {}),
    ("counter", "", {"what": "a.b"}),
    ("gobble", "0", {"what": "1", "count": "many"}),
    ("act", "00000000:1.00000000", {"what": "dance:"}),
    ("pooladd", "00000000", {}),
)

WITHOUT_A_CAMPAIGN = {
    *(
        "pin",
        "help",
        "guide",
        "setup",
        "shareodds",
        "forgetme",
        "import",
        "importone",
        "importset",
        "importas",
        "importoneset",
        "importoneas",
        "importonewho",
        "xcard",
        "opendoor",
        "begin",
        "introknown",
    ),
    *("openwhisper", "answerwhisper", "unwhisper"),
}
"""What these do they do in the place, or for the person, whatever campaign they name."""


def listed(game: Game) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Every verb that the client answers: of a button or of a form, with the pattern of its subjects."""
    yield from (("press", verb, found[0]) for verb, found in game.bot.handlers.presses.items())
    yield from (("form", verb, found[0]) for verb, found in game.bot.handlers.forms.items())


@dataclass
class Forger:
    """Alice, who writes ids of her own, at a message with buttons; and the campaign that she plays in."""

    game: Game
    campaign: int
    on: Message

    async def send(self, kind: str, custom_id: str, fields: Mapping[str, str] | None = None) -> BotReply:
        """What she hears when she presses or sends something with that id."""
        data: Json = {"custom_id": custom_id}
        if kind == "press":
            data |= {"component_type": 2, "values": list((fields or {}).values())}
            return await self.game.alice._act(InteractionKind.COMPONENT, self.on.channel, data, self.on)
        data["components"] = [
            {"type": 18, "component": {"type": 4, "custom_id": name, "value": value}}
            for name, value in (fields or {}).items()
        ]
        return await self.game.alice._act(InteractionKind.FORM, self.on.channel, data, self.on)


@pytest.fixture
async def forger(table: Game) -> Forger:
    """Alice at the message of a roll of hers."""
    rolled = await table.play("alice: /roll dice:2d6 d8")
    assert rolled.message is not None
    (line,) = await table.ledger.servers.campaigns(table.discord.world.home.id)
    return Forger(table, line.id, rolled.message)


@pytest.mark.slow
async def test_an_id_that_cannot_be_read_is_no_longer_valid(forger: Forger) -> None:
    before = await seen(forger.game)
    ids = [
        (kind, pattern.format(verb=verb, campaign=forger.campaign, number=1))
        for kind, verb, _ in listed(forger.game)
        for pattern in UNREADABLE
    ]
    ids += [
        (kind, f"dk:{verb}:{forger.campaign}:1:{subject}")
        for kind, verb, readable in listed(forger.game)
        for subject in SUBJECTS
        if not readable.fullmatch(subject)
    ]
    assert len(ids) > 1000
    with capture_logs() as logged:
        for kind, custom_id in ids:
            reply = await forger.send(kind, custom_id)
            assert is_refused(reply), (kind, custom_id, reply.failed)
            assert reply.text == STALE, (kind, custom_id, reply.text)
    assert [each for each in logged if each["log_level"] not in ("debug", "info")] == []
    assert await seen(forger.game) == before


@pytest.mark.slow
async def test_an_id_that_means_nothing_is_answered_and_logs_nothing(forger: Forger) -> None:
    await forger.game.gm.slash("/campaign set setting:resources value:on")
    with capture_logs() as logged:
        for kind, verb, readable in listed(forger.game):
            for subject in filter(readable.fullmatch, EXAMPLES):
                for number in (0, 1, 9, 10**18):
                    custom_id = f"dk:{verb}:{forger.campaign}:{number}:{subject}"
                    reply = await forger.send(kind, custom_id)
                    assert reply.failed is None, (kind, custom_id, reply.failed)
                    assert "Something went wrong" not in reply.text, (kind, custom_id)
    assert [each for each in logged if each["log_level"] not in ("debug", "info")] == []


@pytest.mark.slow
async def test_whatever_a_form_is_filled_with_is_answered_and_logs_nothing(forger: Forger) -> None:
    rolled = (await seen(forger.game))[0]
    with capture_logs() as logged:
        for kind, verb, readable in listed(forger.game):
            subject = next(filter(readable.fullmatch, EXAMPLES))
            for value in FILLED if kind == "form" else ():
                custom_id = f"dk:{verb}:{forger.campaign}:{rolled}:{subject}"
                reply = await forger.send(kind, custom_id, dict.fromkeys(FIELDS, value))
                assert reply.failed is None, (custom_id, value, reply.failed)
                assert "Something went wrong" not in reply.text, (custom_id, value)
    assert [each for each in logged if each["log_level"] not in ("debug", "info")] == []


@pytest.mark.parametrize(("verb", "subject", "fields"), UNKNOWN_CHOICES)
async def test_a_choice_that_is_none_is_no_longer_valid(
    forger: Forger, verb: str, subject: str, fields: dict[str, str]
) -> None:
    reply = await forger.send(
        "form", f"dk:{verb}:{forger.campaign}:{(await seen(forger.game))[0]}:{subject}", fields
    )
    assert reply.text == STALE


async def test_a_menu_in_which_nothing_is_chosen_is_no_longer_valid(forger: Forger) -> None:
    for verb in ("buildvs", "buildchoose"):
        assert (await forger.send("press", f"dk:{verb}:{forger.campaign}:0:")).text == STALE


async def test_no_button_or_form_reaches_a_table_of_another_server(forger: Forger) -> None:
    discord_ = forger.game.discord
    far = discord_.channel("far", guild=discord_.guild("Far away"))
    own = await forger.game.alice.slash("/campaign new name:Own", channel=far)
    assert own.message is not None
    there = replace(forger, on=own.message)
    before = await seen(forger.game)
    for kind, verb, readable in listed(forger.game):
        if verb not in WITHOUT_A_CAMPAIGN:
            custom_id = f"dk:{verb}:{forger.campaign}:1:{next(filter(readable.fullmatch, EXAMPLES))}"
            reply = await there.send(kind, custom_id, dict.fromkeys(FIELDS, "1"))
            assert "out of date" in reply.text, (kind, verb, reply.text, reply.form)
    assert await seen(forger.game) == before
