"""Read and write character sheets: a line for each trait set (D1, D2).

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
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import field

from rules.campaign.characters import link
from rules.cortex import pool, pool_text, rating, sfx, sheet_lines
from rules.cortex.kinds import LONGEST_STATEMENT, ON_SHEET, KeptPool, Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import Rating
from rules.cortex.rating import Rated
from rules.cortex.ruleset import PRIME, Ruleset
from rules.cortex.sheet_lines import Heads, SheetLine
from rules.cortex.tokens import plain_text
from rules.dice import SIZES, Ladder
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.game import played
from rules.names import LABEL, LISTED, NAME, NOTE, clean, fold, get_named, has_die, key, without_mention
from rules.table import Character
from rules.text import LINES, SENTENCES, Phrase, Row, Words, join_phrases, shorten
from rules.values import Value, replace

MOST_SETS = 20
"""A sheet has at most this many trait sets."""


MOST_TRAITS = 40
"""A trait set, and each other row, has at most this many traits."""


ROW_KINDS: Mapping[str, TraitKind] = {
    "distinction": TraitKind.DISTINCTION,
    "signature asset": TraitKind.ASSET,
    "resource": TraitKind.RESOURCE,
}
"""Rows that are no trait set of their own, by their heads without a plural."""


class SheetRows:
    """A reader of trait rows that collects the traits by kind in `traits`.

    `sets` are the names of the table's trait sets, `names` existing labels that would otherwise be read as
    dice; `is_written` says that the bot wrote the text. Traits that may stand without a die, which are
    those of `unrated` (folded set and label) and all that the bot wrote, are collected apart.
    """

    def __init__(
        self,
        traits: dict[TraitKind, tuple[Trait, ...]],
        rules: Ruleset,
        sets: tuple[str, ...],
        names: tuple[str, ...],
        unrated: Collection[tuple[str, str]],
        *,
        is_written: bool,
    ) -> None:
        self.traits, self.rules, self.sets, self.names = traits, rules, sets, names
        self.may_lack, self.is_written = unrated, is_written
        self.unrated = list[tuple[TraitKind, Trait]]()

    def add(self, head: str, row: str) -> None:
        """Add the traits of a row. Raises Unreadable or NotAllowed, listing every mistake in it."""
        kind = ROW_KINDS.get(bare_head(head), TraitKind.TRAIT)
        name = _set_name(self.traits, clean(head, NAME)) if kind is TraitKind.TRAIT else ""
        if not self.is_written:
            _check_head(name)
        typed = self._row(row, name, 8 if kind is TraitKind.DISTINCTION else 0)
        self.unrated += [(kind, each) for each in typed if not each.die]
        found = [each for each in typed if each.die]
        if kind is TraitKind.ASSET:
            found = [replace(each, signature=each.die, usual=each.more) for each in found]
        _add(self.traits, kind, found)

    def with_statement(self, line: SheetLine) -> bool:
        """Add a statement to the trait it is about; below a header, the trait may be new (N7). Returns True.

        Raises Unreadable if there is no such trait; NotAllowed if the trait has a different die.
        """
        about = rating.read_named(line.rest, (each.label for held in self.traits.values() for each in held))
        for kind, held in self.traits.items():
            for place, each in enumerate(held):
                if fold(each.label) != fold(about.label):
                    continue
                if about.rating and about.rating.die != each.die:
                    raise NotAllowed(
                        "{label} is d{die} on an earlier line. Use the same die. Example: {label} "
                        "d{die}: {said}",
                        label=each.label,
                        die=each.die,
                        said=line.said[:40],
                    )
                said = clean(line.said, Words("statement"), LONGEST_STATEMENT)
                self.traits[kind] = (*held[:place], replace(each, statement=said), *held[place + 1 :])
                return True
        if not line.head:
            raise Unreadable(
                "{trait} isn't on any line above. Put a trait set before it. Example: Values: {trait}",
                trait=line.rest[:40],
            )
        self.add(line.head, line.rest)
        return self.with_statement(line)

    def without_set(self, row: str) -> Unreadable:
        """Return the refusal of a line that belongs to no set; for traits, it suggests a set."""
        known = [name for name in self.sets if bare_head(name) not in ROW_KINDS] or ["Skills"]
        begun = [name for name in known if fold(row).startswith(f"{fold(name)} ")]
        name, row = (begun[0], row.strip()[len(begun[0]) :]) if begun else (known[0], row)
        try:
            traits = self._row(row, name, 0)
        except RuleError:
            return Unreadable("a line starts with a name and a colon. Example: Skills: Fight d8, Sneak d6")
        shown = ", ".join(write_trait(each, safe=True) for each in traits[:3])
        return Unreadable("these traits need a trait set. Example: {set}: {traits}", set=name, traits=shown)

    def _row(self, row: str, name: str, usual: int) -> list[Trait]:
        """The traits of a row; one without a die has the `usual` one, where there is one (D3)."""
        found, mistakes = list[Trait](), list[RuleError]()
        for segment in sheet_lines.segments(row, is_written=self.is_written):
            try:
                found += self._segment(segment, name, usual)
            except RuleError as mistake:
                mistakes.append(mistake)
                if len(mistakes) > LISTED:
                    break
        if mistakes:
            raise Unreadable("{mistakes}", mistakes=_told(mistakes))
        return found

    def _segment(self, segment: str, name: str, usual: int) -> list[Trait]:
        """The traits between two commas, with their notes and parts in brackets (N23)."""
        found, text, is_rated = list[Trait](), "", False
        pieces = sheet_lines.brackets(segment)
        dice = [has_die(plain_text(before)) for before, _ in pieces]
        last = max((place for place, die in enumerate(dice) if die), default=-1)
        for place, (before, bracket) in enumerate(pieces):
            text += before
            is_rated = is_rated or bool(dice[place])
            has_more = place < last
            if not bracket or (text.strip() and not bracket.startswith(sheet_lines.PARTS_SIGN)):
                is_die = not is_rated and rating.is_dice_alone(bracket[1:-1])
                if not bracket or is_die or (has_more and not is_rated):
                    text, is_rated = text + bracket, is_rated or bool(has_die(bracket))
                    if bracket:
                        continue
            if text.strip():
                found += [self._trait(each, name, usual) for each in self._rated(text)]
                text, is_rated = "", False
            if not bracket:
                continue
            if not found:
                raise Unreadable("{note} needs a trait before it.", note=shorten(bracket))
            if bracket.startswith(sheet_lines.PARTS_SIGN):
                found += self._parts(found[-1], bracket[len(sheet_lines.PARTS_SIGN) : -1], usual)
            else:
                found[-1] = _noted(found[-1], bracket[1:-1])
        return found

    def _rated(self, text: str) -> list[Rated]:
        return rating.read_row(text, self.rules, self.names, is_written=self.is_written)

    def _trait(self, one: Rated, name: str, usual: int) -> Trait:
        """A trait of a row. Raises Unreadable for one without a die, where that may not be left out."""
        if one.rating is None and not usual:
            if self.is_written or (fold(name), fold(one.label)) in self.may_lack:
                return Trait(one.label, 0, set=name)
            raise _needs_die(one.label)
        dice = one.rating or Rating(usual)
        return Trait(one.label or clean(name, LABEL), dice.die, set=name, more=dice.more, safe=dice.safe)

    def _parts(self, whole: Trait, row: str, usual: int) -> list[Trait]:
        """The parts of a trait, as they stand behind it (N23). Raises NotAllowed for their own parts."""
        held = self._row(row, whole.set, usual)
        if not whole.die:
            raise _needs_die(whole.label)
        if any(one.part_of for one in held):
            raise NotAllowed("A part can't have parts. Example: Fight d8 (> Knives d6, Swords d8)")
        return [replace(one, part_of=whole.label) for one in held]


def bare_head(head: str) -> str:
    """Return the head of a line for comparison: in lower case, without a plural s.

    >>> bare_head("Signature Assets"), bare_head("Note")
    ('signature asset', 'note')
    """
    return fold(head).removesuffix("s")


def write_trait(one: Trait, *, safe: bool) -> str:
    """Return a trait as it is written in a row; `safe` says whether the sheet marks safe dice (N14).

    >>> write_trait(Trait("Mind", 10, note="a quick one"), safe=False)
    'Mind d10 (a quick one)'
    >>> write_trait(Trait("Luck", 6, more=(6,), safe=True), safe=True)
    'Luck safe 2d6'
    """
    note = f" ({sheet_lines.noted(one.note)})" if one.note else ""
    dice = f" {pool.write(one, safe=safe)}" if one.die else ""
    return f"{rating.quote_before_die(one.label, is_safe=safe)}{dice}{note}"


def _needs_die(label: str) -> Unreadable:
    example = rating.quote_before_die(label)[:30].strip()
    return Unreadable("{text} needs a die. Example: {example} d8", text=shorten(label), example=example)


def _told(mistakes: Sequence[RuleError]) -> Phrase:
    """Mistakes in a row, each a sentence or two."""
    told: Phrase = mistakes[0].words
    behind = [each.words for each in mistakes[1:LISTED]]
    if len(mistakes) > LISTED:
        behind.append(MORE_MISTAKES)
    for before, words in zip(mistakes, behind, strict=False):
        if before.sentence.endswith("."):
            told = join_phrases(told, words)
        else:
            told = Row([told, words], SENTENCES, SENTENCES)
    return told


def _check_head(name: str) -> None:
    """Refuse a name of a trait set that could not be typed again."""
    rating.without_die(name)
    if sum(name.count(mark) for mark in '"“”') % 2:
        raise Unreadable("A quotation mark isn't closed.")


def _noted(one: Trait, typed: str) -> Trait:
    """A trait with what stands in brackets behind it; two brackets are one note."""
    if not typed.strip():
        return one
    note = sheet_lines.unnoted(typed)
    return replace(one, note=clean(f"{one.note}; {note}" if one.note else note, NOTE, 200))


def _set_name(traits: dict[TraitKind, tuple[Trait, ...]], head: str) -> str:
    """The name of a trait set, spelt as in an earlier line of it."""
    names = (each.set for each in traits.get(TraitKind.TRAIT, ()))
    return next((name for name in names if fold(name) == fold(head)), head)


def _add(traits: dict[TraitKind, tuple[Trait, ...]], kind: TraitKind, found: list[Trait]) -> None:
    """More traits of a kind, each with a label of its own (D1)."""
    held = (*traits.get(kind, ()), *found)
    seen: dict[str, Trait] = {}
    for each in held:
        without_mention(each.label)
        if fold(each.label) in seen:
            if of := seen[fold(each.label)].set:
                raise NotAllowed(
                    "{of} has {each} twice. Give one of the two another name.", each=each.label, of=of
                )
            raise NotAllowed("The sheet has {each} twice. Give one of the two another name.", each=each.label)
        seen[fold(each.label)] = each
    counts = Counter(each.set for each in held)
    if max(counts.values(), default=0) > MOST_TRAITS or len(counts) > MOST_SETS:
        raise NotAllowed(
            "A trait set can have at most {most_traits} traits, and a sheet {most_sets} trait sets.",
            most_traits=MOST_TRAITS,
            most_sets=MOST_SETS,
        )
    traits[kind] = held


LONGEST = 19000  # five fields of a form, each of 4000, with room left to type into
"""A sheet as text has at most this many characters."""


LONGEST_LINE = 1500
"""A longer row of traits goes on in a further line of the same name."""


MOST_MISTAKES = 20
"""So many mistakes of a sheet are told at once, and of each line as many as a refusal lists names."""


MORE_MISTAKES = Words("There are more mistakes.")


LONGEST_WORDS = 70
"""Words of an SFX that are longer are several benefits."""


MOST_NOTES = 2000
"""Notes have at most this many characters."""


_FREE = ("milestone", "sfx", "limit", "saved pool", "pronoun", "portrait", "note")
"""Heads of lines that are no rows of traits, without a plural."""


_WORDS = re.compile(r"(?P<name>[^.\"]{1,60})\.\s+(?P<words>\S.*)")


class Sheet(Value):
    """The content of a sheet: traits by kind, and everything else on it."""

    traits: Mapping[TraitKind, tuple[Trait, ...]] = field(default_factory=dict)
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
    unrated: tuple[tuple[TraitKind, Trait], ...] = ()
    """Traits that have no die yet: the sheet of a new character names them (D1)."""


def of(character: Character) -> Sheet:
    """Return the sheet of a character: only what lasts, without the temporary state of play."""
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


def row_of(kind: TraitKind, one: Trait) -> str:
    """Return the name of a trait's row: its trait set, or that of its kind in lower case.

    >>> row_of(TraitKind.TRAIT, Trait("Mind", 10, set="Attributes"))
    'Attributes'
    >>> row_of(TraitKind.DISTINCTION, Trait("Reckless", 8))
    'distinctions'
    """
    return next((f"{head}s" for head, of_it in ROW_KINDS.items() if of_it is kind), one.set)


def labels_of(sheet: Sheet) -> list[str]:
    """Return the labels of the traits on a sheet.

    >>> labels_of(read("Attributes: Mind d10, Body d8"))
    ['Mind', 'Body']
    """
    return [each.label for held in sheet.traits.values() for each in held]


def sizes_of(sheet: Sheet) -> set[int]:
    r"""Return the sizes of all dice on a sheet, including sizes that the table doesn't use (N13).

    >>> sorted(sizes_of(read("Attributes: Mind d10, Body 2d8\nSFX: Focus: add d6, for 1 PP")))
    [6, 8, 10]
    """
    traits = {size for held in sheet.traits.values() for each in held for size in pool.sizes_of(each)}
    return traits | {part.die for each in sheet.sfx for part in sfx.parts_of(each) if part.die}


def _lasting(kind: TraitKind, held: Mapping[str, Trait]) -> tuple[Trait, ...]:
    """Traits of a kind that are on a sheet: of assets the signature ones, with their usual dice (C1)."""
    if kind is not TraitKind.ASSET:
        return sheet_lines.in_order(held.values())
    usual = (
        replace(trait, die=trait.signature, more=trait.usual) for trait in held.values() if trait.signature
    )
    return sheet_lines.in_order(usual)


def write(sheet: Sheet, more: Iterable[str] = (), *, resources: bool = False, safe: bool = False) -> str:
    r"""Return a sheet as text that `read` can read; the sets in `more` get a line even if empty.

    If `more` isn't empty, signature assets get a line too. `resources` gives resources one (C2), and `safe`
    marks safe dice (N14).

    >>> write(read("attributes: body d8, Mind 10\nNotes: Tall"), ["Skills"]).splitlines()
    ['Distinctions:', 'attributes: body d8, Mind d10', 'Skills:', 'Signature assets:', 'Notes: Tall']
    """
    lines = []
    if sheet.pronouns:
        lines.append(f"Pronouns: {sheet.pronouns}")
    if sheet.portrait:
        lines.append(f"Portrait: {sheet.portrait}")
    held_by = {
        kind: (*sheet.traits.get(kind, ()), *(each for of_kind, each in sheet.unrated if of_kind is kind))
        for kind in ON_SHEET
    }
    lines += _rows("Distinctions", held_by[TraitKind.DISTINCTION], safe=safe)
    lines += _statements(held_by[TraitKind.DISTINCTION])
    sets: dict[str, list[Trait]] = {}
    for trait in held_by[TraitKind.TRAIT]:
        sets.setdefault(trait.set or "Traits", []).append(trait)
    for name, held in sets.items():
        lines += [*_rows(name, held, safe=safe), *_statements(held)]
    known = {fold(line.partition(":")[0]) for line in lines} | {"signature assets", "resources"}
    empty = tuple(more)
    lines += [f"{name}:" for name in empty if fold(name) not in known]
    rows = (
        ("Signature assets", TraitKind.ASSET, bool(empty)),
        ("Resources", TraitKind.RESOURCE, resources),
    )
    for head, kind, is_shown in rows:
        if held_by[kind] or is_shown:
            lines += [*_rows(head, held_by[kind], safe=safe), *_statements(held_by[kind])]
    lines += [f"SFX: {sfx.write(each)}" for each in sheet.sfx]
    lines += [f"Saved pool: {pool_text.write_saved_pool(each)}" for each in sheet.kept]
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
    unrated: Collection[tuple[str, str]] = (),
    is_written: bool = False,
) -> Sheet:
    r"""Return the sheet that a text means; if `safe`, the text marks safe dice (N14).

    `sets` are the table's trait sets, `names` existing labels, `unrated` the traits that may stand without a
    die, by folded set and label, and `is_written` says that the bot wrote it.

    >>> sheet = read("Distinctions: Reckless, Old Soldier\nMilestones: Find the map; Lose a friend")
    >>> [(one.label, one.die) for one in sheet.traits[TraitKind.DISTINCTION]]
    [('Reckless', 8), ('Old Soldier', 8)]
    >>> sheet.milestones
    ('Find the map', 'Lose a friend')

    Raises Unreadable or NotAllowed (the type of the first mistake), listing mistakes with their lines.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            "That sheet has {count} characters; the limit is {longest}.", count=len(text), longest=LONGEST
        )
    sheet, traits, mistakes = Sheet(safe=safe), dict[TraitKind, tuple[Trait, ...]](), list[Phrase]()
    rules = replace(PRIME, sizes=sizes, safe_dice=safe)
    named = tuple(filter(has_die, names))
    reader = SheetRows(traits, rules, tuple(sets), named, unrated, is_written=is_written)
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
            if len(mistakes) > MOST_MISTAKES:
                break
    if kind is not None:
        if len(mistakes) > MOST_MISTAKES:
            mistakes[-1] = MORE_MISTAKES
        raise kind("{mistakes}", mistakes=Row(mistakes, LINES, LINES))
    rated = {fold(each.label) for held in traits.values() for each in held}
    lacking = {fold(one.label): (kind, one) for kind, one in reader.unrated if fold(one.label) not in rated}
    return replace(sheet, traits=traits, unrated=tuple(lacking.values()))


