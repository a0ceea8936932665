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
import textwrap
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.cortex.notation import rating as typed_rating
from rules.cortex.notation import saved, sheet_lines
from rules.cortex.notation.sheet_lines import Heads, SheetLine
from rules.cortex.notation.tokens import has_die
from rules.cortex.state import rating, sfx
from rules.cortex.state.kinds import ON_SHEET, KeptPool, Kind, Sfx, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import PRIME
from rules.cortex.traits import parts
from rules.cortex.traits.sheet_rows import MOST_TRAITS, ROW_KINDS, SheetRows, bare_head, write_trait
from rules.dice import SIZES, Ladder, shorten
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.game import played
from rules.kinds import key
from rules.names import NOTE, clean
from rules.portrait import link
from rules.table import Character
from rules.values import replace
from rules.words import LINES, Counted, Phrase, Row, Words

LONGEST = 19000  # five fields of a form, each of 4000, with room left to type into
"""A sheet as text has at most this many characters."""
LONGEST_LINE = 1500
"""A longer row of traits goes on in a further line of the same name."""
MOST_MISTAKES = 20
"""So many mistakes of a sheet are told at once."""
LONGEST_WORDS = 70
"""Words of an SFX that are longer are several benefits."""
MOST_NOTES = 2000
"""Notes have at most this many characters."""
_FREE = ("milestone", "sfx", "limit", "saved pool", "pronoun", "portrait", "note")
"""Heads of lines that are no rows of traits, without a plural."""
_WORDS = re.compile(r"(?P<name>[^.\"]{1,60})\.\s+(?P<words>\S.*)")


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
    return next((f"{head}s" for head, of_it in ROW_KINDS.items() if of_it is kind), one.set)


def labels_of(sheet: Sheet) -> list[str]:
    """The labels of the traits on a sheet."""
    return [each.label for held in sheet.traits.values() for each in held]


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


