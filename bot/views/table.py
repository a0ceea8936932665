"""The table and its sheets in words, the views that people page through, and how rolls are shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.language import say
from bot.language.line import BREAK, Text, heading, joined, nothing, small, strong, together
from bot.views import settings
from bot.views.card import Button, Card, Menu, mark, portrait_of
from bot.views.labels import NOBODY, UNNAMED, listed, lost_words, stretch_words
from bot.views.question import SIGN, below_table, offers
from bot.views.schedule import table_line
from bot.views.settings import about_ruleset, campaign_lines
from bot.views.waiting import waiting, waiting_line, waiting_lines
from rules.campaign import lifecycle
from rules.campaign.lifecycle import RULESET, Story, names
from rules.campaign.rolls import rolls_on
from rules.campaign.seats import Actor
from rules.errors import TooLate
from rules.facts import Fact, RollNoted, Stretch
from rules.game import Step
from rules.table import Character, Rolled, Table

OfTable = Callable[[Table], list[Text]]
"""Lines of a table."""
OfCharacter = Callable[[Character], list[Text]]
"""Lines of a character, or parts of a line."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """What a game shows at the table; the defaults show nothing."""

    pools: OfTable | None = None
    """What lies at the table beside characters."""
    scene: OfCharacter | None = None
    """What the scene has."""
    below_scene: OfTable | None = None
    """What is told where only the scene is shown."""
    begins: Callable[[Character], Text] | None = None
    """How the line of a character begins, with their name."""
    retired: Callable[[Table, Character], bool] | None = None
    """Whether they are out of play for good."""
    parts: Callable[[Table, Character], list[Text]] | None = None
    """What else a character's line has."""
    unseen: OfTable | None = None
    """What not everybody sees, for who does."""
    rank: Callable[[Character], Text] | None = None
    """What a GMC is; nothing for no rank."""
    sheet: OfCharacter | None = None
    """The lines of a sheet."""
    below_sheet: OfCharacter | None = None
    """What stands below them, small."""
    earned: OfTable | None = None
    """What an import brings that nothing else of it shows."""
    left_out: Callable[[Character, Character], Text] | None = None
    """What does not come along of a character of a file, beside the one that comes; nothing if all does."""
    left_behind: Callable[[Table, Table], list[Text]] | None = None
    """What is open in the table of a file, and is not in the one that comes."""
    next_for_gm: OfTable | None = None
    """What the GM may do next, a line each."""
    has_sheet: Callable[[Character], bool] | None = None
    """Whether there is something on a sheet to roll with."""
    helped: Callable[[Table], Mapping[str, str]] | None = None
    """Returns the names that help explains, each with the guide's word for it: `{"Fear": "stress"}`."""


class ShownByGames:
    """What all games show, by kind, so that only games that show something are called."""

    def __init__(self, games: Sequence[AtTable] = ()) -> None:
        self.pools = [each.pools for each in games if each.pools]
        self.scene = [each.scene for each in games if each.scene]
        self.below_scene = [each.below_scene for each in games if each.below_scene]
        self.begins = [each.begins for each in games if each.begins]
        self.retired = [each.retired for each in games if each.retired]
        self.parts = [each.parts for each in games if each.parts]
        self.unseen = [each.unseen for each in games if each.unseen]
        self.ranks = [each.rank for each in games if each.rank]
        self.sheet = [each.sheet for each in games if each.sheet]
        self.below_sheet = [each.below_sheet for each in games if each.below_sheet]
        self.earned = [each.earned for each in games if each.earned]
        self.left_out = [each.left_out for each in games if each.left_out]
        self.left_behind = [each.left_behind for each in games if each.left_behind]
        self.next_for_gm = [each.next_for_gm for each in games if each.next_for_gm]
        self.has_sheet = [each.has_sheet for each in games if each.has_sheet]
        self.helped = [each.helped for each in games if each.helped]


_now = ShownByGames()


def learn_tables(*games: AtTable) -> None:
    """Register what the playable games show at the table."""
    global _now
    _now = ShownByGames(games)


