"""`/ore`: One-Roll Engine games, by full rolls and quick ones, with the buttons of a roll (O1 to O5)."""

from collections.abc import Mapping
from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import NUMBER, Group, on_form, on_press
from bot.cogs.options import OreDice, Who
from bot.play import Rule
from bot.render.card import whole
from bot.render.ore import AT, gobble_form, ore_card, place_form
from bot.render.ore_odds import ore_odds_card
from bot.ui.asked import asked
from bot.ui.buttons import Pressed
from bot.ui.forms import open_form
from bot.ui.message import answer, reply, show_again, update
from rules.errors import Unreadable
from rules.ore import gobble, many, pool
from rules.ore import odds as chances
from rules.ore import roll as rolls

_DICE = "The pool: 7d, or with special dice 5d 2w 1h e7 c3"
_HARD = "How many hard dice, fixed at 10"
_WIGGLE = "How many wiggle dice (trump, master, awesome ×2), placed after the roll"
_EXPERT = "The value of an expert die (awesome), 1 to 10"
_CALLED = "The value of a called shot, 1 to 10: one of the dice is fixed there"
_WHO = "Who rolls; your own character if left out"
_NOTE = "What the roll is for"


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class OneRoll(Group, commands.GroupCog, name="ore", description="One-Roll Engine: sets of d10"):
    """Pools of d10 are rolled, and their sets read."""

    @app_commands.command(description="Roll every die of a One-Roll pool")
    @app_commands.describe(
        dice=_DICE, hard=_HARD, wiggle=_WIGGLE, expert=_EXPERT, called=_CALLED, who=_WHO, note=_NOTE
    )
    async def roll(
        self,
        it: Interaction,
        dice: OreDice,
        hard: int = 0,
        wiggle: int = 0,
        expert: int | None = None,
        called: int | None = None,
        who: Who | None = None,
        note: str | None = None,
    ) -> None:
        """A pool is rolled in the open."""
        wanted = pool.read(dice, hard, wiggle, expert, called)
        await self._make(it, partial(rolls.full, throw=self.play.throw, pool=wanted, who=who, note=note))

    @app_commands.command(description="Roll a One-Roll pool by two dice: one for width, one for height")
    @app_commands.describe(
        dice=_DICE, hard=_HARD, wiggle=_WIGGLE, expert=_EXPERT, called=_CALLED, who=_WHO, note=_NOTE
    )
    async def quick(
        self,
        it: Interaction,
        dice: OreDice,
        hard: int = 0,
        wiggle: int = 0,
        expert: int | None = None,
        called: int | None = None,
        who: Who | None = None,
        note: str | None = None,
    ) -> None:
        """A pool is rolled by a width die and a height die."""
        wanted = pool.read(dice, hard, wiggle, expert, called)
        await self._make(it, partial(rolls.quick, throw=self.play.throw, pool=wanted, who=who, note=note))

    @app_commands.command(description="Try several actions at once, by quick rolls of the smallest pool")
    @app_commands.describe(
        dice="The pool of the first action, such as 8d",
        second="The pool of the second action",
        third="The pool of the third action",
        fourth="The pool of the fourth action",
        who=_WHO,
        note=_NOTE,
    )
    async def actions(
        self,
        it: Interaction,
        dice: OreDice,
        second: OreDice,
        third: OreDice | None = None,
        fourth: OreDice | None = None,
        who: Who | None = None,
        note: str | None = None,
    ) -> None:
        """Several actions are rolled one after another."""
        pools = [each for each in (dice, second, third, fourth) if each]
        await self._make(it, partial(many.actions, throw=self.play.throw, dice=pools, who=who, note=note))

    @app_commands.command(description="Quick rolls for a crowd: up to 50 pools in one reply")
    @app_commands.describe(
        dice="A pool, or several with commas: 4d, 6d", count="How often each; once if left out", note=_NOTE
    )
    async def crowd(self, it: Interaction, dice: OreDice, count: int = 1, note: str | None = None) -> None:
        """Many pools are rolled in one go."""
        rule = partial(many.crowd, throw=self.play.throw, dice=dice, count=count, note=note)
        await self._make(it, rule)

    @app_commands.command(description="The exact chances of a One-Roll pool, shown to you alone")
    @app_commands.describe(dice=_DICE, hard=_HARD, wiggle=_WIGGLE, expert=_EXPERT, called=_CALLED)
    async def odds(
        self,
        it: Interaction,
        dice: OreDice,
        hard: int = 0,
        wiggle: int = 0,
        expert: int | None = None,
        called: int | None = None,
    ) -> None:
        """Every chance of a pool, to the caller alone."""
        wanted = pool.read(dice, hard, wiggle, expert, called)
        await reply(it, ore_odds_card(chances.odds(wanted)))

    @app_commands.command(description="Who acts before whom: everybody's last One-Roll roll")
    async def order(self, it: Interaction) -> None:
        """The order of action, to the caller alone."""
        await self.show(it, "ore")

    @app_commands.command(description="Close the One-Roll rolls: a new round begins (GM)")
    async def clear(self, it: Interaction) -> None:
        """Nothing is left to act or to be changed."""
        await self._make(it, rolls.clear)

    async def _make(self, it: Interaction, rule: Rule) -> None:
        """Apply a rule and answer with what came of it."""
        await answer(it, await self.play.change(asked(it), rule))

    @on_press("place")
    async def press_place(self, it: Interaction, press: Pressed) -> None:
        """Offer where the wiggle dice go."""
        asking = asked(it, press.campaign)
        _, hand = rolls.placeable(await self.play.look(asking), asking.actor, press.number)
        await open_form(it, place_form(hand), press)

    @on_form("place")
    async def send_place(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The wiggle dice are placed."""
        where = _heights(fields.get("Dice", "").strip() or fields["What"])
        await self._press(it, press, partial(rolls.place, number=press.number, where=where))

    @on_press("height", NUMBER)
    async def press_height(self, it: Interaction, press: Pressed) -> None:
        """A set of tens counts as another height."""
        rule = partial(rolls.change_tens, number=press.number, height=int(press.subject))
        await self._press(it, press, rule)

    @on_press("gobble", f"(?:{NUMBER})?")
    async def press_gobble(self, it: Interaction, press: Pressed) -> None:
        """Offer what the dice of a set can spoil."""
        asking = asked(it, press.campaign)
        table = await self.play.look(asking)
        made = gobble.require_preys(table, asking.actor, press.number)
        opened = Pressed(press.verb, press.campaign, press.number, gobble.stamp(made))
        await open_form(it, gobble_form(table, made), opened)

    @on_form("gobble", NUMBER)
    async def send_gobble(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """Dice of a set spoil dice of another's."""
        which = fields.get("Set", "").strip() or fields["What"]
        rule = partial(gobble.gobble, number=press.number, which=which, seen=press.subject)
        await self._press(it, press, partial(rule, count=whole(fields["How many"])))

    @on_press("orepage", NUMBER)
    async def press_page(self, it: Interaction, press: Pressed) -> None:
        """Turn a page of a crowd."""
        table = await self.play.look(asked(it, press.campaign))
        made = rolls.find(table, press.number)
        await update(it, ore_card(table, made, int(press.subject)), press.campaign)

    async def _press(self, it: Interaction, press: Pressed, rule: Rule) -> None:
        """Apply a rule and show what came of it in the pressed message."""
        await show_again(it, await self.play.change(asked(it, press.campaign), rule))


def _heights(typed: str) -> tuple[int, ...]:
    """Heights as typed or chosen: `7 7 3`. Raises Unreadable for what is no number."""
    parts = typed.removeprefix(AT).replace(",", " ").split()
    if any(not part.isascii() or not part.isdigit() or len(part) > 3 for part in parts):
        raise Unreadable("Type a height from 1 to 10 for each die. Example: 7 7 3")
    return tuple(map(int, parts))