def read(
    text: str,
    sizes: Ladder = SIZES,
    sets: Collection[str] = (),
    *,
    safe: bool = False,
    names: Collection[str] = (),
    is_written: bool = False,
) -> Sheet:
    """The sheet that a text means; where it is `safe` it says which dice are (N14).

    `sets` are the trait sets of the table, `names` are labels that are there already, and `is_written` says
    that the bot wrote the text. Raises Unreadable or NotAllowed, with each mistake and its line.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            "That sheet has {count} characters; the limit is {longest}.", count=len(text), longest=LONGEST
        )
    sheet, traits, mistakes = Sheet(safe=safe), dict[Kind, tuple[Trait, ...]](), list[Phrase]()
    rules = replace(PRIME, sizes=sizes, safe_dice=safe)
    reader = SheetRows(traits, rules, tuple(sets), tuple(filter(has_die, names)), is_written=is_written)
    kind: type[RuleError] | None = None
    for line in sheet_lines.lines(text, _heads(sets)):
        try:
            sheet = _with_line(sheet, reader, line)
        except RuleError as mistake:
            kind = kind or type(mistake)
            mistakes.append(
                Words(
                    "Line {number}, {line}: {fault}",
                    number=line.number,
                    line=shorten(line.text),
                    fault=mistake.words,
                )
            )
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


def _heads(sets: Collection[str]) -> Heads:
    """What begins a line of a sheet."""
    games = {word for game in played() for word in game.heads}
    free = {*_FREE, *games}
    known = {bare_head(name) for name in sets} | {*ROW_KINDS, *free}
    return Heads(
        is_known=lambda head: bare_head(head) in known,
        is_free=lambda head: bare_head(head) in free,
        is_last=lambda head: bare_head(head) == "note",
    )


def _with_line(sheet: Sheet, rows: SheetRows, line: SheetLine) -> Sheet:
    """The sheet with one more line; traits are added to the rows."""
    rest = line.rest
    if line.said and rows.with_statement(line):
        return sheet
    word = bare_head(line.head)
    match word:
        case "":
            raise rows.without_set(rest)
        case "milestone":
            return replace(sheet, milestones=(*sheet.milestones, *_texts(rest)))
        case "note":
            return replace(sheet, notes=_notes(rest))
        case _ if not rest.strip():
            return sheet
        case "sfx" | "limit":
            return replace(sheet, sfx=_with_sfx(sheet.sfx, _sfx(rest, rows.rules.sizes)))
        case "saved pool":
            return replace(sheet, kept=_with_kept(sheet.kept, saved.read(rest)))
        case "pronoun":
            return replace(sheet, pronouns=clean(rest, Words("line of pronouns"), 40))
        case "portrait":
            return replace(sheet, portrait=link(rest))
        case _ if other := next((game for game in played() if word in game.heads), None):
            name = other.part.name
            read = other.read_line(sheet.games.get(name, other.part.own()), rest)
            return replace(sheet, games={**sheet.games, name: read})
        case _:
            rows.add(line.head, rest)
            return sheet


def _sfx(text: str, sizes: Ladder) -> Sfx:
    """The SFX of a line; with a full stop behind its name mere words follow: `Focus. I see all` (X1)."""
    try:
        return sfx.read(text, sizes)
    except RuleError:
        match = _WORDS.fullmatch(" ".join(text.split()))
        if match is None:
            raise
    said = textwrap.wrap(match["words"].replace('"', "'"), LONGEST_WORDS)
    return sfx.made(match["name"], ", ".join(f'"{each}"' for each in said), sizes=sizes)


def _statements(traits: Iterable[Trait]) -> list[str]:
    """The statements of a trait set, a line each: `Duty d10: I leave nobody behind` (N7)."""
    return [
        f"{typed_rating.quoted(each.label)} d{each.die}: {each.statement}"
        for each in traits
        if each.statement
    ]


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
        raise NotAllowed("The sheet has {fresh} twice. Give one of the two another name.", fresh=fresh.name)
    if len(held) >= MOST_TRAITS:
        raise NotAllowed("A sheet can have at most {most_traits} SFX.", most_traits=MOST_TRAITS)
    return (*held, fresh)


def _with_kept(held: tuple[KeptPool, ...], fresh: KeptPool) -> tuple[KeptPool, ...]:
    """One saved pool more, each with a name of its own (D2)."""
    if any(key(each.name) == key(fresh.name) for each in held):
        raise NotAllowed("The sheet has {fresh} twice. Give one of the two another name.", fresh=fresh.name)
    if len(held) >= saved.MOST:
        raise NotAllowed("A sheet can have at most {most} saved pools.", most=saved.MOST)
    return (*held, fresh)


def _check_sfx(sheet: Sheet) -> None:
    """Refuse an SFX of a trait that is not on the sheet (X1)."""
    labels = {key(each.label) for held in sheet.traits.values() for each in held}
    for each in sheet.sfx:
        if each.trait and key(each.trait) not in labels:
            raise NotAllowed(
                "SFX {each} belongs to {trait}, which isn't on the sheet. Leave the trait out of the "
                "SFX. Example: SFX: {without}",
                each=each.name,
                trait=each.trait,
                without=sfx.write(replace(each, trait="")),
            )


def _rows(head: str, traits: Iterable[Trait], *, safe: bool) -> list[str]:
    """A row of traits, on several lines where one would be too long."""
    head = f'"{head}"' if ":" in head else head
    rows = [head + ":"]
    for each, of_it in parts.grouped(traits):
        said = write_trait(each, safe=safe)
        if of_it:
            said += f" {sheet_lines.PARTS} {', '.join(write_trait(one, safe=safe) for one in of_it)})"
        if len(rows[-1]) + len(said) > LONGEST_LINE:
            rows.append(f"{head}: {said}")
        else:
            rows[-1] += (" " if rows[-1].endswith(":") else ", ") + said
    return rows


def _texts(rest: str) -> tuple[str, ...]:
    return tuple(clean(part, Words("milestone"), 200) for part in rest.split(";") if part.strip())


def _notes(text: str) -> str:
    if len(text) > MOST_NOTES:
        raise Unreadable(
            "the notes have {count} characters; the limit is {most_notes}.",
            count=len(text),
            most_notes=MOST_NOTES,
        )
    return "\n".join(clean(line, NOTE, MOST_NOTES) if line.strip() else "" for line in text.split("\n"))