def shown_by_games() -> ShownByGames:
    """Return what the games show."""
    return _now


def table_lines(table: Table) -> list[Text]:
    """Return what is in play: the scene and the GM's side, then a line per character, without sheets."""
    lines = [
        heading(table.name or say(UNNAMED)),
        *map(small, _time(table)),
        *table_line(table),
        *lost_lines(table),
    ]
    if table.archived:
        name = table.name or "Skyfall"
        lines.append(say("This table is archived. Example: /campaign join name:{name}", name=name))
    lines += [*_scene(table), *(line for pools in shown_by_games().pools for line in pools(table))]
    people = _people(table)
    if not people:
        people = [say("There are no characters yet. Press Join on the pinned table.")]
    waits = waiting_line(table)
    unseen = [small(line) for unseen in shown_by_games().unseen for line in unseen(table)]
    last = [small(say("Waiting: {who}", who=waits))] if waits else []
    return [*lines, BREAK, *people, *unseen, *last]


def begun_lines(table: Table, story: Story | None = None) -> list[Text]:
    """Return the text for a new campaign: its ruleset, and what to do first."""
    who = (
        # All read it, so the GM is told by name.
        say("{gm} is the {gm.one}. To play, press Join.", gm=listed(table.gms.values()))
        if table.gms
        else say("There's no {gm.one}, so everyone can do everything. To play, press Join.")
    )
    has_rules = RULESET in names() and (story is None or story.ruleset)
    played = [lifecycle.setting_value(table, RULESET)] if has_rules else []
    told, first = (_told(story, table), [_opening(story)]) if story else ([], [])
    return [
        heading(say("{table} begins", table=table.name)),
        *told,
        *(say("{ruleset}: {about}", ruleset=strong(name), about=about_ruleset(name)) for name in played),
        who,
        *first,
    ]


def _told(story: Story, table: Table) -> list[Text]:
    """What a story is about, and who is there to be played."""
    who = say("Ready to play: {who}", who=listed(each.name for each in table.characters.values()))
    return [say("{kind}: {about}", kind=strong(story.kind), about=story.told), who]


def _opening(story: Story) -> Text:
    """How its first scene begins."""
    return small(say("First scene: {command}", command=story.opening))


def lost_lines(table: Table) -> list[Text]:
    """Return what isn't on the table because it can't be read."""
    return [lost_words(table.number, table.lost)] if table.lost else []


def scene_lines(table: Table, links: Mapping[int, str]) -> list[Text]:
    """Return the scene, its traits, and what is waiting in it."""
    lines = [
        *map(small, _time(table)),
        *_scene(table),
        *(line for below in shown_by_games().below_scene for line in below(table)),
    ]
    lines += waiting_lines(table, links) if waiting(table) else []
    return lines or [nothing(say("No {scene.one} is running. Example: /scene start name:The docks"))]


def stage_lines(table: Table) -> list[Text]:
    """Return the lines on what is in play besides characters: the time, the scene, pools and opponents."""
    pools = [line for each in shown_by_games().pools for line in each(table)]
    return [*_time(table), *_scene(table), *pools]


def _time(table: Table) -> list[Text]:
    """Return one line with the session, the act and the day of the story; empty if there are none."""
    parts = []
    if table.is_session:
        parts.append(stretch_words(Stretch.SESSION, table.session))
    if table.is_act:
        parts.append(stretch_words(Stretch.ACT, table.act))
    if table.day:
        parts.append(table.day)
    return [joined(", ", parts)] if parts else []


def _scene(table: Table) -> list[Text]:
    """The scene with what it has: `The docks: Fog d8, Thick smoke d6`."""
    parts = [part for scene in shown_by_games().scene for part in scene(table.scenery)]
    if not table.is_scene and not parts:
        return []
    name = strong((table.is_scene and table.scene) or say("{scene.One}"))
    return [together(name, ": ", joined(". ", parts)) if parts else name]


