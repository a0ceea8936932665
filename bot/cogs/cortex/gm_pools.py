"""`/doom`, `/crisis` and `/gmc`."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.client.access import alone, gms_command, hiding, of_game
from bot.client.forms import open_form
from bot.client.messages import answer, chosen_values, reply, update
from bot.client.request import asked
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.cortex.options import (
    CrisisDie,
    CrisisName,
    DiceText,
    DoomDice,
    DoomDie,
    GmcDice,
    GmcName,
    Versus,
)
from bot.cogs.options import (
    LONGEST_LABEL,
    LabelText,
    NewName,
    RatingText,
    Several,
    SeveralOrScene,
    ShortNote,
)
from bot.services.play import Play
from bot.views.cortex.doom import (
    BOUGHT,
    DIE,
    FOR,
    SPENT,
    DiceChosen,
    read_chosen,
    read_spend,
    read_use,
    spend_card,
    spend_form,
)
from bot.views.question import Fields, Pressed, choice, only_one
from rules.campaign import characters
from rules.cortex import crisis, doom, gm_pools, gmc
from rules.cortex.kinds import Foe, Use
from rules.game import gmcs_at, played

_USES = [Choice(name=use.value, value=use.value) for use in Use]
MADE = "The name of what you make; for an extra with its trait, such as Thug: Brawler"
_Method = TypeVar("_Method", bound=Callable[..., object])


def which(foe: Foe) -> str:
    """Return the description of the option that names one of several GM pools."""
    return f"Which {foe}. Default: the only one"


async def offer_spending(group: Group, interaction: Interaction, foe: Foe, name: str | None = None) -> None:
    """Show the GM the card to spend dice of a pool with (M4, M5, K4)."""
    asking = asked(interaction)
    campaign, table = await group.play.see(asking)
    gm_pools.require_on(table, foe)
    purse = gm_pools.find_pool(table, foe, name) if foe is Foe.CRISIS else gm_pools.DOOM
    await reply(interaction, spend_card(table, asking.actor, DiceChosen(purse)), campaign)


def rolling(**dice: str) -> Callable[[_Method], _Method]:
    """Describe the options of a command that rolls a GM pool; `dice` adds its own options."""

    def told(method: _Method) -> _Method:
        described = app_commands.describe(
            **dice,
            with_="Anything else in the way, such as Rain d8",
            keep="How many results count. Default: 2",
            on="The characters the roll concerns",
        )
        return app_commands.rename(with_="with")(described(method))

    return told


def spending(**made: str) -> Callable[[_Method], _Method]:
    """Describe the options of a command that spends dice; `made` adds its own options."""

    def told(method: _Method) -> _Method:
        described = app_commands.describe(
            **made,
            dice="The dice to spend. Default: the smallest that will do",
            for_="What it's for",
            on="The target: a character, several, all or scene",
            keep_for_pp="Keep the dice, and give each target 1 PP instead",
        )
        return app_commands.rename(for_="for")(app_commands.choices(for_=_USES)(described(method)))

    return told


def stepping(first: str, **pool: str) -> Callable[[_Method], _Method]:
    """Describe the options of a command that steps a die; `first` says which one is the default."""
    return app_commands.describe(
        **pool, die=f"Which die. Default: the {first}", steps="How many steps. Default: 1"
    )


class Doom(Group, commands.GroupCog, name="doom", description="The GM's doom pool"):
    """Commands for the doom pool."""

    game = "cortex"

    @alone
    @app_commands.command(name="show", description="Show the doom pool")
    async def show_doom(self, interaction: Interaction) -> None:
        """Show the doom pool privately."""
        await self.show(interaction, "doom")

    @gms_command(description="Add dice to the doom pool")
    @app_commands.describe(dice="Dice, such as d6 or 2d8", why="The reason")
    async def add(self, interaction: Interaction, dice: DiceText, why: ShortNote = "") -> None:
        """Add dice to the doom pool."""
        await self.change(
            interaction, lambda table, actor: gm_pools.add(table, actor, foe=Foe.DOOM, dice=dice, why=why)
        )

    @gms_command(description="Remove dice from the doom pool")
    @app_commands.describe(dice="Dice from the pool, such as d6")
    async def remove(self, interaction: Interaction, dice: DoomDice) -> None:
        """Remove dice from the doom pool."""
        await self.change(interaction, lambda table, actor: gm_pools.remove(table, actor, Foe.DOOM, dice))

    @gms_command(description="Step up a doom die, by default the smallest")
    @stepping("smallest")
    async def stepup(self, interaction: Interaction, die: DoomDie | None = None, steps: int = 1) -> None:
        """Step up a doom die."""
        await self.change(
            interaction, lambda table, actor: gm_pools.step_up(table, actor, Foe.DOOM, die, steps)
        )

    @gms_command(description="Step down a doom die, by default the largest")
    @stepping("largest")
    async def stepdown(self, interaction: Interaction, die: DoomDie | None = None, steps: int = 1) -> None:
        """Step down a doom die; a d4 is removed."""
        await self.change(
            interaction, lambda table, actor: gm_pools.step_down(table, actor, Foe.DOOM, die, steps)
        )

    @gms_command(name="set", description="Set the whole doom pool")
    @app_commands.describe(dice="The new dice, such as 2d6 d8")
    async def set_pool(self, interaction: Interaction, dice: DiceText) -> None:
        """Set the doom pool to these dice."""
        await self.change(interaction, lambda table, actor: gm_pools.set_doom(table, actor, dice))

    @gms_command(description="Empty the doom pool")
    async def clear(self, interaction: Interaction) -> None:
        """Empty the doom pool."""
        await self.change(interaction, gm_pools.clear_doom)

    @gms_command(description="Roll the doom pool as the opposition")
    @rolling(dice="Which doom dice. Default: all")
    async def roll(
        self,
        interaction: Interaction,
        dice: DoomDice | None = None,
        with_: DiceText | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """Roll all or some doom dice publicly."""
        await self.change(
            interaction,
            lambda table, actor: gmc.roll_doom(
                table, actor, throw=self.play.throw, dice=dice, with_=with_, keep=keep, on=on
            ),
        )

    @gms_command(description="Spend doom dice; without options, choose from what they can buy")
    @spending(name=MADE)
    async def spend(
        self,
        interaction: Interaction,
        dice: DoomDice | None = None,
        for_: str | None = None,
        name: LabelText | None = None,
        on: SeveralOrScene | None = None,
        keep_for_pp: bool = False,
    ) -> None:
        """Spend doom dice, or keep them and give each target 1 PP; without `for`, offer a card."""
        if for_ is None:
            await offer_spending(self, interaction, Foe.DOOM)
        else:
            await self.change(
                interaction,
                lambda table, actor: doom.spend(
                    table,
                    actor,
                    throw=self.play.throw,
                    dice=dice,
                    name=name,
                    on=on,
                    keep_for_pp=keep_for_pp,
                    use=Use(for_),
                ),
            )

    @on_press(DIE, SPENT)
    async def press_die(self, interaction: Interaction, press: Pressed) -> None:
        """Show what the chosen dice can buy."""
        asking = asked(interaction, press.campaign)
        table = await self.play.look(asking)
        dice = only_one(chosen_values(interaction))
        chosen = read_chosen(table, f"{press.subject.rpartition('.')[0]}.{dice}")
        await update(interaction, spend_card(table, asking.actor, chosen), press.campaign)

    @on_press(FOR, SPENT)
    async def press_for(self, interaction: Interaction, press: Pressed) -> None:
        """Buy what was chosen, or open the form for it."""
        table = await self.play.look(asked(interaction, press.campaign))
        use = choice(Use, only_one(chosen_values(interaction)))
        form = spend_form(table, read_chosen(table, press.subject), use)
        if form is not None:
            await open_form(interaction, form, press)
        else:
            await self._buy(interaction, press, use, Fields())

    @on_form(FOR, BOUGHT, {"name": LONGEST_LABEL})
    async def send_for(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Buy what was filled in."""
        await self._buy(interaction, press, read_use(press.subject), fields)

    async def _buy(self, interaction: Interaction, press: Pressed, use: Use, fields: Fields) -> None:
        rule = read_spend(press.subject, use, fields, self.play.throw)
        await answer(interaction, await self.play.change(asked(interaction, press.campaign), rule))


