"""Stories that are ready to play: a campaign begins with settings, words and people that nobody plays yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules import campaign
from rules.causes import Seat
from rules.characters import free_name
from rules.facts import Seated
from rules.game import played
from rules.kinds import key
from rules.result import Step
from rules.seats import Actor, newcomer
from rules.table import Character, Table


@dataclass(frozen=True, slots=True)
class Story:
    """A campaign that somebody wrote for others to play."""

    kind: str
    """What kind of story it is, by which it is chosen: `Ghost story`."""
    title: str
    """What a campaign is called that has no other name."""
    told: str
    """What it is about, in a sentence."""
    opening: str
    """The command that its first scene begins with."""
    ruleset: str = ""
    """What it plays by; nothing where its game has no rulesets."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What is otherwise than in the ruleset, as people type it, by the settings' names."""
    characters: Mapping[str, str] = field(default_factory=dict)
    """Sheets as people type them, by the names of those whose they are."""


def found(
    table: Table, actor: Actor, name: str, story: Story | None, ruleset: str = "", is_open: bool = False
) -> Step:
    """A new campaign, perhaps with a story; its settings are laid over another ruleset that is named."""
    if story is None:
        return campaign.found(table, actor, name, ruleset, is_open)
    step = campaign.found(table, actor, name or story.title, ruleset or story.ruleset, is_open)
    step = step.then(campaign.begun_with(step.table, actor, story.settings))
    for who, sheet in story.characters.items():
        step = step.then(_with_character(step.table, who, sheet))
    return step


def _with_character(table: Table, name: str, sheet: str) -> Step:
    """Somebody whom nobody plays yet, with their sheet."""
    label = free_name(table, name)
    made = newcomer(table, Character(label))
    for game in played():
        made = game.with_typed(table, made, sheet)
    return Step(table.with_owner(key(label), made), (Seated(label, Seat.NEW),))
