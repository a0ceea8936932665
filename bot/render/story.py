"""A session as a story in about a dozen lines of a phone."""

from collections.abc import Iterator, Mapping, Sequence

from bot.language import say, say_of
from bot.render.card import heading, small, strong
from bot.render.parts import label_words, listed, trait_words
from bot.render.words import event_line, stretch_words
from rules.cortex.outcome import total, verdict
from rules.facts import TraitChanged
from rules.kinds import Kind
from rules.reasons import Stretch
from rules.story import Chapter, Decided, Story, Tally
from rules.table import Roll, Table

MOST_DECIDED = 4
"""So many things of one scene are told."""
MOST_LINES = 6
"""So many scenes, notes or characters are told, each in a line."""
MOST_OPEN = 5
"""So many things that are open are told."""


def story_lines(told: Story, table: Table, number: int, *, is_last: bool) -> list[str]:
    """A session: scenes, moments, notes, what is open where it is the last one, who did what."""
    title = table.titles.get(number, "")
    named = stretch_words(Stretch.SESSION, number)
    head = say("{session}: {title}", session=named, title=title) if title else named
    return [
        heading(head if number else say("What happened")),
        *_some(list(_scenes(told.chapters))),
        *_moments(told),
        *_some([say("Note: {text}", text=text) for text in told.notes]),
        *(_open(table) if is_last else []),
        *_some([_person(each) for each in told.people if not each.gm]),
    ]


def _some(lines: Sequence[str]) -> list[str]:
    """The first lines, and how many more there are."""
    left = len(lines) - MOST_LINES
    if left <= 0:
        return list(lines)
    return [*lines[:MOST_LINES], small(say("{count} more: Every roll", count=left))]


def _scenes(chapters: Sequence[Chapter]) -> Iterator[str]:
    """Scenes in order; those that decided nothing share a line."""
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
        left = len(said) - MOST_DECIDED
        more = say(", and {count} more", count=left) if left > 0 else ""
        yield f"{strong(name)}: {'; '.join(said[:MOST_DECIDED])}{more}"
    if quiet:
        yield listed(quiet)


def _decided(facts: Sequence[Decided]) -> list[str]:
    """What happened, then what each one keeps."""
    said = [event_line(fact) for fact in facts if not isinstance(fact, TraitChanged)]
    kept: dict[str, list[str]] = {}
    for fact in facts:
        if isinstance(fact, TraitChanged) and fact.after is not None:
            trait = f"{label_words(fact.after.label, fact.kind)} d{fact.after.die}"
            kept.setdefault(fact.owner, []).append(trait)
    stayed = [say("{who} keeps {what}", who=who, what=listed(traits)) for who, traits in kept.items()]
    return [*dict.fromkeys(said), *stayed]


def _moments(told: Story) -> Iterator[str]:
    """The highest total, heroic successes, botches, and the rolls that a PP turned."""
    if told.highest is not None:
        yield say("Highest total: {roll}", roll=_roll(told.highest))
    if told.heroic:
        yield say("Heroic: {who}", who=_each(told.heroic))
    if told.botches:
        yield say("Botch: {who}", who=_each(told.botches))
    if told.turned:
        yield say("Turned by PP: {rolls}", rolls="; ".join(map(_roll, told.turned[:MOST_DECIDED])))


def _roll(roll: Roll) -> str:
    """A roll in a few words: `Alice 21 vs 15, Force the door`."""
    how = verdict(roll)
    said = f"{roll.who} {strong(str(total(roll.hand)))}"
    if how is not None:
        said = say("{roll} vs {difficulty}", roll=said, difficulty=how.difficulty)
    return f"{said}, {roll.note}" if roll.note else said


def _each(counts: Mapping[str, int]) -> str:
    return ", ".join(name if count == 1 else f"{name} {count}" for name, count in counts.items())


def _open(table: Table) -> list[str]:
    """What the next session begins with."""
    found = [say("Crisis {name}", name=each.name) for each in table.crises.values()]
    found += [say("Challenge {name}", name=each.name) for each in table.challenges.values()]
    found += [
        say("the contest of {sides}", sides=listed(each.sides))
        for each in table.contests.values()
        if not each.closing
    ]
    found += [
        trait_words(each.name, kind, trait)
        for each in table.characters.values()
        if not each.gmc
        for kind in (Kind.COMPLICATION, Kind.STRESS, Kind.TRAUMA)
        for trait in each.traits(kind).values()
    ]
    if not found:
        return []
    more = say(", and {count} more", count=len(found) - MOST_OPEN) if len(found) > MOST_OPEN else ""
    return [say("Open: {what}", what="; ".join(found[:MOST_OPEN]) + more)]


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