def _people(table: Table) -> list[Text]:
    """Each in a line: `Rook: 1 PP. Assets Lucky Scarf d6. Complications Burned d10, Trouble d6`."""
    here, lines = shown_by_games(), []
    for character in table.characters.values():
        parts = [begins(character) for begins in here.begins] or [strong(character.name)]
        for more in here.parts:
            parts += more(table, character)
        lines.append(joined(". ", parts))
    return lines


def character_lines(character: Character, table: Table | None = None) -> list[Text]:
    """Return everything about a character: what they can roll, then the rest in small print.

    With a table, also whether they are out for good.
    """
    played = _played(character)
    lines = [heading(_called(character)), small(_or_retired(table, character, played) if table else played)]
    lines += [line for sheet in shown_by_games().sheet for line in sheet(character)]
    below = [line for more in shown_by_games().below_sheet for line in more(character)]
    below += character.notes.splitlines()
    if character.portrait and not character.picture and portrait_of(character) is None:
        below.append(say("Portrait: {address}", address=character.portrait))
    return [*lines, *([BREAK, *map(small, below)] if below else [])]


def list_lines(table: Table) -> list[Text]:
    """Return every character, with their player."""
    lines: list[Text] = [_listed(table, each) for each in table.characters.values()]
    return lines or [nothing(say("There are no characters yet. Example: /character new name:Alice"))]


def _listed(table: Table, character: Character) -> Text:
    """A character with who plays them, and whether they are out for good: `Alice: played by Zoe, retired`."""
    return _or_retired(table, character, together(_called(character), ": ", _played(character)))


def _or_retired(table: Table, character: Character, line: Text) -> Text:
    is_retired = any(retired(table, character) for retired in shown_by_games().retired)
    return say("{character}, retired", character=line) if is_retired else line


def _called(character: Character) -> str:
    return f"{character.name} ({character.pronouns})" if character.pronouns else character.name


def _played(character: Character) -> Text:
    """Who plays a character."""
    if character.gmc:
        ranks = [said for rank in shown_by_games().ranks if (said := rank(character))]
        return say("{gmc.One}, {rank}", rank=listed(ranks)) if ranks else say("{gmc.One}")
    player = character.player_name if character.player else say(NOBODY)
    return say("played by {player}", player=player)


@dataclass(frozen=True, slots=True)
class Shows:
    """How a game shows its rolls."""

    kind: type
    """The class of its rolls."""
    card: Callable[[Table, Any], Card]
    """A roll as it is now."""
    told: Callable[[Table, Step, Fact], Card | None]
    """The card of a step, by the fact that one of its rolls was made or has changed; none for other facts."""
    rows: Callable[[Table, Step], tuple[tuple[Button, ...], ...]] = lambda table, step: ()
    """What is offered below a step that is told by lines."""


_known: list[Shows] = []


def learn_cards(*games: Shows) -> None:
    """Register how games show their rolls."""
    _known[:] = games


def roll_card(table: Table, roll: Rolled) -> Card:
    """Return the card of a roll in its current state. Raises LookupError if no game shows it."""
    for each in _known:
        if isinstance(roll, each.kind):
            return each.card(table, roll)
    raise LookupError(f"nobody shows a {type(roll).__name__}")


def shown_step(table: Table, step: Step) -> Card | None:
    """Return the card of a step's first fact that a game shows as a roll, or that notes what one was for."""
    for fact in step.facts:
        if isinstance(fact, RollNoted) and (roll := rolls_on(table).get(fact.roll)) is not None:
            return roll_card(table, roll)
    found = (each.told(table, step, fact) for fact in step.facts for each in _known)
    return next(filter(None, found), None)


