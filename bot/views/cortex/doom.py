"""Spending dice of doom or of a crisis from a card: the dice, what they buy, and one form (M4, M5, K4)."""

from dataclasses import dataclass

from bot.language import say
from bot.language.line import Text, heading, nothing, spoken
from bot.views.card import Card, Field, Form, Menu, Option, Tone, mark
from bot.views.cortex.gm_pools import pool_line
from bot.views.cortex.labels import USES as LABELS
from bot.views.game import Rule
from bot.views.question import MOST_IN_MENU, SIGN, Fields, choice, numbers, pick
from rules.campaign.seats import Actor, require_gm
from rules.cortex import doom, gm_pools
from rules.cortex.doom import USES
from rules.cortex.kinds import Foe, Target, Use
from rules.cortex.model import CORTEX
from rules.dice import Throw
from rules.errors import Gone
from rules.game import Step
from rules.names import SCENE
from rules.table import Table
from rules.text import Words

DIE, FOR = "spenddie", "spendfor"
"""The verbs of the menu of dice, and of the menu of what they buy and its form."""
SPENT = rf"(?:{Foe.DOOM}|{Foe.CRISIS})\.(?:{SIGN})?\.(?:[0-9]{{1,4}}(?:-[0-9]{{1,4}})?)?"
"""The subject of the menus: a pool, and the dice that are chosen."""
BOUGHT = rf"{SPENT}\.[a-z ]+"
"""The subject of the form: what the menus have, and a use."""
_KEEP = "keep"
"""The option that pays PP instead of the dice (M6)."""


@dataclass(frozen=True, slots=True)
class DiceChosen:
    """Dice chosen from a pool; none if the smallest that will do are spent."""

    purse: Target
    sizes: tuple[int, ...] = ()

    def subject(self, table: Table) -> str:
        """The subject of menus for these dice."""
        name = mark(gm_pools.called(table, self.purse).name) if self.purse.key else ""
        return f"{self.purse.foe}.{name}.{'-'.join(map(str, self.sizes))}"


def read_chosen(table: Table, subject: str) -> DiceChosen:
    """Return the dice that a subject stands for. Raises Gone if their pool is no more."""
    foe, sign, dice = subject.split(".")[:3]
    sizes = numbers(dice.replace("-", ".")) if dice else ()
    if foe == Foe.DOOM:
        return DiceChosen(gm_pools.DOOM, sizes)
    for key, each in CORTEX.of(table).crises.items():
        if mark(each.name) == sign:
            return DiceChosen(Target(Foe.CRISIS, key), sizes)
    raise Gone("That {crisis.one} is over.")


def spend_card(table: Table, actor: Actor, chosen: DiceChosen) -> Card:
    """Return the card to spend dice of a pool with: a menu of its dice, and one of what they buy.

    Raises NotAllowed for anybody but the GM, and SettingOff if the pool is off.
    """
    foe = gm_pools.FOES[chosen.purse.foe]
    require_gm(table, actor, Words("spend {foe} dice", foe=foe.noun))
    gm_pools.require_on(table, chosen.purse.foe)
    lines: list[Text] = [
        heading(say("Spend {foe} dice", foe=spoken(foe.noun))),
        pool_line(table, chosen.purse),
    ]
    dice = gm_pools.dice(table, chosen.purse)
    if not dice:
        return Card((*lines, nothing(say("There are no dice to spend."))), private=True, tone=Tone.CALM)
    subject = chosen.subject(table)
    uses = [_use(each) for each in doom.affordable(table, chosen.purse, chosen.sizes)]
    menus = (
        Menu(say("Dice: the smallest that will do"), DIE, subject, _dice(dice), _chosen(chosen)),
        Menu(say("What for"), FOR, subject, tuple(uses)),
    )
    return Card(tuple(lines), private=True, menus=menus, tone=Tone.CALM)


def _chosen(chosen: DiceChosen) -> tuple[str, ...]:
    return ("-".join(map(str, chosen.sizes)),) if chosen.sizes else ()


def _dice(dice: tuple[int, ...]) -> tuple[Option, ...]:
    """Each size that is there, and two of the largest, which end a scene."""
    ends = USES[Use.END_SCENE]
    several = [ends.least] * ends.count if dice.count(ends.least) >= ends.count else []
    options = [Option(f"d{size}", str(size)) for size in dict.fromkeys(dice)]
    if several:
        options.append(Option(f"{len(several)}d{ends.least}", "-".join(map(str, several))))
    return tuple(options[:MOST_IN_MENU])


def _use(use: Use) -> Option:
    """What dice buy, with its price and what it does below it."""
    price = USES[use]
    hint = say("{price}: {buys}", price=spoken(price.price), buys=spoken(price.buys))
    return Option(say(LABELS[use].offer), use, hint)


def spend_form(table: Table, chosen: DiceChosen, use: Use) -> Form | None:
    """Return the form for what dice buy; None if nothing has to be filled in."""
    subject = f"{chosen.subject(table)}.{use}"
    title = say(LABELS[use].offer)
    if use is Use.SPLIT:
        hint = say("Separate the groups with ;. Anyone you leave out forms the last group.")
        return Form(title, (Field("name", say("Groups"), hint=hint),), subject)
    if not USES[use].is_named:
        return None
    name = Field("name", say("Name"), hint=say(LABELS[use].example))
    if use not in (Use.COMPLICATION, Use.ASSET):
        return Form(title, (name,), subject)
    there = sorted(table.in_play.values(), key=lambda each: (each.away, each.gmc))
    people = [Option(each.name, each.name) for each in there[: MOST_IN_MENU - 1]]
    on = pick("on", say("On"), [Option(say("The {scene.one}"), SCENE), *people])
    spends = [
        Option(say("Spend the die"), "spend"),
        Option(say("Keep it, and give 1 {plot_point.short}"), _KEEP),
    ]
    return Form(title, (name, on, pick("pay", say("Price"), spends)), subject)


def read_use(subject: str) -> Use:
    """Return the use of a form's subject. Raises TooLate if there is no such use."""
    return choice(Use, subject.split(".")[3])


def read_spend(subject: str, use: Use, fields: Fields, throw: Throw) -> Rule:
    """Return the rule that spends the chosen dice for that use."""
    name, on = fields.typed("name") or None, fields.typed("on") or None
    keep = fields.typed("pay") == _KEEP

    def spends(table: Table, actor: Actor) -> Step:
        chosen = read_chosen(table, subject)
        dice = ", ".join(f"d{size}" for size in chosen.sizes) or None
        return doom.spend(table, actor, throw, dice, use, name, on, keep, chosen.purse)

    return spends
