"""Read a Cortex Toolkit character as one of ours.

`toolkit_writer` does the way back; it reads the original file again to find where each thing came
from.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

from rules.campaign.characters import LONGEST_ALT, link
from rules.campaign.seats import RESERVED
from rules.cortex import pool_text, sfx, sheet
from rules.cortex.formats import toolkit_form
from rules.cortex.formats.toolkit_form import TAKEN, WITH_STATEMENTS, Form, TraitSetUse, taken_as
from rules.cortex.kinds import (
    HARMFUL,
    LENDING,
    LONGEST_STATEMENT,
    MOST_RATING,
    ON_SHEET,
    KeptPool,
    Sfx,
    Trait,
    TraitKind,
)
from rules.cortex.model import CORTEX, Aside, CortexCharacter, Origin, packed
from rules.cortex.ruleset import MOST_PP
from rules.cortex.sheet import MOST_SETS, MOST_TRAITS
from rules.cortex.sheet_lines import is_one_bracket
from rules.dice import ALL_SIZES, SIZES, Ladder
from rules.errors import RuleError
from rules.game import played
from rules.names import LABEL, LONGEST, NOTE, SOMEBODY, clean, fold, get_named, is_seen, key, key_in
from rules.table import MOST_XP, Character
from rules.text import Words, truncate, whole_words
from rules.values import Value, replace

MOST_NOTE = 200
"""A note of a trait has at most this many characters."""


_MOST_READ = 20_000
"""So many characters of a text are read, markup and blanks included; none of it has room for more."""


_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\b[^<>]{0,2000}>|<!--[^<>]{0,2000}-->")


_ENDLESS = re.compile("&#[0-9]{20,};?")
"""A character by its number, of more digits than any has: Python reads no number of thousands of them."""


_BREAKS = ("br", "p", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote")


_TO = re.compile(r"(?P<cost>[^.]{1,80}?) to (?P<benefit>[^.]{1,80})", re.IGNORECASE)


_CHUNK = 76
"""Mere words of an SFX are at most so long, each; what is longer is parted between words."""


def without_html(text: str) -> str:
    """Return text without HTML tags; Markdown is left as it is.

    >>> without_html("<p>A <b>brave</b> pilot &amp; thief</p>"), without_html("A **brave** pilot")
    ('A brave pilot & thief', 'A **brave** pilot')
    """
    if "<" not in text and "&" not in text:
        return text
    if _TAG.search(text) is None:
        return text
    return unescape(_ENDLESS.sub("\ufffd", _TAG.sub(_untagged, text))).strip()


def _untagged(tag: re.Match[str]) -> str:
    name = (tag[1] or "").casefold()
    if name == "li" and not tag[0].startswith("</"):
        return "\n- "
    return "\n" if name in _BREAKS and (tag[0].startswith("</") or name == "br") else ""


def on_a_line(text: str, longest: int, instead: str = "") -> str:
    """Return text on one line, truncated to the limit; `instead` if nothing visible is left.

    >>> on_a_line("A very long name", 10), on_a_line("<br>", 10, "Nameless")
    ('A very…', 'Nameless')
    """
    line = " ".join("".join(c if is_seen(c) else " " for c in without_html(text[:_MOST_READ])).split())
    try:
        # Twice, since what is cut may end with what is not seen.
        return clean(clean(truncate(line, longest), LABEL, longest), LABEL, longest)
    except RuleError:
        return instead


def on_lines(text: str, longest: int) -> str:
    """Return text on several lines, truncated to the limit."""
    said = without_html(text[:_MOST_READ]).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [clean(line, NOTE, len(line) + 1) if _is_seen(line) else "" for line in said]
    return truncate("\n".join(lines).strip("\n"), longest).strip()


def _is_seen(line: str) -> bool:
    try:
        return bool(clean(line, NOTE, len(line) + 1))
    except RuleError:
        return False


def label(text: str, longest: int, instead: str) -> str:
    """Return a name for a line of a sheet, where quotation marks delimit names.

    >>> label('The "Duke"', 50, "Trait")
    "The 'Duke'"
    """
    return on_a_line(text.replace('"', "'"), longest, instead)


def note(text: str, longest: int = MOST_NOTE) -> str:
    """Return a note that can stand in brackets in a line of a sheet.

    >>> note("ready 1) now")
    'ready 1] now'
    """
    said = on_a_line(text, longest)
    if said and not is_one_bracket(f"({said})"):
        said = said.translate(str.maketrans("()", "[]"))
    return said


def effect(name: str, said: str, trait: str) -> Sfx:
    """Return an SFX or limit of another program: as data if it can be parsed, otherwise as text (X1)."""
    line = on_a_line(said, 2000)
    bare = line.rstrip(".").strip()
    found = _read(line) or _read(bare) or _read_to(bare) or _of_words(line or name)
    return Sfx(name, found.benefit, found.cost, found.when, trait)


def locked(name: str, said: str, trait: str) -> Sfx:
    """Return an SFX that isn't unlocked yet in another program, as text that says so."""
    found = _of_words(f"Not unlocked yet: {on_a_line(said, 2000) or name}")
    return Sfx(name, found.benefit, trait=trait)


