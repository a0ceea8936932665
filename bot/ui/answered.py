"""Where the last interactions were answered for all to see: whoever tells of a step elsewhere links there."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, cast

from discord import Interaction

MOST = 1000
"""So many interactions are remembered."""


class Answered:
    """The messages that answered the last interactions; `heard` is told of the campaigns of new ones."""

    def __init__(self) -> None:
        self._messages: OrderedDict[int, tuple[int, int]] = OrderedDict()
        self.heard: Callable[[int], None] = lambda campaign: None

    def note(self, it: Interaction[Any], message: int, campaign: int = 0) -> None:
        """A message that all can see answers an interaction; the first one counts."""
        if it.id in self._messages:
            return
        self._messages[it.id] = (it.channel_id or 0, message)
        if len(self._messages) > MOST:
            self._messages.popitem(last=False)
        if campaign:
            self.heard(campaign)

    def find(self, interaction: int) -> tuple[int, int]:
        """The channel and the message in which an interaction was answered; 0 and 0 if nobody knows."""
        return self._messages.get(interaction, (0, 0))


def answered_of(it: Interaction[Any]) -> Answered:
    """What the client remembers."""
    return cast("Answered", it.client.answered)
