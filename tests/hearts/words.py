"""Hearts in words: what its facts say, and what it shows."""

from collections.abc import Iterable, Iterator, Sequence

from bot.language import later, say, say_of
from bot.language.line import Text, heading, small, strong
from bot.views.card import Button, Card
from bot.views.game import AtTable, FactWords, Since, Stories, Waiting, What
from bot.views.labels import listed
from rules.campaign.story import SessionStory, Tally
from rules.facts import Fact
from rules.game import Step
from rules.table import Character, Table
from tests.hearts.state import (
    HEARTS,
    Bonded,
    Clock,
    ClockMoved,
    HeartsHidden,
    HeartsPushed,
    HeartsRoll,
    HeartsRolled,
    StressMoved,
)

WORDS = FactWords()


class HeartsWhat(What):
    """What waits."""

    MERCY = later("{count} mercy"), later("{count} mercies")


def headline(roll: HeartsRoll) -> Text:
    """`Alice: 5, the highest of 2, 5 and 3`."""
    faces = listed(map(str, roll.faces))
    return say("{who}: {highest}, the highest of {faces}", who=roll.who, highest=roll.highest, faces=faces)


def roll_card(table: Table, roll: HeartsRoll) -> Card:
    """A roll as it is, with the button that pushes it."""
    note = [roll.note] if roll.note else []
    push = Button(say("Push"), "heartspush", roll.number, str(roll.pushed))
    return Card((heading(headline(roll)), *note), ((push,),), roll=roll)


def hidden_card(roll: HeartsRoll) -> Card:
    """A hidden roll, for who made it."""
    reveal = Button(say("Reveal"), "heartsreveal", roll.number)
    return Card((heading(headline(roll)), small(say("Only you see this."))), ((reveal,),), private=True)


def told(table: Table, step: Step, fact: Fact) -> Card | None:
    """The card of a step that made or changed a roll."""
    if isinstance(fact, HeartsHidden):
        return hidden_card(fact.roll)
    if not isinstance(fact, HeartsRolled | HeartsPushed):
        return None
    return roll_card(table, HEARTS.of(table).rolls[fact.roll.number])


@WORDS.line(StressMoved)
def _stress(fact: StressMoved) -> Text:
    return say("{who}: stress {before} to {after}", who=fact.who, before=fact.before, after=fact.after)


@WORDS.line(ClockMoved)
def _moved(fact: ClockMoved) -> Text:
    return say("{clock}: {after} of {size}", clock=fact.label, after=fact.after, size=fact.size)


@WORDS.line(Bonded)
def _bonded(fact: Bonded) -> Text:
    line = say("{who} would do anything for {to}", who=fact.who, to=fact.to)
    return say("{line}. Why: {why}", line=line, why=fact.why) if fact.why else line


@WORDS.line(HeartsPushed, is_of_roll=True)
def _pushed(fact: HeartsPushed) -> Text:
    return say("{who} pushes: {face}", who=fact.roll.who, face=fact.face)


@WORDS.in_log(HeartsRolled)
def _rolled_in_log(fact: HeartsRolled, of: Sequence[Fact], is_told: bool) -> Text:
    return headline(fact.roll)


@WORDS.in_log(HeartsHidden)
def _hidden_in_log(fact: HeartsHidden, of: Sequence[Fact], is_told: bool) -> Text:
    return headline(fact.roll)


def clock_words(clock: Clock) -> Text:
    """`The storm: 2 of 6`."""
    return say("{clock}: {after} of {size}", clock=clock.label, after=clock.filled, size=clock.size)


def _pools(table: Table, before: Since = None) -> list[Text]:
    return [clock_words(clock) for clock in HEARTS.of(table).clocks.values()]


def _in_play(table: Table, character: Character, before: Since) -> list[Text]:
    return _parts(character)


def _parts(character: Character) -> list[Text]:
    stress = HEARTS.has(character).stress
    return [say("Stress {stress}", stress=stress)] if stress else []


def _sheet(character: Character) -> list[Text]:
    own = HEARTS.has(character)
    bond = [say("{head} {what}", head=strong(say("Bond")), what=own.bond)] if own.bond else []
    return [*_parts(character), *bond]


def _unseen(table: Table) -> list[Text]:
    return [say("Hidden: {roll}", roll=headline(roll)) for roll in HEARTS.of(table).hidden.values()]


def _has_sheet(character: Character) -> bool:
    return bool(HEARTS.has(character).bond)


AT_TABLE = AtTable(pools=_pools, parts=_in_play, sheet=_sheet, unseen=_unseen, has_sheet=_has_sheet)


def waiting(table: Table) -> Iterable[Waiting]:
    """Whoever has as much stress as there is waits for mercy."""
    for each in table.characters.values():
        if HEARTS.has(each).stress >= 9:
            yield Waiting(each.name, HeartsWhat.MERCY, 1, say("stress"), stamp="9")


def clock_lines(table: Table) -> list[Text]:
    """The view of all clocks."""
    return _pools(table) or [say("No clock runs. Example: /hearts clock name:Storm")]


def _moments(told: SessionStory, best: HeartsRoll) -> Iterator[Text]:
    yield say("Best heart: {roll}", roll=headline(best))


def _person(each: Tally) -> list[Text]:
    pushes = each["pushes"]
    return [say_of(pushes, "{count} push", "{count} pushes")] if pushes else []


STORIES = Stories("hearts", moments=_moments, open=_pools, came_to=_person, figures=_person)
