"""`/roll` and `/reroll` (R1 to R9, D4, D8)."""

from functools import partial

from discord import Interaction, Message, app_commands

from bot.asks.cortex.shows import hidden_card
from bot.asks.question import Fields, Pressed, Rule
from bot.clock import clock_of
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.cortex.dice_options import Dice, Versus
from bot.cogs.cortex.options import Distinction, RolledDice
from bot.cogs.options import Who
from bot.language import say
from bot.language.line import code, small
from bot.play import Play
from bot.play.asked import Asked
from bot.render.card import Card, private
from bot.render.cortex.read_dice import change_form, read_card
from bot.render.cortex.roll import roll_lines, secret_card
from bot.store.spoken import SpokenMessages
from bot.tell import Done
from bot.ui.aloud import try_telling
from bot.ui.forms import open_form, typed_before
from bot.ui.hints import Hints
from bot.ui.message import answer, code_in, reply
from bot.ui.questions import as_sent
from bot.ui.quoted import people_words
from bot.ui.reach import alone, everywhere, gms_command, hiding
from bot.ui.request import asked
from bot.use.cortex.build import Builder
from bot.use.written import GAME, rolls, understood
from rules.campaign.seats import Actor
from rules.cortex import reroll, roll
from rules.cortex.actions import read_roll
from rules.cortex.builder import Build, build_vs, oppose
from rules.cortex.roll import require_in_doubt
from rules.errors import NotAllowed
from rules.table import Table
from rules.values import replace


