"""What each game shows of a table, of its scene, and of who sits there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.language.line import Text
from rules.table import Character, Table

OfTable = Callable[[Table], list[Text]]
"""Lines of a table."""
OfCharacter = Callable[[Character], list[Text]]
"""Lines of a character, or parts of a line."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """What a game shows; where it says nothing, it shows nothing."""

    pools: OfTable | None = None
    """What lies at the table beside characters."""
    scene: OfCharacter | None = None
    """What the scene has."""
    below_scene: OfTable | None = None
    """What is told where only the scene is shown."""
    begins: Callable[[Character], Text] | None = None
    """How the line of a character begins, with their name."""
    retired: Callable[[Table, Character], bool] | None = None
    """Whether they are out of play for good."""
    parts: Callable[[Table, Character], list[Text]] | None = None
    """What else a character's line has."""
    unseen: OfTable | None = None
    """What not everybody sees, for who does."""
    rank: Callable[[Character], Text] | None = None
    """What a GMC is; nothing for no rank."""
    sheet: OfCharacter | None = None
    """The lines of a sheet."""
    below_sheet: OfCharacter | None = None
    """What stands below them, small."""
    earned: OfTable | None = None
    """What an import brings that nothing else of it shows."""
    left_out: Callable[[Character, Character], Text] | None = None
    """What does not come along of a character of a file, beside the one that comes; nothing if all does."""
    left_behind: Callable[[Table, Table], list[Text]] | None = None
    """What is open in the table of a file, and is not in the one that comes."""
    next_for_gm: OfTable | None = None
    """What the GM may do next, a line each."""
    has_sheet: Callable[[Character], bool] | None = None
    """Whether there is something on a sheet to roll with."""
    helped: Callable[[Table], Mapping[str, str]] | None = None
    """Returns the names that help explains, each with the guide's word for it: `{"Fear": "stress"}`."""


class ShownByGames:
    """What all games show, by what it is: a look at a table asks only those that say something."""

    def __init__(self, games: Sequence[AtTable] = ()) -> None:
        self.pools = [each.pools for each in games if each.pools]
        self.scene = [each.scene for each in games if each.scene]
        self.below_scene = [each.below_scene for each in games if each.below_scene]
        self.begins = [each.begins for each in games if each.begins]
        self.retired = [each.retired for each in games if each.retired]
        self.parts = [each.parts for each in games if each.parts]
        self.unseen = [each.unseen for each in games if each.unseen]
        self.ranks = [each.rank for each in games if each.rank]
        self.sheet = [each.sheet for each in games if each.sheet]
        self.below_sheet = [each.below_sheet for each in games if each.below_sheet]
        self.earned = [each.earned for each in games if each.earned]
        self.left_out = [each.left_out for each in games if each.left_out]
        self.left_behind = [each.left_behind for each in games if each.left_behind]
        self.next_for_gm = [each.next_for_gm for each in games if each.next_for_gm]
        self.has_sheet = [each.has_sheet for each in games if each.has_sheet]
        self.helped = [each.helped for each in games if each.helped]


_now = ShownByGames()


def learn(*games: AtTable) -> None:
    """Let these be what the games show that are played."""
    global _now
    _now = ShownByGames(games)


def shown() -> ShownByGames:
    """What the games show."""
    return _now
