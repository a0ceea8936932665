"""Going back and forward in the history of a campaign: plans for undo and redo."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from bot.store import codec, fact_codec
from bot.store.history import Author, Draft, Entry, LogStep, Move
from bot.store.recorder import Recorder, Recording
from bot.store.three_way import Path, changed, is_changed, take_back
from bot.store.undoable import Entangled, History, Permission, StepRefused, is_apart
from bot.store.writes import KEPT
from rules.campaign.schedule import carried
from rules.campaign.seats import with_gms
from rules.errors import NotAllowed, Unknown
from rules.facts import Fact, Redone, Told, Undone
from rules.game import Step
from rules.table import Table
from rules.text import COMMA, NO_WORDS, Phrase, Row, Words, join_phrases
from rules.values import replace

_WINDOW = 50
"""How many entries before the step in question are read at first."""
_NAMED = 3
"""How many of the later steps that changed the same are named."""
_TABLES = 50
"""How many tables are read in one go, where many are compared."""


@dataclass(slots=True)
class Travel:
    """One campaign with its recent history, about to go back or forward."""

    recorder: Recorder
    newest: Entry
    author: Author
    at: datetime
    history: History
    _since: int
    _until: int = 0
    _read: dict[int, tuple[bool, Table | None]] = field(default_factory=dict)
    """Tables by position, as `Reader.kept` has them."""

    @classmethod
    async def begin(cls, recorder: Recorder, newest: Entry, author: Author, at: datetime) -> "Travel":
        """Read the history that ends with `newest`."""
        travel = cls(recorder, newest, author, at, History([newest.step]), newest.number)
        # What lies after the table's position are steps that were undone, and how they were.
        await travel._look_back(newest.step.position, newest.step.position)
        return travel

    async def undo(self, may: Permission, number: int | None, *, is_back: bool) -> Recording:
        """Take back a step, with all later ones if `is_back`. Raises NotAllowed or Unknown."""
        step = await self._find(number, lambda: self.history.to_undo(may, number, self.author.id))
        later = self.history.since(step.number)
        if not later:
            return await self._with_channels(self._back(step), step.moves, is_undo=True)
        if not is_back:
            return Recording((await self._alone(step, may, is_undo=True),))
        for other in later:
            if not may(other):
                raise StepRefused("A later step isn't yours to undo: {step}. Ask the {gm.one}.", step=other)
        _stay_in_channels(*later, step)
        return Recording((self._back(step),))

    async def redo(self, may: Permission, number: int | None) -> Recording:
        """Put back a step. Raises NotAllowed or Unknown."""
        await self._look_back(self.newest.step.position)
        step = await self._find(number, lambda: self.history.to_redo(may, number))
        if step == self.history.ahead():
            return await self._with_channels(self._forward(step), step.moves, is_undo=False)
        return Recording((await self._alone(step, may, is_undo=False),))

    async def _find(self, number: int | None, choose: Callable[[], LogStep]) -> LogStep:
        """The step that is chosen out of the history, which is read as far back as that needs."""
        if number is not None:
            await self._look_back(number)
        for further in () if number is not None else (10 * _WINDOW, self.newest.number):
            try:
                step = choose()
                break
            except (NotAllowed, Unknown):
                if not await self._look_back(self.newest.step.position - further):
                    raise
        else:
            step = choose()
        await self._reach(step)
        return step

    async def _reach(self, step: LogStep) -> None:
        """Read what it takes to take that step back or put it back."""
        if step.parent < self._since:
            await self._look_back(step.parent, self._until)
        await self._read_tables((step.parent, step.number))

    async def _look_back(self, position: int, until: int | None = None) -> bool:
        """Know the steps from that one on, and some before it, at least until some other one.

        Returns whether more had to be read for it; all are read where `until` is None.
        """
        since = max(max(position, self.newest.number - KEPT) - _WINDOW, 1)
        until = self.newest.number if until is None else until
        if since >= self._since and until <= self._until:
            return False
        self._since, self._until = min(since, self._since), max(until, self._until)
        steps = await self.recorder.reader.steps(self.newest.campaign, self._since, self._until)
        self.history = History((*steps, self.newest.step))
        return True

    async def _read_tables(self, positions: Iterable[int]) -> None:
        """Read the tables at some positions."""
        wanted = [position for position in dict.fromkeys(positions) if position not in self._read]
        self._read |= await self.recorder.reader.kept(self.newest.campaign, wanted)

    def _back(self, step: LogStep) -> Entry:
        kept = with_gms(self.newest.table, self._table(step.parent, step))
        line = replace(
            self._line(Undone, step, kept.facts),
            position=step.parent,
            parent=self.history.before(step.parent),
            tip=self.newest.step.tip,
            undoes=step.number,
        )
        return self._entry(line, kept.table)

    def _forward(self, step: LogStep) -> Entry:
        kept = self._redone(step, self._table(step.number, step))
        line = replace(
            self._line(Redone, step, kept.facts),
            position=step.number,
            tip=self.newest.step.tip,
            redoes=step.number,
        )
        return self._entry(line, kept.table)

    def _redone(self, step: LogStep, table: Table) -> Step:
        """The table with a step put back; where that step let the last GM go, it does so again."""
        is_let_go = bool(self._table(step.parent, step).gms) and not self._table(step.number, step).gms
        return Step(table, ()) if is_let_go else with_gms(self.newest.table, table)

    async def _alone(self, step: LogStep, may: Permission, *, is_undo: bool) -> Entry:
        """Take or put back one step among others. Raises Entangled if later ones build on it."""
        _stay_in_channels(step)
        before, after = self._table(step.parent, step), self._table(step.number, step)
        old, new = (
            (codec.form(before), codec.form(after)) if is_undo else (codec.form(after), codec.form(before))
        )
        form, clashes = take_back(old, new, codec.form(self.newest.table))
        later = await self._later(step, changed(old, new))
        if clashes or later:
            raise self._entangled(step, later, may, is_undo=is_undo)
        table = codec.read_form(form, self.newest.number)
        kept = with_gms(self.newest.table, table) if is_undo else self._redone(step, table)
        if is_undo:
            line = replace(self._line(Undone, step, kept.facts), undoes=step.number)
        else:
            line = replace(self._line(Redone, step, kept.facts), redoes=step.number)
        return self._entry(line, kept.table)

    async def _later(self, step: LogStep, leaves: list[Path]) -> tuple[LogStep, ...]:
        """The first steps since then which changed one of the leaves, too; others are served in between."""
        found = []
        own = {at: self._read[at] for at in (step.parent, step.number)}
        steps = self.history.in_force_since(step.number)
        position, form = -1, None
        for number, other in enumerate(steps):
            if number % _TABLES == 0:
                self._read = dict(own)
                await self._read_tables(
                    at for each in steps[number : number + _TABLES] for at in (each.parent, each.number)
                )
            await asyncio.sleep(0)
            # Mostly the step before it has left the table that this one found.
            before = form if other.parent == position else codec.form(self._table(other.parent, other))
            position, form = other.number, codec.form(self._table(other.number, other))
            if any(is_changed(before, form, leaf) for leaf in leaves):
                found.append(other)
                if len(found) > _NAMED:
                    break
        return tuple(found)

    def _entangled(
        self, step: LogStep, later: tuple[LogStep, ...], may: Permission, *, is_undo: bool
    ) -> Entangled:
        numbers = [f"{other.number}" for other in later]
        why = (
            Words("step {number} builds on it", number=numbers[0])
            if numbers
            else Words("it builds on other steps")
        )
        if len(numbers) > _NAMED:
            first = Row(numbers[:_NAMED], COMMA)
            why = Words("steps {numbers} and later ones build on it", numbers=first)
        elif len(numbers) > 1:
            why = Words("steps {numbers} build on it", numbers=Row(numbers))
        hint: Phrase = Words("To go step by step: /{command}", command="undo" if is_undo else "redo")
        if not all(map(may, later)):
            hint = Words("Ask the {gm.one}.")
        elif is_undo and any(is_apart(other, self.author.id) for other in later):
            hint = NO_WORDS
        verb = Words("undone") if is_undo else Words("redone")
        refusal = Words(
            "Step {number} can't be {verb} by itself: {why}.", number=step.number, verb=verb, why=why
        )
        return Entangled("{refusal}", step=step, refusal=join_phrases(refusal, hint))

    def _table(self, position: int, step: LogStep) -> Table:
        is_kept, table = self._read[position]
        if not is_kept:
            raise StepRefused("{step} is too old to undo or redo. Make the change by hand.", step=step)
        if table is None:
            raise StepRefused("{step} can't be read any more. Make the change by hand.", step=step)
        changes = self.newest.table.plan_changes  # counts on, whatever is taken back
        return table if table.plan_changes == changes else replace(table, plan_changes=changes)

    def _line(self, what: type[Undone | Redone], step: LogStep, more: tuple[Fact, ...]) -> LogStep:
        facts = fact_codec.read_facts(step.written)
        told = tuple(fact for fact in facts if isinstance(fact, Told))
        draft = Draft(self.newest.table, (what(step.number, told), *more), step.secret)
        return self.newest.then(self.author, self.at, draft).step

    def _entry(self, step: LogStep, table: Table) -> Entry:
        if table.plan is not self.newest.table.plan:
            table = carried(self.newest.table, table)
        fresh = replace(table, number=step.number)
        return Entry(self.newest.campaign, step, fresh, rolls_only=self.newest.rolls_only)

    async def _with_channels(self, entry: Entry, moves: tuple[Move, ...], *, is_undo: bool) -> Recording:
        """Move channels with a step, and the campaigns that they are taken from or given back to."""
        bound = await self.recorder.reader.bindings([move.channel for move in moves])
        wanted = [move.back for move in moves] if is_undo else moves
        # A channel that has moved on since then stays where it is.
        made = tuple([await self._there(move) for move in wanted if bound.get(move.channel) == move.source])
        others = {move.source for move in moves} | {move.target for move in moves}
        twins = [await self._twin(other, moves, is_undo=is_undo) for other in others - {entry.campaign, None}]
        return Recording((entry, *(twin for twin in twins if twin)), made)

    async def _there(self, move: Move) -> Move:
        """The move; a channel whose campaign is deleted meanwhile has none."""
        found = None if move.target is None else await self.recorder.of(move.target)
        return move if found else replace(move, target=None)

    async def _twin(self, campaign: int | None, moves: tuple[Move, ...], *, is_undo: bool) -> Entry | None:
        """The same way in another campaign, if it is at the step that made the same moves."""
        found = None if campaign is None else await self.recorder.seen_of(campaign)
        if found is None or found.entry.deleted:
            return None
        other = await Travel.begin(self.recorder, found.entry, self.author, self.at)
        if not is_undo:
            await other._look_back(found.entry.step.position)
        step = other.history.current() if is_undo else other.history.ahead()
        if step is None or step.moves != moves:
            return None
        await other._reach(step)
        return other._back(step) if is_undo else other._forward(step)


def _stay_in_channels(*steps: LogStep) -> None:
    for step in steps:
        if step.moves:
            raise StepRefused(
                "{step} changed a channel's table, so undo the later steps first, one by one.", step=step
            )
