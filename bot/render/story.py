"""A session as a story in about a dozen lines of a phone."""

from collections.abc import Iterator, Mapping, Sequence

from bot.language import say, say_of
from bot.render.card import heading, small, strong
from bot.render.parts import label_words, listed, trait_words
from bot.render.telling import line_of
from bot.render.words import stretch_words
from rules.causes import Stretch
from rules.cortex.state.facts import TraitChanged
from rules.cortex.state.kinds import HARMFUL
from rules.cortex.state.outcome import total, verdict
from rules.cortex.state.part import CORTEX
from rules.cortex.state.table import Roll
from rules.story import Chapter, Decided, Story, Tally
from rules.table import Table

MOST_DECIDED = 4
"""So many things of one scene are told."""
MOST_LINES = 6
"""So many scenes, notes or characters are told, each in a line."""
MOST_OPEN = 5
"""So many things that are open are told."""


def story_lines(told: Story, table: Table, number: int, *, is_last: bool) -> list[str]:
    """A session: scenes, moments, notes, what is open where it is the last one, who did what."""
    return [
        heading(session_title(table, number)),
        *_some(list(_scenes(told.chapters, MOST_DECIDED))),
        *_moments(told, MOST_DECIDED),
        *_some(_notes(told)),
        *(_open(table, MOST_OPEN) if is_last else []),
        *_some(person_lines(told)),
    ]


def whole_story(told: Story, table: Table, *, is_last: bool) -> list[list[str]]:
    """The same with nothing left out and without its title: what happened, then who did what."""
    happened = [*_scenes(told.chapters), *_moments(told), *_notes(told), *(_open(table) if is_last else [])]
    return [happened, person_lines(told)]


def counted_line(step: int) -> str:
    """That what was played before a step is told by the log alone."""
    return say(
        "What was played before step {step} stands in the log; it is counted from there on.", step=step
    )


def session_title(table: Table, number: int) -> str:
    """What a session is called; 0 for what happened where none has begun."""
    if not number:
        return say("What happened")
    title, named = table.titles.get(number, ""), stretch_words(Stretch.SESSION, number)
    return say("{session}: {title}", session=named, title=title) if title else named


def person_lines(told: Story) -> list[str]:
    """What each player's character did, in a line."""
    return [_person(each) for each in told.people if not each.gm]


def _notes(told: Story) -> list[str]:
    return [line_of(note) for note in told.notes]


def _some(lines: Sequence[str]) -> list[str]:
    """The first lines, and how many more there are."""
    left = len(lines) - MOST_LINES
    if left <= 0:
        return list(lines)
    return [*lines[:MOST_LINES], small(say("{count} more: Every roll", count=left))]


def _scenes(chapters: Sequence[Chapter], most: int | None = None) -> Iterator[str]:
    """Scenes in order, with so many things that they decided; those that decided nothing share a line."""
    quiet: list[str] = []
    for each in chapters:
        name = stretch_words(Stretch.SCENE, each.number, each.name) if each.number else say("At first")
        if not each.decided:
            quiet += [name] if each.number else []
            continue
        if quiet:
            yield listed(quiet)
        quiet = []
        said = _decided(each.decided)
        yield f"{strong(name)}: {_first(said, most)}"
    if quiet:
        yield listed(quiet)


def _first(said: Sequence[str], most: int | None) -> str:
    """The first so many things, and how many more there are; all of them for None."""
    left = 0 if most is None else len(said) - most
    more = say(", and {count} more", count=left) if left > 0 else ""
    return "; ".join(said[:most]) + more


def _decided(facts: Sequence[Decided]) -> list[str]:
    """What happened, then what each one keeps."""
    said = [line_of(fact) for fact in facts if not isinstance(fact, TraitChanged)]
    kept: dict[str, list[str]] = {}
    for fact in facts:
        if isinstance(fact, TraitChanged) and fact.after is not None:
            trait = f"{label_words(fact.after.label, fact.kind)} d{fact.after.die}"
            kept.setdefault(fact.owner, []).append(trait)
    stayed = [say("{who} keeps {what}", who=who, what=listed(traits)) for who, traits in kept.items()]
    return [*dict.fromkeys(said), *stayed]


def _moments(told: Story, most: int | None = None) -> Iterator[str]:
    """The highest total, heroic successes, botches, and so many of the rolls that a PP turned."""
    if told.highest is not None:
        yield say("Highest total: {roll}", roll=_roll(told.highest))
    if told.heroic:
        yield say("Heroic: {who}", who=_each(told.heroic))
    if told.botches:
        yield say("Botch: {who}", who=_each(told.botches))
    if told.turned:
        yield say("Turned by PP: {rolls}", rolls="; ".join(map(_roll, told.turned[:most])))


def _roll(roll: Roll) -> str:
    """A roll in a few words: `Alice 21 vs 15, Force the door`."""
    how = verdict(roll)
    said = f"{roll.who} {strong(str(total(roll.hand)))}"
    if how is not None:
        said = say("{roll} vs {difficulty}", roll=said, difficulty=how.difficulty)
    return f"{said}, {roll.note}" if roll.note else said


def _each(counts: Mapping[str, int]) -> str:
    return ", ".join(name if count == 1 else f"{name} {count}" for name, count in counts.items())


def _open(table: Table, most: int | None = None) -> list[str]:
    """What the next session begins with."""
    here = CORTEX.of(table)
    found = [say("Crisis {name}", name=each.name) for each in here.crises.values()]
    found += [say("Challenge {name}", name=each.name) for each in here.challenges.values()]
    found += [
        say("the contest of {sides}", sides=listed(each.sides))
        for each in here.contests.values()
        if not each.closing
    ]
    found += [
        trait_words(each.name, kind, trait)
        for each in table.characters.values()
        if not each.gmc
        for kind in HARMFUL
        for trait in CORTEX.has(each).traits(kind).values()
    ]
    return [say("Open: {what}", what=_first(found, most))] if found else []


def _person(each: Tally) -> str:
    """What somebody did: `Alice: 5 rolls, 3 successes, 2 hitches, PP +3 -2, XP +2`."""
    said = [
        say_of(each.rolls, "{count} roll", "{count} rolls") if each.rolls else "",
        say_of(each.successes, "{count} success", "{count} successes") if each.successes else "",
        say_of(each.hitches, "{count} hitch", "{count} hitches") if each.hitches else "",
        _balance(say("PP"), each.gained, each.spent),
        _balance(say("XP"), each.xp_gained, each.xp_spent),
    ]
    return f"{strong(each.name)}: {', '.join(filter(None, said))}"


def _balance(what: str, gained: int, spent: int) -> str:
    changes = [f"+{gained}"] * bool(gained) + [f"-{spent}"] * bool(spent)
    return " ".join([what, *changes]) if changes else ""
