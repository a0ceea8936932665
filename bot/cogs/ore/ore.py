"""`/ore`: One-Roll rolls, odds and ratings."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Literal, cast

from discord import Interaction, app_commands
from discord.app_commands import Transform
from discord.ext import commands

from bot.client.access import alone, everywhere, gms_command
from bot.client.messages import answer, chosen_values, reply, update
from bot.client.request import asked
from bot.cogs.base import Group, on_press, on_presses
from bot.cogs.options import ShortNote, TypedText, Who, focused, whose
from bot.pictures.ore.odds import set_chart
from bot.views.card import Card
from bot.views.ore import builder
from bot.views.ore.odds import ALL, ODDS, ROLL_ODDS, odds_title, ore_odds_card, read_subject, set_odds_card
from bot.views.ore.roll import AGAINST, page_card
from bot.views.question import LONGEST_LIST, NUMBER, Pressed
from bot.worker import aside
from rules.names import fold
from rules.ore import company, damage, odds, roll
from rules.ore.model import ORE, DamageKind, OreKind, OreSet
from rules.ore.notation import read
from rules.ore.pool import LEAST, MOST, OrePool, write
from rules.ore.roll import How
from rules.table import Table
from rules.values import replace


class _OreDice(TypedText):
    """A pool of a One-Roll game: those that the caller has rolled, then what is typed, then plain ones."""

    longest = roll.LONGEST

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        mine = [roll for roll in reversed(tuple(ORE.of(table).rolls.values())) if roll.player == player]
        typed = focused(cast("Any", interaction.data).get("options", ()))
        own = whose(table, player, interaction)
        if own is not None and ORE.has(own).ratings:
            head, plus, last = typed.rpartition("+")
            begun = fold(last)
            named = [
                each.label for name, each in ORE.has(own).ratings.items() if fold(name).startswith(begun)
            ]
            before = f"{head.rstrip()} + " if plus else ""
            return [*(f"{before}{label}" for label in named), typed]
        pools = [write(roll.hands[0].pool) for roll in mine if roll.kind in (OreKind.FULL, OreKind.QUICK)]
        return [*pools, typed, *(f"{dice}d" for dice in range(LEAST, MOST + 1))]


class _OrePlace(TypedText):
    """A place on the named character, or on the caller's."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        own = whose(table, player, interaction)
        return [each.label for each in ORE.has(own).boxes.values()] if own else ()


