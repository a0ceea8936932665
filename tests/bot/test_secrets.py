"""An evening with secrets: nothing of them reaches anybody else, wherever it is looked for.

Everything that the loopback Discord hands to a person is heard: messages with all their edits, private
answers, forms, suggestions, files, and the page in the browser. Each secret has a word of its own, and the
same ears hear that word once the secret is told.
"""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial

import aiohttp
import pytest

from bot.loopback.model import EPHEMERAL, AnswerType, Message, Permission
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from bot.loopback.web.access import Key
from bot.loopback.web.server import opened
from bot.loopback.world import Happening
from rules.cortex.model import CORTEX
from tests.bot.loopback.web.conftest import Asker
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_hostile import slots
from tests.bot.test_late import told_late
from tests.bot.test_privacy import rows
from tests.game import Game

HIDDEN = {"Zyzzyva", "Perihelion", "Xerxes", "Morgath", "Talons", "Obsidian", "Malachite"}
"""A word of the hidden roll, its note, the roll that is dropped, the GMC that waits and what it has, the
GM's note, and what the GM has noted on a GMC."""
DICE = {"d12: 11", "d12: 9", "d10: 3", "d10: 4"}
"""What the hidden dice show; nobody else throws such ones."""
WHISPERED = {"Quetzal", "Axolotl"}
"""A word of a whisper to Alice, and of her answer."""
LOOKS = (
    *("/table show", "/scene show", "/gmc show", "/character list", "/character show who:Rex", "/doom show"),
    *(
        "/log count:50",
        "/log who:GM",
        "/log who:Morgath",
        "/stats who:all",
        "/stats who:GM",
        "/session recap",
    ),
    *("/campaign show", "/pp show", "/turn show", "/character export", "/campaign export", "/privacy export"),
    *(
        "/privacy show",
        "/undo step:{step}",
        "/redo",
        "/reroll who:GM",
        "/roll dice:last",
        "/help",
        "/about",
        "/chronicle",
    ),
)


@dataclass
class Ears:
    """What each person was handed, by name; what all see stands under no name."""

    game: Game
    said: dict[str, list[str]] = field(default_factory=partial(defaultdict, list))

    def __post_init__(self) -> None:
        self.game.discord.world.listeners.append(self._happened)

    def _happened(self, happening: Happening) -> None:
        self._note(happening.message)

    def _note(self, message: Message) -> None:
        whose = message.viewer.name if message.viewer else ""
        held = [message.content, json.dumps(message.components, ensure_ascii=False)]
        held += [str(file.description) + file.data.decode("utf-8", "replace") for file in message.files]
        self.said[whose] += held

    def of(self, name: str) -> str:
        """Everything that somebody was handed until now, and can see on the page in the browser."""
        answers = [
            json.dumps(each.answer.data, ensure_ascii=False, default=repr)
            for each in self.game.discord.world.interactions.values()
            if each.user.name == name and each.answer is not None
        ]
        return "\n".join((*self.said[""], *self.said[name], *answers))

    def heard(self, name: str, words: set[str]) -> set[str]:
        """Those of the words that somebody was handed."""
        said = self.of(name).casefold()
        return {word for word in words if word.casefold() in said}


async def page(game: Game, name: str) -> str:
    """All that the page in the browser shows to somebody."""
    async with opened(game.discord, Key(b"k" * 32), out=print) as address, aiohttp.ClientSession() as web:
        async with web.post(f"{address}seats", data=json.dumps({"name": name})) as answer:
            seat = await answer.json()
        asker = Asker(web, address, seat["token"], str(game.discord.table.id))
        return json.dumps(await asker.shown(), ensure_ascii=False)