def put_sheet(character: Character, sheet: Sheet) -> Character:
    """Return the character with this sheet; traits keep their state in play, such as a spent resource."""
    own = CORTEX.has(character)
    _check_sfx(sheet)
    temporary = {k: trait for k, trait in own.assets.items() if not trait.signature}
    fresh = {
        kind: _held(character, kind, sheet)
        for kind in (TraitKind.DISTINCTION, TraitKind.TRAIT, TraitKind.RESOURCE)
    }
    named = replace(character, pronouns=sheet.pronouns, portrait=sheet.portrait, notes=sheet.notes)
    for game in (each for each in played() if each.heads):
        named = game.with_sheet(named, sheet.games.get(game.part.name, game.part.own()))
    held = replace(
        own,
        distinctions=fresh[TraitKind.DISTINCTION],
        sheet=fresh[TraitKind.TRAIT],
        resources=fresh[TraitKind.RESOURCE],
        assets={**_held(character, TraitKind.ASSET, sheet), **temporary},
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
            return replace(sheet, kept=_with_kept(sheet.kept, pool_text.read_saved_pool(rest)))
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
    return sfx.new_sfx(match["name"], ", ".join(f'"{each}"' for each in said), sizes=sizes)


def _statements(traits: Iterable[Trait]) -> list[str]:
    """The statements of a trait set, a line each: `Duty d10: I leave nobody behind` (N7)."""
    return [
        f"{rating.quote_before_die(each.label)} d{each.die}: {each.statement}"
        for each in traits
        if each.statement
    ]


def _held(character: Character, kind: TraitKind, sheet: Sheet) -> dict[str, Trait]:
    """Traits of a kind as the sheet has them; what has kept its rating keeps its state too."""
    before = CORTEX.has(character).traits(kind)
    found = {}
    for each in sheet.traits.get(kind, ()):
        old = get_named(before, each.label)
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
    if any(fold(each.name) == fold(fresh.name) for each in held):
        raise NotAllowed("The sheet has {fresh} twice. Give one of the two another name.", fresh=fresh.name)
    if len(held) >= MOST_TRAITS:
        raise NotAllowed("A sheet can have at most {most_traits} SFX.", most_traits=MOST_TRAITS)
    return (*held, fresh)


def _with_kept(held: tuple[KeptPool, ...], fresh: KeptPool) -> tuple[KeptPool, ...]:
    """One saved pool more, each with a name of its own (D2)."""
    if any(fold(each.name) == fold(fresh.name) for each in held):
        raise NotAllowed("The sheet has {fresh} twice. Give one of the two another name.", fresh=fresh.name)
    if len(held) >= pool_text.MOST:
        raise NotAllowed("A sheet can have at most {most} saved pools.", most=pool_text.MOST)
    return (*held, fresh)


def _check_sfx(sheet: Sheet) -> None:
    """Refuse an SFX of a trait that is not on the sheet (X1)."""
    labels = {fold(each.label) for held in sheet.traits.values() for each in held}
    for each in sheet.sfx:
        if each.trait and fold(each.trait) not in labels:
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
    for each, of_it in sheet_lines.grouped(traits):
        said = write_trait(each, safe=safe)
        if of_it:
            said += f" {sheet_lines.PARTS_SIGN} {', '.join(write_trait(one, safe=safe) for one in of_it)})"
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
