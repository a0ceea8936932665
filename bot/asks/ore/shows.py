"""How One-Roll games show their rolls."""

from bot.asks.ore.roll import ore_card
from bot.asks.shows import Shows
from bot.asks.views import View
from bot.render import facts
from bot.render.card import Card
from bot.render.ore.roll import order_lines
from bot.render.portrait import portrait_of
from rules.facts import Fact
from rules.game import Step
from rules.names import key
from rules.ore.model import ORE, OreChanged, OreGobbled, OreRoll, OreRolled
from rules.table import Table
from rules.values import replace


def roll_card(table: Table, roll: OreRoll) -> Card:
    """A roll as it is now, with what can be done with it."""
    character = table.characters.get(key(roll.who))
    return replace(ore_card(table, roll), portrait=portrait_of(character) if character else None)


def ore_step(table: Table, step: Step, fact: Fact) -> Card | None:
    """The roll that a step made or changed; whose set was spoiled hears of it."""
    if not isinstance(fact, OreRolled | OreChanged | OreGobbled):
        return None
    card = roll_card(table, ORE.of(table).rolls[fact.roll.number])
    if not isinstance(fact, OreGobbled):
        return card
    said, calls = facts.news(table, step.facts)
    return replace(card, news=Card(said, calls=calls))


VIEWS = {"ore": View(order_lines)}
"""Their views by their short names."""
SHOWS = Shows(OreRoll, roll_card, ore_step)
"""What they show of their own."""
