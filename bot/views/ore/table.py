"""What One-Roll shows at its tables: the order of action, and sheets."""

from bot.language import later, say, say_of
from bot.language.line import Text, joined, nothing, spoken, strong, together
from bot.views.card import Button
from bot.views.game import AtTable, GameOffers, Links, Since, Stories, View
from bot.views.ore import intro
from bot.views.ore.builder import roll_button
from bot.views.ore.company import in_play, view
from bot.views.ore.damage import box_words, filled_words, members_words
from bot.views.ore.roll import order_lines, round_button, whose
from bot.views.sheet import edit_button
from rules.campaign.seats import Actor, is_gm
from rules.campaign.story import Tally
from rules.names import key, shortened
from rules.ore.model import ORE, OneRollRating, OreRoll, acting, idle, latest
from rules.ore.notation import write_ratings
from rules.ore.sheet import grouped
from rules.table import Character, Table
from rules.text import Row


def _order(table: Table, before: Since) -> list[Text]:
    """The order of action of the round: `Order: 1. Bob 3×7, 2. Alice 2×10. No set: Cat`."""
    companies = in_play(table, before)
    if not ORE.of(table).rolls:
        return companies
    said = _order_of(table)
    is_known = before is not None and before.game == table.game and _order_of(before) == said
    return [*companies, said if is_known else strong(said)]


MOST_OF_NOTE = 30
"""A note is shortened to that many characters in the order of action."""
MOST_IN_ORDER = 8
"""The table shows so many sets in the order of action; `/ore order` shows all."""


def _order_of(table: Table) -> Text:
    people, companies = latest(table), latest(table, of_companies=True)
    order = _order_line(people, later("Order: {acts}"))
    return joined(". ", [*order, *_order_line(companies, later("Companies: {acts}"))])


def _order_line(rolls: list[OreRoll], text: str) -> list[Text]:
    acts = acting(rolls)
    said: list[Text] = [
        together(each.place, ". ", whose(each.roll, each.hand, MOST_OF_NOTE), " ", str(each.made))
        for each in acts[:MOST_IN_ORDER]
    ]
    said += [say("{count} more", count=len(acts) - MOST_IN_ORDER)] if len(acts) > MOST_IN_ORDER else []
    none = idle(rolls)
    parts = [say(text, acts=joined(", ", said))] if said else []
    parts += [say("No set: {who}", who=spoken(Row(shortened(none))))] if none else []
    return parts


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
        lines.append(members_words(own.members))
    boxes = joined("; ", map(box_words, own.boxes.values()))
    return [*lines, together(strong(say("Boxes")), " ", boxes)] if own.boxes else lines


def _parts(table: Table, character: Character, before: Since) -> list[Text]:
    """What is hurt, and how many members a crowd has left: `Body 3 killing of 10`, `12 members`."""
    own = ORE.has(character)
    was = before.characters.get(key(character.name)) if before else None
    had = ORE.has(was) if was else own
    crowd = members_words(own.members) if own.members else ""
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


AT_TABLE = AtTable(
    pools=_order,
    begins=_begins,
    parts=_parts,
    sheet=_sheet,
    has_sheet=_has_sheet,
    known_by=lambda character: _best(character)[:3],
    best=_best,
    sheet_hint=_sheet_hint,
    help_lines=intro.HELP_LINES,
    intro=(intro.how_to_roll, intro.how_sets_count),
)
"""What One-Roll shows at its own tables."""
GUEST = AtTable(pools=in_play, sheet=_sheet, has_sheet=_has_sheet)
"""What it shows where other games are played, too: companies, and ratings on a sheet."""


def _rolls(table: Table) -> tuple[Button, ...]:
    return (roll_button(),)


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


OFFERS = GameOffers(
    rolls=_rolls,
    below_table=round_button,
    sheet=_sheet_buttons,
    players=("ore roll", "ore hurt", "ore order"),
    gms=("gmc new", "gmc roll", "ore hurt"),
)
"""What One-Roll offers below the table and a sheet."""
