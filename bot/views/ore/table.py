"""What One-Roll shows at its tables: the order of action, sheets, and what a new player is told."""

from collections.abc import Mapping, Sequence

from bot.language import later, say, say_of
from bot.language.line import Text, joined, nothing, strong, together
from bot.views.card import Button
from bot.views.game import AtTable, GameOffers, Links, Since, Stories, View
from bot.views.labels import listed
from bot.views.ore.builder import roll_button
from bot.views.ore.company import in_play, view
from bot.views.ore.damage import box_words, filled_words
from bot.views.ore.roll import order_lines, round_button, whose
from bot.views.sheet import edit_button
from rules.campaign.seats import Actor, is_gm
from rules.campaign.story import Tally
from rules.names import key
from rules.ore.model import ORE, OneRollRating, acting, idle
from rules.ore.notation import write_ratings
from rules.ore.sheet import grouped
from rules.table import Character, Table
from rules.text import Phrase, Words


def _order(table: Table, before: Since) -> list[Text]:
    """The order of action of the round: `Order: 1. Bob 3×7, 2. Alice 2×10. No set: Cat`."""
    companies = in_play(table, before)
    if not ORE.of(table).rolls:
        return companies
    said = _order_of(table)
    is_known = before is not None and before.game == table.game and _order_of(before) == said
    return [*companies, said if is_known else strong(said)]


def _order_of(table: Table) -> Text:
    acts = [
        together(each.place, ". ", whose(each.roll, each.hand), " ", str(each.made)) for each in acting(table)
    ]
    none = idle(table)
    parts = [say("Order: {acts}", acts=joined(", ", acts))] if acts else []
    parts += [say("No set: {who}", who=listed(none))] if none else []
    return joined(". ", parts)


def _begins(character: Character, before: Since) -> Text:
    """The name, with the dice of the GM's characters: `Ogre: 5d 1h`; a crowd's are how many it is."""
    name = strong(character.name)
    ratings = ORE.has(character).ratings
    if not (character.gmc and ratings) or ORE.has(character).members:
        return name
    own = ratings.get(key(character.name))
    said = own.dice if own and len(ratings) == 1 else write_ratings(ratings.values())
    return together(name, ": ", said)


def _sheet(character: Character) -> list[Text]:
    """The ratings, a line for each group (O1)."""
    own = ORE.has(character)
    lines: list[Text] = [
        together(strong(name or say("Ratings")), " ", write_ratings(held))
        for name, held in grouped(own.ratings).items()
    ]
    if own.members:
        lines.append(say("{count} of them", count=own.members))
    boxes = joined("; ", map(box_words, own.boxes.values()))
    return [*lines, together(strong(say("Boxes")), " ", boxes)] if own.boxes else lines


def _parts(table: Table, character: Character, before: Since) -> list[Text]:
    """What is hurt, and how many a crowd still is: `Body 3 killing of 10`, `12 of them`."""
    own = ORE.has(character)
    was = before.characters.get(key(character.name)) if before else None
    had = ORE.has(was) if was else own
    crowd = say("{count} of them", count=own.members) if own.members else ""
    found = [strong(crowd) if had.members != own.members else crowd] if crowd else []
    for name, each in own.boxes.items():
        if each.shock or each.killing:
            said = filled_words(each)
            found.append(said if had.boxes.get(name) == each else strong(said))
    return found


def _has_sheet(character: Character) -> bool:
    return bool(ORE.has(character).ratings)


def _best(character: Character) -> list[Text]:
    """The ratings, those with special dice and the most dice first: `Fight 2d 1w`."""
    ratings = sorted(ORE.has(character).ratings.values(), key=_worth, reverse=True)
    return [f"{each.label} {each.dice}" for each in ratings]


def _worth(rating: OneRollRating) -> tuple[int, str]:
    """More kinds of dice are worth more, then more normal dice."""
    return rating.dice.count(" "), rating.dice.zfill(3)


def _sheet_hint(table: Table) -> Text:
    return say("Example: {example}", example="Stats: Body 3d, Mind 2d")


