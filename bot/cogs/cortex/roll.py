"""`/roll`, `/reroll`, `/odds` and `/pool`."""

from functools import partial

from discord import Interaction, Message, app_commands
from discord.ext import commands

from bot.client.access import alone, everywhere, gms_command, hiding
from bot.client.forms import as_sent, open_form, typed_before
from bot.client.messages import answer, chosen_values, code_in, offered, reply, say_again, try_telling, update
from bot.client.request import asked
from bot.client.responder import HintHistory
from bot.client.uploads import people_words
from bot.clock import clock_of
from bot.cogs.base import Group, of_any_game, on_form, on_press, on_presses
from bot.cogs.cortex.options import (
    SHOW_AGAIN,
    Dice,
    Distinction,
    KeptName,
    PoolDice,
    PoolName,
    RolledDice,
    Versus,
)
from bot.cogs.options import ShortNote, Who
from bot.language import say
from bot.language.line import code, small
from bot.pictures.cortex.odds import odds_chart
from bot.services.cortex import Builder
from bot.services.play import GAME, LONG_TEXT, Play, Request, find_dice, rolls
from bot.services.responses import Done, roll_card
from bot.store.messages import SpokenMessages
from bot.views.card import Card, private
from bot.views.cortex import builder
from bot.views.cortex.builder import Change
from bot.views.cortex.odds import MOST_TYPED, odds_card, typed_whole
from bot.views.cortex.opposition import DICE_LENGTHS
from bot.views.cortex.roll import change_form, read_card, roll_lines, secret_card
from bot.views.cortex.roll_actions import hidden_card
from bot.views.game import Rule
from bot.views.question import Fields, Pressed
from bot.worker import aside, run_in_process
from rules.campaign.seats import Actor
from rules.cortex import builder as cortex_builder
from rules.cortex import named_pools, odds, reroll, roll, traits
from rules.cortex.actions import read_roll
from rules.cortex.builder import Build, build_vs, oppose
from rules.cortex.opposition import name_opponent
from rules.cortex.roll import require_in_doubt
from rules.cortex.spending import last_of
from rules.errors import NotAllowed
from rules.table import Table
from rules.values import replace