def effect_name(text: str, instead: str) -> str:
    """Return a name that an SFX can have."""
    name = label(text, 50, instead)
    try:
        sfx.require_name(name)
    except RuleError:
        return f"{name} SFX"
    return name


def _read(line: str) -> Sfx | None:
    """An SFX as a line of a sheet says it: `double Mind, for 1 PP, when angry`."""
    try:
        return sfx.read(f"a: {line}", ALL_SIZES)
    except RuleError:
        return None


def _read_to(line: str) -> Sfx | None:
    """An SFX as books say it: `Spend a PP to reroll a die`."""
    match = _TO.fullmatch(line)
    if match is None:
        return None
    try:
        return sfx.new_sfx("a", match["benefit"], match["cost"], None, "", ALL_SIZES)
    except RuleError:
        return None


def _of_words(line: str) -> Sfx:
    """An SFX of mere words, parted where they are too long, and cut after six such parts."""
    bare = " ".join(re.sub('["“”]', "'", line).split())
    parts: list[str] = []
    while bare and len(parts) < sfx.MOST_PARTS:
        end = len(bare) if len(bare) <= _CHUNK else max(bare.rfind(" ", 1, _CHUNK), 0) or _CHUNK
        last = len(parts) == sfx.MOST_PARTS - 1 and end < len(bare)
        parts.append(f"{whole_words(bare, end - 1)}…" if last else bare[:end].rstrip())
        bare = bare[end:].lstrip()
    seen = [clean(each, Words("benefit"), _CHUNK + 4) for each in parts if _is_seen(each)]
    return Sfx("a", tuple(f'"{each}"' for each in seen) or ('"…"',))


QUESTIONED = "questioned"
"""A note of a statement that is in doubt."""


_ROWS = ("note", "milestone", "sfx", "limit", "saved pool", "pronoun", "portrait", "rating")
"""What a line of a sheet begins with that is no trait set."""


_PIECES = "; "


class ReadSet(Value):
    """A trait set of a file: its name, what it is imported as, and the number of its traits."""

    name: str
    taken: TraitSetUse
    count: int


@dataclass(slots=True)
class FilePlace:
    """The place of a thing in a file: its object, the list around that, its trait set, and its owner."""

    form: Form
    among: list[Form]
    set: Form
    of: Form | None = None
    """The trait that it is a part of, or the SFX of."""


@dataclass(slots=True)
class ReadCharacter:
    """A character that was read, with the place of each thing in the file."""

    form: Form
    character: Character
    sets: tuple[ReadSet, ...] = ()
    traits: dict[tuple[TraitKind, str], FilePlace] = field(default_factory=dict)
    sfx: dict[str, FilePlace] = field(default_factory=dict)
    milestones: list[tuple[str, FilePlace]] = field(default_factory=list)
    xp: list[tuple[int, FilePlace]] = field(default_factory=list)
    resized: list[tuple[str, int, int]] = field(default_factory=list)
    """Traits whose size the table lacks: their labels, the size of the file and the one that they have."""
    bare: list[str] = field(default_factory=list)
    """Traits that have no die, or no room, by their labels."""
    unrated: list[tuple[TraitKind, Trait]] = field(default_factory=list)
    """Those of them that a sheet could have, if they had a die, with their kinds."""
    renamed: list[str] = field(default_factory=list)
    """What of several of one name has its set behind it."""
    is_cut: bool = False
    """The notes are longer than what is shown of them."""


