"""Character sheets as text: a line for each trait set, read and written as a pair (D1, D2).

Distinctions: Old Soldier d8, Reckless d8
Attributes: Mind d10 (a quick one), Body d8
Mind d10: I see through everybody
Signature assets: Sword d8
SFX: Focus (Mind): double Mind, for 1 PP, when angry
Saved pool: Fly: Spirit + Pilot + Hotshot vs 11
Ratings: Body 3d, Fight 2d 1w
Milestones: Find the map; Lose a friend
Notes: Anything, on as many lines as it takes
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.cortex.notation import saved
from rules.cortex.state import rating, sfx
from rules.cortex.state.kinds import LONGEST_STATEMENT, ON_SHEET, KeptPool, Kind, Sfx, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.traits import parts
from rules.dice import ALL_SIZES, SAFE_WORD, SIZES, Ladder, shorten, size_of
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.game import played
from rules.kinds import key
from rules.names import LABEL, NAME, NOTE, clean
from rules.portrait import link
from rules.table import Character
from rules.values import replace
from rules.words import LINES, SENTENCES, Counted, Phrase, Row, Words

LONGEST = 19000  # five fields of a form, each of 4000, with room left to type into
"""A sheet as text has at most this many characters."""
MOST_SETS = 20
"""A sheet has at most this many trait sets."""
MOST_TRAITS = 40
"""A trait set, and each other row, has at most this many traits."""
LONGEST_LINE = 1500
"""A longer row of traits goes on in a further line of the same name."""
MOST_MISTAKES = 20
"""So many mistakes of a sheet are told at once."""
MOST_NOTES = 2000
"""Notes have at most this many characters."""
_TRAIT = re.compile(
    r"(?P<label>.*?)\s*\b(?P<die>(?:[0-9]{0,3}d[0-9]{1,3}\s+)*[0-9]{0,3}d[0-9]{1,3}|[0-9]{1,3})\s*"
    r"(?:\((?P<note>.*)\))?",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r'(?:"(?P<quoted>.+)"|(?P<label>[^":]+?))\s+[dD](?P<die>[0-9]{1,3})\s*:\s*(?P<said>\S.*)'
)
_SAFE = re.compile(rf"(?:(?P<label>.*)\s)?{SAFE_WORD}", re.IGNORECASE)
_ROWS: Mapping[str, Kind] = {
    "distinction": Kind.DISTINCTION,
    "signature asset": Kind.ASSET,
    "resource": Kind.RESOURCE,
}
"""Rows that are no trait set of their own, by their heads without a plural."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a sheet says: its traits by kind, and what else is on it."""

    traits: Mapping[Kind, tuple[Trait, ...]] = field(default_factory=dict)
    sfx: tuple[Sfx, ...] = ()
    kept: tuple[KeptPool, ...] = ()
    games: Mapping[str, Any] = field(default_factory=dict)
    """What it says of other games, by their names."""
    milestones: tuple[str, ...] = ()
    pronouns: str = ""
    portrait: str = ""
    notes: str = ""
    safe: bool = False
    """It says which dice are safe (N14)."""


def of(character: Character) -> Sheet:
    """The sheet of a character: what is lasting, without what comes and goes in play."""
    own = CORTEX.has(character)
    return Sheet(
        {kind: _lasting(kind, own.traits(kind)) for kind in ON_SHEET},
        tuple(own.sfx.values()),
        tuple(own.kept.values()),
        {name: part for name, part in character.games.items() if name != CORTEX.name},
        own.milestones,
        character.pronouns,
        character.portrait,
        character.notes,
    )


def row_of(kind: Kind, one: Trait) -> str:
    """Return what the row of a trait is called: its trait set, or that of its kind in small letters."""
    return next((f"{head}s" for head, of_it in _ROWS.items() if of_it is kind), one.set)


def sizes_of(sheet: Sheet) -> set[int]:
    """The sizes of the dice on a sheet, which may be off the table's list (N13)."""
    traits = {size for held in sheet.traits.values() for each in held for size in rating.sizes_of(each)}
    return traits | {part.die for each in sheet.sfx for part in sfx.parts_of(each) if part.die}


