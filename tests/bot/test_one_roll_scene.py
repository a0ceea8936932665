"""A scene of One-Roll is played from the pinned table alone, and nobody reads a word of another game."""

from bot.loopback.model import Message
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from tests.bot.test_one_roll_table import CORTEX
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

    def heard(self, reply: BotReply) -> BotReply:
        """Keep what a reply says and offers."""
        self.read += [reply.text, *(each.label for each in reply.buttons)]
        self.read += [option.label for menu in reply.menus for option in menu.options]
        if reply.form is not None:
            self.read += [field.label for field in reply.form.fields]
        return reply

    async def rolls(self, who: Person, *choices: tuple[str, str]) -> BotReply:
        """Roll from the pin, with these choices in the builder."""
        shown = self.heard(await who.press(self.pinned, "Roll"))
        for menu, option in choices:
            shown = self.heard(await who.choose(shown, menu, [option]))
        label = next(each.label for each in shown.buttons if each.label.startswith("Roll "))
        return self.heard(await who.press(shown, label))

    async def goes_on(self, who: Person, rolled: BotReply, whom: str) -> None:
        """Place wiggle dice, and hit somebody, as far as the roll's buttons offer it."""
        labels = [each.label for each in rolled.buttons]
        if "Place" in labels:
            form = self.heard(await who.press(rolled, "Place")).form
            assert form is not None
            rolled = self.heard(await who.submit(form, {}))
            labels = [each.label for each in rolled.buttons]
        if "Hit" in labels:
            form = self.heard(await who.press(rolled, "Hit")).form
            assert form is not None
            if whom in [option.label for option in form.field("Whom").options]:
                self.heard(await who.submit(form, {"Whom": whom}))


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
    for number in range(ROUNDS):
        for name in HEROES:
            rolled = await scene.rolls(game.person(name), ("Stats", "Body 3d"), ("Skills", "Fight 2d 1w"))
            await scene.goes_on(game.person(name), rolled, "Guards" if number % 2 else "Troll")
        crowd = (await game.says("alice: /table show")).text
        for who in ("Troll", *(["Guards"] if "Guards" in crowd else [])):
            rolled = await scene.rolls(game.gm, ("Character", who))
            await scene.goes_on(game.gm, rolled, HEROES[number % 4].title())
        await game.at_rest()
        assert "Order: 1. " in scene.pinned.text.replace("*", "")
        scene.heard(await game.gm.press(scene.pinned, "Next round"))
        await game.at_rest()
        scene.read.append(scene.pinned.text)
        assert "Order" not in scene.pinned.text
    assert "Troll" in scene.pinned.text
    assert " members" in scene.pinned.text or "Guards" not in scene.pinned.text
    await game.play("gm: /scene end")
    scene.heard(await game.says("gm: /session end"))
    assert [line for line in scene.read if CORTEX.search(line)] == []
    assert len(scene.read) > ROUNDS * 40
