"""The table: everything that a group shares, as one frozen value.

Names and labels are kept as they were typed, each thing under its key, which is the name without
regard to case; `rules.names.key_in` finds what looks the same in another spelling. Collections that
people change item by item are mappings, so that steps that touch different items can be told apart
and undone separately. What only one game needs is in its part of the table, and of each character.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Generic, Protocol, Self, TypeVar

from msgspec import field

from rules.names import SCENE, Plan, Thread
from rules.terms import Term, Wording
from rules.values import Count, Limit, Lines, Value, replace

LONGEST_DEADLINE = 720
"""A deadline has at most this many hours."""


MOST_XP = 9999
"""Nobody holds more XP than this."""


class Dice(StrEnum):
    """How rolled dice are shown where the bot has pictures of them."""

    PICTURES = "pictures"
    WORDS = "words"


class Pace(StrEnum):
    """How a group plays: all at the same time, or play by post."""

    LIVE = "live"
    POST = "post"


class Settings(Value):
    """The table's settings that are not rules; no ruleset changes them."""

    dice: Dice = Dice.PICTURES
    zone: str = ""
    """The time zone that dates are typed in; none where it has not been named."""
    pace: Pace = Pace.LIVE
    deadline: int = 48
    """Hours after which what waits for somebody is late, where people play by post."""
    words: Mapping[Term, Wording] = field(default_factory=dict)
    """The table's own words for terms of the game."""


_NOTHING_SET = Settings()


class Games(Mapping[str, Any]):
    """The parts of a table or character by game name.

    Each part is also an attribute of that name, with the empty part as the class attribute, so that
    `rules.game.Part` finds it without a method call, as every rule does. Empty parts are not stored.
    """

    @classmethod
    def having(cls, parts: Mapping[str, Any]) -> Self:
        """Return an instance with these parts, by name; always the same one if there are none."""
        games = cls() if parts else cls._none()
        vars(games).update(parts)
        return games

    @classmethod
    @cache
    def _none(cls) -> Self:
        return cls()

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def __len__(self) -> int:
        return len(self.__dict__)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Games) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__dict__})"


class TableGames(Games):
    """Each game's part of a table."""


class CharacterGames(Games):
    """Each game's part of a character."""


_NO_GAMES, _NO_OWN = TableGames.having({}), CharacterGames.having({})


class Character(Value):
    """A character, or the scene itself, with everything they have."""

    name: str
    player: int = 0
    """The Discord id of who plays them; 0 for nobody."""
    player_name: str = ""
    """What that person goes by."""
    gmc: bool = False
    """A character of the GM."""
    away: bool = False
    """Not in the scene."""
    owner: int = 0
    """The Discord id of whose character it is, while somebody else plays it."""
    untaken: bool = False
    """A hero of a ready-made story who hasn't come into play yet: nobody played or used them."""
    xp: Annotated[int, Limit(most=MOST_XP)] = 0
    """Experience points."""
    notes: Lines = ""
    portrait: str = ""
    """The address of a picture."""
    pronouns: str = ""
    picture: str = ""
    """The digest of an uploaded portrait, which is shown before the address."""
    picture_alt: str = ""
    """What it shows, in words."""
    games: CharacterGames = _NO_OWN
    """What they have of each game, by its name; `rules.game.Part` reads it."""


class PlannedScene(Value):
    """A scene of a ready-made story that hasn't begun yet."""

    name: str
    distinctions: str = ""
    """As typed, separated by commas."""
    told: Lines = ""
    """What the GM reads aloud when it begins."""


_SCENERY = Character("Scene")