def _lasting(kind: Kind, held: Mapping[str, Trait]) -> tuple[Trait, ...]:
    """Traits of a kind that are on a sheet: of assets the signature ones, with their usual dice (C1)."""
    if kind is not Kind.ASSET:
        return parts.in_order(held.values())
    usual = (
        replace(trait, die=trait.signature, more=trait.usual) for trait in held.values() if trait.signature
    )
    return parts.in_order(usual)


def write(sheet: Sheet, more: Iterable[str] = (), *, resources: bool = False, safe: bool = False) -> str:
    """A sheet as text, as `read` reads it again; `more` are sets that get a line even when empty.

    Where they do, signature assets have a line too, and `resources` where the table has them (C2); `safe`
    says which dice are (N14).
    """
    lines = []
    if sheet.pronouns:
        lines.append(f"Pronouns: {sheet.pronouns}")
    if sheet.portrait:
        lines.append(f"Portrait: {sheet.portrait}")
    lines += _rows("Distinctions", sheet.traits.get(Kind.DISTINCTION, ()), safe=safe)
    lines += _statements(sheet.traits.get(Kind.DISTINCTION, ()))
    sets: dict[str, list[Trait]] = {}
    for trait in sheet.traits.get(Kind.TRAIT, ()):
        sets.setdefault(trait.set or "Traits", []).append(trait)
    for name, held in sets.items():
        lines += [*_rows(name, held, safe=safe), *_statements(held)]
    known = {key(line.partition(":")[0]) for line in lines} | {"signature assets", "resources"}
    empty = tuple(more)
    lines += [f"{name}:" for name in empty if key(name) not in known]
    rows = (("Signature assets", Kind.ASSET, bool(empty)), ("Resources", Kind.RESOURCE, resources))
    for head, kind, is_shown in rows:
        if sheet.traits.get(kind) or is_shown:
            lines += _rows(head, sheet.traits.get(kind, ()), safe=safe)
            lines += _statements(sheet.traits.get(kind, ()))
    lines += [f"SFX: {sfx.write(each)}" for each in sheet.sfx]
    lines += [f"Saved pool: {saved.write(each)}" for each in sheet.kept]
    for game in played():
        lines += game.sheet_lines(sheet.games[game.part.name]) if game.part.name in sheet.games else ()
    if sheet.milestones:
        lines.append(f"Milestones: {'; '.join(sheet.milestones)}")
    if sheet.notes:
        lines.append(f"Notes: {sheet.notes}")
    return "\n".join(lines)