async def hide(game: Game) -> BotReply:
    """What is hidden, whispered, noted, and waits; the roll that stays hidden."""
    await game.play(
        "gm: /campaign set setting:hidden GM rolls value:on", "gm: /gmc new name:Rex dice:Fangs d8, 4d10"
    )
    form = (await game.says("gm: /character edit who:Rex")).form
    assert form is not None
    noted = await game.gm.submit(
        form, {"Sheet": f"{form.fields[0].default}\nNotes: Malachite is his weakness"}
    )
    assert "Rex's sheet has changed" in noted.text
    game.dice.show((11, 9, 2), (3, 4), (3, 4))
    rolled = await game.says("gm: /roll dice:Zyzzyva d12, d12, d8 hidden:true vs:doom note:Perihelion")
    dropped = await game.says("gm: /roll dice:Xerxes d10, d10 hidden:true")
    assert "Xerxes" in dropped.text
    await game.gm.press(dropped, "Drop")
    for line in ("/gmc new name:Morgath dice:Talons d10 away:true", "/note text:Obsidian hidden:true"):
        assert (await game.gm.slash(line)).private, line
    whisper = await game.says("gm: /whisper to:@alice text:The Quetzal lies")
    notice = next(m for m in reversed(game.discord.messages()) if "whispers to" in m.text)
    read = await game.alice.press(notice, "Open")
    answer = (await game.alice.press(read, "Answer")).form
    await game.alice.submit(answer, {"What": "I know of the Axolotl"})
    assert whisper.private
    return rolled


async def look_everywhere(game: Game, who: Person) -> None:
    """Somebody tries whatever could tell them, and is suggested whatever can be."""
    number = (await seen(game))[0]
    for line in LOOKS:
        shown = await who.slash(line.format(step=number - 3))
        for label in ("Every roll", "Waiting"):
            if any(button.label.startswith(label) for button in shown.buttons):
                await who.press(shown, label)
    for slot in list(slots(game)):
        if slot.option.get("autocomplete"):
            await who.complete(f"/{' '.join((slot.command['name'], *slot.path))} {slot.option['name']}:")
    for notice in [m for m in game.discord.messages() if "whispers to" in m.text]:
        await who.press(notice, "Open")


async def test_an_evening_with_secrets_tells_none_of_them(table: Game) -> None:
    ears = Ears(table)
    await table.says("gm: /table pin")
    await table.play("alice: /roll dice:2d6 d8", "bob: /asset add what:Rope")
    rolled = await hide(table)
    assert "11" in rolled.text
    assert "Malachite" in (await table.says("gm: /character show who:Rex")).text
    assert ears.heard("gm", HIDDEN | DICE) == HIDDEN | DICE
    await table.restart()
    for line in ("/undo", "/redo"):
        assert (await table.gm.slash(line)).private
    exported = await table.says("gm: /campaign export")
    assert exported.message is not None
    file = exported.message.files[0].data.decode()
    assert not [word for word in HIDDEN - {"Morgath", "Talons", "Malachite"} if word in file]
    for line in ("/table show", "/log count:50", "/session recap", "/gmc show", "/character show who:Rex"):
        shared = await table.gm.press(await table.gm.slash(line), "Share")
        assert not shared.private, line
    await look_everywhere(table, table.bob)
    await look_everywhere(table, table.alice)
    await table.play("gm: /scene end", "gm: /scene start name:The vault thread:true")
    await table.says("gm: /note text:Obsidian hidden:true")
    await table.says("bob: /say text:Nobody knows")
    await table.play("gm: /scene end", "gm: /session end")
    await table.at_rest()
    for who in ("alice", "bob"):
        assert ears.heard(who, HIDDEN) == set(), who
        seen_there = await page(table, who)
        assert "rolls in secret" in seen_there
        assert not [word for word in HIDDEN | DICE if word in seen_there], who
        assert ears.heard(who, DICE) == set(), who
    assert ears.heard("bob", WHISPERED) == set()
    assert ears.heard("alice", WHISPERED) == WHISPERED
    assert not [word for word in WHISPERED if word in (await table.says("gm: /log count:50")).text]

    shown = await table.gm.press(await table.says("gm: /table show"), "Hidden roll")
    revealed = await table.gm.press(shown, "Reveal")
    assert not revealed.private
    assert "Zyzzyva d12: 11" in revealed.text
    assert ears.heard("bob", HIDDEN | DICE) == {"Zyzzyva", "Perihelion", "d12: 11", "d12: 9"}
    assert "Zyzzyva" in await page(table, "bob")
    assert "Zyzzyva" in (await table.says("bob: /log")).text
    await table.play("gm: /doom set dice:d10")
    await table.play("gm: /doom spend for:gmc name:Morgath")
    assert ears.heard("bob", HIDDEN) == {"Zyzzyva", "Perihelion", "Morgath", "Talons"}


