"""The whole table in words: every trait, pool and plot point in the forms that never change."""

from collections.abc import Mapping

from bot.language import say
from bot.language.line import BREAK, Text, heading, joined, nothing, small, strong, together
from bot.render.at_table import shown
from bot.render.parts import listed
from bot.render.plan import table_line
from bot.render.settings import about_ruleset
from bot.render.waiting import waiting, waiting_line, waiting_lines
from bot.render.words import UNNAMED, lost_words, stretch_words
from rules.campaign import lifecycle
from rules.campaign.lifecycle import RULESET, Story, names
from rules.facts import Stretch
from rules.table import Table


def table_lines(table: Table) -> list[Text]:
    """What is in play, the scene and the GM's side first, then a line for each character; no sheets."""
    lines = [
        heading(table.name or say(UNNAMED)),
        *map(small, _time(table)),
        *table_line(table),
        *lost_lines(table),
    ]
    if table.archived:
        name = table.name or "Skyfall"
        lines.append(say("This table is archived. Example: /campaign join name:{name}", name=name))
    lines += [*_scene(table), *(line for pools in shown().pools for line in pools(table))]
    people = _people(table)
    if not people:
        people = [say("There are no characters yet. Press Join on the pinned table.")]
    waits = waiting_line(table)
    unseen = [small(line) for unseen in shown().unseen for line in unseen(table)]
    last = [small(say("Waiting: {who}", who=waits))] if waits else []
    return [*lines, BREAK, *people, *unseen, *last]


def begun_lines(table: Table, story: Story | None = None) -> list[Text]:
    """What is told of a campaign that begins: what its ruleset means, and what comes first."""
    who = (
        # All read it, so the GM is told by name.
        say("{gm} is the {gm.one}. To play, press Join.", gm=listed(table.gms.values()))
        if table.gms
        else say("There's no {gm.one}, so everyone can do everything. To play, press Join.")
    )
    has_rules = RULESET in names() and (story is None or story.ruleset)
    played = [lifecycle.shown(table, RULESET)] if has_rules else []
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
    """What is not on the table, since it cannot be read any more."""
    return [lost_words(table.number, table.lost)] if table.lost else []


def scene_lines(table: Table, links: Mapping[int, str]) -> list[Text]:
    """The scene, what it has, and what waits in it."""
    lines = [
        *map(small, _time(table)),
        *_scene(table),
        *(line for below in shown().below_scene for line in below(table)),
    ]
    lines += waiting_lines(table, links) if waiting(table) else []
    return lines or [nothing(say("No {scene.one} is running. Example: /scene start name:The docks"))]


def stage_lines(table: Table) -> list[Text]:
    """Return the lines on what is in play besides characters: the time, the scene, pools and opponents."""
    pools = [line for each in shown().pools for line in each(table)]
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
    parts = [part for scene in shown().scene for part in scene(table.scenery)]
    if not table.is_scene and not parts:
        return []
    name = strong((table.is_scene and table.scene) or say("{scene.One}"))
    return [together(name, ": ", joined(". ", parts)) if parts else name]


def _people(table: Table) -> list[Text]:
    """Each in a line: `Rook: 1 PP. Assets Lucky Scarf d6. Complications Burned d10, Trouble d6`."""
    here, lines = shown(), []
    for character in table.characters.values():
        parts = [begins(character) for begins in here.begins] or [strong(character.name)]
        for more in here.parts:
            parts += more(table, character)
        lines.append(joined(". ", parts))
    return lines