def _how_to_roll(table: Table) -> tuple[Text, list[Text]]:
    return say("How to roll"), [
        say("Press Roll and choose a stat and a skill. You roll the dice of both together."),
        say("Dice that show the same number are a set. 3×7 is three dice that show 7."),
        say("With no set, you don't do what you tried."),
    ]


def _how_sets_count(table: Table) -> tuple[Text, list[Text]]:
    return say("Sets and special dice"), [
        say("The first number of a set is its width: wider is faster."),
        say("The second number is its height: higher is better."),
        say("A hard die (h) always shows 10. A wiggle die (w) shows what you choose after the roll."),
        say("The pinned table shows who acts first: the widest set, then the highest."),
    ]


_HELP_LINES: Mapping[str, Sequence[str]] = {
    "without character": (later("Press **Join**. You can also `/ore roll` without a character."),),
    "playing": (
        later("Press **Roll** and choose a stat and a skill, or type: `/ore roll`"),
        later("Below the roll, **Place** wiggle dice. **Gobble** cancels dice of another's set."),
    ),
    "running": (
        later("Everyone rolls, and the pinned table shows who acts first."),
        later("`/ore clear` starts the next round."),
    ),
}
"""What /help says of One-Roll, by the situation of whoever asks."""


AT_TABLE = AtTable(
    pools=_order,
    begins=_begins,
    parts=_parts,
    sheet=_sheet,
    has_sheet=_has_sheet,
    known_by=lambda character: _best(character)[:3],
    best=_best,
    sheet_hint=_sheet_hint,
    help_lines=_HELP_LINES,
    intro=(_how_to_roll, _how_sets_count),
)
"""What One-Roll shows at its own tables."""
GUEST = AtTable(pools=in_play, sheet=_sheet, has_sheet=_has_sheet)
"""What it shows where other games are played, too: companies, and ratings on a sheet."""


def _rolls(table: Table) -> tuple[Button, ...]:
    return (roll_button(), *round_button(table))


def _sheet_buttons(table: Table, shown: Character, actor: Actor) -> tuple[Button, ...]:
    """`Edit` for those who may, `Roll` for the player."""
    own = table.played_by(actor.id)
    if own is not None and own.name == shown.name:
        return edit_button(table, shown), roll_button()
    return (edit_button(table, shown),) if is_gm(table, actor) else ()


def _figures(found: Tally) -> list[Text]:
    """How many rolls had a set that counts."""
    if not (rolls := found["ore_rolls"]):
        return []
    return [
        say_of(
            rolls,
            "{sets} of {count} roll with a set",
            "{sets} of {count} rolls with a set",
            sets=found["ore_sets"],
        )
    ]


STORIES = Stories(ORE.name, figures=_figures)
"""How One-Roll tells of a session."""


def _gmcs(table: Table, links: Links) -> list[Text]:
    """The GM's characters with their ratings."""
    gmcs = [each for each in table.characters.values() if each.gmc]
    lines = [joined(". ", [_begins(each, None), *_parts(table, each, None)]) for each in gmcs]
    return lines or [nothing(say("There are no {gmc.many} yet. Example: /gmc new name:Ogre dice:5d 1h"))]


VIEWS = {"ore": View(order_lines), "companies": View(view), "gmc": View(_gmcs)}
"""The views of One-Roll by their short names."""


OFFERS = GameOffers(rolls=_rolls, sheet=_sheet_buttons)
"""What One-Roll offers below the table and a sheet."""


_INSTEAD: Mapping[str, str] = {
    "roll": "/ore roll dice:5d",
    "reroll": "/undo",
    "odds": "/ore odds dice:5d",
    "pool": "/ore roll dice:5d",
    "turn": "/ore order",
}
"""What does here what a command of another game does there, by the first word of its name."""


def instead(command: str) -> Phrase:
    """Return what to use in place of a command of another game; of a button, whose name is empty."""
    known = _INSTEAD.get(command.partition(" ")[0])
    if known:
        return Words(
            "This table plays One-Roll. Instead of /{command}: {known}", command=command, known=known
        )
    if command:
        return Words(
            "This table plays One-Roll, which has no /{command}. To see what it has: /help", command=command
        )
    return Words("This table plays One-Roll now, so that button is out of use. To roll: /ore roll dice:5d")
