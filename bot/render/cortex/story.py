"""How Cortex tells of a session: what was kept, its moments, what is open, and who did what."""

from collections.abc import Iterator, Mapping, Sequence

from bot.language import later, say, say_of
from bot.language.line import Text, joined, strong, together
from bot.render.cortex.parts import label_words, trait_words
from bot.render.parts import listed
from bot.render.story import Stories
from rules.cortex.state.facts import TraitChanged
from rules.cortex.state.keeping import total
from rules.cortex.state.kinds import HARMFUL
from rules.cortex.state.outcome import verdict
from rules.cortex.state.part import CORTEX
from rules.cortex.state.table import Roll
from rules.cortex.tools.deeds import Moments
from rules.fact import Fact
from rules.story import Story, Tally
from rules.table import Character, Table


def _kept(facts: Sequence[Fact]) -> tuple[list[Text], list[Fact]]:
    """The traits that each one keeps, and what is told by a line."""
    kept: dict[str, list[Text]] = {}
    for fact in facts:
        if isinstance(fact, TraitChanged) and fact.after is not None:
            trait = together(label_words(fact.after.label, fact.kind), " d", fact.after.die)
            kept.setdefault(fact.owner, []).append(trait)
    stayed = [say("{who} keeps {what}", who=who, what=listed(traits)) for who, traits in kept.items()]
    return stayed, [fact for fact in facts if not isinstance(fact, TraitChanged)]


def _moments(story: Story, told: Moments, most: int | None) -> Iterator[Text]:
    """The highest total, heroic successes, botches, and so many of the rolls that a PP turned."""
    if told.highest is not None:
        yield say("Highest total: {roll}", roll=_roll(told.highest))
    for what, line in (("heroic", later("Heroic: {who}")), ("botches", later("Botch: {who}"))):
        found = {each.name: each[what] for each in story.people if each[what] and not each.gm}
        if found:
            yield say(line, who=_each(found))
    if told.turned:
        yield say("Turned by PP: {rolls}", rolls=joined("; ", map(_roll, told.turned[:most])))


def _roll(roll: Roll) -> Text:
    """A roll in a few words: `Alice 21 vs 15, Force the door`."""
    how = verdict(roll)
    said: Text = together(roll.who, " ", strong(str(total(roll.hand))))
    if how is not None:
        said = say("{roll} vs {difficulty}", roll=said, difficulty=how.difficulty)
    return together(said, ", ", roll.note) if roll.note else said


def _each(counts: Mapping[str, int]) -> str:
    return ", ".join(name if count == 1 else f"{name} {count}" for name, count in counts.items())


def _open(table: Table) -> list[Text]:
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
    return found


def _person(each: Tally) -> list[Text]:
    """What came of their rolls, and their points: `3 successes`, `2 hitches`, `PP +3 -2`."""
    said = [
        say_of(each["successes"], "{count} success", "{count} successes") if each["successes"] else "",
        say_of(each["hitches"], "{count} hitch", "{count} hitches") if each["hitches"] else "",
        _balance(say("PP"), each["gained"], each["spent"]),
        _balance(say("XP"), each["xp_gained"], each["xp_spent"]),
    ]
    return [each for each in said if each]


def _balance(what: Text, gained: int, spent: int) -> Text:
    changes = [f"+{gained}"] * bool(gained) + [f"-{spent}"] * bool(spent)
    return joined(" ", [what, *changes]) if changes else ""


def _figures(found: Tally) -> list[Text]:
    """Rolls and points, in a line each."""
    opposed = found["opposed"]
    against = say_of(opposed, "Dice against {count} roll", "Dice against {count} rolls")
    return [
        *(_rolls(found) if found["rolls"] else []),
        *([against] if opposed else []),
        say("PP: {gained} in, {spent} out", gained=found["gained"], spent=found["spent"]),
    ]


def _rolls(found: Tally) -> list[Text]:
    """How often somebody rolled, and what came of it."""
    return [
        say(
            "{rolls}: {successes}, {heroic} of them heroic",
            rolls=say_of(found["rolls"], "{count} roll", "{count} rolls"),
            successes=say_of(found["successes"], "{count} success", "{count} successes"),
            heroic=found["heroic"],
        ),
        joined(
            ", ",
            [
                say_of(found["hitches"], "{count} die with a 1", "{count} dice with a 1"),
                say_of(found["botches"], "{count} botch", "{count} botches"),
            ],
        ),
    ]


def _known_for(character: Character) -> list[Text]:
    """Distinctions."""
    return [trait.label for trait in CORTEX.has(character).distinctions.values()]


STORIES = Stories(CORTEX.name, _kept, _moments, _open, _person, _figures, _known_for)
"""How Cortex tells of a session."""
