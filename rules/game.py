"""The interface of a game to the shared rules, the step that rules return, and attempts in a session."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from rules.dice import Thrown
from rules.errors import NotAllowed
from rules.facts import Fact, FactKinds
from rules.names import Erasure, Name, Note, Reword, TextMark, key, reworded
from rules.settings import Setting
from rules.table import Character, Part, Rolled, Table, with_note
from rules.terms import SHARED_TERMS, Term
from rules.text import NO_WORDS, Phrase
from rules.values import Value, replace

_Roll = TypeVar("_Roll", bound=Rolled)


class AttemptResult(StrEnum):
    """How an attempt went, from best to worst; `ROLLED` if nothing opposed it."""

    HEROIC = "heroic"
    SUCCESS = "success"
    ROLLED = "rolled"
    FAILURE = "failure"
    BOTCH = "botch"


class Attempt(Value):
    """What somebody tried with a roll, in their own words, with the result and the opposition."""

    roll: int
    """The number of the roll."""
    who: Name
    note: Note
    went: AttemptResult = AttemptResult.ROLLED
    against: Name = ""
    """Nothing where that has no name of its own."""
    left: tuple[Fact, ...] = ()
    """What it left to stay: traits, as they came."""


@dataclass(slots=True)
class SceneAttempts:
    """What was decided and tried in a scene; scene 0 is everything before the first one."""

    number: int = 0
    name: str = ""
    day: str = ""
    decided: list[Fact] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    untold: Counter[str] = field(default_factory=Counter)
    """How many rolls have no note, by the names of who rolled."""
    about: str = ""
    """What a ready-made story says of the scene."""

    def rolled(self, attempt: Attempt) -> None:
        """Record a roll of this scene; a roll without a note is only counted."""
        if attempt.note:
            self.attempts.append(attempt)
        else:
            self.untold[attempt.who] += 1


class SessionListener(Protocol):
    """The story of a session while it is being collected, as games see it."""

    @property
    def scene(self) -> SceneAttempts:
        """The current scene."""

    @property
    def noted(self) -> Mapping[int, str]:
        """Notes that were added to rolls later, by roll number."""

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """How often each character did what, by the key of their name."""

    def count(self, name: str, *, is_gm: bool | None = None, **more: int) -> None:
        """Add to somebody's counts; `is_gm` says whether they acted as the GM, None if unknown."""


class GameAttempts:
    """Collects what a game adds to the story of a session; this base class adds nothing."""

    def __init__(self, hearing: SessionListener) -> None:
        self.hearing = hearing

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """Take in one fact of a step."""

    def knows(self, who: str) -> bool:
        """Return whether somebody, by the key of their name, has come up so far."""
        return False

    def renamed(self, was: str, name: str) -> None:
        """Move everything to a new name; `was` is the key of the old one."""

    def end(self) -> object:
        """Return what else the game has to tell, once all facts have been heard."""
        return None


class RollAttempts(GameAttempts, Generic[_Roll]):
    """Collects the rolls of a game: each in its final state, in the scene in which it was made."""

    def __init__(self, hearing: SessionListener) -> None:
        super().__init__(hearing)
        self.rolls: dict[int, _Roll] = {}
        self._scenes: dict[int, SceneAttempts] = {}

    def made(self, roll: _Roll) -> None:
        """Record a roll made in the current scene."""
        self.rolls[roll.number] = roll
        self._scenes.setdefault(roll.number, self.hearing.scene)

    def changed(self, roll: _Roll) -> None:
        """Replace a roll by its new state; rolls from before the session are ignored."""
        if roll.number in self.rolls:
            self.rolls[roll.number] = roll

    def knows(self, who: str) -> bool:
        """Return whether somebody, by the key of their name, has rolled."""
        return who in (key(roll.who) for roll in self.rolls.values())

    def renamed(self, was: str, name: str) -> None:
        """Move somebody's rolls to their new name."""
        self.rolls = {number: self.by_name(roll, was, name) for number, roll in self.rolls.items()}

    def by_name(self, roll: _Roll, was: str, name: str) -> _Roll:
        """Return a roll under the new name if it was made under the old one."""
        held: Any = roll
        renamed: _Roll = replace(held, who=name) if key(roll.who) == was else held
        return renamed

    def scene_of(self, roll: _Roll) -> SceneAttempts:
        """Return the scene in which a roll was made."""
        return self._scenes[roll.number]

    def note(self, roll: _Roll) -> str:
        """Return the latest note of a roll."""
        return self.hearing.noted.get(roll.number, roll.note)

    def tell(
        self,
        roll: _Roll,
        went: AttemptResult = AttemptResult.ROLLED,
        against: str = "",
        left: tuple[Fact, ...] = (),
    ) -> None:
        """Add a roll to its scene: what it was for, how it went and which facts it left."""
        self.scene_of(roll).rolled(Attempt(roll.number, roll.who, self.note(roll), went, against, left))


