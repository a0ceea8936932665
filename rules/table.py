"""The table: everything that a group of players shares, as one frozen value.

Names and labels are kept as they were typed; things are found by their key, which is the name
without regard to capitals. Collections that people change one by one are mappings, so that two
steps which touch different things can be told apart (and taken back apart). What only one game has
is in its part of the table, and of each character.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from rules.kinds import SCENE, Plan, Thread
from rules.limits import Count, Lines
from rules.settings import Settings
from rules.values import replace

_NOTHING_SET = Settings()


class Games(Mapping[str, Any]):
    """What there is of each game, by its name.

    It is an attribute of that name as well, and the empty part one of the class: so `rules.game.Part` finds
    it without a call, which every rule does. What is empty is not kept.
    """

    @classmethod
    def having(cls, parts: Mapping[str, Any]) -> Self:
        """These parts, each by its name."""
        games = cls()
        vars(games).update(parts)
        return games

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
    """What a table has of each game."""


class CharacterGames(Games):
    """What a character has of each game."""


@dataclass(frozen=True, slots=True)
class Character:
    """Somebody in the story, or the scene itself, with what they have."""

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
    notes: Lines = ""
    portrait: str = ""
    """The address of a picture."""
    pronouns: str = ""
    picture: str = ""
    """The digest of an uploaded portrait, which is shown before the address."""
    picture_alt: str = ""
    """What it shows, in words."""
    games: CharacterGames = field(default_factory=CharacterGames)
    """What they have of each game, by its name; `rules.game.Part` reads it."""


_SCENERY = Character("Scene")


@dataclass(frozen=True, slots=True)
class Table:
    """Everything a group shares."""

    number: int = 0
    """The step in the table's history that led here."""
    name: str = ""
    settings: Settings = _NOTHING_SET
    gms: Mapping[int, str] = field(default_factory=dict)
    """Who is GM: their names by Discord id."""
    characters: Mapping[str, Character] = field(default_factory=dict)
    """By key."""
    scenery: Character = field(default_factory=lambda: _SCENERY)
    """What the scene itself has."""
    scene: str = ""
    scenes: Count = 0
    """How many scenes there were."""
    is_scene: bool = False
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
    lost: int = 0
    """What the last so many steps did is not on the table, since nobody can read it any more."""

    games: TableGames = field(default_factory=TableGames)
    """What each game has here, by its name; `rules.game.Part` reads it."""

    @property
    def is_open(self) -> bool:
        """Whether there is no GM, so that everybody may do everything."""
        return not self.gms

    def owner(self, who: str) -> Character:
        """The character with that key, or the scene."""
        return self.scenery if who == SCENE else self.characters[who]

    def with_owner(self, who: str, owner: Character) -> "Table":
        """The table with that character, or the scene, changed."""
        if who == SCENE:
            return replace(self, scenery=owner)
        return replace(self, characters={**self.characters, who: owner})

    def played_by(self, player: int) -> Character | None:
        """The character that a person plays, if any; nobody, 0, plays none."""
        return next((c for c in self.characters.values() if player and c.player == player), None)
