"""Undo and redo: what may be undone, and undoing one old step by comparing three states.

A leaf is a number, a text or a list, or a whole object that the change added or removed.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Final

import msgspec

from bot.store import codec
from bot.store.history import NOBODY, Author, Draft, Entry, LogStep, Move
from bot.store.recorder import Recorder, Recording
from bot.store.writer import KEPT
from rules.campaign.schedule import carried
from rules.campaign.seats import with_gms
from rules.errors import NotAllowed, Unknown
from rules.facts import BoundaryChanged, Fact, Redone, Replied, TimeSuited, Told, Undone
from rules.game import Step, played
from rules.table import Games, Table
from rules.terms import in_terms
from rules.text import AND, COMMA, NO_WORDS, Phrase, Row, Words, join_phrases
from rules.values import Value, replace


def is_apart(step: LogStep, who: int) -> bool:
    """Return whether a step can only be undone by number: a line, a veil, or another's answer to a plan."""
    is_own = step.author.id == who
    return any(
        isinstance(fact, BoundaryChanged) or (isinstance(fact, Replied | TimeSuited) and not is_own)
        for fact in step.facts
    )


_ASK_GM = Words("Ask the {gm.one}.")


class StepRefused(NotAllowed):
    """A refusal with steps in its data, in `step` or others; the caller turns them into text."""

    def __init__(self, sentence: str, /, *, step: LogStep, **data: object) -> None:
        super().__init__(sentence, step=step, **data)
        self.step = step
        self.args = (_capital(in_terms(sentence).format_map(self.named(str))),)

    def named(self, name: Callable[[LogStep], object]) -> dict[str, object]:
        """Return the data with each step replaced by its name."""
        return {place: _named(value, name) for place, value in self.data.items()}


class Entangled(StepRefused):
    """Raised if a step cannot be undone or redone alone, because later steps build on it."""


def _named(value: object, name: Callable[[LogStep], object]) -> object:
    if isinstance(value, tuple):
        return Row([_named(each, name) for each in value], AND, AND)
    return name(value) if isinstance(value, LogStep) else value


def _capital(sentence: str) -> str:
    """A sentence that may begin with the name of a step, with a capital."""
    return sentence[0].upper() + sentence[1:]


Permission = Callable[[LogStep], bool]
"""Whether somebody may take or put back a step."""


