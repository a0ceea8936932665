"""The interface of a game to the views, as `rules.game` is its interface to the shared rules."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, TypeVar

from bot.language.line import Text
from bot.language.printers import spelled
from bot.views.card import Button, Card, Field, Picture, mark
from rules.campaign.seats import Actor
from rules.campaign.story import SessionStory, Tally
from rules.facts import Fact
from rules.game import Game, Step
from rules.table import Character, Rolled, Table
from rules.text import Phrase
from rules.values import exhaustive, replace

Rule = Callable[[Table, Actor], Step]
"""A rule with its options filled in, to be applied to a table for the person who asks."""


_Kind = TypeVar("_Kind", bound=Fact)
_InLog = Callable[[_Kind, Sequence[Fact], bool], Text | None]


@dataclass(frozen=True, slots=True)
class Telling:
    """How facts of one kind are put into words."""

    line: Callable[[Any], Text] | None
    """Returns a fact as a plain line; None for a roll, which has a card."""
    is_beside: bool = False
    """Left out of cards, because the roll next to it says the same."""
    in_log: Callable[[Any, Sequence[Fact], bool], Text | None] | None = None
    """Returns its part of a log line, given the step's facts and whether the fact before told of its roll."""
    is_of_roll: bool = False
    """Says what was done to a roll; the log adds the roll as it is afterwards."""
    undone: Callable[[Any], Text | None] | None = None
    """Says the state after an undo; None quotes the fact instead."""
    has_parts: bool = False
    """Later changes of the same thing may remain after an undo, so its state before isn't its state now."""
    subject: Callable[[Any], Hashable] | None = None
    """Returns the key of what a fact changed; of several changes, undo restores the first one's state."""
    setting: Callable[[Any], str] | None = None
    """Returns the campaign setting without which what a fact changed isn't in play."""
    is_news: Callable[[Any], bool] | None = None
    """Whether a fact deserves a separate message when a roll's message is only edited."""
    whom: Callable[[Any], Iterable[str]] | None = None
    """Returns the names of the characters it concerns; for a GMC, the GM is notified."""
    people: Callable[[Table, Any], Iterable[int]] | None = None
    """Returns the Discord ids of other people it concerns."""


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
Since = Table | None
"""The table as last shown, to emphasize what has changed; None if it wasn't shown."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """What a game shows at the table; the defaults show nothing."""

    pools: Callable[[Table, Since], list[Text]] | None = None
    """Pools and opponents in play."""
    scene: Callable[[Character, Since], list[Text]] | None = None
    """The scene's traits."""
    below_scene: OfTable | None = None
    """Lines below the scene in its own view."""
    begins: Callable[[Character, Since], Text] | None = None
    """The beginning of a character's line, with their name; that of the table's first game is shown."""
    retired: Callable[[Table, Character], bool] | None = None
    """Whether they are out of play for good."""
    parts: Callable[[Table, Character, Since], list[Text]] | None = None
    """The other parts of a character's line."""
    unseen: OfTable | None = None
    """Hidden things, for those who may see them."""
    rank: Callable[[Character], Text] | None = None
    """A GMC's rank; empty for none."""
    sheet: OfCharacter | None = None
    """The lines of a sheet."""
    below_sheet: OfCharacter | None = None
    """Small lines below the sheet."""
    left_out: Callable[[Character, Character], Text] | None = None
    """What an import leaves out of a character: takes the file's and the imported one; empty for nothing."""
    left_behind: Callable[[Table, Table], list[Text]] | None = None
    """What is open in a file's table but not in the imported one."""
    next_for_gm: OfTable | None = None
    """What the GM can do next, one line each."""
    has_sheet: Callable[[Character], bool] | None = None
    """Whether a sheet has anything to roll."""
    helped: Callable[[Table], Mapping[str, str]] | None = None
    """The names that help explains, with the guide's word for each: `{"Fear": "stress"}`."""
    known_by: OfCharacter | None = None
    """What tells a character whom nobody plays from others, a few words each."""
    best: OfCharacter | None = None
    """A character's best traits with their dice, the best first."""
    unrated: Callable[[Table, Character | None], Sequence[str]] | None = None
    """Returns the traits that this character, or a new one, begins with and has no dice for yet."""
    sheet_hint: Callable[[Table], Text] | None = None
    """An example for the form of a whole sheet."""
    help_lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What /help says in a situation, by the situation's value; others are told as in any game."""
    intro: Sequence[Callable[[Table], tuple[Text, list[Text]]]] = ()
    """The two pages that explain the game to a new player: each returns a title and its lines."""