class Rolls(Group):
    """Dice are rolled; what follows is pressed."""

    def __init__(self, play: Play, builder: Builder, spoken: SpokenMessages) -> None:
        super().__init__(play)
        self.builder = builder
        self.spoken = spoken
        self.hints = Hints()
        self.menu = alone(everywhere(app_commands.ContextMenu(name="Roll this", callback=self.roll_this)))

    @hiding("hidden")
    @app_commands.command(description="Roll dice: keep two for the total and one for the effect")
    @everywhere
    @app_commands.describe(
        dice="The pool, such as 2d6 d8 or Mind + Sharp",
        vs="The opposition: a number, a difficulty, doom or dice",
        keep="How many results count. Default: 2",
        hinder="A distinction to roll as a d4, which earns 1 PP",
        who="Which character rolls. Default: yours",
        note="What the roll is for",
        hidden="Hide the dice until you reveal them (GM)",
    )
    async def roll(
        self,
        it: Interaction,
        dice: Dice,
        vs: Versus | None = None,
        keep: int = 2,
        hinder: Distinction | None = None,
        who: Who | None = None,
        note: str | None = None,
        hidden: bool = False,
    ) -> None:
        """A pool is rolled, the recommended choice kept at once; `build` opens the builder."""
        pool = partial(roll.make_hidden if hidden else roll.make, throw=self.play.throw, dice=dice, vs=vs)
        await self._roll(it, dice, vs, partial(pool, keep=keep, hinder=hinder, who=who, note=note), hidden)

    @gms_command(description="Reroll dice from the last roll, or take them out")
    @app_commands.describe(
        dice="Which dice, such as d8 or d8: 5; with remove, also highest or ones",
        remove="Take the dice out of the roll instead of rerolling them",
        who="Whose last roll to change. Default: yours",
    )
    async def reroll(
        self, it: Interaction, dice: RolledDice | None = None, remove: bool = False, who: Who | None = None
    ) -> None:
        """Dice of the last roll are rolled again, or taken out."""
        rule = reroll.remove if remove else partial(reroll.reroll, throw=self.play.throw)
        await self.change(it, rule, dice=dice, who=who)

    async def roll_this(self, it: Interaction, message: Message) -> None:
        """Dice in a message are read, and said to whoever asks; nothing of it is kept."""
        campaign, table = await self.play.see(asked(it))
        text = await people_words(it, message, self.spoken)
        await reply(it, _read(table, asked(it).actor, text), campaign)

    @on_press("takeback")
    async def press_take_back(self, it: Interaction, press: Pressed) -> None:
        """Take back a roll of somebody who is taken out, which the GM does not let stand (C4)."""
        await answer(it, await self._taken_back(asked(it, press.campaign), press.number))

    async def _taken_back(self, asked: Asked, number: int) -> Done:
        """A roll is taken back alone, of which the GM has not said that it stands."""
        require_in_doubt(await self.play.look(asked), asked.actor, number)
        return await self.play.undo(asked, number)

    @on_press("rollthis", GAME)
    async def press_roll_this(self, it: Interaction, press: Pressed) -> None:
        """The dice are rolled that the pressed message has read."""
        fields = as_sent(it, replace(press, verb="changethis"), Fields(dice=code_in(it.message)))
        await self.send_change_this(it, press, fields)

    @on_press("changethis", GAME)
    async def press_change_this(self, it: Interaction, press: Pressed) -> None:
        """The dice that were read can be put right."""
        dice = typed_before(it, "dice") or code_in(it.message)
        await open_form(it, change_form(dice), press)

    @on_form("changethis", GAME)
    async def send_change_this(self, it: Interaction, press: Pressed, fields: Fields) -> None:
        """The dice are rolled as they were read or put right, by the game that they are of."""
        rule = partial(rolls(press.subject), throw=self.play.throw, dice=fields["dice"])
        await self._rolled(it, asked(it, press.campaign), rule)

    @on_press("rest")
    async def press_rest(self, it: Interaction, press: Pressed) -> None:
        """Show all of a roll that is too long for one message, to one person."""
        table = await self.play.look(asked(it, press.campaign))
        await reply(it, _whole(table, press.number), press.campaign)

    @on_press("hidden")
    async def press_hidden(self, it: Interaction, press: Pressed) -> None:
        """Show a hidden roll again to whom it is not hidden from."""
        table = await self.play.look(asked(it, press.campaign))
        await reply(
            it, hidden_card(table, roll.find_hidden(table, asked(it).actor, press.number)), press.campaign
        )

    async def _hide(self, it: Interaction, rule: Rule) -> None:
        """Roll in secret, and tell the channel that this was done."""
        done = await self.play.change(asked(it), rule)
        untold = await try_telling(it, secret_card(asked(it).actor.name))
        lines = (*done.card.lines, *([untold] if untold else []))
        await answer(it, replace(done, card=replace(done.card, lines=lines)))

    async def _roll(
        self, it: Interaction, dice: str, vs: str | None, rule: Rule, is_hidden: bool = False
    ) -> None:
        """Roll, or open the builder where that is all that is asked for."""
        typed = build_vs(dice)
        if typed is not None and is_hidden:
            raise NotAllowed("The builder always rolls in the open. For a hidden roll, type the dice.")
        if typed is not None:
            change = partial(_opposed, vs=against) if (against := (vs or typed).strip()) else None
            await reply(it, *await self.builder.show(asked(it), change))
        elif is_hidden:
            await self._hide(it, rule)
        else:
            await self._rolled(it, asked(it), rule)

    async def _rolled(self, it: Interaction, asking: Asked, rule: Rule) -> None:
        await answer(
            it, self._hinted(asking, await self.play.change(asking, rule), clock_of(it.client).monotonic())
        )

    def _hinted(self, asking: Asked, done: Done, now: float) -> Done:
        """What a table would be good for, in a small line below a roll outside one, once a person a month."""
        if done.card.private or not asking.is_outside(done.table):
            return done
        if not self.hints.is_due(asking.actor.id, now):
            return done
        if asking.own:
            hint = small(
                say(
                    "For sheets, {doom_pool.short} and undo, add the bot to the server: {command}",
                    command=code("/help"),
                )
            )
        else:
            hint = small(say("Want sheets and {scene.many}? Use {command}", command=code("/campaign new")))
        return replace(done, card=replace(done.card, lines=(*done.card.lines, hint)))


def _read(table: Table, actor: Actor, text: str) -> Card:
    """The dice in a text. Raises Unknown where there are none."""
    found = understood(table, actor, text)
    return read_card(found.dice, found.game, found.left)


def _whole(table: Table, number: int) -> Card:
    """All of a roll. Raises Unknown when it is closed."""
    return private(*roll_lines(table, read_roll(table, roll.open_roll(table, number))))


def _opposed(table: Table, actor: Actor, built: Build, vs: str) -> Build:
    """What is built, against what was typed."""
    return oppose(built, vs)
