"""Going back and forward in the history of a campaign: plans for undo and redo."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from bot.store import codec, fact_codec
from bot.store.history import Author, Draft, Entry, LogStep, Move
from bot.store.recorder import Recorder, Recording
from bot.store.rows import KeptStates
from bot.store.three_way import Path, changed, is_changed, take_back
from bot.store.undoable import Entangled, History, Permission, StepRefused, is_apart
from bot.store.writes import KEPT
from rules.fact import Fact, Told
from rules.facts import Redone, Undone
from rules.gms import with_gms
from rules.plan import carried
from rules.result import Step
from rules.table import Table
from rules.values import replace
from rules.words import Words

_LOOK_BACK = KEPT + 32  # entries; states older than these are never kept


@dataclass(frozen=True, slots=True)
class Travel:
    """One campaign with its recent history, about to go back or forward."""

    recorder: Recorder
    newest: Entry
    history: History
    kept: KeptStates
    author: Author
    at: datetime

    @classmethod
    async def begin(cls, recorder: Recorder, newest: Entry, author: Author, at: datetime) -> "Travel":
        """Read the history that ends with `newest`."""
        steps = await recorder.reader.steps(newest.campaign, newest.number - _LOOK_BACK)
        steps = [step for step in steps if step.number <= newest.number]
        return cls(recorder, newest, History(steps), await recorder.reader.kept(newest.campaign), author, at)

    async def undo(self, may: Permission, number: int | None, *, is_back: bool) -> Recording:
        """Take back a step, with all later ones if `is_back`. Raises NotAllowed or Unknown."""
        step = self.history.to_undo(may, number, self.author.id)
        later = self.history.since(step.number)
        if not later:
            return await self._with_channels(self._back(step), step.moves, is_undo=True)
        if not is_back:
            return Recording((await self._alone(step, may, is_undo=True),))
        for other in later:
            if not may(other):
                raise StepRefused(
                    "{step} came later, and is not yours to undo; ask the {gm.one}.", step=other
                )
        _stay_in_channels(*later, step)
        return Recording((self._back(step),))

    async def redo(self, may: Permission, number: int | None) -> Recording:
        """Put back a step. Raises NotAllowed or Unknown."""
        step = self.history.to_redo(may, number)
        if step == self.history.ahead():
            return await self._with_channels(self._forward(step), step.moves, is_undo=False)
        return Recording((await self._alone(step, may, is_undo=False),))

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
        """The steps since then which changed one of the leaves, too; others are served in between."""
        found = []
        for other in self.history.in_force_since(step.number):
            await asyncio.sleep(0)
            if self._touches(other, leaves):
                found.append(other)
        return tuple(found)

    def _touches(self, step: LogStep, leaves: list[Path]) -> bool:
        before, after = (codec.form(self._table(at, step)) for at in (step.parent, step.number))
        return any(is_changed(before, after, leaf) for leaf in leaves)

    def _entangled(
        self, step: LogStep, later: tuple[LogStep, ...], may: Permission, *, is_undo: bool
    ) -> Entangled:
        command = "undo" if is_undo else "redo"
        verb = Words("taken back") if is_undo else Words("put back")
        hint = Words("`/{command}` can go step by step.", command=command)
        if not later:
            return Entangled(
                "{step} cannot be {verb} alone: it builds on others. {hint}", step=step, verb=verb, hint=hint
            )
        if not all(map(may, later)):
            hint = Words("Ask the {gm.one}.")
        elif is_undo and any(is_apart(other, self.author.id) for other in later):
            return Entangled(
                "{step} cannot be {verb} alone: {later} changed the same since.",
                step=step,
                later=later,
                verb=verb,
            )
        return Entangled(
            "{step} cannot be {verb} alone: {later} changed the same since. {hint}",
            step=step,
            later=later,
            verb=verb,
            hint=hint,
        )

    def _table(self, position: int, step: LogStep) -> Table:
        table = self.kept.table(position)
        if table is None:
            # Recent enough to be kept, so it is there and damaged.
            if position > self.newest.number - KEPT:
                raise StepRefused("{step} cannot be read any more. Change it by hand.", step=step)
            raise StepRefused(
                "{step} is too long ago: only the last {kept} states are kept. Change it by hand.",
                step=step,
                kept=KEPT,
            )
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
        step = other.history.current() if is_undo else other.history.ahead()
        if step is None or step.moves != moves:
            return None
        return other._back(step) if is_undo else other._forward(step)


def _stay_in_channels(*steps: LogStep) -> None:
    for step in steps:
        if step.moves:
            raise StepRefused(
                "{step} moved a channel; take the later steps back first, one by one.", step=step
            )
