"""Writing a character as a file of the Cortex Toolkit, of version 0.1.

Who came from such a file goes back as it: what was changed here is changed in it, and nothing else is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.cortex.carry import toolkit_form as forms
from rules.cortex.carry import toolkit_texts as texts
from rules.cortex.carry.foundry import named
from rules.cortex.carry.foundry_traits import OF_FOUNDRY
from rules.cortex.carry.toolkit import (
    QUESTIONED,
    Reading,
    Spot,
    alt_of,
    counted,
    counts_of,
    of_origin,
    points,
    read,
    stated,
)
from rules.cortex.carry.toolkit_form import Form
from rules.cortex.carry.toolkit_members import NEVER, NOBODY
from rules.cortex.carry.toolkit_taken import BY_KIND, TAKEN, Taken, taken_as
from rules.cortex.notation import saved
from rules.cortex.state import sfx as effects
from rules.cortex.state.kinds import LONGEST_STATEMENT, Kind, Sfx, Trait
from rules.cortex.state.part import CORTEX, CortexCharacter
from rules.cortex.traits import sheet
from rules.kinds import key
from rules.table import Character
from rules.values import replace

_ORDER = (
    Kind.DISTINCTION,
    Kind.TRAIT,
    Kind.ASSET,
    Kind.RESOURCE,
    Kind.STRESS,
    Kind.TRAUMA,
    Kind.COMPLICATION,
)
"""In which order new sets stand in a file."""
_TRACKS = (Kind.STRESS, Kind.TRAUMA)
_OURS = ("pools", "lines", "taken", "safe", "was", forms.LOCKED)
"""What is kept of our own, and read again."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """What only the moment of an export knows: an id for who has none, and when it is."""

    id: str = NOBODY
    at: str = NEVER


def write(character: Character, fresh: Fresh, picture: str = "") -> Form:
    """The character as a form of version 0.1; `picture` is their uploaded portrait as a data URL."""
    own = CORTEX.has(character)
    came = read(forms.whole({})) if own.origin is None else of_origin(own.origin)
    form = came.form
    before = _copied(form)
    back = _Back(came, character)
    back.put_person(picture)
    for kind in _ORDER:
        back.put_traits(kind, _lasting(kind, own.traits(kind)))
    back.put_effects(own.sfx)
    back.put_milestones(own.milestones)
    back.put_xp(own.xp)
    lines = [saved.write(each) for each in own.kept.values()]
    if own.kept != CORTEX.has(came.character).kept:
        forms.keep(form, "pools", lines)
    if (others := _of_others(character)) != _of_others(came.character):
        forms.keep(form, "lines", others)
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


def _dated(form: Form, fresh: Fresh, *, is_changed: bool) -> Form:
    """The form with an id and dates where it has none, and the date of its last change."""
    form["id"] = fresh.id if form["id"] == NOBODY else form["id"]
    for name in ("dateCreated", "dateModified", "dateTouched"):
        form[name] = fresh.at if form[name] == NEVER else form[name]
    if is_changed:
        form["dateModified"] = fresh.at
    return form


def _lasting(kind: Kind, held: Mapping[str, Trait]) -> dict[str, Trait]:
    """The traits of a kind that a file has: of assets the signature ones, with their usual dice (C1)."""
    if kind is not Kind.ASSET:
        return dict(held)
    signature = {k: each for k, each in held.items() if each.signature}
    return {k: replace(each, die=each.signature, more=each.usual) for k, each in signature.items()}


class _Back:
    """A form that becomes what the character is by now, step by step."""

    def __init__(self, came: Reading, character: Character) -> None:
        self.came, self.form, self.character = came, came.form, character
        self.was: CortexCharacter = CORTEX.has(came.character)
        self.spots = dict(came.traits)

    def put_person(self, picture: str) -> None:
        """Name, pronouns, notes, PP and portrait, as far as they are others."""
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

    def put_traits(self, kind: Kind, held: Mapping[str, Trait]) -> None:
        """The traits of a kind: gone, changed and new ones."""
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
        """The SFX."""
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
                    spot.form["description"] = effects.write_parts(each)
                    if forms.ours(spot.form).get(forms.LOCKED):
                        forms.keep(spot.form, forms.LOCKED, value=False)
                if each.name != was[name].name:
                    spot.form["name"] = each.name
                if each.trait != was[name].trait:
                    _without(spot.among, spot.form)
                    self._place_for(each).append(spot.form)

    def put_milestones(self, held: tuple[str, ...]) -> None:
        """The milestones."""
        left = list(held)
        for said, spot in self.came.milestones:
            if said in left:
                left.remove(said)
            else:
                _without(spot.among, spot.form)
        for said in left:
            self._set(Taken.MILESTONES, "")["traits"].append(forms.whole({"name": said}, "trait"))

    def put_xp(self, held: int) -> None:
        """The XP: what comes or goes does so at the first that counts them."""
        left = held - self.was.xp
        counting = list(self.came.xp)
        if left and not counting:
            one: Form = forms.whole({"name": "XP"}, "trait")
            self._set(Taken.XP, "")["traits"].append(one)
            counting = [(0, Spot(one, [], self.form))]
        for had, spot in counting:
            has = max(0, had + left)
            if has != had:
                spot.form["xp"] = has
                left -= has - had
            for other in ("counter", "value"):
                if points(spot.form) != has and other in spot.form:
                    spot.form[other] = 0

    def _take_away(self, kind: Kind, name: str, held: Mapping[str, Trait]) -> None:
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

    def _add(self, kind: Kind, name: str, trait: Trait) -> None:
        form = forms.whole({"name": trait.label}, "trait")
        self._put_somewhere(kind, name, trait, form)
        _put_dice(form, trait)
        _put_ours(form, trait)
        form["description"] = trait.note
        if stated(self.spots[kind, name]) != trait.statement:
            form["statement"] = trait.statement

    def _put_somewhere(self, kind: Kind, name: str, trait: Trait, form: Form) -> None:
        """Let a trait stand in its set, or in the trait that it is a part of (N23)."""
        of = self.spots.get((kind, key(trait.part_of))) if trait.part_of else None
        its_set = of.set if of else self._set(BY_KIND[kind], trait.set)
        among = of.form["traits"] if of else its_set["traits"]
        among.append(form)
        self.spots[kind, name] = Spot(form, among, its_set, of.form if of else None)

    def _change(self, kind: Kind, name: str, was: Trait, now: Trait) -> None:
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
        said = texts.on_a_line(stated(self.spots[kind, name]), LONGEST_STATEMENT)
        if said != now.statement:  # what is noted of it would be taken for one in its set
            spot.form["statement"] = now.statement

    def _place_for(self, one: Sfx) -> list[Form]:
        """Where a new SFX stands: with its trait, else with the first set."""
        for kind in _ORDER:
            spot = self.spots.get((kind, key(one.trait))) if one.trait else None
            if spot is not None:
                found: list[Form] = spot.form["sfx"]
                return found
        sets = self.form["traitSets"] or [self._set(Taken.TRAITS, "SFX")]
        held: list[Form] = sets[0]["sfx"]
        return held

    def _set(self, taken: Taken, name: str) -> Form:
        """The first set that is taken so, of that name where it is a set of traits; else a new one."""
        for each, how in zip(self.form["traitSets"], self.came.sets, strict=False):
            if how.taken is taken and (taken is not Taken.TRAITS or key(how.name) == key(name)):
                found: Form = each
                return found
        known = len(self.came.sets)
        called = TAKEN[taken].name or name or "Traits"
        for each in self.form["traitSets"][known:]:
            if each["name"] == called and taken_as(each) is taken:
                again: Form = each
                return again
        fresh: Form = forms.whole({"name": called}, "set")
        if taken_as(fresh) is not taken:
            forms.keep(fresh, "taken", str(taken))
        self.form["traitSets"].append(fresh)
        return fresh


KEPT = ""
"""What stands in a file in the place of a portrait that is kept beside it."""


def _effect(one: Sfx) -> Form:
    form: Form = forms.whole({"name": one.name, "description": effects.write_parts(one)}, "sfx")
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
        if now or name in forms.ours(form):
            forms.keep(form, name, now)


def _put_note(spot: Spot, was: str, now: str) -> None:
    """What is noted of a trait now: what a file counts by itself goes there, the rest is said of it."""
    heads, form = counted(spot), spot.form
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
    """What of a form is kept since it has no other place: its members, and those of what is in it."""
    for name, held in forms.ours(form).items():
        if name == OF_FOUNDRY and isinstance(held, dict):
            yield from named(held)
        elif name not in _OURS:
            yield name
    for name in ("traitSets", "traits", "sfx"):
        for each in form.get(name, ()):
            if isinstance(each, dict):
                yield from names_kept(each)
    if isinstance(form.get("portrait"), dict):
        yield from names_kept(form["portrait"])
