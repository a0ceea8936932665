"""`/roll` and `/reroll`, with the buttons and forms of a roll (R1 to R9, H1, H2, T2, P2)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from discord import Interaction, app_commands

from bot.build import Builder
from bot.cogs.base import CHOICE, NUMBER, SIGN, VERSION, Group, on_form, on_press
from bot.cogs.options import Dice, Distinction, Versus, Who
from bot.play import Play, Rule
from bot.render import forms
from bot.render.card import Form, mark, private, whole
from bot.render.foe_forms import pool_form, strike_form
from bot.render.foes import faced
from bot.render.roll import roll_lines
from bot.ui.asked import asked
from bot.ui.buttons import Pressed
from bot.ui.forms import choice, open_form
from bot.ui.message import answer, reply, show_again
from rules.cortex import apply, hero, hitches, lent, reroll, roll, sfx_use, spend, strike
from rules.cortex.build import Build, is_build, oppose
from rules.cortex.hitches import Way
from rules.cortex.opposition import targets
from rules.cortex.pool import parted
from rules.cortex.result import Step
from rules.cortex.scene import require_scene
from rules.cortex.seats import Actor, require_gm
from rules.cortex.spend import Purchase
from rules.cortex.table import Kind, Roll, Table
from rules.dice import Throw
from rules.errors import NotAllowed, TooLate, Unreadable

Ask = Callable[[Table, Actor, Roll], Form]
"""What a button asks about a roll."""


class Rolls(Group):
    """Dice are rolled; what follows is pressed."""

    def __init__(self, play: Play, builder: Builder) -> None:
        super().__init__(play)
        self.builder = builder

    @app_commands.command(description="Roll dice: keep two for the total and one for the effect")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        dice="The pool, such as 2d6 d8, or names with dice",
        vs="Against what: a number, a difficulty, doom, or dice",
        keep="How many results count; 2 if left out",
        hinder="A distinction that goes in as d4, for 1 PP",
        who="Who rolls; your own character if left out",
        note="What the roll is for",
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
    ) -> None:
        """A pool is rolled in the open, the recommended choice kept at once; `build` opens the builder."""
        pool = partial(roll.make, throw=self.play.throw, dice=dice, vs=vs, keep=keep)
        await self._roll(it, dice, vs, partial(pool, hinder=hinder, who=who, note=note))

    @app_commands.command(description="Roll dice of the last roll again, or take them out of it (GM)")
    @app_commands.describe(
        dice="Which dice, such as d8; also highest or ones, to take out",
        remove="Take the dice out of the roll instead",
        who="Whose last roll; your own if left out",
    )
    async def reroll(
        self, it: Interaction, dice: str | None = None, remove: bool = False, who: Who | None = None
    ) -> None:
        """Dice of the last roll are rolled again, or taken out."""
        rule = reroll.remove if remove else partial(reroll.reroll, throw=self.play.throw)
        await answer(it, await self.play.change(asked(it), partial(rule, dice=dice, who=who)))

    @on_press("keep", CHOICE)
    async def press_keep(self, it: Interaction, press: Pressed) -> None:
        """Keep another choice."""
        total, effects = _choice(press.subject)
        await self._press(it, press, partial(roll.choose, number=press.number, total=total, effects=effects))

    @on_press("buykeep", VERSION)
    async def press_buy_keep(self, it: Interaction, press: Pressed) -> None:
        """Pay for the choice that betters the verdict."""
        await self._press(it, press, _once(press, partial(spend.spend_total, number=press.number)))

    @on_press("otherdice")
    async def press_other_dice(self, it: Interaction, press: Pressed) -> None:
        """Offer all usable dice for the total and the effect."""
        await self._open(it, press, _other_dice)

    @on_press("step", CHOICE)
    async def press_step(self, it: Interaction, press: Pressed) -> None:
        """Share the steps of a heroic success among the effect dice."""
        await self._press(
            it, press, partial(apply.share_steps, number=press.number, share=_share(press.subject))
        )

    @on_press("steps")
    async def press_steps(self, it: Interaction, press: Pressed) -> None:
        """Offer the ways to share the steps of a heroic success."""
        await self._open(it, press, _sharing)

    @on_press("bank")
    async def press_bank(self, it: Interaction, press: Pressed) -> None:
        """Bank the hero die of a heroic success."""
        await self._press(it, press, partial(hero.bank, number=press.number))

    @on_press("backtodoom", NUMBER)
    async def press_back_to_doom(self, it: Interaction, press: Pressed) -> None:
        """A doom die of the pool goes back to doom, stepped up."""
        await self._press(it, press, partial(lent.give_back, number=press.number, place=int(press.subject)))

    @on_press("recover")
    async def press_recover(self, it: Interaction, press: Pressed) -> None:
        """Do what a recovery came to."""
        await self._press(it, press, partial(apply.apply_recovery, number=press.number))

    @on_press("rest")
    async def press_rest(self, it: Interaction, press: Pressed) -> None:
        """Show all of a roll that is too long for one message, to one person."""
        table = await self.play.look(asked(it, press.campaign))
        await reply(it, private(*roll_lines(table, roll.find(table, press.number))), press.campaign)

    @on_press("hitches")
    async def press_hitches(self, it: Interaction, press: Pressed) -> None:
        """Offer what hitches buy."""
        await self._open(it, press, _hitches)

    @on_press("seize")
    async def press_seize(self, it: Interaction, press: Pressed) -> None:
        """Offer what an opportunity changes."""
        await self._open(it, press, _opportunities)

    @on_press("spend", VERSION)
    async def press_spend(self, it: Interaction, press: Pressed) -> None:
        """Offer what a PP or a doom die buys."""
        await self._open(it, press, _spending)

    @on_press("apply", NUMBER)
    async def press_apply(self, it: Interaction, press: Pressed) -> None:
        """An effect die hits what it was rolled against; where there is a choice, it is offered."""
        table, place = await self.play.look(asked(it, press.campaign)), int(press.subject)
        if strike.is_direct(table, roll.find(table, press.number), place):
            await self._press(it, press, partial(strike.strike, number=press.number, place=place))
        else:
            await self._open(it, press, partial(_applying, place=place))

    @on_press("applyas", NUMBER)
    async def press_apply_as(self, it: Interaction, press: Pressed) -> None:
        """Offer what an effect die becomes besides what is usual."""
        again = replace(press, verb="apply")
        await self._open(it, again, partial(_applying, place=int(press.subject), is_free=True))

    @on_press("face", SIGN)
    async def press_face(self, it: Interaction, press: Pressed) -> None:
        """Ask for a pool against a crisis, a challenge or a GMC."""
        asking = asked(it, press.campaign)
        table = await self.play.look(asking)
        await open_form(it, _facing_form(table, asking.actor, press), press)

    @on_press("oppose")
    async def press_oppose(self, it: Interaction, press: Pressed) -> None:
        """Offer what opposes a roll."""
        await self._open(it, press, _opposing)

    @on_press("counter")
    async def press_counter(self, it: Interaction, press: Pressed) -> None:
        """Offer the other choices of the opposition."""
        await self._open(it, press, _countering)

    @on_press("against")
    async def press_against(self, it: Interaction, press: Pressed) -> None:
        """Ask for a pool against a roll."""
        await self._open(it, press, _rolling_against)

    @on_press("reroll", VERSION)
    async def press_reroll(self, it: Interaction, press: Pressed) -> None:
        """Ask which die is rolled again; a single one is, at once."""
        made = roll.find(await self.play.look(asked(it, press.campaign)), press.number)
        if len(made.hand.dice) == 1:
            rule = partial(reroll.reroll_at, throw=self.play.throw, number=press.number)
            await self._press(it, press, _once(press, rule))
        else:
            await self._open(it, press, _rerolling)

    @on_form("hitches")
    async def send_hitches(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The GM buys hitches."""
        way, _, there = fields["What"].partition(":")
        rule = partial(
            hitches.buy, way=choice(Way, way), what=there or fields.get("Name", ""), count=_count(fields)
        )
        await self._press(it, press, partial(rule, number=press.number))

    @on_form("seize")
    async def send_seize(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """A player uses opportunities."""
        rule = partial(_seized, number=press.number, sign=fields["What"], count=_count(fields) or 1)
        await self._press(it, press, rule)

    @on_form("spend", VERSION)
    async def send_spend(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The roller pays for something."""
        await self._press(it, press, _once(press, self._spending(press.number, fields)))

    @on_form("apply", NUMBER)
    async def send_apply(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """An effect die becomes something."""
        await self._press(it, press, _applied(press, fields))

    @on_form("oppose")
    async def send_oppose(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The GM opposes a roll."""
        vs = fields.get("Dice", "").strip() or fields["What"]
        rule = partial(roll.oppose, throw=self.play.throw, number=press.number, vs=vs)
        await self._press(it, press, rule)

    @on_form("counter")
    async def send_counter(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The GM chooses for the opposition."""
        await self._press(it, press, _countered(press.number, fields))

    @on_form("otherdice")
    async def send_other_dice(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The roller keeps the dice that were chosen."""
        totals, effects = forms.read_kept(fields)
        await self._press(
            it, press, partial(roll.keep_dice, number=press.number, totals=totals, effects=effects)
        )

    @on_form("steps")
    async def send_steps(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """The steps go to the effect dice as was chosen."""
        rule = partial(apply.share_steps, number=press.number, share=_share(fields["What"]))
        await self._press(it, press, rule)

    @on_form("against")
    async def send_against(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """A player rolls against a roll."""
        rule = partial(roll.against_roll, throw=self.play.throw, number=press.number, dice=fields["Dice"])
        await answer(it, await self.play.change(asked(it, press.campaign), rule))

    @on_form("face", SIGN)
    async def send_face(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """A pool is rolled against a crisis, a challenge or a GMC, which rolls too."""
        rule = partial(_facing, throw=self.play.throw, press=press, dice=fields["Dice"])
        await answer(it, await self.play.change(asked(it, press.campaign), rule))

    @on_form("reroll", VERSION)
    async def send_reroll(self, it: Interaction, press: Pressed, fields: Mapping[str, str]) -> None:
        """A die is rolled again."""
        again = partial(reroll.reroll_at, throw=self.play.throw, places=(whole(fields["Dice"]),))
        await self._press(it, press, _once(press, partial(again, number=press.number)))

    async def _roll(self, it: Interaction, dice: str, vs: str | None, rule: Rule) -> None:
        """Roll, or open the builder where that is all that is asked for."""
        dice, vs = parted(dice, vs)
        if is_build(dice):
            change = partial(_opposed, vs=vs) if vs and vs.strip() else None
            await reply(it, *await self.builder.show(asked(it), change))
        else:
            await answer(it, await self.play.change(asked(it), rule))

    async def _press(self, it: Interaction, press: Pressed, rule: Rule) -> None:
        """Apply a rule and show what came of it in the pressed message."""
        await show_again(it, await self.play.change(asked(it, press.campaign), rule))

    async def _open(self, it: Interaction, press: Pressed, ask: Ask) -> None:
        """Open a form about a roll that is still open."""
        asking = asked(it, press.campaign)
        table = await self.play.look(asking)
        made = roll.find(table, press.number)
        if press.verb in ("spend", "reroll"):
            press = replace(press, subject=spend.version(made))
        await open_form(it, ask(table, asking.actor, made), press)

    def _spending(self, number: int, fields: Mapping[str, str]) -> Rule:
        """The rule for what was chosen in `Spend`."""
        what, _, of = fields["What"].partition(".")
        die = fields.get("Dice")
        match choice(Purchase, what):
            case Purchase.TOTAL:
                return partial(spend.spend_total, number=number, doom_die=die)
            case Purchase.EFFECT:
                return partial(spend.spend_effect, number=number, doom_die=die)
            case Purchase.LIMIT:
                return partial(spend.spend_limit, number=number, doom_die=die)
            case Purchase.SFX:
                return partial(spend.spend_sfx, number=number, doom_die=die)
            case Purchase.TRADE:
                return partial(spend.trade, number=number)
            case Purchase.HERO_TOTAL | Purchase.HERO_EFFECT as way:
                used = partial(spend.use_hero, throw=self.play.throw, number=number, size=whole(of))
                return partial(used, as_effect=way is Purchase.HERO_EFFECT)
            case Purchase.USE:
                used = partial(_sfx_used, throw=self.play.throw, number=number, subject=of)
                return partial(used, doom_die=die)
            case Purchase.REROLL:
                again = partial(reroll.reroll_at, throw=self.play.throw, places=(whole(of),))
                return partial(again, number=number, doom_die=die)


def _opposed(table: Table, actor: Actor, built: Build, vs: str) -> Build:
    """What is built, against what was typed."""
    return oppose(built, vs)


def _once(press: Pressed, rule: Rule) -> Rule:
    """The rule, unless something was bought since the button was shown."""

    def checked(table: Table, actor: Actor) -> Step:
        spend.check_version(table, press.number, press.subject)
        return rule(table, actor)

    return checked


def _seized(table: Table, actor: Actor, number: int, sign: str, count: int) -> Step:
    """The opportunity used on what was chosen, as long as it is still as it was shown."""
    hitches.require_opportunities(roll.find(table, number))
    text = next((text for text in hitches.touchable(table, actor) if mark(text) == sign), None)
    if text is None:
        raise TooLate("That trait has changed meanwhile. Press the button again.")
    return hitches.seize(table, actor, number, text, count)


def _sfx_used(
    table: Table, actor: Actor, throw: Throw, number: int, subject: str, doom_die: str | None
) -> Step:
    """The SFX that was chosen, on the die that was chosen with it."""
    sign, _, place = subject.partition(".")
    there = sfx_use.usable(table, roll.find(table, number))
    sfx = next((each for each in there if mark(each.name) == sign), None)
    if sfx is None:
        raise TooLate("That SFX is no longer there.")
    at = whole(place) if place else None
    return sfx_use.use_on(table, actor, throw, number, sfx.name, at, doom_die)


def _hitches(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, "buy hitches")
    hitches.require_hitches(made)
    return forms.hitches_form(table, made)


def _opportunities(table: Table, actor: Actor, made: Roll) -> Form:
    hitches.require_player(table, actor)
    hitches.require_opportunities(made)
    if not hitches.touchable(table, actor):
        raise NotAllowed("There is no complication or stress to step down and no asset to step up.")
    return forms.opportunities_form(table, actor, made)


def _spending(table: Table, actor: Actor, made: Roll) -> Form:
    roll.require_roller(table, actor, made)
    roll.check_open(made)
    return forms.spend_form(table, made)


def _faced(table: Table, press: Pressed) -> str:
    """The name of what a button rolls against. Raises TooLate when it, or its scene, is gone."""
    require_scene(table, press.number)
    name = faced(table, press.subject)
    if not name:
        raise TooLate("That is over, or it is no longer in the scene.")
    return name


def _facing_form(table: Table, actor: Actor, press: Pressed) -> Form:
    name = _faced(table, press)
    roll.require_turn(table, actor, targets(table)[name])
    return pool_form(table, actor, name)


def _facing(table: Table, actor: Actor, throw: Throw, press: Pressed, dice: str) -> Step:
    return roll.make(table, actor, throw, dice, _faced(table, press))


def _applying(table: Table, actor: Actor, made: Roll, place: int, is_free: bool = False) -> Form:
    apply.require_effective(table, actor, made)
    apply.require_effect(table, made, place)
    target = strike.target_of(table, made)
    if target is not None and not is_free and not strike.is_boss(table, target):
        return strike_form(table, made, place, target)
    return forms.apply_form(table, actor, made, place)


def _opposing(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, "oppose a roll")
    roll.require_unopposed(made)
    roll.check_open(made)
    return forms.oppose_form(table, made)


def _countering(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, "choose for the opposition")
    roll.check_open(made)
    return forms.counter_form(roll.opposing_hand(made))


def _rolling_against(table: Table, actor: Actor, made: Roll) -> Form:
    roll.require_concerned(table, actor, made)
    roll.require_turn(table, actor, None if roll.is_action(made) else made.target)
    return forms.against_form(table, actor, made)


def _other_dice(table: Table, actor: Actor, made: Roll) -> Form:
    roll.require_roller(table, actor, made)
    roll.check_open(made)
    return forms.other_dice_form(made)


def _sharing(table: Table, actor: Actor, made: Roll) -> Form:
    apply.require_effective(table, actor, made)
    return forms.shares_form(table, made)


def _countered(number: int, fields: Mapping[str, str]) -> Rule:
    """The rule for what was chosen for the opposition: a choice that is listed, or any dice (R1)."""
    if fields["What"] == forms.TYPED:
        totals, effects = forms.read_kept(fields)
        return partial(roll.keep_opposing_dice, number=number, totals=totals, effects=effects)
    total, sizes = _choice(fields["What"])
    return partial(roll.choose_opposition, number=number, total=total, effects=sizes)


def _share(text: str) -> tuple[int, ...]:
    """A way to share steps as a button or an option names it."""
    return tuple(whole(part) for part in text.split("."))


def _rerolling(table: Table, actor: Actor, made: Roll) -> Form:
    roll.require_roller(table, actor, made)
    return forms.reroll_form(made)


def _applied(press: Pressed, fields: Mapping[str, str]) -> Rule:
    """The rule for what was chosen in `Apply`."""
    if "Dice" in fields:
        rule = partial(strike.strike, number=press.number, place=int(press.subject))
        return partial(rule, die=fields["Dice"])
    if fields["What"] == "doom":
        return partial(apply.apply_to_doom, number=press.number, place=int(press.subject))
    what, _, track = fields["What"].partition(":")
    out, _, kind = what.rpartition(" ")
    name = track or fields.get("Name", "").strip()
    on = fields.get("Or on somebody new", "").strip() or fields.get("On") or None
    if not name:
        raise Unreadable("Give it a name. Example: Name: Broken Leg")
    rule = partial(apply.apply, number=press.number, place=int(press.subject), kind=choice(Kind, kind))
    return partial(rule, what=name, on=on, takeout=bool(out))


def _choice(text: str) -> tuple[int, tuple[int, ...]]:
    """A choice as a button or an option names it: its total and its effect dice."""
    total, *effects = (whole(part) for part in text.split("."))
    return total, tuple(effects)


def _count(fields: Mapping[str, str]) -> int | None:
    return whole(fields["How many"]) if fields.get("How many") else None
