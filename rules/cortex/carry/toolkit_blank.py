"""A blank of the Cortex Toolkit as the settings of a campaign that begins with it."""

from collections.abc import Iterator
from typing import Any

from rules.campaign import shown
from rules.cortex.carry import toolkit_form as forms
from rules.cortex.carry import toolkit_texts as texts
from rules.cortex.carry.toolkit import set_name
from rules.cortex.carry.toolkit_form import Form
from rules.cortex.carry.toolkit_taken import TAKEN, Taken, taken_as
from rules.cortex.state.in_force import with_rules
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import Resources, Ruleset
from rules.errors import NotAllowed
from rules.facts import SettingChanged
from rules.kinds import key
from rules.names import LONGEST
from rules.result import Step
from rules.values import replace

MOST_NAMES = 10
"""A setting lists at most so many names."""
_ON_SHEETS = (Taken.TRAITS, Taken.DISTINCTIONS, Taken.ASSETS, Taken.RESOURCES)
_TOLD = {
    "trait_sets": "trait sets",
    "stress": "stress tracks",
    "resources": "resources",
    "statements": "statements",
}
"""The settings that a blank says something of, by their fields."""


def blank_of(form: Any) -> Form:
    """The one blank of a file. Raises NotAllowed for what holds none, and what reading it raises."""
    found = [each for each in (form if isinstance(form, list) else [form]) if forms.is_sheet(each)]
    blanks = [each for each in found if forms.is_blank(each)]
    if found and not blanks:
        raise NotAllowed(
            "That file holds a character. Begin the campaign without it, then send it to /character import"
        )
    if len(blanks) != 1:
        raise NotAllowed(
            "A campaign begins with one empty sheet of the Cortex Toolkit, and that file holds {count}. "
            "Example: /campaign new name:Skyfall",
            count=len(blanks),
        )
    (blank,) = forms.read(blanks)
    return blank


def title_of(form: Any, blank: Form) -> str:
    """What a campaign is called that begins with the blank of a file; nothing where that has no title."""
    (file,) = (each for each in (form if isinstance(form, list) else [form]) if forms.is_sheet(each))
    said = file.get("title") if forms.is_template(file) else ""
    return texts.on_a_line(said if isinstance(said, str) and said else blank["name"], LONGEST)


def begin(step: Step, blank: Form) -> Step:
    """A campaign that begins, with the trait sets of a blank, its stress tracks, and what these need."""
    before = CORTEX.of(step.table).ruleset
    fresh = with_rules(step.table, _rules(before, blank))
    after = CORTEX.of(fresh).ruleset
    changed = [name for field, name in _TOLD.items() if getattr(before, field) != getattr(after, field)]
    return step.then(Step(fresh, tuple(SettingChanged(name, shown(fresh, name)) for name in changed)))


def _rules(rules: Ruleset, blank: Form) -> Ruleset:
    sets = [(each, taken_as(each)) for each in blank["traitSets"]]
    names = _names(TAKEN[how].name or set_name(each) for each, how in sets if how in _ON_SHEETS)
    tracks = _names(
        texts.label(trait["name"].replace(",", " "), 40, "")
        for each, how in sets
        if how is Taken.STRESS
        for trait in each["traits"]
    )
    has_resources = any(how is Taken.RESOURCES for _, how in sets)
    is_on = rules.resources is not Resources.OFF or not has_resources
    return replace(
        rules,
        trait_sets=names or rules.trait_sets,
        stress=tracks or rules.stress,
        resources=rules.resources if is_on else Resources.ON,
        statements=rules.statements or any(each.get("statement") for each, _ in sets),
    )


def _names(names: Iterator[str]) -> tuple[str, ...]:
    """Names for a setting, each once; a comma would part them."""
    bare = [" ".join(name.replace(",", " ").split()) for name in names]
    return tuple({key(name): name for name in bare if name}.values())[:MOST_NAMES]
