"""What a game gives to the shared rules, the step that rules return, and what people tried in a session."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from rules.dice import Thrown
from rules.facts import Fact
from rules.names import Erasure, Name, Note, Reword, TextMark, key, reworded
from rules.settings import Renamed, Setting
from rules.table import Character, Part, Rolled, Table, with_note
from rules.text import Phrase
from rules.values import replace

_Roll = TypeVar("_Roll", bound=Rolled)


class AttemptResult(StrEnum):
    """How it went, from the best to the worst; `rolled` where nothing stood against it."""

    HEROIC = "heroic"
    SUCCESS = "success"
    ROLLED = "rolled"
    FAILURE = "failure"
    BOTCH = "botch"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody tried with a roll, as they typed it: how it went, against whom or what it was."""

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
    """A scene while it is heard, 0 before the first one: what was decided in it, and what was tried."""

    number: int = 0
    name: str = ""
    day: str = ""
    decided: list[Fact] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    untold: Counter[str] = field(default_factory=Counter)
    """How many rolls have no note, by the names of who rolled."""

    def rolled(self, attempt: Attempt) -> None:
        """A roll was made here; without a note it is but counted."""
        if attempt.note:
            self.attempts.append(attempt)
        else:
            self.untold[attempt.who] += 1


class SessionListener(Protocol):
    """A story while it is told, as far as games have a hand in it."""

    @property
    def scene(self) -> SceneAttempts:
        """The scene that runs."""

    @property
    def noted(self) -> Mapping[int, str]:
        """What rolls were for, as somebody said later, by their numbers."""

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """How often each did what, by the keys of their names."""

    def count(self, name: str, *, is_gm: bool | None = None, **more: int) -> None:
        """Somebody did so much more, as the GM or not where that is known."""


class GameAttempts:
    """What a game tells beside what is told of any; this one tells nothing."""

    def __init__(self, hearing: SessionListener) -> None:
        self.hearing = hearing

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """What a fact tells, among those of its step."""

    def knows(self, who: str) -> bool:
        """Whether something has been told of somebody, by the key of their name."""
        return False

    def renamed(self, was: str, name: str) -> None:
        """Somebody has another name; `was` is the key of the old one."""

    def end(self) -> object:
        """What there is to tell beside what was decided, tried and counted, once all is heard."""
        return None


class RollAttempts(GameAttempts, Generic[_Roll]):
    """What a game with rolls tells: each as it lay at last, in the scene in which it was made."""

    def __init__(self, hearing: SessionListener) -> None:
        super().__init__(hearing)
        self.rolls: dict[int, _Roll] = {}
        self._scenes: dict[int, SceneAttempts] = {}

    def made(self, roll: _Roll) -> None:
        """Dice were rolled in the scene that runs."""
        self.rolls[roll.number] = roll
        self._scenes.setdefault(roll.number, self.hearing.scene)

    def changed(self, roll: _Roll) -> None:
        """A roll is another; one from before the session counts for nothing."""
        if roll.number in self.rolls:
            self.rolls[roll.number] = roll

    def knows(self, who: str) -> bool:
        """Whoever rolled."""
        return who in (key(roll.who) for roll in self.rolls.values())

    def renamed(self, was: str, name: str) -> None:
        """Their rolls have the other name."""
        self.rolls = {number: self.by_name(roll, was, name) for number, roll in self.rolls.items()}

    def by_name(self, roll: _Roll, was: str, name: str) -> _Roll:
        """A roll of somebody by another name."""
        held: Any = roll
        renamed: _Roll = replace(held, who=name) if key(roll.who) == was else held
        return renamed

    def scene_of(self, roll: _Roll) -> SceneAttempts:
        """The scene in which a roll was made."""
        return self._scenes[roll.number]

    def note(self, roll: _Roll) -> str:
        """What a roll was for, as it was said last."""
        return self.hearing.noted.get(roll.number, roll.note)

    def tell(
        self,
        roll: _Roll,
        went: AttemptResult = AttemptResult.ROLLED,
        against: str = "",
        left: tuple[Fact, ...] = (),
    ) -> None:
        """What a roll was for, how it went, and what it left, in its scene."""
        self.scene_of(roll).rolled(Attempt(roll.number, roll.who, self.note(roll), went, against, left))


@dataclass(frozen=True, slots=True)
class Step:
    """What a rule makes of a table: the next table, and the facts between the two."""

    table: Table
    facts: tuple[Fact, ...]

    def then(self, other: "Step") -> "Step":
        """Both steps as one; `other` was made from this one's table."""
        return Step(other.table, self.facts + other.facts)