class History:
    """The steps of a campaign up to its newest, as far back as needed."""

    def __init__(self, steps: Iterable[LogStep]) -> None:
        self._steps = {step.number: step for step in steps}
        self._parents = {step.position: step.parent for step in self._steps.values()}
        self.newest = self._steps[max(self._steps)]
        self._path = tuple(self._back_from(self.newest.position))
        self._there = frozenset(self._path)
        self._alone: set[int] = set()
        # The oldest first: what was taken back alone may have been put back, and taken back again.
        for number in reversed(self._path):
            step = self._steps[number]
            if step.undoes:
                self._alone.add(step.undoes)
            self._alone.discard(step.redoes)

    def __iter__(self) -> Iterator[LogStep]:
        """All steps, newest first."""
        for number in sorted(self._steps, reverse=True):
            yield replace(self._steps[number], undone=self.is_undone(number))

    def in_force(self) -> list[LogStep]:
        """Return the steps of play that are not undone, oldest first."""
        steps = (self._steps[number] for number in sorted(self._steps))
        return [step for step in steps if step.is_play and not self.is_undone(step.number)]

    def is_undone(self, number: int) -> bool:
        """Return whether the current table is without that step."""
        step = self._steps[number]
        return step.position == number and (number not in self._there or number in self._alone)

    def current(self) -> LogStep | None:
        """Return the step whose table is current; None before the first."""
        return self._steps.get(self.newest.position)

    def before(self, position: int) -> int:
        """Return the position before that one, 0 before the first."""
        return self._parents.get(position, 0)

    def since(self, number: int) -> tuple[LogStep, ...]:
        """Return the steps after that one which led to the newest table, newest first."""
        return tuple(self._steps[later] for later in self._path if later > number)

    def in_force_since(self, number: int) -> tuple[LogStep, ...]:
        """Return the steps of play after that one which are not undone, oldest first."""
        later = reversed(self.since(number))
        return tuple(step for step in later if step.is_play and step.number not in self._alone)

    def ahead(self) -> LogStep | None:
        """Return the step that redo would go forward to; None for none."""
        ahead = None
        for number in self._back_from(self.newest.tip):
            if number == self.newest.position:
                break
            ahead = self._steps[number]
        return ahead

    def to_undo(
        self, may: Permission, number: int | None, who: int = 0, gms: Collection[int] = ()
    ) -> LogStep:
        """Return the step with that number, else the newest step that `who` may undo without naming it.

        Raises NotAllowed if there is nothing to undo or the step may not be undone; Unknown if there is no
        such step.
        """
        if number is not None:
            return self._chosen(may, number, undone=False)
        steps = [self._steps[n] for n in self._path if n not in self._alone and self._steps[n].is_play]
        apart = None
        for step in filter(may, steps):  # mostly the first: there are up to a hundred
            if not is_apart(step, who):
                return step
            apart = apart or step
        if apart:
            raise NotAllowed(
                "The only steps left to undo are lines, veils and other people's answers to a plan. "
                "Undo them by number. Example: /undo step:{number}",
                number=apart.number,
            )
        others = [step.author for step in steps if step.author != NOBODY]
        if others and others[0].id not in gms:
            raise NotAllowed(
                "None of these steps is yours to undo. {gms}",
                gms=Words("Ask the {gm.one}, or {author} for the last step.", author=others[0].name),
            )
        if steps:
            raise NotAllowed("None of these steps is yours to undo. {gms}", gms=_ASK_GM)
        raise NotAllowed("There's nothing to undo.")

    def to_redo(self, may: Permission, number: int | None) -> LogStep:
        """Return the step with that number, else the step undone last.

        Raises NotAllowed if there is nothing to redo or the step may not be redone; Unknown if there is no
        such step.
        """
        if number is not None:
            return self._chosen(may, number, undone=True)
        steps = [self._steps[self._steps[n].undoes] for n in self._path if self._is_in_force(n)]
        if ahead := self.ahead():
            steps.insert(0, ahead)
        for step in steps:
            if may(step):
                return step
        if steps:
            raise StepRefused("The next step to redo isn't yours: {step}. {gms}", step=steps[0], gms=_ASK_GM)
        raise NotAllowed("There's nothing to redo. `/redo` brings back what `/undo` took back.")

    def _chosen(self, may: Permission, number: int, *, undone: bool) -> LogStep:
        step = self._steps.get(number)
        verb = Words("redo") if undone else Words("undo")
        if step is None:
            raise Unknown(
                "There's no step {number} to {verb}. Choose one from the list.",
                number=number,
                verb=verb,
            )
        if not step.is_play:
            of = step.undoes or step.redoes
            if not of:
                raise StepRefused(
                    "{step} changed nothing at the table, so there's nothing to undo.", step=step
                )
            raise NotAllowed(
                "Step {number} only undid or redid another step. Use step {of} instead.", number=number, of=of
            )
        if undone and not self.is_undone(number):
            raise StepRefused("{step} isn't undone.", step=step)
        if self.is_undone(number) and not undone:
            raise StepRefused(
                "{step} has already been undone. To bring it back: /redo step:{number}",
                step=step,
                number=number,
            )
        if not may(step):
            raise StepRefused(
                "{step} is {who}'s, not yours. {gms}", step=step, who=step.author.name, gms=_ASK_GM
            )
        return step

    def _is_in_force(self, number: int) -> bool:
        """Whether what that step took back alone is still away."""
        undoes = self._steps[number].undoes
        newest = next(n for n in self._path if self._steps[n].undoes == undoes)
        return undoes in self._alone and undoes in self._steps and number == newest

    def _back_from(self, position: int) -> Iterator[int]:
        while position in self._steps:
            yield position
            position = self._steps[position].parent


