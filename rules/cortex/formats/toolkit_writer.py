"""Write a character as a Cortex Toolkit file, and start a campaign from a Toolkit template.

An imported character is written into its original file: only what was changed here is changed there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rules.campaign.lifecycle import setting_value
from rules.cortex import characters, pool_text, rating, sfx, sheet, sheet_lines
from rules.cortex.formats import toolkit_form, toolkit_reader
from rules.cortex.formats.foundry import OF_FOUNDRY, unread_members
from rules.cortex.formats.toolkit_form import BY_KIND, NEVER, NOBODY, TAKEN, Form, TraitSetUse, taken_as
from rules.cortex.formats.toolkit_reader import (
    QUESTIONED,
    FilePlace,
    ReadCharacter,
    alt_of,
    counts_of,
    numbers_note,
    of_origin,
    points,
    read,
    set_name,
    stated,
)
from rules.cortex.kinds import HARMFUL, LONGEST_STATEMENT, ON_SHEET, Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX, CortexCharacter
from rules.cortex.roll_status import with_rules
from rules.cortex.ruleset import ResourceUse, Ruleset
from rules.cortex.sheet import MOST_TRAITS, Sheet
from rules.errors import NotAllowed, RuleError
from rules.facts import SettingChanged
from rules.game import Step
from rules.names import LONGEST, fold, key, without_mention
from rules.table import Character
from rules.values import Value, replace

_ORDER = (
    TraitKind.DISTINCTION,
    TraitKind.TRAIT,
    TraitKind.ASSET,
    TraitKind.RESOURCE,
    TraitKind.STRESS,
    TraitKind.TRAUMA,
    TraitKind.COMPLICATION,
)
"""In which order new sets stand in a file."""


_TRACKS = (TraitKind.STRESS, TraitKind.TRAUMA)


_OURS = ("pools", "lines", "taken", "safe", "was", toolkit_form.LOCKED)
"""What is kept of our own, and read again."""


class ExportContext(Value):
    """Values known only at export: an id for a character without one, and the time."""

    id: str = NOBODY
    at: str = NEVER


def write(character: Character, fresh: ExportContext, picture: str = "") -> Form:
    """Return the character as a form of version 0.1; `picture` is the uploaded portrait as a data URL."""
    own = CORTEX.has(character)
    came = read(toolkit_form.with_all_members({})) if own.origin is None else of_origin(own.origin)
    form = came.form
    before = _copied(form)
    back = _Back(came, character)
    back.put_person(picture)
    for kind in _ORDER:
        back.put_traits(kind, _lasting(kind, own.traits(kind)))
    back.put_effects(own.sfx)
    back.put_milestones(own.milestones)
    back.put_xp(character.xp)
    lines = [pool_text.write_saved_pool(each) for each in own.kept.values()]
    if own.kept != CORTEX.has(came.character).kept:
        toolkit_form.keep(form, "pools", lines)
    if (others := _of_others(character)) != _of_others(came.character):
        toolkit_form.keep(form, "lines", others)
    return _dated(form, fresh, is_changed=form != before)


def _of_others(character: Character) -> list[str]:
    """What somebody has of other games, as lines of a sheet."""
    return sheet.write(sheet.Sheet(games=sheet.of(character).games)).splitlines()


def _copied(part: Form) -> Form:
    return {
        name: [_copied(each) if isinstance(each, dict) else each for each in held]
        if isinstance(held, list)
        else _copied(held)
        if isinstance(held, dict)
        else held
        for name, held in part.items()
    }


def _dated(form: Form, fresh: ExportContext, *, is_changed: bool) -> Form:
    """The form with an id and dates where it has none, and the date of its last change."""
    form["id"] = fresh.id if form["id"] == NOBODY else form["id"]
    for name in ("dateCreated", "dateModified", "dateTouched"):
        form[name] = fresh.at if form[name] == NEVER else form[name]
    if is_changed:
        form["dateModified"] = fresh.at
    return form


def _lasting(kind: TraitKind, held: Mapping[str, Trait]) -> dict[str, Trait]:
    """The traits of a kind that a file has: of assets the signature ones, with their usual dice (C1)."""
    if kind is not TraitKind.ASSET:
        return dict(held)
    signature = {k: each for k, each in held.items() if each.signature}
    return {k: replace(each, die=each.signature, more=each.usual) for k, each in signature.items()}


class _Back:
    """A form that becomes what the character is by now, step by step."""

    def __init__(self, came: ReadCharacter, character: Character) -> None:
        self.came, self.form, self.character = came, came.form, character
        self.was: CortexCharacter = CORTEX.has(came.character)
        self.spots = dict(came.traits)

    def put_person(self, picture: str) -> None:
        """Write name, pronouns, notes, PP and portrait, if they have changed."""
        now, was, form = self.character, self.came.character, self.form
        for name in ("name", "pronouns", "notes"):
            if getattr(now, name) != getattr(was, name):
                form[name] = getattr(now, name)
        if CORTEX.has(now).pp != self.was.pp:
            form["plotPoints"] = CORTEX.has(now).pp
        url = form["portrait"]["url"]
        if picture:
            form["portrait"]["url"] = picture
            if now.picture_alt != alt_of(form):
                form["portrait"]["alt"] = now.picture_alt
        elif now.portrait != was.portrait:
            form["portrait"]["url"] = now.portrait
        elif url == KEPT:
            form["portrait"]["url"] = ""

    def put_traits(self, kind: TraitKind, held: Mapping[str, Trait]) -> None:
        """Write removed, changed and new traits of a kind."""
        was = _lasting(kind, self.was.traits(kind))
        for name in was.keys() - held.keys():
            self._take_away(kind, name, held)
        for name, each in sorted(held.items(), key=lambda one: bool(one[1].part_of)):
            spot = self.spots.get((kind, name))
            if spot is None:
                self._add(kind, name, each)
            elif name not in was:
                _put_dice(spot.form, each)
                _put_ours(spot.form, each)
            elif each != was[name]:
                self._change(kind, name, was[name], each)

    def put_effects(self, held: Mapping[str, Sfx]) -> None:
        """Write the SFX."""
        was = self.was.sfx
        for name in was.keys() - held.keys():
            spot = self.came.sfx[name]
            _without(spot.among, spot.form)
        for name, each in held.items():
            if name not in was:
                self._place_for(each).append(_effect(each))
            elif each != was[name]:
                spot = self.came.sfx[name]
                if (each.benefit, each.cost, each.when) != (
                    was[name].benefit,
                    was[name].cost,
                    was[name].when,
                ):
                    spot.form["description"] = sfx.write_parts(each)
                    if toolkit_form.ours(spot.form).get(toolkit_form.LOCKED):
                        toolkit_form.keep(spot.form, toolkit_form.LOCKED, value=False)
                if each.name != was[name].name:
                    spot.form["name"] = each.name
                if each.trait != was[name].trait:
                    _without(spot.among, spot.form)
                    self._place_for(each).append(spot.form)

    def put_milestones(self, held: tuple[str, ...]) -> None:
        """Write the milestones."""
        left = list(held)
        for said, spot in self.came.milestones:
            if said in left:
                left.remove(said)
            else:
                _without(spot.among, spot.form)
        for said in left:
            self._set(TraitSetUse.MILESTONES, "")["traits"].append(
                toolkit_form.with_all_members({"name": said}, "trait")
            )

    def put_xp(self, held: int) -> None:
        """Write the XP; a difference goes to the first trait that counts them."""
        left = held - self.came.character.xp
        counting = list(self.came.xp)
        if left and not counting:
            one: Form = toolkit_form.with_all_members({"name": "XP"}, "trait")
            self._set(TraitSetUse.XP, "")["traits"].append(one)
            counting = [(0, FilePlace(one, [], self.form))]
        for had, spot in counting:
            has = max(0, had + left)
            if has != had:
                spot.form["xp"] = has
                left -= has - had
            for other in ("counter", "value"):
                if points(spot.form) != has and other in spot.form:
                    spot.form[other] = 0

    def _take_away(self, kind: TraitKind, name: str, held: Mapping[str, Trait]) -> None:
        """A trait goes; what was a part of it, and stays, stands by itself."""
        spot = self.spots.pop((kind, name))
        for (other, part), its in self.spots.items():
            if its.of is spot.form and other is kind and part in held:
                _without(its.among, its.form)
                its.among, its.of = spot.set["traits"], None
                its.among.append(its.form)
        if kind in _TRACKS:
            spot.form["value"] = 0
            spot.form.pop("dice", None)
        else:
            _without(spot.among, spot.form)

    def _add(self, kind: TraitKind, name: str, trait: Trait) -> None:
        form = toolkit_form.with_all_members({"name": trait.label}, "trait")
        self._put_somewhere(kind, name, trait, form)
        _put_dice(form, trait)
        _put_ours(form, trait)
        form["description"] = trait.note
        if stated(self.spots[kind, name]) != trait.statement:
            form["statement"] = trait.statement

    def _put_somewhere(self, kind: TraitKind, name: str, trait: Trait, form: Form) -> None:
        """Let a trait stand in its set, or in the trait that it is a part of (N23)."""
        of = self.spots.get((kind, key(trait.part_of))) if trait.part_of else None
        its_set = of.set if of else self._set(BY_KIND[kind], trait.set)
        among = of.form["traits"] if of else its_set["traits"]
        among.append(form)
        self.spots[kind, name] = FilePlace(form, among, its_set, of.form if of else None)

    def _change(self, kind: TraitKind, name: str, was: Trait, now: Trait) -> None:
        spot = self.spots[kind, name]
        if (now.set, now.part_of) != (was.set, was.part_of):
            _without(spot.among, spot.form)
            self._put_somewhere(kind, name, now, spot.form)
        if now.label != was.label:
            spot.form["name"] = now.label
        if (now.die, now.more) != (was.die, was.more):
            _put_dice(spot.form, now)
        _put_ours(spot.form, now)
        if now.statement != was.statement:
            if was.statement and "statement" not in spot.form:
                spot.form["description"] = ""  # it was the statement itself
            spot.form["statement"] = now.statement
        if now.note != was.note:
            _put_note(spot, was.note, now.note)
        said = toolkit_reader.on_a_line(stated(self.spots[kind, name]), LONGEST_STATEMENT)
        if said != now.statement:  # what is noted of it would be taken for one in its set
            spot.form["statement"] = now.statement

    def _place_for(self, one: Sfx) -> list[Form]:
        """Where a new SFX stands: with its trait, else with the first set."""
        for kind in _ORDER:
            spot = self.spots.get((kind, key(one.trait))) if one.trait else None
            if spot is not None:
                found: list[Form] = spot.form["sfx"]
                return found
        sets = self.form["traitSets"] or [self._set(TraitSetUse.TRAITS, "SFX")]
        held: list[Form] = sets[0]["sfx"]
        return held

    def _set(self, taken: TraitSetUse, name: str) -> Form:
        """The first set that is taken so, of that name where it is a set of traits; else a new one."""
        for each, how in zip(self.form["traitSets"], self.came.sets, strict=False):
            if how.taken is taken and (taken is not TraitSetUse.TRAITS or fold(how.name) == fold(name)):
                found: Form = each
                return found
        known = len(self.came.sets)
        called = TAKEN[taken].name or name or "Traits"
        for each in self.form["traitSets"][known:]:
            if each["name"] == called and taken_as(each) is taken:
                again: Form = each
                return again
        fresh: Form = toolkit_form.with_all_members({"name": called}, "set")
        if taken_as(fresh) is not taken:
            toolkit_form.keep(fresh, "taken", str(taken))
        self.form["traitSets"].append(fresh)
        return fresh


KEPT = ""
"""What stands in a file in the place of a portrait that is kept beside it."""


def _effect(one: Sfx) -> Form:
    form: Form = toolkit_form.with_all_members({"name": one.name, "description": sfx.write_parts(one)}, "sfx")
    return form


def _put_dice(form: Form, trait: Trait) -> None:
    form["value"] = trait.die
    if trait.more:
        form["dice"] = [trait.die, *trait.more]
    else:
        form.pop("dice", None)


def _put_ours(form: Form, trait: Trait) -> None:
    """What the format has no place for: that the dice are safe (N14), the rating before a challenge (N7)."""
    for name, now in (("safe", trait.safe), ("was", trait.was)):
        if now or name in toolkit_form.ours(form):
            toolkit_form.keep(form, name, now)


def _put_note(spot: FilePlace, was: str, now: str) -> None:
    """What is noted of a trait now: what a file counts by itself goes there, the rest is said of it."""
    heads, form = numbers_note(spot), spot.form
    pieces = now.split("; ") if heads else [now]
    if form.get("questioned") and QUESTIONED not in pieces:
        form["questioned"] = False
    pieces = [each for each in pieces if each != QUESTIONED] if heads else pieces
    for name, head in counts_of(spot):
        mine = next((each for each in pieces if each.startswith(f"{head} ")), None)
        if mine is None:
            form[name] = 0
            continue
        said = mine.removeprefix(f"{head} ")
        pieces.remove(mine)
        if said != str(form[name]):
            form[name] = int(said) if said.isascii() and said.isdigit() and len(said) < 10 else said
    rest = "; ".join(pieces)
    had = was.split("; ")[len(heads) :] if heads else [was]
    if rest != "; ".join(had):
        if "statement" not in form and (said := stated(spot)):
            form["statement"] = said
        form["description"] = rest


def _without(among: list[Form], form: Form) -> None:
    """A list without an object, which no other that says the same stands for."""
    among[:] = [each for each in among if each is not form]


def names_kept(form: Form) -> Iterable[str]:
    """Return the names of members that are only kept for lack of another place, including nested ones."""
    for name, held in toolkit_form.ours(form).items():
        if name == OF_FOUNDRY and isinstance(held, dict):
            yield from unread_members(held)
        elif name not in _OURS:
            yield name
    for name in ("traitSets", "traits", "sfx"):
        for each in form.get(name, ()):
            if isinstance(each, dict):
                yield from names_kept(each)
    if isinstance(form.get("portrait"), dict):
        yield from names_kept(form["portrait"])


MOST_NAMES = 10
"""A setting lists at most so many names."""


_ON_SHEETS = (TraitSetUse.TRAITS, TraitSetUse.DISTINCTIONS, TraitSetUse.ASSETS, TraitSetUse.RESOURCES)


_TOLD = {
    "trait_sets": "trait sets",
    "stress": "stress tracks",
    "resources": "resources",
    "statements": "statements",
}
"""The settings that a blank says something of, by their fields."""


def blank_of(form: Any) -> Form:
    """Return the one blank of a file. Raises NotAllowed if there isn't one, and what reading it raises."""
    found = [each for each in (form if isinstance(form, list) else [form]) if toolkit_form.is_sheet(each)]
    blanks = [each for each in found if toolkit_form.is_blank(each)]
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
    (blank,) = toolkit_form.read(blanks)
    return blank


