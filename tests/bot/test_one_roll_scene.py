"""A scene of One-Roll is played from the pinned table alone, and nobody reads a word of another game."""

import re
from collections import Counter

from bot.loopback.model import Message
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from tests.bot.one_roll import CORTEX
from tests.game import Game

HEROES = ("alice", "bob", "carol", "dora")
SHEET = (
    "Stats: Body 3d, Mind 2d\nSkills: Fight 2d 1w, Shoot 3d\n"
    "Boxes: Head 4, Left arm 5, Right arm 5, Body 10, Left leg 5, Right leg 5"
)
ROUNDS = 12


class Scene:
    """The pinned table of a fight, and everything that somebody read of it."""

    def __init__(self, game: Game, pinned: Message) -> None:
        self.game, self.pinned = game, pinned
        self.read: list[str] = []
        self.pressed = Counter[str]()
        """How often each button of a roll was used."""

    def heard(self, reply: BotReply) -> BotReply:
        """Keep what a reply says and offers."""
        self.read += [reply.text, *(each.label for each in reply.buttons)]
        self.read += [option.label for menu in reply.menus for option in menu.options]
        if reply.form is not None:
            self.read += [field.label for field in reply.form.fields]
        return reply

    async def rolls(self, who: Person, *choices: tuple[str, str]) -> BotReply:
        """Roll from the pin, with these choices in the builder."""
        return await self.builds(who, await who.press(self.pinned, "Roll"), *choices)

    async def builds(self, who: Person, opened: BotReply, *choices: tuple[str, str]) -> BotReply:
        """Roll from the open builder, with these choices."""
        shown = self.heard(opened)
        for menu, option in choices:
            shown = self.heard(await who.choose(shown, menu, [option]))
        label = next(each.label for each in shown.buttons if each.label.startswith("Roll "))
        return self.heard(await who.press(shown, label))

    async def uses(self, who: Person, rolled: BotReply, label: str, **typed: str) -> BotReply:
        """Press a button of a roll and send its form, if the roll has the button; the roll afterwards."""
        if label not in [each.label for each in rolled.buttons]:
            return rolled
        form = self.heard(await who.press(rolled, label)).form
        if form is None:  # nobody has a set that can be gobbled
            assert label == "Gobble"
            return rolled
        self.pressed[label] += 1
        return self.heard(await who.submit(form, typed))

    async def attacks(self, who: Person, rolled: BotReply, whom: str) -> None:
        """Place wiggle dice, and hit somebody if there is a set."""
        await self.uses(who, await self.uses(who, rolled, "Place"), "Hit", Whom=whom)

    async def defends(self, who: Person, rolled: BotReply) -> None:
        """Oppose a roll, and gobble its dice if that is possible."""
        opened = await who.press(rolled, "Roll against")
        own = await self.builds(who, opened, ("Stats", "Body 3d"), ("Skills", "Shoot 3d"))
        await self.uses(who, own, "Gobble")


async def test_twelve_rounds_of_four_heroes_a_crowd_and_a_creature(game: Game) -> None:
    begun = await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    for name in HEROES:
        form = (await game.person(name).press(begun, "Join")).form
        assert form is not None
        await game.person(name).submit(form, {"Name": name.title(), "Sheet": SHEET})
    await game.play(
        *(
            "gm: /session start",
            "gm: /scene start name:The bridge",
            "gm: /campaign set setting:crowd width value:3",
        ),
        "gm: /gmc new name:Troll dice:6d 1h boxes:1-3 Legs 12, 4-6 Arms 12, 7-9 Body 30 armour 1, 10 Head 10",
        "gm: /gmc new name:Guards dice:15d kind:crowd",
    )
    await game.says("gm: /table pin")
    scene = Scene(game, game.discord.pins()[0])
    gone = False
    for number in range(ROUNDS):
        for name in HEROES:
            gone = "Guards" not in (await game.says("alice: /table show")).text
            rolled = await scene.rolls(game.person(name), ("Stats", "Body 3d"), ("Skills", "Fight 2d 1w"))
            await scene.attacks(game.person(name), rolled, "Troll" if number % 2 or gone else "Guards")
        gone = "Guards" not in (await game.says("alice: /table show")).text
        for who in ("Troll", *([] if gone else ["Guards"])):
            rolled = await scene.rolls(game.gm, ("Character", who))
            await scene.defends(game.bob, rolled)
            await game.at_rest()
            await scene.attacks(game.gm, rolled, HEROES[number % 4].title())
        await game.at_rest()
        assert "Order: 1. " in scene.pinned.text.replace("*", "")
        scene.heard(await game.gm.press(scene.pinned, "Next round"))
        await game.at_rest()
        scene.read.append(scene.pinned.text)
        assert "Order" not in scene.pinned.text
    assert scene.pressed["Place"] == ROUNDS * len(HEROES)
    assert scene.pressed["Hit"] > ROUNDS * len(HEROES)
    assert scene.pressed["Gobble"] > 0
    assert re.search(r"Troll: .*(killing|out|gone)", scene.pinned.text.replace("*", ""))
    assert "15 members" not in scene.pinned.text
    await game.play("gm: /scene end")
    scene.heard(await game.says("gm: /session end"))
    assert [line for line in scene.read if CORTEX.search(line)] == []
    assert len(scene.read) > ROUNDS * 40