_WHICH = which(Foe.CRISIS)


class Crises(Group, commands.GroupCog, name="crisis", description="Crisis pools: local troubles"):
    """Commands for crises: start them from doom or without it, roll, spend, and end them."""

    game = "cortex"

    @gms_command(description="Start a crisis, from new dice or from doom dice")
    @app_commands.describe(
        name="Its name",
        dice="New dice for the crisis",
        from_doom="The doom dice to make the crisis from",
        into="What the doom dice become, split or combined, such as d8 for 2d6",
    )
    async def new(
        self,
        interaction: Interaction,
        name: NewName,
        dice: DiceText | None = None,
        from_doom: DoomDice | None = None,
        into: DiceText | None = None,
    ) -> None:
        """Start a crisis."""
        await self.change(
            interaction,
            lambda table, actor: crisis.new(
                table, actor, name=name, dice=dice, from_doom=from_doom, into=into
            ),
        )

    @alone
    @app_commands.command(name="show", description="Show the crises")
    async def show_crises(self, interaction: Interaction) -> None:
        """Show all crises privately."""
        await self.show(interaction, "crisis")

    @gms_command(description="Roll a crisis as the opposition")
    @rolling(name=_WHICH)
    async def roll(
        self,
        interaction: Interaction,
        name: CrisisName | None = None,
        with_: DiceText | None = None,
        keep: int = 2,
        on: Several | None = None,
    ) -> None:
        """Roll a crisis publicly."""
        await self.change(
            interaction,
            lambda table, actor: gmc.roll_pool(
                table, actor, throw=self.play.throw, foe=Foe.CRISIS, name=name, with_=with_, keep=keep, on=on
            ),
        )

    @gms_command(description="Spend crisis dice; without options, choose from what they can buy")
    @spending(name=_WHICH, what=MADE)
    async def spend(
        self,
        interaction: Interaction,
        name: CrisisName | None = None,
        dice: CrisisDie | None = None,
        for_: str | None = None,
        what: LabelText | None = None,
        on: SeveralOrScene | None = None,
        keep_for_pp: bool = False,
    ) -> None:
        """Spend crisis dice, or keep them and give each target 1 PP; without `for`, offer a card."""
        if for_ is None:
            await offer_spending(self, interaction, Foe.CRISIS, name)
        else:
            await self.change(
                interaction,
                lambda table, actor: doom.spend_crisis(
                    table,
                    actor,
                    throw=self.play.throw,
                    crisis=name,
                    dice=dice,
                    what=what,
                    on=on,
                    use=Use(for_),
                    keep_for_pp=keep_for_pp,
                ),
            )

    @gms_command(description="Add dice to a crisis")
    @app_commands.describe(
        dice="New dice, such as d6 or 2d8",
        name=_WHICH,
        from_doom="Doom dice to move into the crisis",
        into="What the doom dice become, split or combined, such as d8 for 2d6",
    )
    async def add(
        self,
        interaction: Interaction,
        dice: DiceText | None = None,
        name: CrisisName | None = None,
        from_doom: DoomDice | None = None,
        into: DiceText | None = None,
    ) -> None:
        """Add dice to a crisis."""
        await self.change(
            interaction,
            lambda table, actor: crisis.add(
                table, actor, name=name, dice=dice, from_doom=from_doom, into=into
            ),
        )

    @gms_command(description="Remove dice from a crisis; with none left, it's resolved")
    @app_commands.describe(dice="Dice from the pool, such as d6 or 2d8", name=_WHICH)
    async def remove(self, interaction: Interaction, dice: CrisisDie, name: CrisisName | None = None) -> None:
        """Remove dice from a crisis."""
        await self.change(
            interaction, lambda table, actor: gm_pools.remove(table, actor, Foe.CRISIS, dice, name)
        )

    @gms_command(description="Step up a crisis die, by default the smallest")
    @stepping("smallest", name=_WHICH)
    async def stepup(
        self,
        interaction: Interaction,
        die: CrisisDie | None = None,
        name: CrisisName | None = None,
        steps: int = 1,
    ) -> None:
        """Step up a crisis die."""
        await self.change(
            interaction,
            lambda table, actor: gm_pools.step_up(
                table, actor, foe=Foe.CRISIS, name=name, die=die, steps=steps
            ),
        )

    @gms_command(description="Step down a crisis die, by default the largest")
    @stepping("largest", name=_WHICH)
    async def stepdown(
        self,
        interaction: Interaction,
        die: CrisisDie | None = None,
        name: CrisisName | None = None,
        steps: int = 1,
    ) -> None:
        """Step down a crisis die."""
        await self.change(
            interaction,
            lambda table, actor: gm_pools.step_down(
                table, actor, foe=Foe.CRISIS, name=name, die=die, steps=steps
            ),
        )

    @gms_command(description="End a crisis; its dice are lost")
    @app_commands.describe(name=_WHICH)
    async def end(self, interaction: Interaction, name: CrisisName | None = None) -> None:
        """End a crisis."""
        await self.change(interaction, lambda table, actor: gm_pools.end(table, actor, Foe.CRISIS, name))