def title_of(form: Any, blank: Form) -> str:
    """Return the title of a campaign started from a file's blank; "" if it has none."""
    (file,) = (each for each in (form if isinstance(form, list) else [form]) if toolkit_form.is_sheet(each))
    said = file.get("title") if toolkit_form.is_template(file) else ""
    return toolkit_reader.on_a_line(said if isinstance(said, str) and said else blank["name"], LONGEST)


def begin(step: Step, blank: Form) -> Step:
    """Return a campaign's first step with a blank's trait sets, stress tracks, and what these need."""
    before = CORTEX.of(step.table).ruleset
    fresh = with_rules(step.table, _rules(before, blank))
    after = CORTEX.of(fresh).ruleset
    first, _ = first_sheet_of(after, blank)
    if not characters.is_none(first):
        text = sheet.write(first, safe=True)
        fresh = CORTEX.put(fresh, replace(CORTEX.of(fresh), first_sheet=text))
    changed = [name for field, name in _TOLD.items() if getattr(before, field) != getattr(after, field)]
    return step.then(Step(fresh, tuple(SettingChanged(name, setting_value(fresh, name)) for name in changed)))


def first_sheet_of(rules: Ruleset, blank: Form) -> tuple[Sheet, tuple[str, ...]]:
    """Return the starting sheet for a blank's campaign, and the names of what it leaves out."""
    read = toolkit_reader.read(blank, (), rules.sizes)
    own = CORTEX.has(read.character)
    kinds = sorted(ON_SHEET, key=lambda kind: kind is not TraitKind.DISTINCTION)
    traits = {kind: sheet_lines.in_order(map(_bare, own.traits(kind).values())) for kind in kinds}
    taken, unrated = {fold(each.label) for held in traits.values() for each in held}, []
    count = Counter((kind, each.set) for kind, held in traits.items() for each in held)
    for kind, each in read.unrated:
        label = f"{each.label} ({each.set})" if each.set and fold(each.label) in taken else each.label
        row = (kind, _on_one(each.set))
        if fold(label) in taken or not _is_typable(label) or count[row] >= MOST_TRAITS:
            continue
        count[row] += 1
        taken.add(fold(label))
        if kind is TraitKind.DISTINCTION:  # a d8 where nothing else is said (D3)
            traits[kind] += (replace(each, die=8),)
        else:
            unrated.append((kind, replace(_bare(each), label=label)))
    whole = Sheet(traits, tuple(own.sfx.values()), unrated=tuple(unrated))
    first = characters.shortened(characters.without_other_sets(whole, rules.trait_sets))
    has = {each.label for held in first.traits.values() for each in held} | {each.name for each in first.sfx}
    has |= {each.label for _, each in first.unrated}
    lists = [*map(fold, rules.trait_sets)]
    sets = [each.name for each in read.sets if each.taken is TraitSetUse.TRAITS and not each.count]
    named = [
        *(name for name in sets if fold(_on_one(name)) not in lists),
        *read.bare,
        *(each.label for held in whole.traits.values() for each in held),
        *(each.name for each in whole.sfx),
        *(each.label for kind in HARMFUL for each in own.traits(kind).values()),
        *own.milestones,
    ]
    return first, tuple(dict.fromkeys(name for name in named if name not in has))


def _is_typable(label: str) -> bool:
    """Whether a player could type this label with a die."""
    try:
        without_mention(rating.without_die(label))
    except RuleError:
        return False
    return len(label) <= LONGEST


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
        toolkit_reader.label(trait["name"].replace(",", " "), 40, "")
        for each, how in sets
        if how is TraitSetUse.STRESS
        for trait in each["traits"]
    )
    has_resources = any(how is TraitSetUse.RESOURCES for _, how in sets)
    is_on = rules.resources is not ResourceUse.OFF or not has_resources
    return replace(
        rules,
        trait_sets=names or rules.trait_sets,
        stress=tracks or rules.stress,
        resources=rules.resources if is_on else ResourceUse.ON,
        statements=rules.statements or any(each.get("statement") for each, _ in sets),
    )


def _names(names: Iterator[str]) -> tuple[str, ...]:
    """Names for a setting, each once."""
    bare = [_on_one(name) for name in names]
    return tuple({fold(name): name for name in bare if name}.values())[:MOST_NAMES]