async def allow(game: Game) -> None:
    await game.play("gm: /campaign set setting:hidden GM rolls value:on")


@pytest.mark.parametrize("line", ["/roll dice:2d6 hidden:true", "/whisper to:@alice text:Psst"])
async def test_the_channel_is_told_by_a_message_that_does_not_lead_to_what_was_typed(
    table: Game, line: str
) -> None:
    await allow(table)
    reply = await table.gm.slash(line)
    assert reply.private
    notice = table.discord.messages()[-1]
    assert notice.interaction is None
    assert notice.interaction_metadata is None
    assert notice.pings == ({table.alice.id} if "whisper" in line else set())


async def test_the_recap_marks_the_gm_s_own_notes_and_shares_none_of_them(table: Game) -> None:
    await table.play("gm: /note text:A map")
    await table.says("gm: /note text:A trap hidden:true")
    told = await table.says("gm: /session recap")
    assert "“A map” The GM’s note: A trap." in told.text
    shared = await table.gm.press(told, "Share")
    assert "“A map”" in shared.text
    assert "A trap" not in shared.text


async def test_the_builder_does_not_open_for_a_hidden_roll_that_it_would_show(table: Game) -> None:
    await allow(table)
    refused = await table.gm.slash("/roll dice:build vs:11 hidden:true")
    assert is_refused(refused)
    assert "rolls in the open" in refused.text


async def test_where_the_bot_may_not_write_a_hidden_roll_says_so_and_a_whisper_is_not_kept(
    table: Game,
) -> None:
    await allow(table)
    table.discord.forbid(table.discord.table, Permission.SEND_MESSAGES)
    table.discord.close_dm(table.alice)
    rolled = await table.gm.slash("/roll dice:2d6 hidden:true")
    assert "Only you can see this" in rolled.text
    assert "The channel wasn't told: the bot needs Send Messages" in rolled.text
    refused = await table.gm.slash("/whisper to:@alice text:Psst")
    assert is_refused(refused)
    assert "The channel wasn't told: the bot needs Send Messages" in refused.text
    assert "Psst" not in rows(table)


async def test_what_comes_late_is_waited_for_alone(table: Game) -> None:
    await allow(table)
    for line in ("/roll dice:2d6 hidden:true", "/whisper to:@alice text:Psst"):
        told = table.discord.faults.hold("POST /channels/*/messages")
        reply = await told_late(table, table.gm.slash(line), told)
        assert reply.private
        answer = reply.interaction.answer
        assert answer is not None
        assert answer.type is AnswerType.DEFER_MESSAGE
        assert answer.data["flags"] & EPHEMERAL


async def test_a_hidden_roll_is_revealed_once_and_its_revealing_can_be_undone(table: Game) -> None:
    await allow(table)
    table.dice.show((5, 6))
    rolled = await table.gm.slash("/roll dice:2d6 hidden:true")
    await table.restart()
    assert (await table.gm.press(rolled, "Reveal")).text.startswith("GM: Total 11")
    again = await table.gm.press(rolled, "Reveal")
    assert is_refused(again)
    assert "no longer hidden" in again.text
    await table.play("gm: /undo")
    (hidden,) = CORTEX.of((await seen(table))[1]).hidden
    assert [b.label for b in (await table.says("gm: /table show")).buttons][-1] == f"Hidden roll {hidden}"
    assert not CORTEX.of((await seen(table))[1]).rolls
    dropped = await table.gm.press(rolled, "Drop")
    assert dropped.updated
    assert "Dropped unseen" in dropped.text
    assert CORTEX.of((await seen(table))[1]).hidden == {}


