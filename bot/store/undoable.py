"""What of a campaign's steps is undone, and what may be undone or put back next. Pure."""

from collections.abc import Callable, Iterable, Iterator

from bot.store.history import NOBODY, LogStep
from rules.errors import NotAllowed, Unknown
from rules.facts import BoundaryChanged, Replied
from rules.values import replace


def is_apart(step: LogStep, who: int) -> bool:
    """Whether it takes its number to undo a step: a line, a veil, or the answer of another to a plan."""
    is_own = step.author.id == who
    return any(
        isinstance(fact, BoundaryChanged) or (isinstance(fact, Replied) and not is_own) for fact in step.facts
    )


class StepRefused(NotAllowed):
    """A refusal that names steps in its sentence, `{0}` the first; what they did is for others to say."""

    def __init__(self, sentence: str, *steps: LogStep) -> None:
        super().__init__(_with_steps(sentence, map(str, steps)))
        self.sentence, self.steps = sentence, steps

    def said(self, named: Callable[[LogStep], str]) -> str:
        """The sentence, with each step named like that."""
        return _with_steps(self.sentence, map(named, self.steps))


class Entangled(StepRefused):
    """A step cannot be taken or put back alone; `later` are the steps built on it."""

    def __init__(self, sentence: str, step: LogStep, later: tuple[LogStep, ...]) -> None:
        super().__init__(sentence, step, *later)
        self.step = step
        self.later = later


def _with_steps(sentence: str, steps: Iterable[str]) -> str:
    whole = sentence.format(*steps)
    return whole[0].upper() + whole[1:]


def _plain(name: str) -> str:
    """A name in a sentence that is formatted."""
    return name.replace("{", "{{").replace("}", "}}")


Permission = Callable[[LogStep], bool]
"""Whether somebody may take or put back a step."""


class History:
    """The steps of a campaign, as many as are needed, up to its newest."""

    def __init__(self, steps: Iterable[LogStep]) -> None:
        self._steps = {step.number: step for step in steps}
        self._parents = {step.position: step.parent for step in self._steps.values()}
        self.newest = self._steps[max(self._steps)]
        self._path = tuple(self._back_from(self.newest.position))
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

    def is_undone(self, number: int) -> bool:
        """Whether the table is without what that step did."""
        step = self._steps[number]
        return step.position == number and (number not in self._path or number in self._alone)

    def current(self) -> LogStep | None:
        """The step that the table is at."""
        return self._steps.get(self.newest.position)

    def before(self, position: int) -> int:
        """The position before one that the table has been at, 0 before the first."""
        return self._parents.get(position, 0)

    def since(self, number: int) -> tuple[LogStep, ...]:
        """The steps after that one which led to the newest table, newest first."""
        return tuple(self._steps[later] for later in self._path if later > number)

    def in_force_since(self, number: int) -> tuple[LogStep, ...]:
        """What was played after that step and is not undone, oldest first."""
        later = reversed(self.since(number))
        return tuple(step for step in later if step.is_play and step.number not in self._alone)

    def ahead(self) -> LogStep | None:
        """The step that redo would go forward to."""
        ahead = None
        for number in self._back_from(self.newest.tip):
            if number == self.newest.position:
                break
            ahead = self._steps[number]
        return ahead

    def to_undo(self, may: Permission, number: int | None, who: int = 0) -> LogStep:
        """The step with that number, or else the newest that may be undone, and that `who` means by that.

        Raises NotAllowed or Unknown.
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
                "There is nothing to undo but lines, veils and other people's answers to a plan. Those take "
                "their number in the log. Example: /undo step:{number}",
                number=apart.number,
            )
        named = [step.author.name for step in steps if step.author != NOBODY]
        if named:
            raise NotAllowed(
                "No step is yours to undo; ask the GM, or {author} for the last.", author=named[0]
            )
        if steps:
            raise NotAllowed("No step is yours to undo; ask the GM.")
        raise NotAllowed("There is nothing to undo.")

    def to_redo(self, may: Permission, number: int | None) -> LogStep:
        """The step with that number, or else the one undone last. Raises NotAllowed or Unknown."""
        if number is not None:
            return self._chosen(may, number, undone=True)
        steps = [self._steps[self._steps[n].undoes] for n in self._path if self._is_in_force(n)]
        if ahead := self.ahead():
            steps.insert(0, ahead)
        for step in steps:
            if may(step):
                return step
        if steps:
            raise StepRefused("The next to put back is {0}, not yours; ask the GM.", steps[0])
        raise NotAllowed("There is nothing to redo; `/redo` puts back what `/undo` took back.")

    def _chosen(self, may: Permission, number: int, *, undone: bool) -> LogStep:
        step = self._steps.get(number)
        verb, other = ("redo", "undo") if undone else ("undo", "redo")
        if step is None:
            raise Unknown(
                "There is no step {number} to {verb}; pick one of the last from the list.",
                number=number,
                verb=verb,
            )
        if not step.is_play:
            of = step.undoes or step.redoes
            if not of:
                raise StepRefused("{0} changed nothing at the table.", step)
            raise NotAllowed(
                "Step {number} only took or put back step {of}; name that one.", number=number, of=of
            )
        if self.is_undone(number) != undone:
            state = "not undone" if undone else f"undone already; `/{other} step:{number}` puts it back"
            raise StepRefused(f"{{0}} is {state}.", step)
        if not may(step):
            raise StepRefused(f"{{0}} was made by {_plain(step.author.name)}; ask the GM.", step)
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
