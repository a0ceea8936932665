"""The table and its sheets in words, the views that people page through, and how rolls are shown."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.language import say
from bot.language.line import BREAK, Text, heading, joined, nothing, small, strong, together
from bot.views import settings
from bot.views.card import Button, Card, Menu, mark, portrait_of
from bot.views.game import SHOWN, Links, ShownGames, Since, View
from bot.views.labels import NOBODY, UNNAMED, listed, lost_words, scene_name, stretch_words
from bot.views.question import SIGN, below_table
from bot.views.schedule import table_line
from bot.views.settings import about_ruleset, campaign_lines
from bot.views.waiting import earlier_lines, show_buttons, waiting, waiting_line, waiting_lines
from bot.views.xp import xp_lines
from rules.campaign import lifecycle
from rules.campaign.lifecycle import RULESET, Story, names
from rules.campaign.rolls import rolls_on, without_roll
from rules.campaign.seats import Actor
from rules.errors import TooLate
from rules.facts import Fact, RollNoted, Stretch
from rules.game import Step
from rules.table import Character, Rolled, Table


def table_lines(table: Table, before: Since = None) -> list[Text]:
    """Return what is in play: the scene and the GM's side, then a line per character, without sheets.

    What isn't as it was on the table `before` is emphasized.
    """
    lines = [
        heading(table.name or say(UNNAMED)),
        *map(small, time_lines(table)),
        *table_line(table),
        *lost_lines(table),
    ]
    if table.archived:
        name = table.name or "Skyfall"
        lines.append(say("This table is archived. Example: /campaign join name:{name}", name=name))
    here = SHOWN.at(table)
    lines += [*_scene(table, before), *(line for pools in here.pools for line in pools(table, before))]
    people = [joined(". ", _parts(here, table, each, before)) for each in table.in_play.values()]
    if untaken := [each.name for each in table.characters.values() if each.untaken]:
        people.append(small(_ready_line(untaken)))
    if not people:
        people = [say("There are no characters yet. Press Join on the pinned table.")]
    waits = waiting_line(table)
    unseen = [small(line) for unseen in here.unseen for line in unseen(table)]
    last = [small(say("Waiting: {who}", who=waits))] if waits else []
    return [*lines, BREAK, *people, *unseen, *last]


def begun_lines(table: Table, story: Story | None = None) -> list[Text]:
    """Return the text for a new campaign: its story or ruleset, and what to do first."""
    who = (
        # All read it, so the GM is told by name.
        say("{gm} is the {gm.one}. To play, press Join.", gm=listed(table.gms.values()))
        if table.gms
        else say("There's no {gm.one}, so everyone can do everything. To play, press Join.")
    )
    has_rules = RULESET in names() and (story is None or story.ruleset)
    played = [lifecycle.setting_value(table, RULESET)] if has_rules else []
    rules = [say("{ruleset}: {about}", ruleset=strong(name), about=about_ruleset(name)) for name in played]
    title = heading(say("{table} begins", table=table.name))
    if story is None:
        return [title, *rules, who]
    return [title, story.opening, _ready_line([*story.characters]), who, *map(small, rules)]


def _ready_line(names: Sequence[str]) -> Text:
    return say("Ready to play: {who}", who=listed(names))


def lost_lines(table: Table) -> list[Text]:
    """Return what isn't on the table because it can't be read."""
    return [lost_words(table.number, table.lost)] if table.lost else []


def scene_lines(table: Table, links: Mapping[int, str]) -> list[Text]:
    """Return the scene, its traits, and what is waiting in it."""
    lines = [
        *map(small, time_lines(table)),
        *_scene(table),
        *(line for below in SHOWN.at(table).below_scene for line in below(table)),
    ]
    lines += waiting_lines(table, links) if waiting(table) else earlier_lines(table, links)
    return lines or [nothing(say("No {scene.one} is running. Example: /scene start name:The docks"))]


def stage_lines(table: Table) -> list[Text]:
    """Return the lines on what is in play besides characters: the scene, pools and opponents."""
    pools = [line for each in SHOWN.at(table).pools for line in each(table, None)]
    return [*_scene(table), *pools]


def time_lines(table: Table) -> list[Text]:
    """Return one line with the session, the act and the day of the story; empty if there are none."""
    parts = []
    if table.is_session:
        parts.append(stretch_words(Stretch.SESSION, table.session))
    if table.is_act:
        parts.append(stretch_words(Stretch.ACT, table.act))
    if table.day:
        parts.append(table.day)
    return [joined(", ", parts)] if parts else []


def _scene(table: Table, before: Since = None) -> list[Text]:
    """The scene with what it has: `The docks: Fog d8, Thick smoke d6`."""
    parts: list[Text] = []
    for scene in SHOWN.at(table).scene:
        parts += scene(table.scenery, before)
    if not table.is_scene and not parts:
        return []
    name = strong(scene_name(table.scene, table.scenes) if table.is_scene else say("{scene.One}"))
    return [together(name, ": ", joined(". ", parts)) if parts else name]


def person_parts(table: Table, character: Character) -> list[Text]:
    """Return a character's name and points, then what they have in play, a part for each kind."""
    return _parts(SHOWN.at(table), table, character, None)