Path = tuple[Any, ...]
"""The names of fields and keys that lead to a part of a value."""
MISSING: Final = object()


def take_back(before: Any, after: Any, newest: Any) -> tuple[Any, list[Path]]:
    """Return `newest` without the change from `before` to `after`, and the paths where they conflict.

    >>> take_back({"doom": 1, "pp": 1}, {"doom": 2, "pp": 1}, {"doom": 2, "pp": 5})
    ({'doom': 1, 'pp': 5}, [])
    >>> take_back({"doom": 1}, {"doom": 2}, {"doom": 3})
    ({'doom': 1}, [('doom',)])
    """
    if before == after:
        return newest, []
    names = _names(before, after, newest)
    if names is None:
        return before, [] if newest == after else [()]
    kept = {}
    clashes = []
    rows = zip(names, *(_parts(state, names) for state in (before, after, newest)), strict=True)
    for name, old, new, part in rows:
        if old != new:
            part, below = take_back(old, new, part)
            clashes += [(name, *path) for path in below]
        if part is not MISSING:
            kept[name] = part
    return _with_parts(newest, kept), clashes


def _names(*states: Any) -> list[Any] | None:
    """The names of the parts of some states of one thing; None for leaves."""
    first = states[0]
    if any(type(state) is not type(first) for state in states):
        return None
    if isinstance(first, Mapping):
        return [*dict.fromkeys(chain.from_iterable(reversed(states)))]
    return [*first.__struct_fields__] if isinstance(first, Value) else None


def _parts(state: Any, names: Iterable[Any]) -> Sequence[Any]:
    """The parts of a state by its names. A game that has nothing at a table has its empty part."""
    if isinstance(state, Value):
        return msgspec.structs.astuple(state)
    if isinstance(state, Games):
        return [getattr(state, name, MISSING) for name in names]
    return [state.get(name, MISSING) for name in names]


def _with_parts(state: Any, parts: Mapping[Any, Any]) -> Any:
    if isinstance(state, Games):
        kind = type(state)
        return kind.having({name: part for name, part in parts.items() if part != getattr(kind, name)})
    return dict(parts) if isinstance(state, Mapping) else replace(state, **parts)


def changed_leaves(before: Any, after: Any) -> list[Path]:
    """Return the paths of the leaves in which two states differ."""
    return take_back(before, after, before)[1]


def is_changed(before: Any, after: Any, path: Path) -> bool:
    """Return whether two states differ at a path."""
    return bool(_at(before, path) != _at(after, path))


def _at(state: Any, path: Path) -> Any:
    for name in path:
        if state is MISSING:
            break
        is_plain = isinstance(state, Mapping) and not isinstance(state, Games)
        state = state.get(name, MISSING) if is_plain else getattr(state, name, MISSING)
    return state


def differs_at(before: bytes, after: bytes, path: Path) -> bool | None:
    """Return whether two stored tables differ at a path; None if only the tables themselves can tell.

    Most steps leave the line alone that holds the path, so its bytes say it.
    """
    names = tuple(map(str, path))
    one, other = codec.line_with(before, names), codec.line_with(after, names)
    if one is None or other is None:
        return None
    if one.text == other.text:
        return False
    if not (one.text and other.text):
        return None
    (depth, value), (other_depth, other_value) = (
        _found(json.loads(each.text), each.path) for each in (one, other)
    )
    if value is MISSING and other_value is MISSING:
        # Both have the default there, or neither has the thing that would hold it.
        return False if depth == other_depth else None
    return bool(value != other_value)


def _found(state: Any, path: Path) -> tuple[int, Any]:
    """The value at a path, and how many of the path's names lead to something."""
    for depth, name in enumerate(path):
        if not isinstance(state, dict) or name not in state:
            return depth, MISSING
        state = state[name]
    return len(path), state