def read(text: str, sizes: Ladder = SIZES, *, safe: bool = False) -> Sheet:
    """The sheet that a text means; where it is `safe` it says which dice are (N14).

    Raises Unreadable or NotAllowed, with each mistake and its line.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            "That sheet has {count} characters; {longest} are the most.", count=len(text), longest=LONGEST
        )
    sheet, traits, mistakes = Sheet(safe=safe), dict[Kind, tuple[Trait, ...]](), list[Phrase]()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kind: type[RuleError] | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        head, colon, rest = line.partition(":")
        try:
            if _with_statement(traits, line):
                continue
            if not colon or not head.strip():
                raise Unreadable(
                    "a line begins with its name and a colon. Example: Skills: Fight d8, Sneak d6"
                )
            if key(head.strip()) == "notes":
                sheet = replace(sheet, notes=_notes("\n".join([rest, *lines[number:]]).strip()))
                break
            sheet = _with_line(sheet, traits, clean(head, NAME), rest, sizes)
        except RuleError as mistake:
            kind = kind or type(mistake)
            mistakes.append(
                Words(
                    "Line {number}, {line}: {fault}", number=number, line=shorten(line), fault=mistake.words
                )
            )
            # The lines behind it are notes too, and no mistakes of their own.
            if key(head.strip()) == "notes":
                break
    if kind is not None:
        more = len(mistakes) - MOST_MISTAKES
        left = [Counted(more, "{count} more mistakes", "{count} more mistakes")] if more > 0 else []
        raise kind("{mistakes}", mistakes=Row([*mistakes[:MOST_MISTAKES], *left], LINES, LINES))
    return replace(sheet, traits=traits)


def put(character: Character, sheet: Sheet) -> Character:
    """The character with that sheet; what is in play keeps its state: a spent resource, a stepped asset."""
    own = CORTEX.has(character)
    _check_sfx(sheet)
    temporary = {k: trait for k, trait in own.assets.items() if not trait.signature}
    fresh = {kind: _held(character, kind, sheet) for kind in (Kind.DISTINCTION, Kind.TRAIT, Kind.RESOURCE)}
    named = replace(character, pronouns=sheet.pronouns, portrait=sheet.portrait, notes=sheet.notes)
    for game in (each for each in played() if each.heads):
        named = game.with_sheet(named, sheet.games.get(game.part.name, game.part.own()))
    held = replace(
        own,
        distinctions=fresh[Kind.DISTINCTION],
        sheet=fresh[Kind.TRAIT],
        resources=fresh[Kind.RESOURCE],
        assets={**_held(character, Kind.ASSET, sheet), **temporary},
        milestones=sheet.milestones,
        sfx={key(each.name): each for each in sheet.sfx},
        kept={key(each.name): each for each in sheet.kept},
    )
    return CORTEX.give(named, held)


def trait(text: str, of_set: str = "", sizes: Ladder = SIZES, *, safe: bool = False) -> Trait:
    """One trait as typed: `Mind d10`, `"Quick, Wits" d8 (a note)`, `Crew 3d6`, `Luck safe d6` (N21, N14).

    A die alone is named after its set.

    Raises Unreadable.
    """
    match = _TRAIT.fullmatch(text.strip())
    if match is None:
        example = text.partition("(")[0].strip()[:30] or "Mind"
        raise Unreadable(
            "{text} has no die. Example: {example} d8", text=shorten(text), example=example.strip()
        )
    typed = match["label"].strip()
    said = _SAFE.fullmatch(typed) if safe else None
    typed = (said["label"] or "").strip() if said else typed
    label = clean(typed.strip('"') or of_set, LABEL)
    note = clean(match["note"], NOTE, 200) if match["note"] and match["note"].strip() else ""
    die = match["die"]
    dice = rating.of_dice(die[die[0] in "dD" and " " not in die :], sizes)
    note = parts.unnoted(note)
    return Trait(label, dice.die, set=of_set, note=note, more=dice.more, safe=said is not None)


def _with_line(
    sheet: Sheet, traits: dict[Kind, tuple[Trait, ...]], head: str, rest: str, sizes: Ladder
) -> Sheet:
    """The sheet with one more line; traits are added to `traits`."""
    word = key(head).removesuffix("s")
    match word:
        case "milestone":
            return replace(sheet, milestones=_texts(rest))
        case "sfx" | "limit":
            return replace(sheet, sfx=_with_sfx(sheet.sfx, sfx.read(rest, sizes)))
        case "saved pool":
            return replace(sheet, kept=_with_kept(sheet.kept, saved.read(rest)))
        case "pronoun":
            return replace(sheet, pronouns=clean(rest, Words("line of pronouns"), 40) if rest.strip() else "")
        case "portrait":
            return replace(sheet, portrait=link(rest))
        case _ if other := next((game for game in played() if word in game.heads), None):
            name = other.part.name
            read = other.read_line(sheet.games.get(name, other.part.own()), rest)
            return replace(sheet, games={**sheet.games, name: read})
        case _:
            kind = _ROWS.get(word, Kind.TRAIT)
            name = _set_name(traits, head) if kind is Kind.TRAIT else ""
            usual = 8 if kind is Kind.DISTINCTION else 0
            found = _traits(parts.parted(rest), name, usual, sizes, safe=sheet.safe)
            if kind is Kind.ASSET:
                found = [replace(each, signature=each.die, usual=each.more) for each in found]
            _add(traits, kind, found)
            return sheet


def _with_statement(traits: dict[Kind, tuple[Trait, ...]], line: str) -> bool:
    """Whether a line is the statement of a trait that stands above, which has it then (N7)."""
    match = _STATEMENT.fullmatch(line.strip())
    label = key(match["quoted"] or match["label"]) if match else ""
    for kind, held in traits.items() if match else ():
        for place, each in enumerate(held):
            if match is None or key(each.label) != label:
                continue
            if size_of(match["die"], ALL_SIZES) != each.die:
                raise NotAllowed(
                    "{label} is a d{die} above. Example: {label} d{die}: {said}",
                    label=each.label,
                    die=each.die,
                    said=match["said"][:40],
                )
            said = clean(match["said"], Words("statement"), LONGEST_STATEMENT)
            traits[kind] = (*held[:place], replace(each, statement=said), *held[place + 1 :])
            return True
    return False


def _statements(traits: Iterable[Trait]) -> list[str]:
    """The statements of a trait set, a line each: `Duty d10: I leave nobody behind` (N7)."""
    return [f"{_label(each, ':')} d{each.die}: {each.statement}" for each in traits if each.statement]


def _traits(typed: Iterable[str], name: str, usual: int, sizes: Ladder, *, safe: bool) -> list[Trait]:
    """The traits of a line; one without a die has the `usual` one, where there is one (D3).

    Raises Unreadable for all of them that have none.
    """
    found, mistakes = list[Trait](), list[Phrase]()
    for whole in typed:
        part, of_it = parts.behind(whole)
        has_none = _TRAIT.fullmatch(part.strip()) is None and usual
        label, bracket, note = part.partition("(")
        try:
            text = f"{label.strip()} d{usual} {bracket}{note}" if has_none else part
            found.append(trait(text, name, sizes, safe=safe))
            found += _parts_of(found[-1], of_it, usual, sizes, safe=safe)
        except RuleError as mistake:
            mistakes.append(mistake.words)
    if mistakes:
        raise Unreadable("{mistakes}", mistakes=Row(mistakes, SENTENCES, SENTENCES))
    return found


def _parts_of(whole: Trait, typed: str, usual: int, sizes: Ladder, *, safe: bool) -> list[Trait]:
    """The parts of a trait, as they stand behind it (N23). Raises Unreadable, NotAllowed for their own."""
    held = [] if not typed.strip() else _traits(parts.parted(typed), whole.set, usual, sizes, safe=safe)
    if any(one.part_of for one in held):
        raise NotAllowed("A part has no parts. Example: Fight d8 (> Knives d6, Swords d8)")
    return [replace(one, part_of=whole.label) for one in held]


def _set_name(traits: dict[Kind, tuple[Trait, ...]], head: str) -> str:
    """The name of a trait set, spelt as in an earlier line of it."""
    names = (each.set for each in traits.get(Kind.TRAIT, ()))
    return next((name for name in names if key(name) == key(head)), head)


def _add(traits: dict[Kind, tuple[Trait, ...]], kind: Kind, found: list[Trait]) -> None:
    """More traits of a kind, each with a label of its own (D1)."""
    held = (*traits.get(kind, ()), *found)
    seen: dict[str, Trait] = {}
    for each in held:
        if key(each.label) in seen:
            if of := seen[key(each.label)].set:
                raise NotAllowed(
                    "{each} is there already in {of}. Give one of them another name.", each=each.label, of=of
                )
            raise NotAllowed("{each} is there already. Give one of them another name.", each=each.label)
        seen[key(each.label)] = each
    counts = Counter(each.set for each in held)
    if max(counts.values(), default=0) > MOST_TRAITS or len(counts) > MOST_SETS:
        raise NotAllowed(
            "A trait set has {most_traits} traits at most, and a sheet {most_sets} trait sets.",
            most_traits=MOST_TRAITS,
            most_sets=MOST_SETS,
        )
    traits[kind] = held


def _held(character: Character, kind: Kind, sheet: Sheet) -> dict[str, Trait]:
    """Traits of a kind as the sheet has them; what has kept its rating keeps its state too."""
    before = CORTEX.has(character).traits(kind)
    found = {}
    for each in sheet.traits.get(kind, ()):
        old = before.get(key(each.label))
        is_same = old is not None and _rated(old) == (each.die, each.more)
        state = replace(old, label=each.label, set=each.set, note=each.note) if old and is_same else each
        is_safe = each.safe if sheet.safe else bool(old and old.safe)
        state = replace(state, statement=each.statement, part_of=each.part_of, safe=is_safe)
        state = replace(state, shut=bool(old and old.shut))
        found[key(each.label)] = state
    return found


def _rated(held: Trait) -> tuple[int, tuple[int, ...]]:
    """The dice of a trait as its sheet has them (C1, N21)."""
    return (held.signature, held.usual) if held.signature else (held.die, held.more)


def _with_sfx(held: tuple[Sfx, ...], fresh: Sfx) -> tuple[Sfx, ...]:
    """One SFX more, each with a name of its own (X1)."""
    if any(key(each.name) == key(fresh.name) for each in held):
        raise NotAllowed("{fresh} is there already. Give one of them another name.", fresh=fresh.name)
    if len(held) >= MOST_TRAITS:
        raise NotAllowed("A sheet has {most_traits} SFX at most.", most_traits=MOST_TRAITS)
    return (*held, fresh)


def _with_kept(held: tuple[KeptPool, ...], fresh: KeptPool) -> tuple[KeptPool, ...]:
    """One saved pool more, each with a name of its own (D2)."""
    if any(key(each.name) == key(fresh.name) for each in held):
        raise NotAllowed("{fresh} is there already. Give one of them another name.", fresh=fresh.name)
    if len(held) >= saved.MOST:
        raise NotAllowed("A sheet has {most} saved pools at most.", most=saved.MOST)
    return (*held, fresh)


def _check_sfx(sheet: Sheet) -> None:
    """Refuse an SFX of a trait that is not on the sheet (X1)."""
    labels = {key(each.label) for held in sheet.traits.values() for each in held}
    for each in sheet.sfx:
        if each.trait and key(each.trait) not in labels:
            raise NotAllowed(
                "SFX {each} belongs to {trait}, which is not on the sheet. Example: SFX: {without}",
                each=each.name,
                trait=each.trait,
                without=sfx.write(replace(each, trait="")),
            )


def _rows(head: str, traits: Iterable[Trait], *, safe: bool) -> list[str]:
    """A row of traits, on several lines where one would be too long."""
    rows = [head + ":"]
    for each, of_it in parts.grouped(traits):
        said = _written(each, safe=safe)
        if of_it:
            said += f" {parts.OPENS} {', '.join(_written(one, safe=safe) for one in of_it)})"
        if len(rows[-1]) + len(said) > LONGEST_LINE:
            rows.append(f"{head}: {said}")
        else:
            rows[-1] += (" " if rows[-1].endswith(":") else ", ") + said
    return rows


def _written(one: Trait, *, safe: bool) -> str:
    is_quoted = safe and _SAFE.fullmatch(one.label) is not None
    label = f'"{one.label}"' if is_quoted else _label(one)
    note = f" ({parts.noted(one.note)})" if one.note else ""
    return f"{label} {rating.write(one, safe=safe)}{note}"


def _label(one: Trait, more: str = "") -> str:
    """A label, in quotation marks where it would be read as something else without."""
    is_odd = any(c in one.label for c in f',"(){more}') or one.label[-1:].isdigit()
    return f'"{one.label}"' if is_odd else one.label


def _texts(rest: str) -> tuple[str, ...]:
    return tuple(clean(part, Words("milestone"), 200) for part in rest.split(";") if part.strip())


def _notes(text: str) -> str:
    if len(text) > MOST_NOTES:
        raise Unreadable(
            "notes have {count} characters; {most_notes} are the most.",
            count=len(text),
            most_notes=MOST_NOTES,
        )
    return "\n".join(clean(line, NOTE, MOST_NOTES) if line.strip() else "" for line in text.split("\n"))