async def test_when_the_gm_is_gone_nobody_takes_their_secrets(table: Game) -> None:
    await allow(table)
    for line in ("/roll dice:Zyzzyva d12, d12 hidden:true", "/note text:Obsidian hidden:true"):
        assert (await table.gm.slash(line)).private
    number = (await seen(table))[0]
    await table.play("gm: /campaign gm player:@gm remove:true")
    for line in (
        "/table show",
        "/log count:50",
        "/stats who:all",
        "/session recap",
        f"/undo step:{number - 1}",
    ):
        assert not {"Zyzzyva", "Obsidian"} & set((await table.alice.slash(line)).text.split()), line
    assert "Hidden roll" in (await table.says("gm: /table show")).text


async def test_a_whisper_is_opened_by_two_and_taken_back_by_one(table: Game) -> None:
    sent = await table.says("gm: /whisper to:@alice text:*The* door\nis a trap, <@1>")
    notice = table.discord.messages()[-1]
    assert is_refused(await table.bob.press(notice, "Open"))
    read = await table.alice.press(notice, "Open")
    assert read.private
    assert "gm whispers\n\\*The\\* door\nis a trap" in read.text
    assert [b.label for b in read.buttons] == ["Answer"]
    assert [b.label for b in (await table.gm.press(notice, "Open")).buttons] == ["Take back"]
    back = await table.gm.press(sent, "Take back")
    assert back.updated
    assert "alice can't open it any more" in back.text
    assert "taken back" in (await table.alice.press(notice, "Open")).text
    assert "trap" not in rows(table)


async def test_nobody_whispers_to_themselves_a_bot_or_nothing(table: Game) -> None:
    before = len(table.discord.messages())
    for line in ("to:@gm text:Psst", "to:@bot text:Psst", "to:@alice text:\u200b"):
        assert is_refused(await table.says(f"gm: /whisper {line}")), line
    assert len(table.discord.messages()) == before
    assert "Psst" not in rows(table)


async def test_nobody_is_whispered_to_again_and_again_who_does_not_answer(table: Game) -> None:
    for number in range(5):
        await table.says(f"bob: /whisper to:@alice text:Psst {number}")
    pinged = len(table.discord.messages())
    refused = await table.says("bob: /whisper to:@alice text:Psst again")
    assert "alice already has 5 unanswered whispers from you. Wait for an answer" in refused.text
    assert len(table.discord.messages()) == pinged
    await table.says("bob: /whisper to:@gm text:Psst")
    await table.says("alice: /whisper to:@bob text:Stop")
    await table.says("bob: /whisper to:@alice text:Sorry")
    assert len(table.discord.messages()) == pinged + 3


async def test_whispers_are_shown_exported_and_forgotten_with_their_people(table: Game) -> None:
    carol = table.person("carol")
    await table.says("gm: /whisper to:@carol text:The Quetzal lies")
    assert "Whispers you sent or received: 1." in (await carol.slash("/privacy show")).text
    export = await carol.slash("/privacy export")
    assert export.message is not None
    data = json.loads(export.message.files[0].data)
    assert [(one["sender"], one["to"], one["text"]) for one in data["whispers"]] == [
        ("gm", "carol", "The Quetzal lies")
    ]
    asked = await carol.slash("/privacy delete")
    assert "Delete the whispers you sent and received? This" in asked.text
    assert "Your whispers have been deleted" in (await table.forget(carol)).text
    assert "Quetzal" not in rows(table)
    assert "taken back or has expired. Ask" in (await carol.press(table.discord.messages()[-1], "Open")).text


async def test_who_is_forgotten_leaves_no_hidden_roll(table: Game) -> None:
    await allow(table)
    await table.says("gm: /roll dice:Zyzzyva d12, d12 hidden:true")
    await table.forget(table.gm)
    assert CORTEX.of((await seen(table))[1]).hidden == {}
    assert str(table.gm.id) not in rows(table)
