"""What presents a game: the interface of games to the views, as `rules.game` is that to the rules."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, TypeVar

from bot.language.line import Text
from bot.language.printers import spelled
from bot.views.card import Button, Card, Picture, mark
from rules.campaign.seats import Actor
from rules.campaign.story import SessionStory, Tally
from rules.facts import Fact
from rules.game import Game, Step
from rules.table import Character, Table
from rules.values import exhaustive

Rule = Callable[[Table, Actor], Step]
"""What a command asks for: a rule with its options, waiting for the table and who asks."""


_Kind = TypeVar("_Kind", bound=Fact)
_InLog = Callable[[_Kind, Sequence[Fact], bool], Text | None]


@dataclass(frozen=True, slots=True)
class Telling:
    """How facts of one kind are put into words."""

    line: Callable[[Any], Text] | None
    """What one says, in a plain line; none for a roll, which has a card of its own."""
    is_beside: bool = False
    """In a card it stands beside a roll, which says the same."""
    in_log: Callable[[Any, Sequence[Fact], bool], Text | None] | None = None
    """What it is in the log among those of its step, where the one before told of its roll or not."""
    is_of_roll: bool = False
    """It says what was done to a roll, which is told beside it as it is then."""
    undone: Callable[[Any], Text | None] | None = None
    """Says the state after an undo; None quotes the fact instead."""
    subject: Callable[[Any], Hashable] | None = None
    """Returns the key of what a fact changed; of several changes, undo restores the first one's state."""
    setting: Callable[[Any], str] | None = None
    """Returns the campaign setting without which what a fact changed isn't in play."""
    is_news: Callable[[Any], bool] | None = None
    """Whether one deserves a message of its own where a roll's message is only edited."""
    whom: Callable[[Any], Iterable[str]] | None = None
    """The names of characters whom it concerns: for a GMC the GM hears of it."""
    people: Callable[[Table, Any], Iterable[int]] | None = None
    """The Discord ids of further people whom it concerns."""


class FactWords:
    """How the facts of a game are put into words: each kind by one decorated function."""

    def __init__(self) -> None:
        self.by_kind: dict[type[Fact], Telling] = {}

    def line(
        self, kind: type[_Kind], **options: Any
    ) -> Callable[[Callable[[_Kind], Text]], Callable[[_Kind], Text]]:
        """Declare a function to return a fact as a plain line; the options are the fields of `Telling`."""

        def declared(line: Callable[[_Kind], Text]) -> Callable[[_Kind], Text]:
            self.by_kind[kind] = Telling(line, **options)
            return line

        return declared

    def in_log(self, kind: type[_Kind], **options: Any) -> Callable[[_InLog[_Kind]], _InLog[_Kind]]:
        """Declare a function to return a roll's line in the log, for a kind that has a card elsewhere."""

        def declared(in_log: _InLog[_Kind]) -> _InLog[_Kind]:
            self.by_kind[kind] = Telling(None, in_log=in_log, **options)
            return in_log

        return declared


OfTable = Callable[[Table], list[Text]]
"""Lines of a table."""
OfCharacter = Callable[[Character], list[Text]]
"""Lines of a character, or parts of a line."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """What a game shows at the table; the defaults show nothing."""

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


@dataclass(frozen=True, slots=True)
class Shows:
    """How a game shows its rolls."""

    kind: type
    """The class of its rolls."""
    card: Callable[[Table, Any], Card]
    """A roll as it is now."""
    told: Callable[[Table, Step, Fact], Card | None]
    """The card of a step, by the fact that one of its rolls was made or has changed; none for other facts."""
    rows: Callable[[Table, Step], tuple[tuple[Button, ...], ...]] = lambda table, step: ()
    """What is offered below a step that is told by lines."""


Links = Mapping[int, str]
"""Where rolls are shown, by their number."""


def _nothing(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """A view: its lines and buttons, for one person or for everybody."""

    lines: Callable[[Table, Links], list[Text]]
    buttons: Callable[[Table, Actor | None], tuple[Button, ...]] = _nothing
    of_one: Callable[[Table, str], tuple[list[Text], tuple[Button, ...]] | None] | None = None
    """The lines and buttons of one of those that it shows, by its sign, if that can be looked at alone."""


class What(Enum):
    """The kinds of waiting items, each with singular and plural; each game has its own."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting item: for whom, how many, what it is about, and the number of the roll that shows it.

    An item that no roll shows has a `stamp`, which tells it from the same item of another turn.
    """

    who: str
    what: What
    count: int
    of: Text
    roll: int = 0
    stamp: str = ""

    @property
    def sign(self) -> str:
        """A short identifier, which stays the same as long as the same item is waiting."""
        # What it is of, only where no roll shows it: the words for a roll change as the roll does.
        of = spelled(self.of) if self.stamp else ""
        return mark(f"{self.who} {self.what.name} {self.roll} {of} {self.stamp}")


def _no_buttons(table: Table) -> tuple[Button, ...]:
    return ()


def _no_sheet(table: Table, shown: Character, actor: Actor) -> tuple[Button, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class GameOffers:
    """What a game offers as buttons; the defaults offer nothing."""

    rolls: Callable[[Table], tuple[Button, ...]] = _no_buttons
    """To roll, below the table."""
    unseen: Callable[[Table], tuple[Button, ...]] = _no_buttons
    """What not everybody sees, for who does."""
    sheet: Callable[[Table, Character, Actor], tuple[Button, ...]] = _no_sheet
    """What is done with a sheet, for who looks at it."""
    ended: Callable[[], tuple[Button, ...]] = tuple
    """What comes first where a session has ended."""
    view_of: Callable[[Table, Waiting], str] | None = None
    """The view on which something can be done that no roll shows; nothing where it is not the game's."""
    passed_over: Callable[[Table, Waiting], Rule | None] | None = None
    """Passing over whoever something waits for; None where that cannot be."""


