"""The base of all facts: what happened at a table, as data.

A fact holds who, what, what was before and after, a reason out of a closed set, and a note as it was typed;
never a sentence. It is kept with its step, and others put it into words. Each game has facts of its own.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """Everything that can have happened."""


class Named:
    """What a fact tells of by its name, such as a pool of dice."""

    __slots__ = ()
    name: str


@dataclass(frozen=True, slots=True)
class Told(Fact):
    """A fact of a step of play."""


@dataclass(frozen=True, slots=True)
class Event(Told):
    """A fact that holds no roll, so that a roll can hold it as what followed."""