@dataclass(slots=True)
class _Entry:
    """A trait on the way: where it stands, what it is, and its name."""

    spot: FilePlace
    taken: TraitSetUse
    set: str
    raw: str
    part_of: "_Entry | None" = None
    label: str = ""
    dice: tuple[int, ...] = ()


def read(form: Form, taken: Sequence[str] = (), sizes: Ladder = SIZES) -> ReadCharacter:
    """Return the character of a form of version 0.1, which keeps the form.

    `taken` says what each trait set is imported as; an empty entry means the default.
    """
    chosen = [_chosen(each, taken, place) for place, each in enumerate(form["traitSets"])]
    reading = ReadCharacter(form, _somebody(form))
    entries = list(_entries(form, chosen))
    _size_all(reading, entries, sizes)
    _label_all(reading, entries)
    own = _with_entries(reading, entries)
    own = replace(own, sfx=_with_sfx(reading, form, entries), kept=_kept(form))
    left = _overflowing(form, entries)
    reading.sets = tuple(
        ReadSet(set_name(each), how, len(each["traits"]))
        for each, how in zip(form["traitSets"], chosen, strict=True)
    )
    reading.is_cut = len(on_lines(form["notes"], _MOST_READ)) > sheet.MOST_NOTES
    origin = Origin(packed(toolkit_form.lean(form)), tuple(map(str, chosen)), sizes)
    own = replace(own, asides=(*own.asides, *left), origin=origin, pp=_within(form["plotPoints"], MOST_PP))
    xp = _within(sum(count for count, _ in reading.xp), MOST_XP)
    reading.character = CORTEX.give(replace(_with_games(reading.character, form), xp=xp), own)
    return reading


def of_origin(origin: Origin) -> ReadCharacter:
    """Return a character as it was when it was imported."""
    return read(toolkit_form.with_all_members(json.loads(origin.file)), origin.taken, origin.sizes)


def _chosen(form: Form, taken: Sequence[str], place: int) -> TraitSetUse:
    said = taken[place] if place < len(taken) else ""
    return TraitSetUse(said) if said in list(TraitSetUse) else taken_as(form)


def _within(number: int, most: int) -> int:
    return max(0, min(number, most))


def _somebody(form: Form) -> Character:
    """Who it is, without what they have."""
    portrait = form["portrait"]
    try:
        address = link(portrait["url"])
    except RuleError:
        address = ""
    return Character(
        name_of(form),
        notes=on_lines(form["notes"], sheet.MOST_NOTES),
        pronouns=on_a_line(form["pronouns"], 40),
        portrait=address,
    )


def name_of(form: Form) -> str:
    """Return the name that a character gets here."""
    name = label(form["name"].replace(",", " ").replace(";", " "), 70, SOMEBODY)
    if fold(name) in RESERVED:
        return f"{name} 1"
    return f"{SOMEBODY} {name}" if any(game.has_meaning(name) for game in played()) else name


def alt_of(form: Form) -> str:
    """Return the description of a form's portrait."""
    return on_a_line(form["portrait"]["alt"], LONGEST_ALT)


def set_name(form: Form) -> str:
    """Return the name of a trait set, or else its noun."""
    said = form["name"] or form["nounPlural"] or form["nounSingular"]
    name = label(said.replace(":", " "), 40, "Traits")
    return f"{name} traits" if fold(name).removesuffix("s") in _ROWS else name


def _entries(form: Form, chosen: Sequence[TraitSetUse]) -> Iterator[_Entry]:
    """Every trait of a form, each after what it is a part of."""
    spelt: dict[str, str] = {}
    for each, taken in zip(form["traitSets"], chosen, strict=True):
        name = spelt.setdefault(fold(set_name(each)), set_name(each))
        if taken is TraitSetUse.TRAITS and fold(name).removesuffix("s") in _OTHER_ROWS:
            name = f"{name} traits"
        for trait in each["traits"]:
            instead = label(each["nounSingular"], 60, name)
            entry = _Entry(FilePlace(trait, each["traits"], each), taken, name, _raw(trait, instead))
            yield entry
            yield from _parts(entry, trait, each)


