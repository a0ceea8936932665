"""The rows of traits on a sheet: read from the lines of its text, each trait written as one (D1, D3, N23)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rules.cortex.notation import rating as typed_rating
from rules.cortex.notation import sheet_lines
from rules.cortex.notation.rating import Rated
from rules.cortex.notation.sheet_lines import SheetLine
from rules.cortex.notation.tokens import has_die, plain
from rules.cortex.state import rating
from rules.cortex.state.kinds import LONGEST_STATEMENT, Kind, Trait
from rules.cortex.state.rating import Rating
from rules.cortex.state.ruleset import Ruleset
from rules.cortex.traits import parts
from rules.dice import shorten
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.kinds import key
from rules.names import LABEL, NAME, NOTE, clean
from rules.values import replace
from rules.words import SENTENCES, Phrase, Row, Words, beside

MOST_SETS = 20
"""A sheet has at most this many trait sets."""
MOST_TRAITS = 40
"""A trait set, and each other row, has at most this many traits."""
ROW_KINDS: Mapping[str, Kind] = {
    "distinction": Kind.DISTINCTION,
    "signature asset": Kind.ASSET,
    "resource": Kind.RESOURCE,
}
"""Rows that are no trait set of their own, by their heads without a plural."""


class SheetRows:
    """Reads the rows of traits of a sheet, and keeps the traits by their kind in `traits`.

    `sets` are the names of the table's trait sets, `names` the labels there that would be read as dice, and
    `is_written` says that the bot wrote the text.
    """

    def __init__(
        self,
        traits: dict[Kind, tuple[Trait, ...]],
        rules: Ruleset,
        sets: tuple[str, ...],
        names: tuple[str, ...],
        *,
        is_written: bool,
    ) -> None:
        self.traits, self.rules, self.sets, self.names = traits, rules, sets, names
        self.is_written = is_written

    def add(self, head: str, row: str) -> None:
        """Add the traits of a row. Raises Unreadable or NotAllowed, with all of its mistakes."""
        kind = ROW_KINDS.get(bare_head(head), Kind.TRAIT)
        name = _set_name(self.traits, clean(head, NAME)) if kind is Kind.TRAIT else ""
        if not self.is_written:
            _check_head(name)
        found = self._row(row, name, 8 if kind is Kind.DISTINCTION else 0)
        if kind is Kind.ASSET:
            found = [replace(each, signature=each.die, usual=each.more) for each in found]
        _add(self.traits, kind, found)

    def with_statement(self, line: SheetLine) -> bool:
        """Give a trait that stands above its statement; below a header the trait may be new (N7).

        Raises Unreadable for one that is not there, NotAllowed for another die.
        """
        about = typed_rating.named(line.rest, (each.label for held in self.traits.values() for each in held))
        for kind, held in self.traits.items():
            for place, each in enumerate(held):
                if key(each.label) != key(about.label):
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
        """The refusal of a line that belongs to nothing; of traits, with a set before them."""
        known = [name for name in self.sets if bare_head(name) not in ROW_KINDS] or ["Skills"]
        begun = [name for name in known if key(row).startswith(f"{key(name)} ")]
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
        if mistakes:
            raise Unreadable("{mistakes}", mistakes=_told(mistakes))
        return found

    def _segment(self, segment: str, name: str, usual: int) -> list[Trait]:
        """The traits between two commas, with their notes and parts in brackets (N23)."""
        found, text = list[Trait](), ""
        pieces = sheet_lines.brackets(segment)
        for place, (before, bracket) in enumerate(pieces):
            text += before
            has_more = any(has_die(plain(each)) for each, _ in pieces[place + 1 :])
            if not bracket or (text.strip() and not bracket.startswith(sheet_lines.PARTS)):
                is_die = not has_die(plain(text)) and typed_rating.is_dice_alone(bracket[1:-1])
                if not bracket or is_die or (has_more and not has_die(plain(text))):
                    text += bracket
                    if bracket:
                        continue
            if text.strip():
                found += [self._trait(each, name, usual) for each in self._rated(text)]
                text = ""
            if not bracket:
                continue
            if not found:
                raise Unreadable("{note} needs a trait before it.", note=shorten(bracket))
            if bracket.startswith(sheet_lines.PARTS):
                found += self._parts(found[-1], bracket[len(sheet_lines.PARTS) : -1], usual)
            else:
                found[-1] = _noted(found[-1], bracket[1:-1])
        return found

    def _rated(self, text: str) -> list[Rated]:
        return typed_rating.row(text, self.rules, self.names, is_written=self.is_written)

    def _trait(self, one: Rated, name: str, usual: int) -> Trait:
        """A trait of a row. Raises Unreadable for one without a die."""
        if one.rating is None and not usual:
            raise Unreadable(
                "{text} needs a die. Example: {example} d8",
                text=shorten(one.label),
                example=typed_rating.quoted(one.label)[:30].strip(),
            )
        dice = one.rating or Rating(usual)
        return Trait(one.label or clean(name, LABEL), dice.die, set=name, more=dice.more, safe=dice.safe)

    def _parts(self, whole: Trait, row: str, usual: int) -> list[Trait]:
        """The parts of a trait, as they stand behind it (N23). Raises NotAllowed for their own parts."""
        held = self._row(row, whole.set, usual)
        if any(one.part_of for one in held):
            raise NotAllowed("A part can't have parts. Example: Fight d8 (> Knives d6, Swords d8)")
        return [replace(one, part_of=whole.label) for one in held]


def bare_head(head: str) -> str:
    """Return the head of a line as it is compared: in small letters, without the s of a plural."""
    return key(head).removesuffix("s")


def write_trait(one: Trait, *, safe: bool) -> str:
    """Return a trait as it stands in a row; `safe` says that the sheet tells which dice are safe (N14)."""
    note = f" ({parts.noted(one.note)})" if one.note else ""
    return f"{typed_rating.quoted(one.label, is_safe=safe)} {rating.write(one, safe=safe)}{note}"


def _told(mistakes: Sequence[RuleError]) -> Phrase:
    """Mistakes in a row, each a sentence or two."""
    told: Phrase = mistakes[0].words
    for before, each in pairwise(mistakes):
        if before.sentence.endswith("."):
            told = beside(told, each.words)
        else:
            told = Row([told, each.words], SENTENCES, SENTENCES)
    return told


def _check_head(name: str) -> None:
    """Refuse a name of a trait set that could not be typed again."""
    typed_rating.without_die(name)
    if sum(name.count(mark) for mark in '"“”') % 2:
        raise Unreadable("A quotation mark isn't closed.")


def _noted(one: Trait, typed: str) -> Trait:
    """A trait with what stands in brackets behind it; two brackets are one note."""
    if not typed.strip():
        return one
    note = parts.unnoted(typed)
    return replace(one, note=clean(f"{one.note}; {note}" if one.note else note, NOTE, 200))


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
                    "{of} has {each} twice. Give one of the two another name.", each=each.label, of=of
                )
            raise NotAllowed("The sheet has {each} twice. Give one of the two another name.", each=each.label)
        seen[key(each.label)] = each
    counts = Counter(each.set for each in held)
    if max(counts.values(), default=0) > MOST_TRAITS or len(counts) > MOST_SETS:
        raise NotAllowed(
            "A trait set can have at most {most_traits} traits, and a sheet {most_sets} trait sets.",
            most_traits=MOST_TRAITS,
            most_sets=MOST_SETS,
        )
    traits[kind] = held
