"""Hearts, as shared rules see it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from zlib import crc32

from rules.campaign.files import of_label, of_rolls
from rules.dice import Thrown
from rules.facts import Fact
from rules.game import Fault, Game, RollAttempts, SessionListener, SheetRules, Step
from rules.names import clean
from rules.settings import settings_of
from rules.table import Table
from rules.terms import later
from rules.text import Words
from rules.values import replace
from tests.hearts import rules
from tests.hearts.state import (
    HEARTS,
    HEARTS_FACTS,
    ClockMoved,
    HeartsCharacter,
    HeartsPushed,
    HeartsRoll,
    HeartsRolled,
    HeartsTable,
)


def _of_table(held: HeartsTable) -> Iterator[Fault]:
    yield from of_rolls(held.rolls, "rolls", rules.OPEN_ROLLS)
    for name, clock in held.clocks.items():
        yield from of_label(clock.label, f"clocks.{name}.label")
        if clock.filled >= clock.size:
            yield f"clocks.{name}", Words("it is full")


def _of_character(own: HeartsCharacter) -> Iterator[Fault]:
    if own.stress > rules.MOST_STRESS:
        yield "stress", Words("{stress} is too much", stress=own.stress)


def _of_roll(roll: HeartsRoll) -> Iterator[Fault]:
    if not roll.faces or any(not 1 <= face <= 6 for face in roll.faces):
        yield "faces", Words("those are no faces of d6")


class HeartsDeeds(RollAttempts[HeartsRoll]):
    """Rolls and pushes of each; clocks that are full are what a scene decided."""

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """A roll, a push or a clock."""
        match fact:
            case HeartsRolled(roll):
                self.made(roll)
            case HeartsPushed(roll):
                self.changed(roll)
                self.hearing.count(roll.who, pushes=1)
            case ClockMoved() if fact.after == fact.size:
                self.hearing.scene.decided.append(fact)

    def end(self) -> HeartsRoll | None:
        """The best roll."""
        for roll in self.rolls.values():
            self.hearing.count(roll.who, is_gm=roll.gm, rolls=1)
            self.tell(roll)
        return max(self.rolls.values(), key=lambda each: each.highest, default=None)


class Hearts(Game):
    """Pools of d6."""

    part = HEARTS
    facts = HEARTS_FACTS
    made = HeartsRolled
    heads = ("bond",)
    rulesets = MappingProxyType({"hearts": later("pools of d6, of which the highest counts")})
    is_alone = True
    sheets = SheetRules(
        join=rules.join,
        with_text=lambda table, actor, character, text: rules.with_text(character, text),
        put=rules.put,
        unset=rules.unset,
        text=lambda table, character: rules.written(character),
        export=lambda table, character: rules.written(character),
        example=lambda table: "Bond: Alice",
        mark=lambda character: f"{crc32(rules.written(character).encode()):08x}",
        labels=lambda character: ["Bond"] if HEARTS.has(character).bond else [],
        wholes=lambda character: [],
        sets=lambda table, character: [],
    )
    checks = MappingProxyType({HeartsTable: _of_table, HeartsCharacter: _of_character, HeartsRoll: _of_roll})
    settings = settings_of(HeartsTable, HEARTS.of, HEARTS.put, others=("rolls", "hidden", "clocks"))

    def ruled(self, table: Table) -> object:
        """How large clocks are."""
        return HEARTS.of(table).size

    def things(self, table: Table, names: Any) -> Iterable[str]:
        """Clocks."""
        return [clock.label for clock in HEARTS.of(table).clocks.values()]

    def scene_ended(self, before: Table, table: Table) -> Step:
        """Everybody has one stress less."""
        step = Step(table, ())
        for who in table.characters:
            step = step.then(rules._stressed(step.table, who, -1))
        return step

    def most_rolls(self) -> int:
        """So many."""
        return rules.OPEN_ROLLS

    def as_made(self, fact: Fact) -> Fact | None:
        """The roll that was made or pushed."""
        return HeartsRolled(fact.roll) if isinstance(fact, HeartsRolled | HeartsPushed) else None

    def rolls_now(self, table: Table) -> Mapping[int, Fact]:
        """Each as it is."""
        return {n: HeartsRolled(roll) for n, roll in HEARTS.of(table).rolls.items()}

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """Each d6."""
        if isinstance(fact, HeartsRolled):
            yield Thrown(fact.roll.who, tuple((6, face) for face in fact.roll.faces), fact.roll.gm)
        if isinstance(fact, HeartsPushed):
            yield Thrown(fact.roll.who, ((6, fact.face),), fact.roll.gm)

    def attempts(self, hearing: SessionListener) -> HeartsDeeds:
        """Rolls, pushes, full clocks."""
        return HeartsDeeds(hearing)

    def sheet_lines(self, own: HeartsCharacter) -> Iterable[str]:
        """The bond on a line."""
        return (f"Bond: {own.bond}",) if own.bond else ()

    def read_line(self, own: HeartsCharacter, rest: str) -> HeartsCharacter:
        """The bond."""
        return replace(own, bond=clean(rest, Words("bond")))

    def with_sheet(self, character: Any, own: HeartsCharacter) -> Any:
        """The bond; stress is as it was."""
        return HEARTS.give(character, replace(HEARTS.has(character), bond=own.bond))


GAME = Hearts()
"""The rules half."""
