"""`/turn`: the order of turns, handed from one to the next."""

from collections.abc import Mapping
from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import SIGN, Group, on_form, on_press
from bot.cogs.options import Absent, Following, Who
from bot.play import marked
from bot.render.foe_forms import another_form, running_of
from bot.render.foes import TURN_ORDER
from bot.ui.asked import asked
from bot.ui.buttons import Pressed
from bot.ui.forms import open_form
from bot.ui.message import answer
from rules.cortex import challenge, turn
from rules.cortex.result import Step
from rules.cortex.scene import require_scene
from rules.cortex.seats import Actor
from rules.cortex.table import Table

_TURN = rf"(?:{TURN_ORDER}|{SIGN}):[0-9]+\.{SIGN}"
"""The subject of a button: the turn order or a challenge, and where its turns stand."""


class Turns(
    Group, commands.GroupCog, name="turn", description="Whose turn it is, handed from one to the next"
):
    """The turn order of a scene; `Next` hands on the turn here and in challenges."""

    @app_commands.command(description="Start a turn order, with whoever is first (GM)")
    @app_commands.describe(who="Who is first", absent="Who takes no part, parted by commas")
    async def start(self, it: Interaction, who: Who | None = None, absent: Absent | None = None) -> None:
        """Turns are taken from now on."""
        done = await self.play.change(asked(it), partial(turn.start, who=who, without=absent))
        await answer(it, done)

    @app_commands.command(description="Name who is next: whoever acted last, or the GM")
    @app_commands.describe(who="Who is next; may be left out where only one is left")
    async def next(self, it: Interaction, who: Following | None = None) -> None:
        """The turn is handed on."""
        await answer(it, await self.play.change(asked(it), partial(turn.hand_on, who=who)))

    @app_commands.command(description="Pass somebody over in this round (GM)")
    @app_commands.describe(who="Who is passed over")
    async def skip(self, it: Interaction, who: Following) -> None:
        """Somebody has no turn in this round."""
        await answer(it, await self.play.change(asked(it), partial(turn.skip, who=who)))

    @app_commands.command(name="show", description="Look at the turn order")
    async def show_turns(self, it: Interaction) -> None:
        """Whose turn it is, to the caller alone."""
        await self.show(it, "turn")

    @app_commands.command(description="End the turn order (GM)")
    async def end(self, it: Interaction) -> None:
        """No more turns are taken."""
        await answer(it, await self.play.change(asked(it), turn.end))

    @on_press("next", f"{_TURN}:{SIGN}")
    async def press_next(self, it: Interaction, press: Pressed) -> None:
        """The turn is handed on to whom the button names."""
        sign, stamp, who = press.subject.rsplit(":", 2)
        rule = partial(_handed, sign=sign, stamp=stamp, who=who, scene=press.number)
        await answer(it, await self.play.change(asked(it, press.campaign), rule))

    @on_press("another", _TURN)
    async def press_another(self, it: Interaction, press: Pressed) -> None:
        """Ask who is next."""
        sign, stamp = press.subject.rsplit(":", 1)
        table = await self.play.look(asked(it, press.campaign))
        require_scene(table, press.number)
        _require_handing(table, asked(it, press.campaign).actor, sign, stamp)
        await open_form(it, another_form(table, sign), press)

    @on_form("another", _TURN)
    async def send_another(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The turn is handed on to who was chosen."""
        sign, stamp = press.subject.rsplit(":", 1)
        rule = partial(_handed, sign=sign, stamp=stamp, who=fields["What"], scene=press.number)
        rule = partial(rule, typed=fields.get("Name", ""))
        await answer(it, await self.play.change(asked(it, press.campaign), rule))


def _require_handing(table: Table, actor: Actor, sign: str, stamp: str) -> None:
    """Refuse who may not name the next, before a form is opened."""
    is_turn_order = sign == TURN_ORDER
    order = turn.running(table) if is_turn_order else table.challenges[running_of(table, sign).key].order
    turn.check_stamp(order, stamp)
    turn.require_handing(table, actor, order)


def _handed(table: Table, actor: Actor, sign: str, stamp: str, who: str, scene: int, typed: str = "") -> Step:
    """The turn handed on, in the turn order or in a challenge, as long as nobody has done so since."""
    require_scene(table, scene)
    name = typed.strip() or marked(table, who).name
    if sign == TURN_ORDER:
        return turn.hand_on(table, actor, name, stamp)
    return challenge.hand_on(table, actor, name, table.challenges[running_of(table, sign).key].name, stamp)