def step_rows(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons that games offer below a step that is shown as lines."""
    return tuple(row for each in _known for row in each.rows(table, step))


Links = Mapping[int, str]
"""Where rolls are shown, by their number."""


def _nothing(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """A view: its lines and buttons, for one person or for everybody."""

    lines: Callable[[Table, Links], list[Text]]
    buttons: Callable[[Table, Actor | None], tuple[Button, ...]] = _nothing
    of_one: Callable[[Table, str], tuple[list[Text], tuple[Button, ...]] | None] | None = None
    """The lines and buttons of one of those that it shows, by its sign, if that can be looked at alone."""


def _below_table(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    return (*below_table(table), *(button for each in offers() for button in each.unseen(table)))


_SHEET = "character"
_SHARED: Mapping[str, View] = {
    "table": View(lambda table, links: table_lines(table), _below_table),
    "waiting": View(waiting_lines),
    "scene": View(scene_lines),
    settings.OVERVIEW: View(lambda table, links: campaign_lines(table)),
    "characters": View(lambda table, links: list_lines(table)),
}
_known_views: dict[str, View] = {**_SHARED}
VIEW = rf"[a-z]+|[a-z]+\.{SIGN}|{settings.VIEW}"
"""The subject of a button: a view by its short name, one thing of it, a sheet, or a page of settings."""
WITH_MENU = (settings.OVERVIEW, settings.PAGES)
"""How the views begin that have a menu."""


def learn_views(views: Mapping[str, View]) -> None:
    """Register the views of the playable games."""
    _known_views.clear()
    _known_views.update(_SHARED)
    _known_views.update(views)


def views() -> Mapping[str, View]:
    """Return all views by short name, except sheets."""
    return _known_views


def all_button() -> Button:
    """Return the button to show the whole table."""
    return Button(say("Show all"), "view", subject="table")


def share_button(view: str, page: int) -> Button:
    """Return the button to show everybody what one person sees."""
    return Button(say("Share"), "share", page, view)


def page_button(view: str) -> Button:
    """Return the button to turn the page."""
    return Button("", "page", subject=view)


def sheet_of(character: Character) -> str:
    """Return the view name of a character's sheet."""
    return one_of(_SHEET, character.name)


def view_lines(
    view: str, table: Table, links: Links, since: Mapping[str, datetime] | None = None
) -> list[Text]:
    """Return the lines of a view, with times for what is waiting.

    Raises TooLate for the sheet of a character who is gone.
    """
    if view == "waiting":
        return waiting_lines(table, links, since)
    if view in _known_views:
        return _known_views[view].lines(table, links)
    if is_settings(view):
        return settings.page_lines(table, view)
    if (one := _one(view, table)) is not None:
        return one[0]
    found = sheet_shown(table, view)
    if found is None:
        raise TooLate("That's no longer at the table.")
    return character_lines(found, table)


def one_of(view: str, name: str) -> str:
    """Return the view name of one item in a view, by the item's name."""
    return f"{view}.{mark(name)}"


def _one(view: str, table: Table) -> tuple[list[Text], tuple[Button, ...]] | None:
    """The lines and buttons of one thing of a view, if it is that and still there."""
    base, _, sign = view.partition(".")
    shown = _known_views.get(base)
    return None if shown is None or shown.of_one is None else shown.of_one(table, sign)


def view_rows(table: Table, view: str, actor: Actor | None = None) -> tuple[Button, ...]:
    """Return the buttons below a view; for one person, only those they may use."""
    if view in _known_views:
        return _known_views[view].buttons(table, actor)
    if is_settings(view):
        return settings.page_buttons(table, view, actor)
    if (one := _one(view, table)) is not None:
        return one[1]
    found = sheet_shown(table, view)
    if found is None or actor is None:
        return ()
    return tuple(button for each in offers() for button in each.sheet(table, found, actor))


def view_menus(table: Table, view: str) -> tuple[Menu, ...]:
    """Return the menus below a view, shown only in private."""
    terms = (settings.term_menu(table),) if settings.has_words(view) else ()
    return (settings.menu(table, view), *terms)


def is_settings(view: str) -> bool:
    """Return whether a view is a page of settings."""
    return view.startswith(settings.PAGES)


def sheet_shown(table: Table, view: str) -> Character | None:
    """Return the character whose sheet a view is, or None."""
    return next((c for c in table.characters.values() if sheet_of(c) == view), None)
