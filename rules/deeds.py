"""What one game tells of a session, heard fact by fact."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from rules.fact import Fact


class Hearing(Protocol):
    """A story while it is told, as far as games have a hand in it."""

    @property
    def decided(self) -> list[Fact]:
        """What the scene that runs has decided so far."""

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """How often each did what, by the keys of their names."""

    def count(self, name: str, *, is_gm: bool | None = None, **more: int) -> None:
        """Somebody did so much more, as the GM or not where that is known."""


class Deeds:
    """What a game tells beside what is told of any; this one tells nothing."""

    def __init__(self, hearing: Hearing) -> None:
        self.hearing = hearing

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """What a fact tells, among those of its step."""

    def knows(self, who: str) -> bool:
        """Whether something has been told of somebody, by the key of their name."""
        return False

    def renamed(self, was: str, name: str) -> None:
        """Somebody has another name; `was` is the key of the old one."""

    def end(self) -> object:
        """What there is to tell beside what was decided and counted, once all is heard."""
        return None
