"""How much one person may ask for in a while, so that the others are served too."""

from collections import OrderedDict, deque

SUGGESTIONS = 100
"""So many suggestions one person gets in 10 seconds: they come with every key, and each costs a look."""


class Budget:
    """So many interactions of one person within so many seconds; 0 is no limit."""

    def __init__(self, most: int, seconds: float = 10.0) -> None:
        self.most = most
        self._seconds = seconds
        self._taken: OrderedDict[int, deque[float]] = OrderedDict()

    def allows(self, person: int, now: float) -> bool:
        """Whether one more is within the budget; it is counted then. `now` are seconds that only rise."""
        if not self.most:
            return True
        taken = self._taken.setdefault(person, deque(maxlen=self.most))
        if len(taken) == self.most and now - taken[0] < self._seconds:
            return False
        taken.append(now)
        self._taken.move_to_end(person)
        self._forget(now)
        return True

    def give_back(self, person: int) -> None:
        """Count nothing of theirs any more: what was allowed last was not done."""
        self._taken.pop(person, None)

    def _forget(self, now: float) -> None:
        """Let go of who was not here for that long."""
        while now - next(iter(self._taken.values()))[-1] >= self._seconds:
            self._taken.popitem(last=False)