class _CompanyName(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [each.name for each in ORE.of(table).companies.values()]


class _CompanyRating(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return ORE.of(table).company_ratings


CompanyName = Transform[str, _CompanyName()]
CompanyRating = Transform[str, _CompanyRating()]
OrePlace = Transform[str, _OrePlace()]
DamageName = Literal["shock", "killing", "both"]
OreDice = Transform[str, _OreDice()]
OreRatings = app_commands.Range[str, 1, LONGEST_LIST]


_POOL = {
    "dice": "The pool, such as 7d, 5d 2w 1h e7 c3 or Body 3d + Fight 2d - 1d",
    "hard": "How many hard dice, fixed at 10",
    "wiggle": "How many wiggle dice (trump, master, awesome ×2), placed after the roll",
    "expert": "The value of an expert die (awesome), 1 to 10",
    "called": "The value of a called shot, 1 to 10: one of the dice is fixed there",
    "width": "The width a set needs to count. Default: any",
    "height": "The height a set needs to count. Default: any",
}
"""Descriptions of the options of a pool."""
_WHO = "Which character rolls. Default: yours"
_NOTE = "What the roll is for"
_KIND = "Shock, killing, or both. Default: both"
_WHOSE = "Which character. Default: yours"


@everywhere
class OreCommands(Group, commands.GroupCog, name="ore", description="One-Roll Engine: sets of d10"):
    """Commands to roll pools of d10 and read their sets."""

    game = "ore"

    @app_commands.command(description="Roll every die in a One-Roll pool")
    @app_commands.describe(**_POOL, who=_WHO, note=_NOTE)
    async def roll(
        self,
        interaction: Interaction,
        dice: OreDice,
        hard: int = 0,
        wiggle: int = 0,
        expert: int | None = None,
        called: int | None = None,
        who: Who | None = None,
        note: ShortNote | None = None,
        width: int | None = None,
        height: int | None = None,
    ) -> None:
        """Roll a pool publicly."""
        fixed = {"hard": hard, "wiggle": wiggle, "expert": expert, "called": called}
        least = {"width": width, "height": height}
        await self._roll(interaction, roll.full, dice=dice, **fixed, **least, who=who, note=note)

    @app_commands.command(
        description="Quick-roll a One-Roll pool with two dice: one for width, one for height"
    )
    @app_commands.describe(**_POOL, who=_WHO, note=_NOTE)
    async def quick(
        self,
        interaction: Interaction,
        dice: OreDice,
        hard: int = 0,
        wiggle: int = 0,
        expert: int | None = None,
        called: int | None = None,
        who: Who | None = None,
        note: ShortNote | None = None,
        width: int | None = None,
        height: int | None = None,
    ) -> None:
        """Roll a pool by the quick rule, with a width die and a height die."""
        fixed = {"hard": hard, "wiggle": wiggle, "expert": expert, "called": called}
        least = {"width": width, "height": height}
        await self._roll(interaction, roll.quick, dice=dice, **fixed, **least, who=who, note=note)

    @app_commands.command(
        description="Try several actions: a quick roll for each, with the smallest pool minus one die"
    )
    @app_commands.describe(
        dice="The pool for the first action, such as 8d",
        second="The pool for the second action",
        third="The pool for the third action",
        fourth="The pool for the fourth action",
        who=_WHO,
        note=_NOTE,
    )
    async def actions(
        self,
        interaction: Interaction,
        dice: OreDice,
        second: OreDice,
        third: OreDice | None = None,
        fourth: OreDice | None = None,
        who: Who | None = None,
        note: ShortNote | None = None,
    ) -> None:
        """Roll several actions in one go."""
        pools = [each for each in (dice, second, third, fourth) if each]
        await self.change(
            interaction, partial(roll.actions, throw=self.play.throw, dice=pools, who=who, note=note)
        )

    @app_commands.command(description="Quick-roll for a crowd: up to 50 pools at once")
    @app_commands.describe(
        dice="A pool, or several separated by commas: 4d, 6d",
        count="How many times to roll each pool. Default: once",
        note=_NOTE,
    )
    async def crowd(
        self, interaction: Interaction, dice: OreDice, count: int = 1, note: ShortNote | None = None
    ) -> None:
        """Roll many equal pools at once."""
        rule = partial(roll.crowd, throw=self.play.throw, dice=dice, count=count, note=note)
        await self.change(interaction, rule)

    @alone
    @app_commands.command(description="Show a One-Roll pool's exact chances, only to you")
    @app_commands.describe(**_POOL)
    async def odds(
        self,
        interaction: Interaction,
        dice: OreDice,
        hard: int = 0,
        wiggle: int = 0,
        expert: int | None = None,
        called: int | None = None,
        width: int | None = None,
        height: int | None = None,
    ) -> None:
        """Show the odds of a pool privately, with a chart."""
        asking = asked(interaction)
        campaign, table = await self.play.see(asking)
        pool, least = roll.needing(
            table, asking.actor, dice, hard, wiggle, expert, called, width=width, height=height
        )
        await reply(interaction, await aside(asking.actor.id, charted, pool, least), campaign)

    @on_press(ALL, ODDS)
    async def press_all(self, interaction: Interaction, press: Pressed) -> None:
        """Show all odds of a pool in place."""
        await self.play.look(asked(interaction, press.campaign))
        least, dice = read_subject(press.subject)
        await update(interaction, ore_odds_card(odds.odds(read(dice)), least), press.campaign)

    @on_press(ROLL_ODDS, ODDS)
    async def press_odds(self, interaction: Interaction, press: Pressed) -> None:
        """Roll publicly the pool whose odds were shown, with the same difficulty."""
        least, dice = read_subject(press.subject)
        rule = partial(roll.typed, how=roll.full, throw=self.play.throw, dice=dice)
        rule = partial(rule, width=least.width or None, height=least.height or None)
        await answer(interaction, await self.play.change(asked(interaction, press.campaign), rule))

    @app_commands.command(description="Fill a character's boxes by hand, past any armour")
    @app_commands.describe(place="Where, such as Head", amount="How many boxes", kind=_KIND, who=_WHOSE)
    async def hurt(
        self,
        interaction: Interaction,
        place: OrePlace,
        amount: int,
        kind: DamageName = "both",
        who: Who | None = None,
    ) -> None:
        """Fill boxes by hand."""
        rule = partial(damage.hurt, place=place, amount=amount, kind=DamageKind(kind), who=who)
        await self.change(interaction, rule)

    @app_commands.command(description="Empty a character's boxes: shock first, unless you choose killing")
    @app_commands.describe(place="Where, such as Head", amount="How many boxes", kind=_KIND, who=_WHOSE)
    async def heal(
        self,
        interaction: Interaction,
        place: OrePlace,
        amount: int,
        kind: DamageName = "both",
        who: Who | None = None,
    ) -> None:
        """Empty boxes."""
        rule = partial(damage.heal, place=place, amount=amount, kind=DamageKind(kind), who=who)
        await self.change(interaction, rule)

    @app_commands.command(description="Show the companies; with ratings, the GM makes or changes one")
    @app_commands.describe(
        name="Which company", ratings="Its ratings, such as might 3, treasure 2", remove="Remove it"
    )
    async def company(
        self, interaction: Interaction, name: CompanyName = "", ratings: OreRatings = "", remove: bool = False
    ) -> None:
        """Show the companies privately, or change one."""
        if not (ratings or remove):
            if name:
                company.find_company((await self.play.see(asked(interaction)))[1], name)
            await self.show(interaction, "companies")
            return
        rule = partial(company.change, name=name, ratings=ratings, is_removed=remove)
        await self.change(interaction, rule)

    @app_commands.command(description="Act with a company: roll the sum of two of its ratings")
    @app_commands.describe(
        name="Which company",
        first="A rating, such as might",
        second="Another rating",
        against="Another company, whose last roll this one opposes",
        note=_NOTE,
    )
    @app_commands.rename(name="company")
    async def act(
        self,
        interaction: Interaction,
        name: CompanyName,
        first: CompanyRating,
        second: CompanyRating,
        against: CompanyName | None = None,
        note: ShortNote | None = None,
    ) -> None:
        """Roll two ratings of a company."""
        rule = partial(company.act, throw=self.play.throw, company=name, first=first, second=second)
        await self.change(interaction, partial(rule, against=against, note=note))

    @alone
    @app_commands.command(description="Show the order of action, based on everyone's last One-Roll roll")
    async def order(self, interaction: Interaction) -> None:
        """Show the order of action privately."""
        await self.show(interaction, "ore")

    @gms_command(description="Start a new round, closing the open One-Roll rolls")
    async def clear(self, interaction: Interaction) -> None:
        """Close all rolls, so that nobody has to act and nothing can be changed."""
        await self.change(interaction, roll.clear)

    async def _roll(self, interaction: Interaction, how: How, **typed: Any) -> None:
        """Roll a pool as it is typed, all of it or quickly."""
        await self.change(interaction, partial(roll.typed, how=how, throw=self.play.throw, **typed))

    @on_press(builder.ROLL, f"(?:{builder.STATE})?")
    async def press_roll(self, interaction: Interaction, press: Pressed) -> None:
        """Open the builder privately, or show it with more or fewer dice."""
        asking = asked(interaction, press.campaign)
        campaign, table = await self.play.see(asking)
        build = builder.read_build(press.subject) if press.subject else builder.OreBuild()
        show = update if press.subject else reply
        await show(interaction, builder.builder_card(table, asking.actor, build), campaign)

    @on_press(AGAINST)
    async def press_against(self, interaction: Interaction, press: Pressed) -> None:
        """Open the builder privately, to oppose a roll."""
        asking = asked(interaction, press.campaign)
        campaign, table = await self.play.see(asking)
        build = builder.opposing(table, asking.actor, press.number)
        await reply(interaction, builder.builder_card(table, asking.actor, build), campaign)

    @on_presses(dict.fromkeys((builder.FIRST, builder.SECOND, builder.REST, builder.WHO), builder.STATE))
    async def press_choice(self, interaction: Interaction, press: Pressed) -> None:
        """Show the builder with what was chosen in one of its menus."""
        asking = asked(interaction, press.campaign)
        campaign, table = await self.play.see(asking)
        sign = "".join(chosen_values(interaction)[:1])
        build = builder.chosen(press.verb, builder.read_build(press.subject), sign)
        await update(interaction, builder.builder_card(table, asking.actor, build), campaign)

    @on_press("orepage", NUMBER)
    async def press_page(self, interaction: Interaction, press: Pressed) -> None:
        """Turn a page of a crowd."""
        table = await self.play.look(asked(interaction, press.campaign))
        await update(interaction, page_card(table, press.number, press.subject), press.campaign)


def charted(pool: OrePool, least: OreSet) -> Card:
    """Return the odds of a pool as a card with a chart below the text."""
    chart = set_chart(odds.set_chances(pool), odds_title(pool, least))
    return replace(set_odds_card(pool, least), pictures=(chart,))
