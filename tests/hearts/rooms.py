"""Hearts in the rooms of the bot: its commands and questions, joined with its words."""

from collections.abc import Iterator
from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone, gms_command, hiding
from bot.cogs.base import Group, GroupServices
from bot.cogs.options import NewName, ShortNote, Who
from bot.games import GamePresentation
from bot.language import say
from bot.views.card import Button, Field, Form, Option
from bot.views.game import GameOffers, Rule, Shows, View
from bot.views.question import Answer, Pressed, Question, pick, whole_number
from rules.campaign.seats import Actor
from rules.table import Character, Table
from rules.text import Words
from tests.hearts import rules, words
from tests.hearts.game import GAME
from tests.hearts.state import HeartsRoll


class HeartsCommands(Group, commands.GroupCog, name="hearts", description="Hearts: the highest d6"):
    """Hearts is played."""

    game = "hearts"

    @hiding("hidden")
    @app_commands.command(description="Roll d6; the highest counts")
    @app_commands.describe(dice="How many", note="What for", hidden="Nobody else sees it")
    async def roll(
        self, interaction: Interaction, dice: int, note: ShortNote | None = None, hidden: bool = False
    ) -> None:
        """A pool is rolled."""
        await self.change(
            interaction,
            lambda table, actor: rules.roll(
                table, actor, throw=self.play.throw, dice=dice, note=note, hidden=hidden
            ),
        )

    @gms_command(description="Give somebody stress")
    @app_commands.describe(by="How much", who="Whom")
    async def stress(self, interaction: Interaction, by: int, who: Who | None = None) -> None:
        """Somebody has more stress."""
        await self.change(interaction, lambda table, actor: rules.stress(table, actor, by=by, who=who))

    @gms_command(description="Begin a clock, or move it on")
    @app_commands.describe(name="Which", by="How far")
    async def clock(self, interaction: Interaction, name: NewName, by: int = 1) -> None:
        """A clock moves."""
        await self.change(interaction, lambda table, actor: rules.clock(table, actor, name=name, by=by))

    @app_commands.command(description="Say for whom your character would do anything")
    @app_commands.describe(to="For whom", why="Why")
    async def bond(self, interaction: Interaction, to: Who, why: ShortNote = "") -> None:
        """A bond."""
        await self.change(interaction, lambda table, actor: rules.bond(table, actor, to=to, why=why))

    @alone
    @app_commands.command(name="show", description="Look at the clocks")
    async def show_clocks(self, interaction: Interaction) -> None:
        """The clocks, to the caller alone."""
        await self.show(interaction, "clocks")


def _groups(needs: GroupServices) -> Iterator[Group]:
    yield HeartsCommands(needs.play)


def _push(answer: Answer) -> Rule:
    return partial(rules.push, throw=answer.throw, number=answer.number, times=whole_number(answer.subject))


def _reveal(answer: Answer) -> Rule:
    return partial(rules.reveal, number=answer.number)


def _ask_bond(table: Table, actor: Actor, press: Pressed) -> Form:
    options = [Option(each.name, each.name) for each in table.characters.values()]
    return Form(say("Bond"), (pick("to", say("For whom"), options), Field("why", say("Why"), required=False)))


def _read_bond(answer: Answer) -> Rule:
    return partial(rules.bond, to=answer.fields["to"], why=answer.fields.typed("why"))


def _sheet_buttons(table: Table, shown: Character, actor: Actor) -> tuple[Button, ...]:
    """To say for whom one would do anything, below one's own sheet."""
    own = table.played_by(actor.id)
    is_own = own is not None and own.name == shown.name
    return (Button(say("Bond"), "heartsbond"),) if is_own else ()


ROOMS = GamePresentation(
    game=GAME,
    groups=_groups,
    questions=(
        Question("heartspush", "[0-9]{1,3}", press=_push),
        Question("heartsreveal", press=_reveal),
        Question("heartsbond", form=_ask_bond, read=_read_bond, apart=True),
    ),
    words=words.WORDS,
    rolls=Shows(HeartsRoll, words.roll_card, words.told),
    at_table=words.AT_TABLE,
    waiting=words.waiting,
    views={"clocks": View(lambda table, links: words.clock_lines(table), lambda table, actor: ())},
    offers=GameOffers(sheet=_sheet_buttons),
    instead=lambda command: Words("This table plays Hearts. To roll: /hearts roll dice:3"),
    stories=words.STORIES,
)
"""The bot's half."""