Fault = tuple[str, Phrase]
"""Where something that comes from outside is wrong, and what."""


Tag = tuple[type[Fact], str, str]
"""A kind of fact, by what it is kept for ever, and by what else it was kept once."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A table of another program, read from its text: the rule that brings it, and what it leaves out."""

    bring: Callable[[Table, Any], Step]
    left_out: Callable[[Table], tuple[str, ...]]


class Game:
    """A game that can be played at a table. What it says nothing of is as it is in any game."""

    part: Part[Any, Any]
    tags: Sequence[Tag] = ()
    """By what its facts are kept."""
    built: type[Any] | None = None
    """What somebody builds before it is a step, which nobody else sees; one game alone has such."""
    made: type[Fact] | None = None
    """The fact that a roll was made."""
    heads: Collection[str] = ()
    """What the lines of a sheet begin with that it reads: keys, without a plural."""

    checks: Mapping[type, Callable[[Any], Iterator[Fault]]] = MappingProxyType({})
    """What is wrong with a thing of each of its classes, beside what is wrong with its parts."""

    def faults(self, table: Table) -> Iterator[Fault]:
        """What of the game does not fit the rest of a table that comes from outside."""
        return iter(())

    def foreign(self, text: str) -> Foreign | None:
        """A table as another program shows it, where the game reads such. Raises Unreadable."""
        return None

    settings: Mapping[str, Setting] = MappingProxyType({})
    """Its settings, by the names that people see."""
    old_settings: Mapping[str, Renamed] = MappingProxyType({})
    """Settings that are called otherwise by now, by the name that they had."""

    def require_agreed(self, before: Table, after: Table, setting: str, agreed: Collection[str]) -> None:
        """Ask before another value of a setting takes something out of play, unless its sign is `agreed`."""

    def setting_changed(self, table: Table, setting: str) -> Step:
        """What else comes with another value of a setting."""
        return Step(table, ())

    def usual(self, table: Table, blank: Table) -> Table:
        """The blank table with the settings of the game as they are where nobody has changed one by hand."""
        return blank

    def ruled(self, table: Table) -> object:
        """What only the GM changes, by hand or by walking back."""
        return None

    def newcomer(self, table: Table, character: Character) -> Character:
        """A new character, with what they begin with."""
        return character

    def with_first_sheet(self, table: Table, character: Character) -> Character:
        """A character that a player makes, with the sheet that those of the campaign begin with."""
        return character

    def taken_names(self, table: Table) -> Mapping[str, Phrase]:
        """What is called by a name that no new character can have: what it is, by the key of the name."""
        return {}

    def scene_begun(
        self, table: Table, typed: Mapping[str, str | None], agreed: Collection[str] = ()
    ) -> Step:
        """What comes with a new scene; what was `typed` of it is by the names of the command's options."""
        return Step(table, ())

    def scene_ending(self, table: Table) -> Step:
        """What is still to be settled before a scene ends, while its rolls lie on the table."""
        return Step(table, ())

    def scene_ended(self, before: Table, table: Table) -> Step:
        """What goes with a scene; its rolls are gone, and `before` is the table as it ran."""
        return Step(table, ())

    def act_begun(self, table: Table, typed: Mapping[str, str | None]) -> Step:
        """What comes with a new act; `typed` is as in `scene_begun`."""
        return Step(table, ())

    def act_ended(self, table: Table, typed: Mapping[str, str | None]) -> Step:
        """What goes with an act; `typed` is as in `scene_begun`."""
        return Step(table, ())

    def session_begun(self, table: Table) -> Step:
        """What comes with a new session."""
        return Step(table, ())

    def session_ended(self, table: Table) -> Step:
        """What goes with a session."""
        return Step(table, ())

    def has_meaning(self, label: str) -> bool:
        """Whether a name means something else where names are typed, so that nothing can have it."""
        return False

    def removed(self, table: Table, who: str, name: str) -> Table:
        """The table without what stood there for a character who is gone, by their key and their name."""
        return table

    def renamed(self, table: Table, who: str, name: str) -> Table:
        """The table with a character renamed wherever a text of the game is marked as a name.

        `who` is the key of before. What stands under a character's key, the game itself puts under the other.
        """
        old = key(table.characters[who].name)

        def reword(says: TextMark, text: str) -> str:
            return name if says is TextMark.NAME and key(text) == old else text

        return self._reworded(table, reword)

    def _reworded(self, table: Table, reword: Reword) -> Table:
        """The table with each marked text of the game said otherwise: its own, and those of characters."""
        for k, each in table.characters.items():
            if (own := reworded(before := self.part.has(each), reword)) != before:
                table = table.with_owner(k, self.part.give(each, own))
        return self.part.put(table, reworded(self.part.of(table), reword))

    def all_rolls(self, table: Table) -> Iterable[Rolled]:
        """The rolls at a table, those too that not everybody sees (R9)."""
        return (*self.part.rolls_of(table).values(), *self.part.hidden_of(table).values())

    def with_note(self, table: Table, number: int, note: str) -> Table:
        """The table with that note on a roll of the game, if it has one of that number, hidden or not."""
        rolls, hidden = self.part.rolls_of(table), self.part.hidden_of(table)
        if number in rolls:
            return self.part.with_rolls(table, _with_note(rolls, number, note))
        return self.part.with_hidden(table, _with_note(hidden, number, note)) if number in hidden else table

    secrets: tuple[type[Fact], ...] = ()
    """Facts that are the GM's alone, or of who did it."""

    def worked_out(self, step: Step) -> Step:
        """The step with what is told beside its facts, so that nobody works it out by other rules later."""
        return step

    def noted(self, step: Step) -> Table:
        """The table of a step, with what followed noted on what it followed from."""
        return step.table

    def as_kept(self, fact: Fact) -> Fact:
        """A fact as it is kept, where less of it is than is told."""
        return fact

    def without_traces(self, table: Table) -> Table:
        """The table without what rolls leave behind; it may be as it was where they left more than that."""
        return table

    def without_pools(self, table: Table) -> Table:
        """The table without pools that people share where they roll their own dice alone."""
        return table

    def without_own(self, character: Character) -> Character:
        """The character without what they keep with their dice."""
        return character

    def stays_behind(self, found: Table, closing: Collection[int]) -> Step:
        """The table of a file, with what those of its rolls still have to settle that stay behind."""
        return Step(found, ())

    def brought(self, table: Table, until: int) -> Table:
        """A table from a file: what else of it is open comes back up to that step; nothing is hidden."""
        return self.part.with_hidden(table, {}) if self.part.hidden_of(table) else table

    def without_people(self, table: Table) -> Table:
        """A table from another server, without what is known of who played there."""
        return table

    def unpaid(self, table: Table, character: Character) -> Character:
        """A character from a file, without what only the GM gives."""
        return character

    def require_kept(self, table: Table, character: Character) -> None:
        """Refuse a character from a file with whom a table would keep too much. Raises NotAllowed."""

    def people(self, table: Table) -> Iterable[int]:
        """The Discord ids of whom the game knows at a table."""
        return map(attrgetter("player"), self.all_rolls(table))

    def about(self, table: Table, person: int) -> Mapping[str, tuple[Any, Any]]:
        """What a table keeps about a person beside their characters, by its name: its type, and it."""
        rolls = tuple(roll for roll in self.all_rolls(table) if roll.player == person)
        kind: Any = self.part.rolls
        return {f"{self.part.name}_rolls": (tuple[kind, ...], rolls)} if kind else {}

    def own(self, character: Character) -> Iterable[str]:
        """The names of what somebody keeps with their dice, where they roll their own alone."""
        return ()

    def handed_on(self, table: Table) -> Table:
        """The table as a file of it is: files are handed on, so without what is kept from anybody."""
        return self.part.with_hidden(table, {}) if self.part.hidden_of(table) else table

    def things(self, table: Table, names: Collection[str]) -> Iterable[str]:
        """What else is called at a table, but for what can be called after somebody, and is by these keys."""
        return ()

    def pool_names(self, table: Table) -> Iterable[str]:
        """The keys of what can be called after somebody."""
        return ()

    def forgotten(self, table: Table, who: Erasure) -> Table:
        """The table with nothing of the game that tells of a person; what they rolled in secret goes."""
        kept = {n: roll for n, roll in self.part.hidden_of(table).items() if roll.player != who.person}
        if self.part.has_hidden:
            hidden = {n: self.forgotten_roll(roll, who) for n, roll in kept.items()}
            table = self.part.with_hidden(table, hidden)
        # Before all else: a note is theirs as long as the roll is.
        rolls = {n: self.forgotten_roll(roll, who) for n, roll in self.part.rolls_of(table).items()}
        return self._reworded(self.part.with_rolls(table, rolls), who.reworded)

    def forgotten_roll(self, roll: Any, who: Erasure) -> Any:
        """A roll that tells nothing of a person."""
        player = 0 if roll.player == who.person else roll.player
        note = who.own_note(roll.note, roll.player)
        return replace(roll, player=player, who=who.name_in(roll.who), note=note)

    def forgotten_fact(self, fact: Fact, who: Erasure) -> Fact:
        """A fact, each roll in it without a person; its texts are said otherwise by their marks."""
        held: Any = fact
        rolls = {each.name: getattr(fact, each.name) for each in fields(held)}
        changes = {n: self.forgotten_roll(roll, who) for n, roll in rolls.items() if self._is_its(roll)}
        fresh: Fact = replace(held, **changes) if changes else fact
        return fresh

    def most_rolls(self) -> int:
        """So many rolls of it lie on a table at most: then the oldest is closed. 0 for any number."""
        return 0

    def as_made(self, fact: Fact) -> Fact | None:
        """The roll of a fact, told as if it had been made so; none for other facts."""
        return None

    def rolls_now(self, table: Table) -> Mapping[int, Fact]:
        """The rolls on a table, by number, each told as if it had been made as it is now."""
        return {}

    def named_in(self, fact: Fact) -> Iterable[str]:
        """Whom a fact names that holds rolls: who rolled."""
        held: Any = fact
        return [
            roll.who for roll in (getattr(held, each.name) for each in fields(held)) if self._is_its(roll)
        ]

    def _is_its(self, roll: object) -> bool:
        """Whether something is a roll of the game."""
        return self.part.rolls is not None and isinstance(roll, self.part.rolls)

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """The dice that were thrown, as a fact tells."""
        return ()

    def attempts(self, hearing: SessionListener) -> GameAttempts:
        """What hears the facts of a session to tell of the game."""
        return GameAttempts(hearing)

    def forgotten_build(self, build: Any, names: frozenset[str]) -> Any:
        """What somebody builds, without the names of a person."""
        return build

    def sheet_lines(self, own: Any) -> Iterable[str]:
        """What a character has of the game, as lines of a sheet, each with its head."""
        return ()

    def read_line(self, own: Any, rest: str) -> Any:
        """What a character has of the game, with one more line of a sheet. Raises RuleError."""
        # Only a game that gives `heads` is ever asked for a line.
        raise NotImplementedError

    def with_typed(self, table: Table, character: Character, text: str) -> Character:
        """The character with the sheet that a text means, where the game has such. Raises RuleError."""
        return character

    def with_sheet(self, character: Character, own: Any) -> Character:
        """The character with what a sheet says of the game; what is in play keeps its state."""
        return self.part.give(character, own)