class Gmcs(Group, commands.GroupCog, name="gmc", description="Characters of the GM: extras, bosses, mobs"):
    """Commands for GMCs."""

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        # The kinds come from the registered games.
        kinds = [kind for game in played() if game.gmcs for kind in game.gmcs.kinds]
        app_commands.choices(kind=[Choice(name=str(kind), value=str(kind)) for kind in kinds])(self.new)

    @hiding("away")
    @gms_command(description="Create a GMC; named dice are traits, and the rest are boss or mob dice")
    @app_commands.describe(
        name="Their name",
        dice="The GMC's dice, such as Fangs d10, 4d10",
        kind="The kind of GMC. Default: depends on the dice. One-Roll: only crowd",
        away="Keep the GMC out of the scene until /doom spend for:gmc brings them in",
        boxes="One-Roll: where it can be hit, such as 1-6 Legs 10, 7-10 Head 6 armour 2",
    )
    async def new(
        self,
        interaction: Interaction,
        name: NewName,
        dice: DiceText,
        kind: str | None = None,
        away: bool = False,
        boxes: DiceText | None = None,
    ) -> None:
        """Create a GMC."""
        rule = partial(characters.new_gmc, name=name, dice=dice, kind=kind, away=away, boxes=boxes)
        await self.change(interaction, rule)

    @alone
    @app_commands.command(name="show", description="Show the GMCs")
    async def show_gmcs(self, interaction: Interaction) -> None:
        """Show all GMCs privately."""
        await self.show(interaction, "gmc")

    @gms_command(description="Roll all or some of a GMC's dice")
    @app_commands.describe(
        name="Which GMC",
        dice="Which dice. Default: all",
        vs="The opposition: a number, a difficulty or dice",
        keep="How many results count. Default: 2",
        on="The characters the roll concerns",
        who="The same as on",
    )
    async def roll(
        self,
        interaction: Interaction,
        name: GmcName,
        dice: GmcDice | None = None,
        vs: Versus | None = None,
        keep: int | None = None,
        on: Several | None = None,
        who: Several | None = None,
    ) -> None:
        """Roll a GMC's dice publicly; `who` is another name of `on`, and both together name everybody."""
        concerned = ", ".join(filter(None, (on, who))) or None
        rule = partial(characters.roll_gmc, throw=self.play.throw, name=name, dice=dice)
        await self.change(interaction, partial(rule, vs=vs, keep=keep, on=concerned))

    @of_game("cortex")
    @gms_command(description="Hit a GMC with an effect die by hand")
    @app_commands.describe(
        name="Which GMC", die="The effect die", what="A name for the complication. Default: the standard name"
    )
    async def hit(
        self, interaction: Interaction, name: GmcName, die: RatingText, what: NewName | None = None
    ) -> None:
        """Hit a boss, mob or other GMC with an effect die."""
        await self.change(interaction, lambda table, actor: gmc.hit(table, actor, name, die, what))

    @gms_command(description="Remove a GMC from the table")
    @app_commands.describe(name="Which GMC")
    async def remove(self, interaction: Interaction, name: GmcName) -> None:
        """Remove a GMC."""
        await self.change(interaction, lambda table, actor: gmcs_at(table).remove(table, actor, name))