@dataclass(frozen=True, slots=True)
class Stayed:
    """A lasting harm in a few words, and the character who has it."""

    owner: str
    what: Text


@dataclass(frozen=True, slots=True)
class Stories:
    """How a game tells of a session; the defaults are those of any game."""

    game: str = ""
    """By what name a story has what it tells."""
    stayed: Callable[[Fact], Stayed | None] = lambda fact: None
    """What somebody has for good by a fact, in a few words; nothing for another fact."""
    told: Mapping[type[Fact], Callable[[Any], Text]] = field(default_factory=dict)
    """What a story says of facts, where that is not what the log says."""
    fates: Collection[type[Fact]] = ()
    """Facts that say who fell and who won, which are left out after all others but what people wrote."""
    moments: Callable[[SessionStory, Any], Iterator[Text]] = lambda told, moments: iter(())
    """Its moments, each in a line."""
    open: Callable[[Table], list[Text]] = lambda table: []
    """What the next session begins with."""
    came_to: Callable[[Tally], list[Text]] = lambda each: []
    """What came of somebody's rolls, beside how many they were, in a few words each."""
    points: Callable[[Sequence[Tally]], list[Text]] = lambda people: []
    """What one or all have got and spent, in a few words each."""
    figures: Callable[[Tally], list[Text]] = lambda found: []
    """The same of one, in lines, as figures are looked at."""
    known_for: Callable[[Character], list[Text]] = lambda character: []
    """What a character is known for."""


Steps = Iterable[Sequence[Fact]]
"""The facts of each step, oldest first."""


class Chart(Protocol):
    """Draws the chart of a session as a picture; None if there is nothing to show."""

    def __call__(self, steps: Steps, table: Table, *, is_last: bool) -> Picture | None:
        """The table is that of now; only the last session is as it is."""


class Drawing(Protocol):
    """Draws the chart of a session as SVG, with an alt text that states all it shows."""

    def __call__(self, steps: Steps, table: Table, *, is_last: bool) -> tuple[str, str] | None:
        """The table is that of now; only the last session is as it is."""


@dataclass(frozen=True, slots=True)
class Charts:
    """How a game charts a session, in a message and on a page."""

    chart: Chart
    drawing: Drawing


def _nothing_waits(table: Table) -> Iterable[Waiting]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameViews:
    """How a game is presented. Raises LookupError if a kind of its facts has no words."""

    game: Game
    words: FactWords
    """What its facts say."""
    rolls: Shows
    """How it shows its rolls."""
    at_table: AtTable = AtTable()
    """What it shows of a table and of who sits there."""
    waiting: Callable[[Table], Iterable[Waiting]] = _nothing_waits
    """What of it waits for somebody."""
    views: Mapping[str, View] = field(default_factory=dict)
    """The views that it has, by their short names."""
    offers: GameOffers = GameOffers()
    """What it offers below the table and elsewhere."""
    stories: Stories = Stories()
    """How it tells of a session."""
    charts: Charts | None = None
    """How it draws one."""

    def __post_init__(self) -> None:
        exhaustive(self.game.facts.tags, self.words.by_kind)


class ShownGames:
    """How the games are presented, gathered so that only what shows something is called."""

    def __init__(self) -> None:
        self.present(())

    def present(self, games: Sequence[GameViews]) -> None:
        """Present these games from now on, and no others."""
        self.games = tuple(games)
        self.tellings = {kind: how for each in games for kind, how in each.words.by_kind.items()}
        self.views = {name: view for each in games for name, view in each.views.items()}
        self.offers = [each.offers for each in games]
        self.stories = [each.stories for each in games]
        self.story_words = {kind: words for each in self.stories for kind, words in each.told.items()}
        self.fates = {kind for each in self.stories for kind in each.fates}
        self.charts = [each.charts for each in games if each.charts]
        at_table = [each.at_table for each in games]
        self.pools = [each.pools for each in at_table if each.pools]
        self.scene = [each.scene for each in at_table if each.scene]
        self.below_scene = [each.below_scene for each in at_table if each.below_scene]
        self.begins = [each.begins for each in at_table if each.begins]
        self.retired = [each.retired for each in at_table if each.retired]
        self.parts = [each.parts for each in at_table if each.parts]
        self.unseen = [each.unseen for each in at_table if each.unseen]
        self.ranks = [each.rank for each in at_table if each.rank]
        self.sheet = [each.sheet for each in at_table if each.sheet]
        self.below_sheet = [each.below_sheet for each in at_table if each.below_sheet]
        self.earned = [each.earned for each in at_table if each.earned]
        self.left_out = [each.left_out for each in at_table if each.left_out]
        self.left_behind = [each.left_behind for each in at_table if each.left_behind]
        self.next_for_gm = [each.next_for_gm for each in at_table if each.next_for_gm]
        self.has_sheet = [each.has_sheet for each in at_table if each.has_sheet]
        self.helped = [each.helped for each in at_table if each.helped]


SHOWN = ShownGames()
"""The games that this process presents: `bot.games.play` says which."""