def _parts(here: ShownGames, table: Table, character: Character, before: Since) -> list[Text]:
    """A character in parts: `Rook: 1 PP`, `Assets Lucky Scarf d6`, `Complications Burned d10`."""
    parts = [begins(character, before) for begins in here.begins] or [strong(character.name)]
    for more in here.parts:
        parts += more(table, character, before)
    return parts


def character_lines(character: Character, table: Table | None = None) -> list[Text]:
    """Return everything about a character: what they can roll, then the rest in small print.

    With a table, also whether they are out for good.
    """
    played = _played(character)
    lines = [heading(_called(character)), small(_or_retired(table, character, played) if table else played)]
    shown = SHOWN.at(table) if table else SHOWN
    lines += [line for sheet in shown.sheet for line in sheet(character)]
    below = [say("{xp} XP", xp=character.xp)] if character.xp else []
    below += [line for more in shown.below_sheet for line in more(character)]
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
    is_retired = any(retired(table, character) for retired in SHOWN.at(table).retired)
    return say("{character}, retired", character=line) if is_retired else line


def _called(character: Character) -> str:
    return f"{character.name} ({character.pronouns})" if character.pronouns else character.name


def _played(character: Character) -> Text:
    """Who plays a character."""
    if character.gmc:
        ranks = [said for rank in SHOWN.ranks if (said := rank(character))]
        return say("{gmc.One}, {rank}", rank=listed(ranks)) if ranks else say("{gmc.One}")
    player = character.player_name if character.player else say(NOBODY)
    return say("played by {player}", player=player)


def roll_card(table: Table, roll: Rolled) -> Card:
    """Return the card of a roll of any game in its current state. Raises LookupError if none shows it."""
    for each in SHOWN.games:
        if isinstance(roll, each.rolls.kind):
            return each.rolls.card(table, roll)
    raise LookupError(f"nobody shows a {type(roll).__name__}")


def closed_roll_card(before: Table, after: Table, roll: Rolled, facts: Sequence[Fact]) -> Card:
    """Return the last card of a roll on the table `before`; a step with these facts closed it."""
    table = without_roll(before, roll)
    for each in SHOWN.games:
        if isinstance(roll, each.rolls.kind) and each.rolls.closed is not None:
            table, roll = each.rolls.closed(table, after, roll, facts)
    return roll_card(table, roll)


def shown_step(table: Table, step: Step) -> Card | None:
    """Return the card of a step's first fact that a game shows as a roll, or that notes what one was for."""
    for fact in step.facts:
        if isinstance(fact, RollNoted) and (roll := rolls_on(table).get(fact.roll)) is not None:
            return roll_card(table, roll)
    found = (each.rolls.told(table, step, fact) for fact in step.facts for each in SHOWN.at(table).games)
    return next(filter(None, found), None)


def step_rows(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons that games offer below a step that is shown as lines."""
    return tuple(row for each in SHOWN.at(table).games for row in each.rolls.rows(table, step))


def _below_table(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    return (
        *below_table(table),
        *(button for each in SHOWN.at(table).offers for button in each.unseen(table)),
    )


_SHEET = "character"
_SHARED: Mapping[str, View] = {
    "table": View(lambda table, links: table_lines(table), _below_table),
    "waiting": View(waiting_lines, lambda table, actor: show_buttons(table)),
    "scene": View(scene_lines),
    settings.OVERVIEW: View(lambda table, links: campaign_lines(table)),
    "characters": View(lambda table, links: list_lines(table)),
    "xp": View(lambda table, links: xp_lines(table)),
}
VIEW = rf"[a-z]+|[a-z]+\.{SIGN}|{settings.VIEW}"
"""The subject of a button: a view by its short name, one thing of it, a sheet, or a page of settings."""
WITH_MENU = (settings.OVERVIEW, settings.PAGES)
"""How the views begin that have a menu."""


def views() -> Mapping[str, View]:
    """Return all views by short name, except sheets."""
    return {**_SHARED, **SHOWN.views}


def _view(table: Table, name: str) -> View | None:
    return _SHARED.get(name) or SHOWN.at(table).views.get(name)


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
        link = links.get(table.plan.number) if table.plan is not None else None
        plan = [together(line, " ", link) if link else line for line in table_line(table)]
        return [*waiting_lines(table, links, since), *plan]
    if (known := _view(table, view)) is not None:
        return known.lines(table, links)
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
    shown = _view(table, base)
    return None if shown is None or shown.of_one is None else shown.of_one(table, sign)


def view_rows(table: Table, view: str, actor: Actor | None = None) -> tuple[Button, ...]:
    """Return the buttons below a view; for one person, only those they may use."""
    if (known := _view(table, view)) is not None:
        return known.buttons(table, actor)
    if is_settings(view):
        return settings.page_buttons(table, view, actor)
    if (one := _one(view, table)) is not None:
        return one[1]
    found = sheet_shown(table, view)
    if found is None or actor is None:
        return ()
    return tuple(button for each in SHOWN.at(table).offers for button in each.sheet(table, found, actor))


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
