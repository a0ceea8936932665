"""Cortex parts of a session's story: key moments, open threads, and who did what."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from bot.language import later, say, say_of
from bot.language.line import Text, joined, strong, together
from bot.views.cortex.labels import ENDINGS, label_words, pool_title
from bot.views.facts import line_of
from bot.views.game import Stayed, Stories
from bot.views.labels import balance, listed, roller_words
from rules.campaign.story import SessionStory, Tally
from rules.campaign.story import together as together_told
from rules.cortex import pool
from rules.cortex.facts import (
    BackIn,
    ContestWon,
    GaveIn,
    Over,
    PoolChanged,
    SceneCut,
    TakenOut,
    TraitChanged,
)
from rules.cortex.kinds import HARMFUL
from rules.cortex.model import CORTEX, Roll
from rules.cortex.outcome import total, verdict
from rules.cortex.story import Moments
from rules.facts import Fact
from rules.names import key
from rules.table import Character, Table


def _stayed(fact: Fact) -> Stayed | None:
    """Return the lasting harm that a fact records, such as Ilse's `Shaken d8`, or None."""
    if not isinstance(fact, TraitChanged) or fact.after is None:
        return None
    what = together(label_words(fact.after.label, fact.kind), " ", pool.write(fact.after))
    return Stayed(fact.owner, what)


def _came(fact: PoolChanged) -> Text:
    return say("{what} began", what=pool_title(fact.pool))


Fate = TakenOut | BackIn | Over | ContestWon | GaveIn | SceneCut


def _fated(facts: Sequence[Fate]) -> list[Text]:
    """Who fell, who came back, who struck the last blow and who won: a sentence a person.

    Such as `Rook was taken out by Shaken and came back`.
    """
    found: dict[str, tuple[str, list[Text]]] = {}
    fallen = set[str]()
    for fact in facts:
        who, did = _fate(fact)
        if isinstance(fact, TakenOut) and not fact.for_good and key(who) in fallen:
            did = say("by {what}", what=label_words(fact.by, fact.kind))
        found.setdefault(key(who) or f"{len(found)}", (who, []))[1].append(did)
        fallen = fallen | {key(who)} if isinstance(fact, TakenOut) else fallen - {key(who)}
    return [say("{who} {did}", who=who, did=listed(did)) if who else did[0] for who, did in found.values()]


def _fate(fact: Fate) -> tuple[str, Text]:
    """Who did or suffered it, and what; without anybody, a whole sentence."""
    match fact:
        case TakenOut():
            by = label_words(fact.by, fact.kind)
            if fact.for_good:
                return fact.who, say("was taken out for good by {what}", what=by)
            return fact.who, say("was taken out by {what}", what=by)
        case BackIn(paid=True):
            return fact.who, say("was nearly taken out, but stayed in")
        case BackIn():
            return fact.who, say("came back")
        case ContestWon(against=""):  # as it was kept once
            return "", line_of(fact)
        case ContestWon():
            return fact.who, _about(say("won against {other}", other=fact.against), fact.note)
        case GaveIn():
            return fact.who, _about(say("gave in to {winner}", winner=fact.winner), fact.note)
        case SceneCut():
            return "", say("The {gm.one} ended the {scene.one}: {how}", how=fact.how)
        case Over():
            words, of = ENDINGS[fact.ending], pool_title(fact.pool)
            if fact.by and words.did:
                return fact.by, say(words.did, what=of)
            return "", say(words.story, what=of)
        case _:
            assert_never(fact)


def _about(did: Text, note: str) -> Text:
    return say("{did} ({note})", did=did, note=note) if note else did


def _moments(story: SessionStory, told: Moments) -> Iterator[Text]:
    """The highest total, heroic successes, botches, and the rolls that a PP turned."""
    if told.highest is not None:
        yield say("Highest total: {roll}", roll=_roll(told.highest))
    for what, line in (("heroic", later("Heroic: {who}")), ("botches", later("Botch: {who}"))):
        found = {each.name: each[what] for each in story.people if each[what] and not each.gm}
        if found:
            yield say(line, who=_each(found))
    if told.turned:
        yield say("Decided by {plot_point.short}: {rolls}", rolls=joined("; ", map(_roll, told.turned)))


def _roll(roll: Roll) -> Text:
    """A roll in a few words: `Alice 21 vs 15, Force the door`."""
    how = verdict(roll)
    said: Text = together(roller_words(roll.who), " ", strong(str(total(roll.hand))))
    if how is not None:
        said = say("{roll} vs {difficulty}", roll=said, difficulty=how.difficulty)
    return together(said, ", ", roll.note) if roll.note else said


def _each(counts: Mapping[str, int]) -> str:
    return ", ".join(name if count == 1 else f"{name} {count}" for name, count in counts.items())


def _open(table: Table) -> list[Text]:
    """What the next session begins with."""
    here = CORTEX.of(table)
    found = [say("{crisis.One} {name}", name=each.name) for each in here.crises.values()]
    found += [say("{challenge.One} {name}", name=each.name) for each in here.challenges.values()]
    found += [
        say("the contest between {sides}", sides=listed(each.sides))
        for each in here.contests.values()
        if not each.closing
    ]
    for each in table.characters.values():
        held = [
            together(label_words(trait.label, kind), " ", pool.write(trait))
            for kind in HARMFUL
            for trait in CORTEX.has(each).traits(kind).values()
        ]
        if held and not each.gmc:
            found.append(say("{who}: {what}", who=each.name, what=joined(", ", held)))
    return found


def _came_to(each: Tally) -> list[Text]:
    """What came of rolls: `3 successes`, `2 hitches`."""
    said = [
        say_of(each["successes"], "{count} success", "{count} successes") if each["successes"] else "",
        say_of(each["hitches"], "{count} {hitch.one}", "{count} {hitch.many}") if each["hitches"] else "",
    ]
    return [each for each in said if each]


def _points(people: Sequence[Tally]) -> list[Text]:
    """The points of one or of all: `PP +6 -4`."""
    of_all = together_told("", people)
    said = balance(say("{plot_point.Short}"), of_all["gained"], of_all["spent"])
    return [said] if said else []


def _figures(found: Tally) -> list[Text]:
    """Rolls and points, in a line each."""
    opposed = found["opposed"]
    against = say_of(opposed, "Opposed {count} roll", "Opposed {count} rolls")
    return [
        *(_rolls(found) if found["rolls"] else []),
        *([against] if opposed else []),
        say(
            "{plot_point.Short}: {gained} gained, {spent} spent", gained=found["gained"], spent=found["spent"]
        ),
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


STORIES = Stories(
    CORTEX.name,
    stayed=_stayed,
    told={PoolChanged: _came},
    fates=(TakenOut, BackIn, Over, ContestWon, GaveIn, SceneCut),
    fated=_fated,
    moments=_moments,
    open=_open,
    came_to=_came_to,
    points=_points,
    figures=_figures,
    known_for=_known_for,
)
"""How Cortex tells of a session."""