def _with_note(rolls: Mapping[int, Rolled], number: int, note: str) -> Mapping[int, Rolled]:
    return {**rolls, number: with_note(rolls[number], note)}


_played: tuple[Game, ...] = ()


_heard_by: list[Callable[[tuple[Game, ...]], None]] = []


def enrol(games: Iterable[Game]) -> None:
    """Let these be the games that can be played: `rules.games` does, and whoever joins one more."""
    global _played
    if (now := tuple(games)) == _played:
        return  # whoever hears of it begins anew, and what reads and writes tables takes long to make
    _played = now
    for each in (saying, hiding, secrets):
        each.cache_clear()
    for hear in _heard_by:
        hear(_played)


def tell_of_games(hear: Callable[[tuple[Game, ...]], None]) -> None:
    """Tell somebody which games can be played, now and whenever there are others."""
    _heard_by.append(hear)
    hear(_played)


def building() -> Game | None:
    """The game in which somebody builds something before it is a step."""
    return next((game for game in _played if game.built), None)


def played() -> tuple[Game, ...]:
    """The games that can be played at a table."""
    return _played


@cache
def saying(hook: Callable[..., Any]) -> tuple[Game, ...]:
    """Of these the games that say something of their own of that: no others are asked in each command."""
    return tuple(game for game in _played if getattr(type(game), hook.__name__) is not hook)


@cache
def hiding() -> tuple[Game, ...]:
    """Of these the games with rolls that not everybody sees."""
    return tuple(game for game in _played if game.part.has_hidden)


@cache
def secrets() -> tuple[type[Fact], ...]:
    """The facts of all of them that are the GM's alone, or of who did it."""
    return tuple(kind for game in _played for kind in game.secrets)