_OTHER_ROWS = ("distinction", "signature asset", "resource")


def _parts(of: _Entry, trait: Form, set_form: Form) -> Iterator[_Entry]:
    """The parts of a trait, and theirs, all as its own (N23)."""
    for part in trait["traits"]:
        spot = FilePlace(part, trait["traits"], set_form, of.spot.form)
        yield _Entry(spot, of.taken, of.set, _raw(part, of.raw), of)
        yield from _parts(of, part, set_form)


def _raw(trait: Form, instead: str) -> str:
    return label(trait["name"], LONGEST, instead)


def _size_all(reading: ReadCharacter, entries: Sequence[_Entry], sizes: Ladder) -> None:
    """Give each its dice: of a size that the table lacks the nearest smaller one (N13)."""
    for each in entries:
        form = each.spot.form
        given = [size for size in form.get("dice") or [form["value"] or 0] if size > 0]
        for size in sorted(given, reverse=True)[:MOST_RATING]:
            has = max((one for one in sizes if one <= size), default=sizes[0])
            if has != size and TAKEN[each.taken].kind is not None:
                reading.resized.append((each.raw, size, has))
            each.dice = (*each.dice, has)


def _label_all(reading: ReadCharacter, entries: Sequence[_Entry]) -> None:
    """Give each a label of its own: of those of one name in several places each has its set behind it."""
    rated = [each for each in entries if each.dice and TAKEN[each.taken].kind is not None]
    lending = [each for each in rated if TAKEN[each.taken].kind in LENDING]
    count = Counter(fold(each.raw) for each in lending)
    seen: set[tuple[TraitKind | None, str]] = set()
    for each in entries:
        kind = TAKEN[each.taken].kind
        shared = None if kind in LENDING else kind
        is_several = each.dice and kind in LENDING and count[fold(each.raw)] > 1
        where = (each.part_of.raw if each.part_of else each.set)[:40].rstrip()
        each.label = (
            _behind(each.raw, f" ({where})") if is_several and fold(where) != fold(each.raw) else each.raw
        )
        if not each.dice or kind is None:
            continue
        first, number = each.label, 2
        while (shared, fold(each.label)) in seen:
            each.label, number = _behind(first, f" {number}"), number + 1
        seen.add((shared, fold(each.label)))
        if each.label != each.raw:
            reading.renamed.append(each.label)


def _behind(raw: str, more: str) -> str:
    return f"{raw[: LONGEST - len(more)].rstrip()}{more}"


def _overflowing(form: Form, entries: Sequence[_Entry]) -> Iterator[Aside]:
    """What the form says of somebody beside traits, and SFX for which there is no room."""
    if said := on_a_line(form["description"], 300):
        yield Aside("", said)
    for number, (name, said, _, _) in enumerate(_effects(form, entries)):
        if number >= MOST_TRAITS:
            yield Aside("SFX", name, note(said))


def _with_entries(reading: ReadCharacter, entries: Sequence[_Entry]) -> CortexCharacter:
    """What somebody has of all those traits; what has no die, or no room, stands beside them."""
    held: dict[TraitKind, dict[str, Trait]] = {}
    asides: list[Aside] = []
    milestones: list[str] = []
    room: Counter[tuple[TraitKind, str]] = Counter()
    for each in entries:
        kind, is_unrated = TAKEN[each.taken].kind, not each.dice
        if each.taken is TraitSetUse.MILESTONES:
            said = _milestone(each)
            milestones.append(said)
            reading.milestones.append((said, each.spot))
            asides += _counted_beside(each)
        elif each.taken is TraitSetUse.XP:
            reading.xp.append((points(each.spot.form), each.spot))
        elif kind is not None and each.dice and _fits(room, kind, each):
            trait = _trait(each, kind)
            held.setdefault(kind, {})[key(trait.label)] = trait
            reading.traits[kind, key(trait.label)] = each.spot
            asides += _counted_beside(each) if kind in HARMFUL else []
        elif kind in (TraitKind.STRESS, TraitKind.TRAUMA) and not each.dice:
            # A track without stress on it: where stress comes, it stands there.
            reading.traits.setdefault((kind, key(each.raw)), each.spot)
            asides += _counted_beside(each)
        else:
            asides.append(_aside(each))
            reading.bare.append(asides[-1].label)
            if kind in ON_SHEET and is_unrated:
                own_set = each.set if kind is TraitKind.TRAIT else ""
                reading.unrated.append((kind, Trait(each.raw, 0, set=own_set)))
    own = CortexCharacter(asides=tuple(asides), milestones=tuple(milestones))
    for kind, traits in held.items():
        own = own.with_traits(kind, traits)
    return own


