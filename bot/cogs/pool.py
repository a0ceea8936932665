"""`/pool`: a private builder, and named pools of dice that anyone at the table may share (D2 to D7, X1)."""

from collections.abc import Callable
from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.build import Builder, Change
from bot.cogs.base import NUMBER, SIGN, Group, on_form, on_press
from bot.cogs.options import Dice, PoolDice, PoolName, Versus, Who
from bot.play import Play
from bot.render.build import NOTHING, add_form, offered, pool_oppose_form, type_form
from bot.render.card import mark, whole
from bot.ui.asked import asked
from bot.ui.buttons import Pressed
from bot.ui.forms import open_form
from bot.ui.menus import chosen, chosen_one
from bot.ui.message import answer, reply, show_again, update
from rules.cortex import build, named_pool
from rules.cortex.build import Build
from rules.cortex.offers import look
from rules.cortex.opposition import names
from rules.cortex.result import Step
from rules.cortex.seats import Actor
from rules.cortex.table import NamedPool, Table
from rules.dice import VERBS
from rules.errors import TooLate

_WHICH = "Which pool; the only one if left out"


class Pools(Group, commands.GroupCog, name="pool", description="Named pools of dice for the whole table"):
    """Pools are gathered, changed and rolled by anyone."""

    def __init__(self, play: Play, builder: Builder) -> None:
        super().__init__(play)
        self.builder = builder

    @app_commands.command(name="build", description="Build your pool from menus, with its odds, then roll it")
    @app_commands.describe(who="For whom; your own character if left out")
    async def open_builder(self, it: Interaction, who: Who | None = None) -> None:
        """The builder, as it was left, to the caller alone."""
        await reply(it, *await self.builder.show(asked(it), partial(_begun, who=who)))

    @app_commands.command(description="Add dice to a named pool; a new name begins one")
    @app_commands.describe(dice="Dice, or names with dice", name=_WHICH)
    async def add(self, it: Interaction, dice: Dice, name: PoolName | None = None) -> None:
        """Dice join a pool."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.add, dice=dice, name=name)))

    @app_commands.command(description="Remove dice from a named pool")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH)
    async def remove(self, it: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Dice leave a pool."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.remove, dice=dice, name=name)))

    @app_commands.command(description="Step up dice of a named pool")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH, steps="How many steps; 1 if left out")
    async def stepup(
        self, it: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Dice grow."""
        rule = partial(named_pool.step_up, dice=dice, name=name, steps=steps)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Step down dice of a named pool; under d4 they leave it")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH, steps="How many steps; 1 if left out")
    async def stepdown(
        self, it: Interaction, dice: PoolDice, name: PoolName | None = None, steps: int = 1
    ) -> None:
        """Dice shrink."""
        rule = partial(named_pool.step_down, dice=dice, name=name, steps=steps)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Double dice of a named pool")
    @app_commands.describe(dice="Dice that are in it", name=_WHICH)
    async def double(self, it: Interaction, dice: PoolDice, name: PoolName | None = None) -> None:
        """Dice are there twice."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.double, dice=dice, name=name)))

    @app_commands.command(description="Clear a named pool")
    @app_commands.describe(name=_WHICH)
    async def clear(self, it: Interaction, name: PoolName | None = None) -> None:
        """A pool is gone."""
        await answer(it, await self.play.change(asked(it), partial(named_pool.clear, name=name)))

    @app_commands.command(name="show", description="Look at the named pools")
    async def show_pools(self, it: Interaction) -> None:
        """All named pools, to the caller alone."""
        await self.show(it, "pool")

    @app_commands.command(description="Roll a named pool; it stays as it is")
    @app_commands.describe(
        name=_WHICH, keep="How many results count; 2 if left out", vs="Against what, as in /roll"
    )
    async def roll(
        self, it: Interaction, name: PoolName | None = None, keep: int = 2, vs: Versus | None = None
    ) -> None:
        """A pool is rolled in the open."""
        rule = partial(named_pool.throw_pool, throw=self.play.throw, name=name, keep=keep, vs=vs)
        await answer(it, await self.play.change(asked(it), rule))

    @on_press("buildpick", SIGN)
    async def press_pick(self, it: Interaction, press: Pressed) -> None:
        """What is chosen of a trait set is in the pool."""
        await self._change(it, press, partial(_picked, section=press.subject, signs=chosen(it)))

    @on_press("buildvs")
    async def press_against(self, it: Interaction, press: Pressed) -> None:
        """What the pool is to be rolled against."""
        await self._change(it, press, partial(_against, sign=chosen_one(it)))

    @on_press("buildchoose")
    async def press_choose(self, it: Interaction, press: Pressed) -> None:
        """The buttons are for another die."""
        place = whole(chosen_one(it))
        await self._change(it, press, lambda table, actor, built: build.choose(built, place))

    @on_press("buildstep", "|".join(VERBS))
    async def press_step(self, it: Interaction, press: Pressed) -> None:
        """The chosen die is stepped, doubled, split or hindered."""
        await self._change(it, press, lambda table, actor, built: build.change(built, press.subject))

    @on_press("buildfirst")
    async def press_first(self, it: Interaction, press: Pressed) -> None:
        """The chosen die goes first."""
        await self._change(it, press, lambda table, actor, built: build.put_first(built))

    @on_press("buildback")
    async def press_back(self, it: Interaction, press: Pressed) -> None:
        """What was done last to the chosen die is not done."""
        await self._change(it, press, lambda table, actor, built: build.take_back(built))

    @on_press("buildremove")
    async def press_remove(self, it: Interaction, press: Pressed) -> None:
        """The chosen die leaves the pool."""
        await self._change(it, press, lambda table, actor, built: build.remove(built))

    @on_press("buildclear")
    async def press_clear(self, it: Interaction, press: Pressed) -> None:
        """The pool begins anew."""
        await self._change(it, press, lambda table, actor, built: build.cleared(built))

    @on_press("buildtype")
    async def press_type(self, it: Interaction, press: Pressed) -> None:
        """The pool opens as text."""
        await open_form(it, type_form(await self.builder.built(asked(it, press.campaign))), press)

    @on_form("buildtype")
    async def send_type(self, it: Interaction, press: Pressed, fields: dict[str, str]) -> None:
        """The pool is as it was typed."""
        dice, against = fields.get("Dice", ""), fields.get("Against", "")
        await self._change(it, press, partial(_retyped, dice=dice, against=against))

    @on_press("buildroll", NUMBER)
    async def press_roll(self, it: Interaction, press: Pressed) -> None:
        """What was built is rolled in the open."""
        rule = partial(partial, build.throw_build, throw=self.play.throw)
        asking = asked(it, press.campaign)
        await answer(it, await self.builder.finish(asking, press.subject, lambda built: rule(build=built)))

    @on_press("buildshare", NUMBER)
    async def press_share(self, it: Interaction, press: Pressed) -> None:
        """What was built lies on the table for others."""
        rule = partial(partial, named_pool.share)
        asking = asked(it, press.campaign)
        await answer(it, await self.builder.finish(asking, press.subject, lambda built: rule(build=built)))

    @on_press("pooladd", SIGN)
    async def press_add(self, it: Interaction, press: Pressed) -> None:
        """Ask which dice join a shared pool."""
        pool = _shared(await self.play.look(asked(it, press.campaign)), press.subject)
        await open_form(it, add_form(pool), press)

    @on_form("pooladd", SIGN)
    async def send_add(self, it: Interaction, press: Pressed, fields: dict[str, str]) -> None:
        """Dice join a shared pool."""
        rule = partial(_on_shared, sign=press.subject, rule=partial(named_pool.add, dice=fields["Dice"]))
        await show_again(it, await self.play.change(asked(it, press.campaign), rule))

    @on_press("pooloppose", SIGN)
    async def press_oppose(self, it: Interaction, press: Pressed) -> None:
        """Ask what opposes a shared pool."""
        table = await self.play.look(asked(it, press.campaign))
        named_pool.require_opposing(table, asked(it).actor)
        await open_form(it, pool_oppose_form(_shared(table, press.subject)), press)

    @on_form("pooloppose", SIGN)
    async def send_oppose(self, it: Interaction, press: Pressed, fields: dict[str, str]) -> None:
        """A shared pool has its opposition."""
        rule = partial(_on_shared, sign=press.subject, rule=partial(named_pool.oppose, vs=fields["Dice"]))
        await show_again(it, await self.play.change(asked(it, press.campaign), rule))

    @on_press("poolroll", SIGN)
    async def press_roll_shared(self, it: Interaction, press: Pressed) -> None:
        """A shared pool is rolled."""
        throw = partial(named_pool.throw_pool, throw=self.play.throw)
        rule = partial(_on_shared, sign=press.subject, rule=throw)
        await answer(it, await self.play.change(asked(it, press.campaign), rule))

    async def _change(self, it: Interaction, press: Pressed, change: Change) -> None:
        """Change what is built, and show it in the same message."""
        await update(it, *await self.builder.show(asked(it, press.campaign), change))


def _picked(table: Table, actor: Actor, built: Build, section: str, signs: tuple[str, ...]) -> Build:
    """The pool with exactly the chosen things of that menu."""
    offers = offered(look(table, actor, built), section)
    return build.pick(built, offers, [offer for offer in offers if mark(offer.name) in signs])


def _begun(table: Table, actor: Actor, built: Build, who: str | None) -> Build:
    """What is built for somebody."""
    return build.begin(table, actor, built, who)


def _retyped(table: Table, actor: Actor, built: Build, dice: str, against: str) -> Build:
    """What is built, as it was typed."""
    return build.retype(table, actor, built, dice, against)


def _against(table: Table, actor: Actor, built: Build, sign: str) -> Build:
    """The pool against what was chosen."""
    if sign == NOTHING:
        return build.oppose(built, "")
    named = next((name for name in (built.vs, *names(table)) if mark(name) == sign), None)
    if named is None:
        raise TooLate("That is no longer there to roll against.")
    return build.oppose(built, named)


def _shared(table: Table, sign: str) -> NamedPool:
    """The shared pool of that sign. Raises TooLate when it was rolled or cleared."""
    pool = next((pool for pool in table.pools.values() if mark(pool.name) == sign), None)
    if pool is None:
        raise TooLate("That pool is gone: it was rolled or cleared. Example: /pool build")
    return pool


def _on_shared(table: Table, actor: Actor, sign: str, rule: Callable[..., Step]) -> Step:
    """A rule for a shared pool, by its sign."""
    return rule(table, actor, name=_shared(table, sign).name)