_FIRST = 20
"""How many entries before the newest are read at first: mostly the step in question is among them."""
_WINDOW = 50
"""How many entries before the step in question are read."""
_NAMED = 3
"""How many of the later steps that changed the same are named."""
_TABLES = 50
"""How many tables are read in one go, where many are compared."""


@dataclass(slots=True)
class UndoPlan:
    """An undo or redo in one campaign, with the recent history that it needs."""

    recorder: Recorder
    newest: Entry
    author: Author
    at: datetime
    history: History
    _since: int
    _until: int = 0
    _texts: dict[int, bytes] = field(default_factory=dict)
    """The texts of tables by position, as `Reader.texts` has them."""
    _tables: dict[int, Table] = field(default_factory=dict)
    """Tables by position that need not be read."""

    @classmethod
    async def begin(
        cls, recorder: Recorder, newest: Entry, author: Author, at: datetime, number: int | None = None
    ) -> "UndoPlan":
        """Read the history that ends with `newest`, back to the step with that number if one is given."""
        travel = cls(recorder, newest, author, at, History([newest.step]), newest.number)
        cached = recorder.memory.newest(newest.campaign)
        if cached is not None and cached.entry.number == newest.number:
            recent = (newest, cached.previous)
            travel._tables = {each.number: each.table for each in recent if each and each.step.is_play}
        position = newest.step.position
        if number is None:
            # What lies after the table's position are steps that were undone, and how they were.
            await travel._look_back(position, position, _FIRST)
        else:
            await travel._look_back(min(number, position))
        return travel

    async def undo(self, may: Permission, number: int | None, *, is_back: bool) -> Recording:
        """Return the entry that undoes a step, with all later ones if `is_back`.

        Raises NotAllowed if the step may not be undone; Unknown if there is no such step.
        """
        gms = self.newest.table.gms
        step = await self._find(number, lambda: self.history.to_undo(may, number, self.author.id, gms))
        later = self.history.since(step.number)
        if not later:
            return await self._with_channels(self._back(step), step.moves, is_undo=True)
        if not is_back:
            return Recording((await self._alone(step, may, is_undo=True),))
        for other in later:
            if not may(other):
                raise StepRefused("A later step isn't yours to undo: {step}. {gms}", step=other, gms=_ASK_GM)
        _stay_in_channels(*later, step)
        return Recording((self._back(step),))

    async def redo(self, may: Permission, number: int | None) -> Recording:
        """Return the entry that redoes a step.

        Raises NotAllowed if the step may not be redone; Unknown if there is no such step.
        """
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
        await self._read_texts(at for at in (step.parent, step.number) if at not in self._tables)

    async def _look_back(self, position: int, until: int | None = None, window: int = _WINDOW) -> bool:
        """Know the steps from that one on, and some before it, at least until some other one.

        Returns whether more had to be read for it; all are read where `until` is None.
        """
        since = max(max(position, self.newest.number - KEPT) - window, 1)
        until = self.newest.number if until is None else until
        if since >= self._since and until <= self._until:
            return False
        self._since, self._until = min(since, self._since), max(until, self._until)
        steps = await self.recorder.reader.steps(self.newest.campaign, self._since, self._until)
        self.history = History((*steps, self.newest.step))
        return True

    async def _read_texts(self, positions: Iterable[int]) -> None:
        """Read the texts of the tables at some positions."""
        wanted = [position for position in dict.fromkeys(positions) if position not in self._texts]
        if wanted:
            self._texts |= await self.recorder.reader.texts(self.newest.campaign, wanted)

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
        states = (before, after) if is_undo else (after, before)
        # The number and the lost steps belong to the tables, not to the step.
        old, new, newest = (replace(each, number=0, lost=0) for each in (*states, self.newest.table))
        table, clashes = take_back(old, new, newest)
        leaves = changed_leaves(old, new)
        later = await self._later(step, leaves)
        rolls = {number for game in played() for number in game.find_misjudged(table, newest)}
        if rolls and not later:
            # The later steps changed other parts of these rolls, and what the dice come to needs both.
            whole = {leaf[: place + 1] for leaf in leaves for place, name in enumerate(leaf) if name in rolls}
            later = await self._later(step, [*whole])
        if clashes or later or rolls:
            raise self._entangled(step, later, may, is_undo=is_undo)
        kept = with_gms(self.newest.table, table) if is_undo else self._redone(step, table)
        has_later = any(is_changed(old, table, leaf[:-1]) for leaf in leaves)
        line = self._line(partial(Undone if is_undo else Redone, has_later=has_later), step, kept.facts)
        done = replace(line, undoes=step.number) if is_undo else replace(line, redoes=step.number)
        return self._entry(done, kept.table)

    async def _later(self, step: LogStep, leaves: list[Path]) -> tuple[LogStep, ...]:
        """The first steps since then which changed one of the leaves, too; others are served in between."""
        found = []
        own = dict(self._texts)
        steps = self.history.in_force_since(step.number)
        for number, other in enumerate(steps):
            if number % _TABLES == 0:
                self._texts = dict(own)
                await self._read_texts(
                    at for each in steps[number : number + _TABLES] for at in (each.parent, each.number)
                )
            await asyncio.sleep(0)
            if self._has_changed(other, leaves):
                found.append(other)
                if len(found) > _NAMED:
                    break
        return tuple(found)

    def _has_changed(self, step: LogStep, leaves: list[Path]) -> bool:
        """Whether a step changed one of the leaves. Raises StepRefused if its tables aren't stored."""
        before, after = self._text(step.parent, step), self._text(step.number, step)
        differs = [differs_at(before, after, leaf) for leaf in leaves]
        if True in differs or None not in differs:
            return True in differs
        old, new = (self._table(at, step) for at in (step.parent, step.number))
        return any(is_changed(old, new, leaf) for leaf in leaves)

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
        is_own = all(map(may, later))
        if is_own and is_undo and any(is_apart(other, self.author.id) for other in later):
            hint = NO_WORDS
        verb = Words("undone") if is_undo else Words("redone")
        refusal = Words(
            "Step {number} can't be {verb} by itself: {why}.", number=step.number, verb=verb, why=why
        )
        if not is_own:
            return Entangled("{refusal} {gms}", step=step, refusal=refusal, gms=_ASK_GM)
        return Entangled("{refusal}", step=step, refusal=join_phrases(refusal, hint))

    def _table(self, position: int, step: LogStep) -> Table:
        table = self._tables.get(position)
        if table is None:
            try:
                table = codec.read(self._text(position, step), position)
            except codec.FAULTS:
                raise _unreadable(step) from None
        changes = self.newest.table.plan_changes  # counts on, whatever is taken back
        return table if table.plan_changes == changes else replace(table, plan_changes=changes)

    def _text(self, position: int, step: LogStep) -> bytes:
        """The text of the table at a position. Raises StepRefused, about that step, if it isn't there."""
        text = self._texts.get(position)
        if text is None:
            raise StepRefused("{step} is too old to undo or redo. Make the change by hand.", step=step)
        if not text:
            raise _unreadable(step)
        return text

    def _line(
        self, what: Callable[[int, tuple[Told, ...]], Fact], step: LogStep, more: tuple[Fact, ...]
    ) -> LogStep:
        facts = codec.read_facts(step.written)
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
        if not moves:
            return Recording((entry,))
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
        other = await UndoPlan.begin(self.recorder, found.entry, self.author, self.at)
        if not is_undo:
            await other._look_back(found.entry.step.position)
        step = other.history.current() if is_undo else other.history.ahead()
        if step is None or step.moves != moves:
            return None
        await other._reach(step)
        return other._back(step) if is_undo else other._forward(step)


def _unreadable(step: LogStep) -> StepRefused:
    return StepRefused("{step} can't be read any more. Make the change by hand.", step=step)


def _stay_in_channels(*steps: LogStep) -> None:
    for step in steps:
        if step.moves:
            raise StepRefused(
                "{step} changed a channel's table, so undo the later steps first, one by one.", step=step
            )