def _fits(room: Counter[tuple[TraitKind, str]], kind: TraitKind, entry: _Entry) -> bool:
    """Whether a set has room for one more trait, and a sheet for one more set; a part needs its trait."""
    of = key(entry.set) if kind is TraitKind.TRAIT else ""
    is_new = kind is TraitKind.TRAIT and (kind, of) not in room
    sets = sum(1 for each in room if each[0] is TraitKind.TRAIT)
    if room[kind, of] >= MOST_TRAITS or (is_new and sets >= MOST_SETS):
        entry.label = f"{entry.raw} d{entry.dice[0]}"
        entry.dice = ()
        return False
    room[kind, of] += 1
    return True


def _aside(entry: _Entry) -> Aside:
    """A trait that never joins a pool."""
    die = "".join(f" d{size}" for size in entry.dice)
    label = entry.label if not entry.dice or entry.taken is not TraitSetUse.NOTES else f"{entry.raw}{die}"
    said = stated(entry.spot) or entry.spot.form["description"]
    return Aside(entry.set, label, note(_PIECES.join([*numbers_note(entry.spot), *filter(None, [said])])))


def _counted_beside(entry: _Entry) -> list[Aside]:
    """What a file counts of a thing that has no note of its own here, such as stress."""
    said = numbers_note(entry.spot)
    return [Aside(entry.set, entry.raw, note(_PIECES.join(said)))] if said else []


def _milestone(entry: _Entry) -> str:
    more = on_a_line(entry.spot.form["description"], 200)
    said = f"{entry.raw}: {more}" if more else entry.raw
    return on_a_line(said.replace(";", ","), 200, entry.raw)


def points(form: Form) -> int:
    """Return how many XP a trait of such a set counts for."""
    for name in ("xp", "counter", "value"):
        number = form.get(name)
        if isinstance(number, str) and number.strip().isascii() and number.strip().isdigit():
            return int(number.strip()[:9])
        if isinstance(number, int) and number > 0:
            return number
    return 0


def _trait(entry: _Entry, kind: TraitKind) -> Trait:
    die, more = entry.dice[0], entry.dice[1:]
    of = entry.part_of
    return Trait(
        entry.label,
        die,
        signature=die if kind is TraitKind.ASSET else 0,
        usual=more if kind is TraitKind.ASSET else (),
        set=entry.set if kind is TraitKind.TRAIT else "",
        note="" if kind in HARMFUL else note_of(entry.spot),
        more=more,
        part_of=of.label if of is not None and of.dice else "",
        statement="" if kind in HARMFUL else on_a_line(stated(entry.spot), LONGEST_STATEMENT),
        was=_was(entry.spot.form),
        safe=toolkit_form.ours(entry.spot.form).get("safe") is True,
    )


def _was(form: Form) -> int:
    """The rating before a challenge, which we kept (N7)."""
    was = toolkit_form.ours(form).get("was")
    return was if isinstance(was, int) and was in ALL_SIZES else 0


def stated(spot: FilePlace) -> str:
    """Return the statement of a trait, as in the file (N7)."""
    if "statement" in spot.form:
        said: str = spot.form["statement"]
        return said
    usually = any(fold(spot.set[name]) in WITH_STATEMENTS for name in ("name", "nounSingular"))
    return str(spot.form["description"]) if spot.set.get("statement", usually) else ""