class Table(Value):
    """Everything a group shares."""

    number: int = 0
    """The step in the table's history that led here."""
    name: str = ""
    settings: Settings = _NOTHING_SET
    gms: Mapping[int, str] = field(default_factory=dict)
    """Who is GM: their names by Discord id."""
    characters: Mapping[str, Character] = field(default_factory=dict)
    """By key."""
    scenery: Character = _SCENERY
    """What the scene itself has."""
    scene: str = ""
    scenes: Count = 0
    """How many scenes there were."""
    is_scene: bool = False
    scene_place: int = 0
    """The id of the channel where the scene began; 0 if it isn't known, or plays in a thread of its own."""
    planned: tuple[PlannedScene, ...] = ()
    """The scenes of a ready-made story that are still to come, in order."""
    day: str = ""
    """The day of the story, as typed; it stays until there is another."""
    act: Count = 0
    is_act: bool = False
    session: Count = 0
    is_session: bool = False
    titles: Mapping[int, str] = field(default_factory=dict)
    """The titles of sessions, by number."""
    threads: Mapping[str, Thread] = field(default_factory=dict)
    """Notes that are still open, by the keys of what they say."""
    plan: Plan | None = None
    """When the next session is to be."""
    plan_changes: int = 0
    """How often a session was moved or called off, and taken back again: no undo makes it less."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """What is never in play, by key; nobody knows who wished it."""
    veils: Mapping[str, str] = field(default_factory=dict)
    """What nobody describes, by key."""
    archived: bool = False
    game: str = ""
    """The name of the only game played here; "" if any game may be."""
    lost: int = 0
    """What the last so many steps did is not on the table, since nobody can read it any more."""

    games: TableGames = _NO_GAMES
    """What each game has here, by its name; `rules.game.Part` reads it."""

    @property
    def is_open(self) -> bool:
        """Whether the table has no GM, so that everybody may do everything."""
        return not self.gms

    @property
    def in_play(self) -> Mapping[str, Character]:
        """The characters by key, without a story's heroes whom nobody has taken yet."""
        return {who: character for who, character in self.characters.items() if not character.untaken}

    def owner(self, who: str) -> Character:
        """Return the character with that key, or the scene."""
        return self.scenery if who == SCENE else self.characters[who]

    def with_owner(self, who: str, owner: Character) -> "Table":
        """Return the table with the character of that key, or the scene, replaced."""
        if who == SCENE:
            return replace(self, scenery=owner)
        return replace(self, characters={**self.characters, who: owner})

    def played_by(self, player: int) -> Character | None:
        """Return the character that a person plays, or None; always None for id 0."""
        return next((c for c in self.characters.values() if player and c.player == player), None)


_Roll = TypeVar("_Roll", bound="Rolled")


class Rolled(Protocol):
    """A roll on the table, of any game."""

    @property
    def number(self) -> int:
        """The number of the step that made it."""

    @property
    def player(self) -> int:
        """The Discord id of the person who rolled."""

    @property
    def who(self) -> str:
        """The name they rolled as."""

    @property
    def gm(self) -> bool:
        """Whether it is the GM's roll."""

    @property
    def note(self) -> str:
        """What the roll was for, as typed."""


def with_note(roll: _Roll, note: str) -> _Roll:
    """Return the roll with this note."""
    made: Any = roll
    fresh: _Roll = replace(made, note=note)
    return fresh


_State = TypeVar("_State")


_Own = TypeVar("_Own")


class Part(Generic[_State, _Own]):
    """A game's part of a table, and of each character.

    Every table has one; an empty part is not stored. `rolls` is the class of the rolls that the part
    keeps in its `rolls` by number, if any. With `has_hidden`, it also keeps rolls that not everybody may
    see, in its `hidden`.
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
        """Return the table with this part replaced."""
        parts = {**vars(table.games), self.name: state}
        if state == self._nothing:
            del parts[self.name]
        games = TableGames() if parts else _NO_GAMES
        vars(games).update(parts)
        return replace(table, games=games)

    def give(self, character: Character, own: _Own) -> Character:
        """Return the character with this game's part replaced."""
        parts = {**vars(character.games), self.name: own}
        if own == self._nothing_own:
            del parts[self.name]
        games = CharacterGames() if parts else _NO_OWN
        vars(games).update(parts)
        return replace(character, games=games)

    def with_rolls(self, table: Table, rolls: Mapping[int, Rolled]) -> Table:
        """Return the table with the game's rolls replaced."""
        if not self.rolls:
            return table
        state: Any = self.of(table)
        return self.put(table, replace(state, rolls=rolls))

    def with_hidden(self, table: Table, rolls: Mapping[int, Rolled]) -> Table:
        """Return the table with the game's hidden rolls replaced."""
        state: Any = self.of(table)
        return self.put(table, replace(state, hidden=rolls))
