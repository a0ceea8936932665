"""A game's part of a table and of each character: where it is found, and how it is put there."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Generic, TypeVar

from rules.roll import Rolled
from rules.table import Character, CharacterGames, Table, TableGames
from rules.values import replace

_State = TypeVar("_State")

_Own = TypeVar("_Own")


class Part(Generic[_State, _Own]):
    """A game's part of a table, and of a character there.

    It is always there, and empty where nobody has played that game: an empty part is not kept. `rolls` is the
    class of what it has as its `rolls` on the table, by number, if it has any: they are kept one by one. One
    that `has_hidden` rolls has those that not everybody sees as its `hidden`.
    """

    of: Callable[[Table], _State]
    """What the game has at a table."""
    has: Callable[[Character], _Own]
    """What a character has of the game."""
    rolls_of: Callable[[Table], Mapping[int, Rolled]]
    """The rolls of the game that lie on a table, by number."""

    hidden_of: Callable[[Table], Mapping[int, Rolled]]
    """Those that not everybody sees."""

    def __init__(
        self,
        name: str,
        state: type[_State],
        own: type[_Own],
        rolls: type | None = None,
        *,
        has_hidden: bool = False,
    ) -> None:
        self.name = name
        """What it is kept by, for ever."""
        self.state, self.own, self.rolls = state, own, rolls
        self._nothing, self._nothing_own = state(), own()
        setattr(TableGames, name, self._nothing)
        setattr(CharacterGames, name, self._nothing_own)
        # What every rule asks is answered without a call of ours.
        self.of = self.has = attrgetter(f"games.{name}")
        self.rolls_of = attrgetter(f"games.{name}.rolls") if rolls else lambda table: {}
        self.has_hidden = has_hidden
        self.hidden_of = attrgetter(f"games.{name}.hidden") if has_hidden else lambda table: {}

    def put(self, table: Table, state: _State) -> Table:
        """The table with that part in the place of what it was."""
        games = TableGames()
        parts = vars(games)
        parts.update(vars(table.games))
        parts[self.name] = state
        if state == self._nothing:
            del parts[self.name]
        return replace(table, games=games)

    def give(self, character: Character, own: _Own) -> Character:
        """The character with that in the place of what they had of the game."""
        games = CharacterGames()
        parts = vars(games)
        parts.update(vars(character.games))
        parts[self.name] = own
        if own == self._nothing_own:
            del parts[self.name]
        return replace(character, games=games)

    def with_rolls(self, table: Table, rolls: Mapping[int, Rolled]) -> Table:
        """The table with those rolls of the game in the place of what lay there."""
        if not self.rolls:
            return table
        state: Any = self.of(table)
        return self.put(table, replace(state, rolls=rolls))

    def with_hidden(self, table: Table, rolls: Mapping[int, Rolled]) -> Table:
        """The table with those rolls in the place of what not everybody saw."""
        state: Any = self.of(table)
        return self.put(table, replace(state, hidden=rolls))