class Step(Value):
    """What a rule returns: the next table, and the facts that lead there from the previous one."""

    table: Table
    facts: tuple[Fact, ...]

    def then(self, other: "Step") -> "Step":
        """Return both steps as one; `other` must start from this step's table."""
        return Step(other.table, self.facts + other.facts)


Fault = tuple[str, Phrase]
"""Where something that comes from outside is wrong, and what."""


class Foreign(Value):
    """A table read from another program's text: the rule that imports it, and what it leaves out."""

    bring: Callable[[Table, Any], Step]
    left_out: Callable[[Table], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRules:
    """How a game reads and writes whole sheets. Each rule raises RuleError for what it can't read."""

    join: Callable[..., Step]
    """Takes table, actor, name and text: plays a character of that name, with that sheet if it has none."""
    with_text: Callable[..., Character]
    """Takes table, actor, character and text: the character with the sheet that a text means."""
    put: Callable[..., Step]
    """Sets one trait, by those options of `/character set` that the game uses."""
    unset: Callable[..., Step]
    """Removes one trait, by the options of `/character unset`."""
    text: Callable[[Table, Character], str]
    """A character's sheet as it is edited."""
    export: Callable[[Table, Character], str]
    """A character's sheet as any table of the game reads it."""
    example: Callable[[Table], str]
    """A new character's sheet, with examples; it reads back."""
    mark: Callable[[Character], str]
    """A checksum of a sheet, as eight hex digits."""
    labels: Callable[[Character], Sequence[str]]
    """The labels of a sheet's traits."""
    wholes: Callable[[Character], Sequence[str]]
    """The labels of those that can have parts."""
    sets: Callable[[Table, Character], Sequence[str]]
    """The names of the trait sets that a trait can be in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GmcRules:
    """How a game makes, rolls and removes characters of the GM, by those options of `/gmc` that it uses."""

    kinds: Sequence[str]
    """The kinds to choose from."""
    new: Callable[..., Step]
    roll: Callable[..., Step]
    remove: Callable[..., Step]
    rollable: Callable[[Character], Sequence[str]]
    """What of a character can be rolled, as it can be typed."""
    enters: Phrase = NO_WORDS
    """How one who is away comes into the scene, as a sentence of its own."""


class Game:
    """A game that can be played at a table; override the hooks in which it differs from the default."""

    part: Part[Any, Any]
    facts: FactKinds = FactKinds()
    """The kinds of its facts, with their tags."""
    built: type[Any] | None = None
    """What somebody builds before it is a step, which nobody else sees; one game alone has such."""
    made: type[Fact] | None = None
    """The fact that a roll was made."""
    heads: Collection[str] = ()
    """What the lines of a sheet begin with that it reads: keys, without a plural."""

    checks: Mapping[type, Callable[[Any], Iterator[Fault]]] = MappingProxyType({})
    """What is wrong with a thing of each of its classes, besides the faults of its parts."""

    def faults(self, table: Table) -> Iterator[Fault]:
        """Yield where the game's part of an imported table doesn't fit the rest of it."""
        return iter(())

    def foreign(self, text: str) -> Foreign | None:
        """Read a table from another program's text; None if the game can't read it. Raises Unreadable."""
        return None

    sheets: SheetRules | None = None
    """How it reads and writes whole sheets; None if its ratings are part of another game's sheet."""
    gmcs: GmcRules | None = None
    """How it makes and rolls characters of the GM; None if it doesn't."""
    rulesets: Mapping[str, str] = MappingProxyType({})
    """What a campaign can choose to play by: names, each with a few words about it, marked with `later`."""
    is_alone: bool = False
    """Whether its rulesets exclude other games from the table."""
    options: Mapping[str, Collection[str]] = MappingProxyType({})
    """Which options it uses of commands that all games share: `{"act start": ("dice",)}`."""

    def ruleset(self, table: Table) -> str:
        """Return the name of the ruleset that a table of this game plays by."""
        return next(iter(self.rulesets))

    def with_ruleset(self, table: Table, name: str) -> Table:
        """Return the table playing by another of its rulesets."""
        return table

    settings: Mapping[str, Setting] = MappingProxyType({})
    """Its settings, by the names that people see."""
    terms: Collection[Term] = ()
    """Its terms, in addition to SHARED_TERMS."""

    def require_agreed(self, before: Table, after: Table, setting: str, agreed: Collection[str]) -> None:
        """Raise Undecided if a changed setting would take things out of play, unless that is `agreed` to."""

    def setting_changed(self, table: Table, setting: str) -> Step:
        """Return the further consequences of a changed setting."""
        return Step(table, ())

    def usual(self, table: Table, blank: Table) -> Table:
        """Return the blank table with the game's settings as the ruleset has them."""
        return blank

    def ruled(self, table: Table) -> object:
        """Return the part of the table's state that only the GM may change, also by undoing steps."""
        return None

    def find_misjudged(self, table: Table, before: Table) -> Collection[int]:
        """Return the numbers of rolls that changed and that the rules would judge otherwise.

        Only a step that is undone or redone among others leaves such rolls.
        """
        return ()

    def newcomer(self, table: Table, character: Character) -> Character:
        """Return a new character with what every new character starts with."""
        return character

    def with_first_sheet(self, table: Table, character: Character) -> Character:
        """Return a character made by a player, with the campaign's starting sheet."""
        return character

    def taken_names(self, table: Table) -> Mapping[str, Phrase]:
        """Return names that no new character can have: key of the name to what already has it."""
        return {}

    def scene_begun(
        self, table: Table, typed: Mapping[str, str | None], agreed: Collection[str] = ()
    ) -> Step:
        """Return the consequences of a new scene; `typed` holds the command's options by name."""
        return Step(table, ())

    def scene_ending(self, table: Table, agreed: Collection[str] = ()) -> Step:
        """Settle open rolls before a scene's end takes them away, or a start where no scene was running.

        Raises Undecided about what only the GM can settle, until the answer is in `agreed`.
        """
        return Step(table, ())

    def scene_ended(self, before: Table, table: Table) -> Step:
        """Return the consequences of a scene's end; `before` is the table that still has its rolls."""
        return Step(table, ())

    def act_begun(self, table: Table, typed: Mapping[str, str | None]) -> Step:
        """Return the consequences of a new act; `typed` holds the command's options by name."""
        return Step(table, ())

    def act_ended(self, table: Table, typed: Mapping[str, str | None]) -> Step:
        """Return the consequences of an act's end; `typed` holds the command's options by name."""
        return Step(table, ())

    def session_begun(self, table: Table) -> Step:
        """Return the consequences of a new session."""
        return Step(table, ())

    def hero_taken(self, table: Table, who: str) -> Step:
        """Return what a ready-made story's hero gets who comes into play, by key."""
        return Step(table, ())

    def session_ended(self, table: Table) -> Step:
        """Return the consequences of a session's end."""
        return Step(table, ())

    def has_meaning(self, label: str) -> bool:
        """Return whether a word is reserved where names are typed, so that nothing can be called that."""
        return False

    def find_die_in(self, label: str) -> str:
        """Return dice of the game's own notation in a name; "" if there are none."""
        return ""

    def removed(self, table: Table, who: str, name: str) -> Table:
        """Return the table without what belonged to a removed character, given by key and name."""
        return table

    def renamed(self, table: Table, who: str, name: str) -> Table:
        """Return the table with a character renamed in every text of the game that is marked as a name.

        `who` is the character's old key. Games must move anything stored under that key themselves.
        """
        old = key(table.characters[who].name)

        def reword(says: TextMark, text: str) -> str:
            return name if says is TextMark.NAME and key(text) == old else text

        return self._reworded(table, reword)

    def _reworded(self, table: Table, reword: Reword) -> Table:
        """The table with each marked text of the game reworded: its own, and those of characters."""
        for k, each in table.characters.items():
            if (own := reworded(before := self.part.has(each), reword)) != before:
                table = table.with_owner(k, self.part.give(each, own))
        return self.part.put(table, reworded(self.part.of(table), reword))

    def all_rolls(self, table: Table) -> Iterable[Rolled]:
        """Return all rolls on the table, hidden ones too (R9)."""
        return (*self.part.rolls_of(table).values(), *self.part.hidden_of(table).values())

    def with_note(self, table: Table, number: int, note: str) -> Table:
        """Return the table with a note on the roll of that number, hidden or not, if there is one."""
        rolls, hidden = self.part.rolls_of(table), self.part.hidden_of(table)
        if number in rolls:
            return self.part.with_rolls(table, _with_note(rolls, number, note))
        return self.part.with_hidden(table, _with_note(hidden, number, note)) if number in hidden else table

    def shown_step(self, step: Step) -> Step:
        """Return the step with derived details added to its facts, so that nobody recomputes them later."""
        return step

    def stored_step(self, step: Step) -> Step:
        """Return a shown step as it is stored: its consequences are on its rolls, not in its facts."""
        return step

    def without_traces(self, table: Table) -> Table:
        """Return the table without what rolls leave behind; unchanged if they left more than that."""
        return table

    def without_pools(self, table: Table) -> Table:
        """Return the table without shared pools, for tables where people only roll dice."""
        return table

    def without_own(self, character: Character) -> Character:
        """Return the character without saved pools, for tables where people only roll dice."""
        return character

    def stays_behind(self, found: Table, closing: Collection[int]) -> Step:
        """Settle what is pending on those rolls of an imported table that won't come along (`closing`)."""
        return Step(found, ())

    def brought(self, table: Table, until: int) -> Table:
        """Return an imported table with its open state up to step `until`; hidden rolls are dropped."""
        return self.part.with_hidden(table, {}) if self.part.hidden_of(table) else table

    def without_people(self, table: Table) -> Table:
        """Return a table from another server without any data about who played there."""
        return table

    def unpaid(self, table: Table, character: Character) -> Character:
        """Return an imported character without what only the GM can give."""
        return character

    def require_kept(self, table: Table, character: Character) -> None:
        """Check that an imported character isn't too large to store. Raises NotAllowed if it is."""

    def people(self, table: Table) -> Iterable[int]:
        """Return the Discord ids of the people that the game's part of a table mentions."""
        return map(attrgetter("player"), self.all_rolls(table))

    def about(self, table: Table, person: int) -> Mapping[str, Any]:
        """Return what a table stores about a person besides their characters, by name."""
        rolls = tuple(roll for roll in self.all_rolls(table) if roll.player == person)
        return {f"{self.part.name}_rolls": rolls} if self.part.rolls else {}

    def own(self, character: Character) -> Iterable[str]:
        """Return the names of somebody's saved pools, for tables where people only roll dice."""
        return ()

    def handed_on(self, table: Table) -> Table:
        """Return the table as it is exported: files are shared, so hidden rolls are left out."""
        return self.part.with_hidden(table, {}) if self.part.hidden_of(table) else table

    def things(self, table: Table, names: Collection[str]) -> Iterable[str]:
        """Return the names of other things at the table, except pools whose names have one of these keys."""
        return ()

    def pool_names(self, table: Table) -> Iterable[str]:
        """Return the keys of pools, which may be named after somebody."""
        return ()

    def forgotten(self, table: Table, who: Erasure) -> Table:
        """Return the table without anything about a person; rolls that they made in secret are removed."""
        kept = {n: roll for n, roll in self.part.hidden_of(table).items() if roll.player != who.person}
        if self.part.has_hidden:
            hidden = {n: self.forgotten_roll(roll, who) for n, roll in kept.items()}
            table = self.part.with_hidden(table, hidden)
        # Before all else: a note is theirs as long as the roll is.
        rolls = {n: self.forgotten_roll(roll, who) for n, roll in self.part.rolls_of(table).items()}
        return self._reworded(self.part.with_rolls(table, rolls), who.reworded)

    def forgotten_roll(self, roll: Any, who: Erasure) -> Any:
        """Return a roll without anything about a person."""
        player = 0 if roll.player == who.person else roll.player
        note = who.own_note(roll.note, roll.player)
        return replace(roll, player=player, who=who.name_in(roll.who), note=note)

    def forgotten_fact(self, fact: Fact, who: Erasure) -> Fact:
        """Return a fact whose rolls say nothing about a person; its other texts are handled elsewhere."""
        rolls = msgspec.structs.asdict(fact)
        changes = {n: self.forgotten_roll(roll, who) for n, roll in rolls.items() if self._is_its(roll)}
        return replace(fact, **changes) if changes else fact

    def most_rolls(self) -> int:
        """Return how many open rolls a table keeps before the oldest one closes; 0 for no limit."""
        return 0

    def as_made(self, fact: Fact) -> Fact | None:
        """Return the fact's roll as if it had just been made in its current state; None for other facts."""
        return None

    def rolls_now(self, table: Table) -> Mapping[int, Fact]:
        """Return the open rolls by number, each as a fact that it was made in its current state."""
        return {}

    def named_in(self, fact: Fact) -> Iterable[str]:
        """Return the names of those who made the rolls in a fact."""
        return [roll.who for roll in msgspec.structs.asdict(fact).values() if self._is_its(roll)]

    def _is_its(self, roll: object) -> bool:
        """Whether something is a roll of the game."""
        return self.part.rolls is not None and isinstance(roll, self.part.rolls)

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """Return the dice that were thrown according to a fact."""
        return ()

    def attempts(self, hearing: SessionListener) -> GameAttempts:
        """What hears the facts of a session to tell of the game."""
        return GameAttempts(hearing)

    def forgotten_build(self, build: Any, names: frozenset[str]) -> Any:
        """Return an unfinished build without a person's names."""
        return build

    def sheet_lines(self, own: Any) -> Iterable[str]:
        """Return a character's game data as lines of a sheet, each with its heading."""
        return ()

    def read_line(self, own: Any, rest: str) -> Any:
        """Return a character's game data with one more line of a sheet read. Raises RuleError."""
        # Only a game that gives `heads` is ever asked for a line.
        raise NotImplementedError

    def with_typed(self, table: Table, character: Character, text: str) -> Character:
        """Return the character with a sheet parsed from text. Raises RuleError if it can't be read."""
        return character

    def with_sheet(self, character: Character, own: Any) -> Character:
        """Return the character with the game data of a sheet; things in play keep their state."""
        return self.part.give(character, own)


def _with_note(rolls: Mapping[int, Rolled], number: int, note: str) -> Mapping[int, Rolled]:
    return {**rolls, number: with_note(rolls[number], note)}


_played: tuple[Game, ...] | None = None


def register_games(games: Iterable[Game]) -> None:
    """Register the games that can be played in this process, in place of those before."""
    global _played
    _played = tuple(games)
    for each in (saying, hiding, games_named):
        each.cache_clear()


def building() -> Game | None:
    """Return the game in which things are built before they become a step, if any."""
    return next((game for game in played() if game.built), None)


def played() -> tuple[Game, ...]:
    """Return the games that `register_games` was given. Raises LookupError before that."""
    if _played is None:
        raise LookupError("No games are registered.")
    return _played


def played_at(table: Table) -> tuple[Game, ...]:
    """Return the games that a table plays: its only one; all if it has none, or one that isn't registered."""
    return games_named(table.game) if table.game else played()


def terms_at(table: Table) -> list[Term]:
    """Return the terms that a table may replace by its own words: those of its games."""
    own = [term for game in played_at(table) for term in game.terms]
    return [term for term in Term if term in (*SHARED_TERMS, *own)]


def given(table: Table, command: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those options of a shared command that somebody gave, so neither None nor False.

    Raises NotAllowed for one that no game of the table uses, unless it is empty.
    """
    found = {name: value for name, value in options.items() if value is not None and value is not False}
    if not found:
        return found
    # At a table of all games, one that excludes others is only a guest.
    games = [game for game in played_at(table) if table.game or not game.is_alone]
    used = [name for game in games for name in game.options.get(command, ())]
    other = next((name for name, value in found.items() if name not in used and value != ""), None)
    if other is not None:
        raise NotAllowed("This table's game doesn't use {option} here. Leave it out.", option=other)
    return {name: value for name, value in found.items() if name in used}


def sheets_at(table: Table) -> SheetRules:
    """Return how sheets are read at a table. Raises LookupError if its games have none."""
    found = next((game.sheets for game in played_at(table) if game.sheets), None)
    if found is None:
        raise LookupError(f"No game has sheets at a table of {table.game}.")
    return found


def gmcs_at(table: Table) -> GmcRules:
    """Return how characters of the GM are made at a table. Raises NotAllowed if its games have none."""
    found = next((game.gmcs for game in played_at(table) if game.gmcs), None)
    if found is None:
        raise NotAllowed("This table's game has no {gmc.many}.")
    return found


@cache
def games_named(name: str) -> tuple[Game, ...]:
    """Return the game of that name alone; all games if it isn't registered (cached)."""
    return tuple(game for game in played() if game.part.name == name) or played()


@cache
def saying(hook: Callable[..., Any], name: str = "") -> tuple[Game, ...]:
    """Return the games that override a hook of `Game`, so that the others needn't be called (cached).

    `name` is the only game to look at, as in `Table.game`; "" for all.
    """
    among = games_named(name) if name else played()
    return tuple(game for game in among if getattr(type(game), hook.__name__) is not hook)


@cache
def hiding() -> tuple[Game, ...]:
    """Return the games that have hidden rolls (cached)."""
    return tuple(game for game in played() if game.part.has_hidden)