class Rolls(Group):
    """Commands and buttons that roll dice."""

    game = "cortex"

    def __init__(self, play: Play, builder: Builder, spoken: SpokenMessages) -> None:
        super().__init__(play)
        self.builder = builder
        self.spoken = spoken
        self.hints = HintHistory()
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
        interaction: Interaction,
        dice: Dice,
        vs: Versus | None = None,
        keep: int = 2,
        hinder: Distinction | None = None,
        who: Who | None = None,
        note: ShortNote | None = None,
        hidden: bool = False,
    ) -> None:
        """Roll a pool and keep the recommended choice at once; `build` opens the builder.

        `show` shows the last open roll again.
        """
        if dice.strip().casefold() == SHOW_AGAIN:
            campaign, table = await self.play.see(asked(interaction), is_public=True)
            last = last_of(table, asked(interaction).actor, who)
            await reply(interaction, roll_card(table, last), campaign)
            return
        pool = partial(roll.make_hidden if hidden else roll.make, throw=self.play.throw, dice=dice, vs=vs)
        await self._roll(
            interaction, dice, vs, partial(pool, keep=keep, hinder=hinder, who=who, note=note), hidden
        )

    @gms_command(description="Reroll dice from the last roll, or take them out")
    @app_commands.describe(
        dice="Which dice, such as d8 or d8: 5; with remove, also highest or ones",
        remove="Take the dice out of the roll instead of rerolling them",
        who="Whose last roll to change. Default: yours",
    )
    async def reroll(
        self,
        interaction: Interaction,
        dice: RolledDice | None = None,
        remove: bool = False,
        who: Who | None = None,
    ) -> None:
        """Reroll dice of the last roll, or remove them."""
        rule = reroll.remove if remove else partial(reroll.reroll, throw=self.play.throw)
        await self.change(interaction, lambda table, actor: rule(table, actor, dice=dice, who=who))

    async def roll_this(self, interaction: Interaction, message: Message) -> None:
        """Read the dice in a message and show them to the caller; nothing is stored."""
        campaign, table = await self.play.see(asked(interaction))
        text = await people_words(interaction, message, self.spoken)
        find = partial(find_dice, self.play.reads, table, asked(interaction).actor, text)
        found = await aside(interaction.user.id, find) if len(text) > LONG_TEXT else find()
        await reply(interaction, read_card(found.dice, found.game, found.left), campaign)

    @on_press("takeback")
    async def press_take_back(self, interaction: Interaction, press: Pressed) -> None:
        """Take back the roll of a taken-out character that the GM does not let stand (C4)."""
        await answer(interaction, await self._taken_back(asked(interaction, press.campaign), press.number))

    async def _taken_back(self, asked: Request, number: int) -> Done:
        """A roll is taken back alone, of which the GM has not said that it stands."""
        require_in_doubt(await self.play.look(asked), asked.actor, number)
        return await self.play.undo(asked, number)

    @of_any_game
    @on_press("rollthis", GAME)
    async def press_roll_this(self, interaction: Interaction, press: Pressed) -> None:
        """Roll the dice that were read in a message."""
        fields = as_sent(
            interaction, replace(press, verb="changethis"), Fields(dice=code_in(interaction.message))
        )
        await self.send_change_this(interaction, press, fields)

    @of_any_game
    @on_press("changethis", GAME)
    async def press_change_this(self, interaction: Interaction, press: Pressed) -> None:
        """Open a form to correct the dice that were read."""
        dice = typed_before(interaction, "dice") or code_in(interaction.message)
        await open_form(interaction, change_form(dice), press)

    @of_any_game
    @on_form("changethis", GAME, DICE_LENGTHS)
    async def send_change_this(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Roll the dice as corrected, in the game that they belong to."""
        rule = partial(rolls(self.play.reads, press.subject), throw=self.play.throw, dice=fields["dice"])
        await self._rolled(interaction, asked(interaction, press.campaign), rule)

    @on_press("rest")
    async def press_rest(self, interaction: Interaction, press: Pressed) -> None:
        """Show the whole of a roll that is too long for one message, privately."""
        table = await self.play.look(asked(interaction, press.campaign))
        await reply(interaction, _whole(table, press.number), press.campaign)

    @on_press("hidden")
    async def press_hidden(self, interaction: Interaction, press: Pressed) -> None:
        """Show a hidden roll again to people who may see it."""
        table = await self.play.look(asked(interaction, press.campaign))
        await reply(
            interaction,
            hidden_card(table, roll.find_hidden(table, asked(interaction).actor, press.number)),
            press.campaign,
        )

    async def _hide(self, interaction: Interaction, rule: Rule) -> None:
        """Roll in secret, and tell the channel that this was done."""
        done = await self.play.change(asked(interaction), rule)
        untold = await try_telling(interaction, secret_card(asked(interaction).actor.name))
        lines = (*done.card.lines, *([untold] if untold else []))
        await answer(interaction, replace(done, card=replace(done.card, lines=lines)))

    async def _roll(
        self, interaction: Interaction, dice: str, vs: str | None, rule: Rule, is_hidden: bool = False
    ) -> None:
        """Roll, or open the builder where that is all that is asked for."""
        typed = build_vs(dice)
        if typed is not None and is_hidden:
            raise NotAllowed("The builder always rolls in the open. For a hidden roll, type the dice.")
        if typed is not None:
            change = partial(_opposed, vs=against) if (against := (vs or typed).strip()) else None
            await reply(interaction, *await self.builder.show(asked(interaction), change))
        elif is_hidden:
            await self._hide(interaction, rule)
        else:
            await self._rolled(interaction, asked(interaction), rule)

    async def _rolled(self, interaction: Interaction, asking: Request, rule: Rule) -> None:
        await answer(
            interaction,
            self._hinted(
                asking, await self.play.change(asking, rule), clock_of(interaction.client).monotonic()
            ),
        )

    def _hinted(self, asking: Request, done: Done, now: float) -> Done:
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


def _whole(table: Table, number: int) -> Card:
    """All of a roll. Raises Unknown when it is closed."""
    return private(*roll_lines(table, read_roll(table, roll.open_roll(table, number))))


def _opposed(table: Table, actor: Actor, built: Build, vs: str) -> Build:
    """What is built, against what was typed."""
    return oppose(built, name_opponent(table, vs))


class OddsCommands(Group):
    """Commands and buttons for the odds of a pool."""

    game = "cortex"

    @alone
    @app_commands.command(description="Show a pool's exact chances, only to you")
    @everywhere
    @app_commands.describe(
        dice="The pool, such as 2d6 d8 or Mind + Sharp",
        vs="The opposition: a number, a difficulty, doom or dice",
        keep="How many results count. Default: 2",
    )
    async def odds(
        self, interaction: Interaction, dice: Dice, vs: Versus | None = None, keep: int = 2
    ) -> None:
        """Show the odds of a pool privately; large pools are computed outside of the event loop."""
        asking = asked(interaction)
        campaign, table = await self.play.see(asking)
        person = asking.actor.id
        question = await aside(person, odds.ask, table, asking.actor, dice, vs, keep)
        await reply(interaction, await _told(person, question, typed_whole(dice, vs, keep)), campaign)

    @on_press("rollodds", f".{{1,{MOST_TYPED}}}")
    async def press_roll(self, interaction: Interaction, press: Pressed) -> None:
        """Roll publicly what the odds were of."""
        rule = partial(roll.make, throw=self.play.throw, dice=press.subject)
        await answer(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @of_any_game
    @on_press("shareodds")
    async def press_share(self, interaction: Interaction, press: Pressed) -> None:
        """Show odds to everybody."""
        await say_again(interaction)


async def _told(person: int, what: odds.Uncounted, typed: str) -> Card:
    """The odds of what was asked, counted where nobody waits for it."""
    found = await (run_in_process if what.takes_long else aside)(person, odds.count_odds, what)
    return await aside(person, charted, found, typed)


def charted(found: odds.OddsQuestion, typed: str = "") -> Card:
    """Return the odds as a card with a chart below the text."""
    return replace(odds_card(found, typed), pictures=(odds_chart(found),))


_WHICH = "Which pool. Default: the only one"


@everywhere
class Pools(Group, commands.GroupCog, name="pool", description="Named pools of dice for the whole table"):
    """Commands for named pools and the builder, open to everybody."""

    game = "cortex"

    def __init__(self, play: Play, builder: Builder) -> None:
        super().__init__(play)
        self.builder = builder

    @alone
    @app_commands.command(name="build", description="Build your pool from a menu, see its odds, then roll it")
    @app_commands.describe(who="Which character. Default: yours")
    async def open_builder(self, interaction: Interaction, who: Who | None = None) -> None:
        """Open the builder privately, as the caller left it."""
        await reply(interaction, *await self.builder.show(asked(interaction), partial(_begun, who=who)))

    @app_commands.command(description="Add dice to a named pool, or start one with a new name")
    @app_commands.describe(dice="Dice or names, such as 2d6 or Rope d8", name=_WHICH)
    async def add(self, interaction: Interaction, dice: Dice, name: PoolName | None = None) -> None:
        """Add dice to a pool."""
        await self.change(interaction, lambda table, actor: named_pools.add(table, actor, dice, name))

    @app_commands.command(description="Remove dice from a named pool")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def remove(self, interaction: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Remove dice from a pool."""
        await self.change(interaction, lambda table, actor: named_pools.remove(table, actor, dice, name))

    @app_commands.command(description="Step up dice in a named pool")
    @app_commands.describe(
        dice="Dice from the pool, such as d6 or 2d8", name=_WHICH, steps="How many steps. Default: 1"
    )
    async def stepup(
        self, interaction: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Step up dice of a pool."""
        await self.change(
            interaction, lambda table, actor: named_pools.step_up(table, actor, dice, name, steps)
        )

    @app_commands.command(description="Step down dice in a named pool; below d4, they're gone")
    @app_commands.describe(
        dice="Dice from the pool, such as d6 or 2d8", name=_WHICH, steps="How many steps. Default: 1"
    )
    async def stepdown(
        self, interaction: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Step down dice of a pool."""
        await self.change(
            interaction, lambda table, actor: named_pools.step_down(table, actor, dice, name, steps)
        )

    @app_commands.command(description="Double the dice in a named pool")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def double(self, interaction: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Double dice of a pool."""
        await self.change(interaction, lambda table, actor: named_pools.double(table, actor, dice, name))

    @app_commands.command(description="Clear a named pool")
    @app_commands.describe(name=_WHICH)
    async def clear(self, interaction: Interaction, name: PoolName | None = None) -> None:
        """Delete a pool."""
        await self.change(interaction, lambda table, actor: named_pools.clear(table, actor, name))

    @app_commands.command(description="Save a pool under a name, to roll it by that name later")
    @app_commands.describe(
        name="Its name",
        dice="The pool; trait names keep it up to date. Default: your last roll",
        vs="The pool's usual opposition, as in /roll",
        who="Which character. Default: yours",
        remove="Delete it instead",
    )
    async def save(
        self,
        interaction: Interaction,
        name: KeptName,
        dice: Dice | None = None,
        vs: Versus | None = None,
        who: Who | None = None,
        remove: bool = False,
    ) -> None:
        """Save a pool under a name on the sheet."""
        await self.change(
            interaction,
            lambda table, actor: named_pools.save(
                table, actor, name=name, dice=dice, vs=vs, who=who, remove=remove
            ),
        )

    @alone
    @app_commands.command(name="show", description="Show the named pools")
    async def show_pools(self, interaction: Interaction) -> None:
        """Show all named pools privately."""
        await self.show(interaction, "pool")

    @app_commands.command(description="Roll a named pool without using it up")
    @app_commands.describe(
        name=_WHICH, keep="How many results count. Default: 2", vs="The opposition, as in /roll"
    )
    async def roll(
        self, interaction: Interaction, name: PoolName | None = None, keep: int = 2, vs: Versus | None = None
    ) -> None:
        """Roll a pool publicly."""
        await self.change(
            interaction,
            lambda table, actor: named_pools.throw_pool(
                table, actor, throw=self.play.throw, name=name, keep=keep, vs=vs
            ),
        )

    @on_presses(builder.CHANGES)
    async def press_change(self, interaction: Interaction, press: Pressed) -> None:
        """Change the built pool by a button or menu."""
        await self._change(
            interaction,
            press,
            builder.read(press.verb, press.subject, chosen_values(interaction), offered(interaction)),
        )

    @on_press("buildtype")
    async def press_type(self, interaction: Interaction, press: Pressed) -> None:
        """Open a form to type a roll, filled in with the built pool."""
        asking = asked(interaction, press.campaign)
        table, built = await self.play.look(asking), await self.builder.built(asking)
        await open_form(interaction, builder.roll_form(table, asking.actor, built), press)

    @on_form("buildtype", longest=DICE_LENGTHS)
    async def send_type(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Roll what was typed publicly, for the character the pool is built for."""
        asking = asked(interaction, press.campaign)
        who = (await self.builder.built(asking)).who
        await answer(
            interaction, await self.play.change(asking, builder.read_typed(fields, self.play.throw, who))
        )

    @on_press("rollnow")
    async def press_roll_now(self, interaction: Interaction, press: Pressed) -> None:
        """Open the builder for someone with a sheet, else a form to type a roll."""
        asking = asked(interaction, press.campaign)
        table = await self.play.look(asking)
        own = table.played_by(asking.actor.id)
        if own is not None and traits.held(own):
            await reply(interaction, *await self.builder.show(asking, cortex_builder.opened))
        else:
            await open_form(interaction, builder.roll_form(table, asking.actor), press)

    @on_form("rollnow", longest=DICE_LENGTHS)
    async def send_roll_now(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Roll what was typed publicly."""
        rule = builder.read_typed(fields, self.play.throw)
        await answer(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @on_presses(builder.FINISHES)
    async def press_finish(self, interaction: Interaction, press: Pressed) -> None:
        """Roll the built pool publicly, or share it."""
        rule = builder.read_finish(press.verb, self.play.throw)
        await answer(
            interaction, await self.builder.finish(asked(interaction, press.campaign), press.subject, rule)
        )

    async def _change(self, interaction: Interaction, press: Pressed, change: Change) -> None:
        """Change what is built, and show it in the same message."""
        shown = builder.shown_after(press.verb, press.subject)
        await update(interaction, *await self.builder.show(asked(interaction, press.campaign), change, shown))


def _begun(table: Table, actor: Actor, built: Build, who: str | None) -> Build:
    """What is built for somebody."""
    return cortex_builder.begin(table, actor, built, who)