@dataclass(frozen=True, slots=True)
class Shows:
    """How a game shows its rolls."""

    kind: type
    """The class of its rolls."""
    card: Callable[[Table, Any], Card]
    """Returns the card of a roll in its current state."""
    told: Callable[[Table, Step, Fact], Card | None]
    """Returns a step's card for a fact that made or changed a roll; None for other facts."""
    rows: Callable[[Table, Step], tuple[tuple[Button, ...], ...]] = lambda table, step: ()
    """Returns the buttons below a step that is shown as lines."""
    opposed: Callable[[Table, Any], Rolled | None] | None = None
    """Returns the roll that a roll's card compares it with; None for no such roll."""
    closed: Callable[[Table, Table, Any, Sequence[Fact]], tuple[Table, Any]] | None = None
    """Returns the table and the roll that a roll's last card shows; None for the table before and the roll.

    Takes the tables before and after the step that closed the roll, the roll, and the step's facts.
    """


Links = Mapping[int, str]
"""Links to the messages of rolls, by roll number."""


def _nothing(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """A view: its lines and buttons, for one person or for everybody."""

    lines: Callable[[Table, Links], list[Text]]
    buttons: Callable[[Table, Actor | None], tuple[Button, ...]] = _nothing
    of_one: Callable[[Table, str], tuple[list[Text], tuple[Button, ...]] | None] | None = None
    """Returns the lines and buttons of one item of the view, by its sign; None if there is no such item."""


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
        # The subject only counts without a roll: the words for a roll change with it.
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
    """To roll, below the table and elsewhere."""
    below_table: Callable[[Table], tuple[Button, ...]] | None = None
    """Only below the table, after those to roll."""
    unseen: Callable[[Table], tuple[Button, ...]] = _no_buttons
    """Hidden things below the table, for those who may see them."""
    sheet: Callable[[Table, Character, Actor], tuple[Button, ...]] = _no_sheet
    """Below a sheet, for the person who looks at it."""
    players: Sequence[str] = ()
    """The full names of the commands that players use most, besides those of every game."""
    gms: Sequence[str] = ()
    """The same of GMs."""
    scene_fields: Callable[[str], tuple[Field, ...]] = lambda planned: ()
    """Fields of the form for a new scene; takes what a planned one has as distinctions."""
    view_of: Callable[[Table, Waiting], str] | None = None
    """Returns the view in which an item without a roll can be settled; empty if it isn't the game's."""
    passed_over: Callable[[Table, Waiting], Rule | None] | None = None
    """Returns the rule that skips the person an item waits for; None if nobody can be skipped."""


@dataclass(frozen=True, slots=True)
class Stayed:
    """A lasting harm in a few words, and the character who has it."""

    owner: str
    what: Text


@dataclass(frozen=True, slots=True)
class Stories:
    """How a game tells of a session; the defaults are those of any game."""

    game: str = ""
    """The game's name in a session's story."""
    stayed: Callable[[Fact], Stayed | None] = lambda fact: None
    """Returns the lasting harm of a fact; None for other facts."""
    told: Mapping[type[Fact], Callable[[Any], Text]] = field(default_factory=dict)
    """Sentences for facts that a story words differently from the log."""
    fates: Collection[type[Fact]] = ()
    """Facts that say who fell and who won: only people's own words outrank them when room is short."""
    fated: Callable[[Sequence[Any]], list[Text]] = lambda facts: []
    """Returns such facts of a scene, a sentence each without its full stop."""
    moments: Callable[[SessionStory, Any], Iterator[Text]] = lambda told, moments: iter(())
    """Yields the session's best moments, one line each."""
    open: Callable[[Table], list[Text]] = lambda table: []
    """Returns what is still open for the next session."""
    came_to: Callable[[Tally], list[Text]] = lambda each: []
    """Returns how somebody's rolls went, in a few words each."""
    points: Callable[[Sequence[Tally]], list[Text]] = lambda people: []
    """Returns what people gained and spent, in a few words each."""
    figures: Callable[[Tally], list[Text]] = lambda found: []
    """Returns one person's figures, one line each."""
    known_for: Callable[[Character], list[Text]] = lambda character: []
    """Returns what a character is known for."""


Steps = Iterable[Sequence[Fact]]
"""The facts of each step, oldest first."""


class Chart(Protocol):
    """Draws the chart of a session as a picture; None if there is nothing to show."""

    def __call__(self, steps: Steps, table: Table, *, is_last: bool) -> Picture | None:
        """Return the picture. `table` is the current one; `is_last` says whether it is the session's."""


class Drawing(Protocol):
    """Draws the chart of a session as SVG, with an alt text that states all it shows."""

    def __call__(self, steps: Steps, table: Table, *, is_last: bool) -> tuple[str, str] | None:
        """Return the SVG and its alt text; the parameters are those of `Chart`."""


@dataclass(frozen=True, slots=True)
class Charts:
    """How a game charts a session, in a message and on a page."""

    chart: Chart
    drawing: Drawing


def _nothing_waits(table: Table) -> Iterable[Waiting]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameViews:
    """How a game is presented.

    Raises LookupError if a kind of its facts has no words, or a game that excludes others has no `instead`.
    """

    game: Game
    words: FactWords
    """The sentences of its facts."""
    rolls: Shows
    """Its rolls."""
    at_table: AtTable = AtTable()
    """What it shows of a table and its characters."""
    guest: AtTable | None = None
    """What it shows at a table that plays other games, too, without any buttons; None for all of it."""
    waiting: Callable[[Table], Iterable[Waiting]] = _nothing_waits
    """Yields what is waiting for somebody."""
    earlier: Callable[[Table], Iterable[Waiting]] = _nothing_waits
    """Yields what could still be done about earlier rolls, though nobody waits for it any more."""
    views: Mapping[str, View] = field(default_factory=dict)
    """Its views, by short name."""
    offers: GameOffers = GameOffers()
    """Its buttons below the table and elsewhere."""
    instead: Callable[[str], Phrase] | None = None
    """Says what to use in place of another game's command, such as `/pp give`; it is given "" for a button.

    A game that is played alone must have it.
    """
    twins: Mapping[str, str] = field(default_factory=dict)
    """Its commands that take the same `dice` as commands of Cortex, by those commands' names."""
    stories: Stories = Stories()
    """Its part of a session's story."""
    charts: Charts | None = None
    """Its charts of a session; None if it has none."""

    def __post_init__(self) -> None:
        exhaustive(self.game.facts.tags, self.words.by_kind)
        if self.game.is_alone and self.instead is None:
            raise LookupError(f"{self.game.part.name} doesn't say what to use in place of other games")


class ShownGames:
    """How the games are presented, gathered so that only what shows something is called."""

    def __init__(self, games: Sequence[GameViews] = ()) -> None:
        self.present(games)

    def at(self, table: Table) -> "ShownGames":
        """Return what is shown at a table: of its only game, or of all."""
        if not table.game:
            return self
        if table.game not in self._alone:
            own = [replace(each, guest=None) for each in self.games if each.game.part.name == table.game]
            self._alone[table.game] = ShownGames(own) if own else self
        return self._alone[table.game]

    def present(self, games: Sequence[GameViews]) -> None:
        """Present these games from now on, and no others."""
        self.games = tuple(games)
        self._alone: dict[str, ShownGames] = {}
        self.tellings = {kind: how for each in games for kind, how in each.words.by_kind.items()}
        # Of two views of one name, that of the first game.
        self.views = {name: view for each in reversed(games) for name, view in each.views.items()}
        self.offers = [each.offers for each in games if each.guest is None]
        self.below_table = [each.below_table for each in self.offers if each.below_table]
        self.opposed = {each.rolls.kind: each.rolls.opposed for each in games if each.rolls.opposed}
        self.twins = {
            command: twin
            for each in games
            for cortex, own in each.twins.items()
            for command, twin in ((cortex, (own, each.game.part.name)), (own, (cortex, "")))
        }
        """For each command with a twin: the twin's name, and its game as `find_dice` names it."""
        self.stories = [each.stories for each in games]
        self.story_words = {kind: words for each in self.stories for kind, words in each.told.items()}
        self.fates = {kind for each in self.stories for kind in each.fates}
        self.charts = [each.charts for each in games if each.charts]
        at_table = [each.at_table if each.guest is None else each.guest for each in games]
        self.pools = [each.pools for each in at_table if each.pools]
        self.scene = [each.scene for each in at_table if each.scene]
        self.below_scene = [each.below_scene for each in at_table if each.below_scene]
        self.begins = [each.begins for each in at_table if each.begins][:1]
        self.retired = [each.retired for each in at_table if each.retired]
        self.parts = [each.parts for each in at_table if each.parts]
        self.unseen = [each.unseen for each in at_table if each.unseen]
        self.ranks = [each.rank for each in at_table if each.rank]
        self.sheet = [each.sheet for each in at_table if each.sheet]
        self.below_sheet = [each.below_sheet for each in at_table if each.below_sheet]
        self.left_out = [each.left_out for each in at_table if each.left_out]
        self.left_behind = [each.left_behind for each in at_table if each.left_behind]
        self.next_for_gm = [each.next_for_gm for each in at_table if each.next_for_gm]
        self.has_sheet = [each.has_sheet for each in at_table if each.has_sheet]
        self.helped = [each.helped for each in at_table if each.helped]
        self.known_by = [each.known_by for each in at_table if each.known_by][:1]
        self.best: OfCharacter = next((each.best for each in at_table if each.best), lambda character: [])
        self.sheet_hint = next((each.sheet_hint for each in at_table if each.sheet_hint), lambda table: "")
        self.unrated = next((each.unrated for each in at_table if each.unrated), lambda table, character: ())
        self.help_lines = next((each.help_lines for each in at_table if each.help_lines), {})
        self.intro = next((each.intro for each in at_table if each.intro), ())


SHOWN = ShownGames()
"""The games that this process presents, as `bot.games.play_games` sets them."""
