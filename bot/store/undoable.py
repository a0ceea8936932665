"""What of a campaign's steps is undone, and what may be undone or put back next. Pure."""

from collections.abc import Callable, Iterable, Iterator

from bot.store.history import NOBODY, LogStep
from rules.errors import NotAllowed, Unknown
from rules.facts import BoundaryChanged, Replied, TimeSuited
from rules.terms import in_terms
from rules.text import AND, Row, Words
from rules.values import replace


def is_apart(step: LogStep, who: int) -> bool:
    """Whether it takes its number to undo a step: a line, a veil, or the answer of another to a plan."""
    is_own = step.author.id == who
    return any(
        isinstance(fact, BoundaryChanged) or (isinstance(fact, Replied | TimeSuited) and not is_own)
        for fact in step.facts
    )


class StepRefused(NotAllowed):
    """A refusal with steps in its data, a `step` or several; what they did is for others to say."""

    def __init__(self, sentence: str, /, *, step: LogStep, **data: object) -> None:
        super().__init__(sentence, step=step, **data)
        self.step = step
        self.args = (_capital(in_terms(sentence).format_map(self.named(str))),)

    def named(self, name: Callable[[LogStep], object]) -> dict[str, object]:
        """Its data, with each step named like that."""
        return {place: _named(value, name) for place, value in self.data.items()}


class Entangled(StepRefused):
    """A step cannot be taken or put back alone, since later steps build on it."""


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
    """The steps of a campaign, as many as are needed, up to its newest."""

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

    def is_undone(self, number: int) -> bool:
        """Whether the table is without what that step did."""
        step = self._steps[number]
        return step.position == number and (number not in self._there or number in self._alone)

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
                "The only steps left to undo are lines, veils and other people's answers to a plan. "
                "Undo them by number. Example: /undo step:{number}",
                number=apart.number,
            )
        named = [step.author.name for step in steps if step.author != NOBODY]
        if named:
            raise NotAllowed(
                "None of the steps is yours to undo. Ask the {gm.one}, or ask {author} to undo the "
                "last step.",
                author=named[0],
            )
        if steps:
            raise NotAllowed("None of the steps is yours to undo. Ask the {gm.one}.")
        raise NotAllowed("There's nothing to undo.")

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
            raise StepRefused("The next step to redo isn't yours: {step}. Ask the {gm.one}.", step=steps[0])
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
                "{step} is {who}'s, not yours. Ask the {gm.one}.", step=step, who=step.author.name
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
