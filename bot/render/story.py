"""A session as a story in about a dozen lines of a phone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.language import say, say_of
from bot.language.line import Text, heading, joined, small, strong, together
from bot.language.said import distinct
from bot.render.parts import listed
from bot.render.telling import line_of
from bot.render.words import stretch_words
from rules.causes import Stretch
from rules.fact import Fact
from rules.story import Chapter, Story, Tally
from rules.table import Character, Table


@dataclass(frozen=True, slots=True)
class Stories:
    """How a game tells of a session; what it says nothing of is told as in any."""

    game: str = ""
    """By what name a story has what it tells."""
    kept: Callable[[Sequence[Fact]], tuple[list[Text], list[Fact]]] = lambda facts: ([], list(facts))
    """Of what a scene decided, what is told of what each one keeps, and the facts that are told by a line."""
    moments: Callable[[Story, Any, int | None], Iterator[Text]] = lambda told, moments, most: iter(())
    """Its moments, each in a line, with so many things in one; all of them for None."""
    open: Callable[[Table], list[Text]] = lambda table: []
    """What the next session begins with."""
    person: Callable[[Tally], list[Text]] = lambda each: []
    """What somebody did, beside how often they rolled, in a few words each."""
    figures: Callable[[Tally], list[Text]] = lambda found: []
    """The same in lines, as figures are looked at."""
    known_for: Callable[[Character], list[Text]] = lambda character: []
    """What a character is known for."""


_known: list[Stories] = []


def learn(*games: Stories) -> None:
    """Let games tell their sessions so."""
    _known[:] = games


def known_for(character: Character) -> list[Text]:
    """What a character is known for, in each game."""
    return [what for each in _known for what in each.known_for(character)]


def figures(found: Tally) -> list[Text]:
    """What somebody did, in lines, in each game."""
    return [line for each in _known for line in each.figures(found)]


MOST_DECIDED = 4
"""So many things of one scene are told."""
MOST_LINES = 6
"""So many scenes, notes or characters are told, each in a line."""
MOST_OPEN = 5
"""So many things that are open are told."""


def story_lines(told: Story, table: Table, number: int, *, is_last: bool) -> list[Text]:
    """A session: scenes, moments, notes, what is open where it is the last one, who did what."""
    return [
        heading(session_title(table, number)),
        *_some(list(_scenes(told.chapters, MOST_DECIDED))),
        *_moments(told, MOST_DECIDED),
        *_some(_notes(told)),
        *(_open(table, MOST_OPEN) if is_last else []),
        *_some(person_lines(told)),
    ]


def whole_story(told: Story, table: Table, *, is_last: bool) -> list[list[Text]]:
    """The same with nothing left out and without its title: what happened, then who did what."""
    happened = [*_scenes(told.chapters), *_moments(told), *_notes(told), *(_open(table) if is_last else [])]
    return [happened, person_lines(told)]


def counted_line(step: int) -> Text:
    """That what was played before a step is told by the log alone."""
    return say(
        "What was played before step {step} stands in the log; it is counted from there on.", step=step
    )


def session_title(table: Table, number: int) -> Text:
    """What a session is called; 0 for what happened where none has begun."""
    if not number:
        return say("What happened")
    title, named = table.titles.get(number, ""), stretch_words(Stretch.SESSION, number)
    return say("{session}: {title}", session=named, title=title) if title else named


def person_lines(told: Story) -> list[Text]:
    """What each player's character did, in a line."""
    return [_person(each) for each in told.people if not each.gm]


def _notes(told: Story) -> list[Text]:
    return [line_of(note) for note in told.notes]


def _some(lines: Sequence[Text]) -> list[Text]:
    """The first lines, and how many more there are."""
    left = len(lines) - MOST_LINES
    if left <= 0:
        return list(lines)
    return [*lines[:MOST_LINES], small(say("{count} more: Every roll", count=left))]


def _scenes(chapters: Sequence[Chapter], most: int | None = None) -> Iterator[Text]:
    """Scenes in order, with so many things that they decided; those that decided nothing share a line."""
    quiet: list[Text] = []
    for each in chapters:
        name = stretch_words(Stretch.SCENE, each.number, each.name) if each.number else say("At first")
        if not each.decided:
            quiet += [name] if each.number else []
            continue
        if quiet:
            yield listed(quiet)
        quiet = []
        said = _decided(each.decided)
        yield together(strong(name), ": ", _first(said, most))
    if quiet:
        yield listed(quiet)


def _first(said: Sequence[Text], most: int | None) -> Text:
    """The first so many things, and how many more there are; all of them for None."""
    left = 0 if most is None else len(said) - most
    more = say(", and {count} more", count=left) if left > 0 else ""
    return together(joined("; ", said[:most]), more)


def _decided(facts: Sequence[Fact]) -> list[Text]:
    """What happened, then what each one keeps."""
    stayed: list[Text] = []
    left = list(facts)
    for each in _known:
        kept, left = each.kept(left)
        stayed += kept
    return [*distinct(map(line_of, left)), *stayed]


def _moments(told: Story, most: int | None = None) -> Iterator[Text]:
    """What stood out, game by game."""
    for each in _known:
        if (found := told.games.get(each.game)) is not None:
            yield from each.moments(told, found, most)


def _open(table: Table, most: int | None = None) -> list[Text]:
    """What the next session begins with."""
    found = [what for each in _known for what in each.open(table)]
    return [say("Open: {what}", what=_first(found, most))] if found else []


def _person(each: Tally) -> Text:
    """What somebody did: `Alice: 5 rolls, 3 successes, 2 hitches, PP +3 -2, XP +2`."""
    rolls = each["rolls"]
    said = [say_of(rolls, "{count} roll", "{count} rolls")] if rolls else []
    said += [part for game in _known for part in game.person(each)]
    return together(strong(each.name), ": ", joined(", ", said))
