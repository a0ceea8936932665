"""A blank of the Cortex Toolkit as what a campaign begins with: settings, and sheets of new characters."""

from collections.abc import Iterator
from typing import Any

from rules.campaign import shown
from rules.cortex.carry import toolkit
from rules.cortex.carry import toolkit_form as forms
from rules.cortex.carry import toolkit_texts as texts
from rules.cortex.carry.toolkit import set_name
from rules.cortex.carry.toolkit_form import Form
from rules.cortex.carry.toolkit_taken import TAKEN, Taken, taken_as
from rules.cortex.state.in_force import with_rules
from rules.cortex.state.kinds import HARMFUL, ON_SHEET, Kind, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import Resources, Ruleset
from rules.cortex.traits import first_sheet, parts, sheet
from rules.cortex.traits.sheet import Sheet
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
            "That file holds a character. Start the campaign without it, then send the file: /character "
            "import"
        )
    if len(blanks) != 1:
        raise NotAllowed(
            "A campaign can only start from one empty Cortex Toolkit sheet; that file holds {count}. "
            "Start without a file. Example: /campaign new name:Skyfall",
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
    first, _ = first_sheet_of(after, blank)
    if not first_sheet.is_none(first):
        text = sheet.write(first, safe=True)
        fresh = CORTEX.put(fresh, replace(CORTEX.of(fresh), first_sheet=text))
    changed = [name for field, name in _TOLD.items() if getattr(before, field) != getattr(after, field)]
    return step.then(Step(fresh, tuple(SettingChanged(name, shown(fresh, name)) for name in changed)))


def first_sheet_of(rules: Ruleset, blank: Form) -> tuple[Sheet, tuple[str, ...]]:
    """What new characters begin with in a campaign of a blank, and the names of what is left out of it."""
    read = toolkit.read(blank, (), rules.sizes)
    own = CORTEX.has(read.character)
    kinds = sorted(ON_SHEET, key=lambda kind: kind is not Kind.DISTINCTION)
    traits = {kind: parts.in_order(map(_bare, own.traits(kind).values())) for kind in kinds}
    whole = Sheet(traits, tuple(own.sfx.values()))
    first = first_sheet.shortened(first_sheet.listed(whole, rules.trait_sets))
    has = {each.label for held in first.traits.values() for each in held} | {each.name for each in first.sfx}
    lists = [*map(key, rules.trait_sets)]
    sets = [each.name for each in read.sets if each.taken is Taken.TRAITS and not each.count]
    named = [
        *(name for name in sets if key(_on_one(name)) not in lists),
        *read.bare,
        *(each.label for held in whole.traits.values() for each in held),
        *(each.name for each in whole.sfx),
        *(each.label for kind in HARMFUL for each in own.traits(kind).values()),
        *own.milestones,
    ]
    return first, tuple(dict.fromkeys(name for name in named if name not in has))


def _bare(trait: Trait) -> Trait:
    """A trait whose set is called as the setting has it."""
    return replace(trait, set=_on_one(trait.set))


def _on_one(name: str) -> str:
    """A name that a setting can list: a comma would part it."""
    return " ".join(name.replace(",", " ").split())


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
    """Names for a setting, each once."""
    bare = [_on_one(name) for name in names]
    return tuple({key(name): name for name in bare if name}.values())[:MOST_NAMES]