def note_of(spot: FilePlace) -> str:
    """Return the note of a trait: whether it is in doubt, its counters, and its description."""
    return note(_PIECES.join([*numbers_note(spot), *filter(None, [said_of(spot)])]))


def said_of(spot: FilePlace) -> str:
    """Return a trait's description, apart from its statement."""
    said = str(spot.form["description"])
    return "" if said == stated(spot) else on_a_line(said, MOST_NOTE)


def numbers_note(spot: FilePlace) -> list[str]:
    """Return the parts of a note that the file stores in members of their own."""
    found = [QUESTIONED] if spot.form.get("questioned") else []
    return found + [note(f"{said} {spot.form[name]}", 60) for name, said in counts_of(spot)]


def counts_of(spot: FilePlace) -> list[tuple[str, str]]:
    """Return the counters of a trait: (member, word used in a note) each."""
    names = [name for name in ("counter", "xp") if spot.form.get(name) not in (None, "", 0)]
    label = str(spot.set.get("counterLabel") or "")
    if names == ["xp"]:
        return [("xp", label or "XP")]
    return [(name, "XP" if name == "xp" else label or "count") for name in names]


def _effects(form: Form, entries: Sequence[_Entry]) -> Iterator[tuple[str, str, FilePlace, str]]:
    """The SFX of sets and of traits: name, what they do, where they stand, and the label of their trait."""
    for each in form["traitSets"]:
        for one in each["sfx"]:
            if _is_known(one):
                yield (
                    effect_name(one["name"], "SFX"),
                    one["description"],
                    FilePlace(one, each["sfx"], each),
                    "",
                )
    for entry in entries:
        trait = entry.spot.form
        kind = TAKEN[entry.taken].kind
        is_on_sheet = entry.dice and kind in LENDING
        for one in trait["sfx"]:
            if _is_known(one):
                spot = FilePlace(one, trait["sfx"], entry.spot.set, trait)
                name = effect_name(one["name"], "SFX")
                yield name, one["description"], spot, entry.label if is_on_sheet else ""


def _is_known(one: object) -> bool:
    """Whether an SFX is more than the usual one of distinctions, which everybody has (P1)."""
    return isinstance(one, dict) and fold(one["name"]) != toolkit_form.HINDER


def _with_sfx(reading: ReadCharacter, form: Form, entries: Sequence[_Entry]) -> dict[str, Sfx]:
    """The SFX, each with a name of its own."""
    found: dict[str, Sfx] = {}
    for name, said, spot, trait in _effects(form, entries):
        if len(found) >= MOST_TRAITS:
            break
        own = name if get_named(found, name) is None or not trait else f"{name[:25]} ({trait[:30]})"
        number = 2
        while get_named(found, own) is not None:
            own, number = f"{name[:50]} {number}", number + 1
        is_locked = toolkit_form.ours(spot.form).get(toolkit_form.LOCKED) is True
        found[key(own)] = locked(own, said, trait) if is_locked else effect(own, said, trait)
        reading.sfx[key(own)] = spot
    return found


def _with_games(character: Character, form: Form) -> Character:
    """The character with what we kept of other games in the file, as lines of a sheet."""
    try:
        held = sheet.read("\n".join(_lines(form, "lines"))).games
    except RuleError:
        return character
    for game in (each for each in played() if each.part.name in held):
        character = game.with_sheet(character, held[game.part.name])
    return character


def _kept(form: Form) -> dict[str, KeptPool]:
    """The pools that we kept in the file (D2)."""
    found: dict[str, KeptPool] = {}
    for line in _lines(form, "pools"):
        try:
            pool = pool_text.read_saved_pool(line)
        except RuleError:
            continue
        if len(found) < pool_text.MOST:
            found.setdefault(key_in(found, pool.name), pool)
    return found


def _lines(form: Form, name: str) -> list[str]:
    """Lines of a sheet that we kept in a file; what else somebody has put there is none."""
    said = toolkit_form.ours(form).get(name)
    return [each for each in said if isinstance(each, str)] if isinstance(said, list) else []
