"""Hints that somebody is given now and then, and not each time."""

from collections import OrderedDict

MONTH = 30 * 24 * 3600.0
"""Seconds until somebody is given the same hint again."""
MOST = 10_000
"""So many people are remembered, those who were given it last."""


class Hints:
    """Who was given a hint, and when.

    It is in memory alone: in the database it would be all that is kept of people who only roll dice, and
    somebody to forget for `/privacy delete`. After a start they may read the same small line once more.
    """

    def __init__(self) -> None:
        self._given: OrderedDict[int, float] = OrderedDict()

    def is_due(self, person: int, now: float) -> bool:
        """Whether somebody is to be given the hint now; if so, it is taken as given."""
        last = self._given.get(person)
        if last is not None and now - last < MONTH:
            return False
        self._given[person] = now
        self._given.move_to_end(person)
        if len(self._given) > MOST:
            self._given.popitem(last=False)
        return True
