"""Facts in words: the lines of a step, the log, and news."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from bot.clock import UNKNOWN
from bot.language import later, say, say_of
from bot.language.line import (
    Text,
    TimeStyle,
    aloud,
    channel,
    heading,
    joined,
    moment,
    nothing,
    strong,
    together,
)
from bot.language.said import cut, distinct
from bot.store import codec
from bot.store.history import LogStep
from bot.views.card import illegible, or_illegible
from bot.views.game import SHOWN, FactWords, Telling
from bot.views.labels import (
    BOUNDARIES,
    COMING,
    FATES,
    NOBODY,
    SEATS,
    UNNAMED,
    listed,
    lost_words,
    roller_words,
    shortened,
    stretch_words,
)
from bot.views.settings import LOG
from rules.campaign.schedule import answers, silent
from rules.campaign.zones import local
from rules.facts import (
    SHARED_FACTS,
    Began,
    BoundaryChanged,
    CalledOff,
    Ended,
    Event,
    Fact,
    Forgotten,
    Illegible,
    Imported,
    Moved,
    Noted,
    NoteDone,
    OldWords,
    Planned,
    PortraitChanged,
    Quoted,
    QuoteTakenOut,
    Redone,
    Replied,
    RollNoted,
    Seated,
    SettingChanged,
    SettingsKept,
    SheetChanged,
    StepsLost,
    TimesAsked,
    TimeSuited,
    Titled,
    Undone,
    XpChanged,
)
from rules.game import played
from rules.names import Coming, key
from rules.table import Table, with_note
from rules.values import exhaustive, replace


def always(fact: Any) -> bool:
    """Return True for any fact."""
    return True


WORDS = FactWords()
"""How facts of any table are put into words."""


def _nobody_says(fact: Fact) -> Text:
    raise LookupError(f"{type(fact).__name__} has no words")


_UNKNOWN = Telling(_nobody_says)


def telling(fact: Fact) -> Telling:
    """Return how a fact is put into words; its line raises LookupError for an unregistered kind."""
    kind = type(fact)
    return SHOWN.tellings.get(kind) or WORDS.by_kind.get(kind, _UNKNOWN)


def line_of(fact: Fact) -> Text:
    """Return a fact as a plain line, or the line that it can't be shown."""
    return or_illegible(lambda: [_line(fact)], type(fact).__name__)[0]


def _line(fact: Fact) -> Text:
    line = telling(fact).line
    if line is None:
        raise LookupError(f"{type(fact).__name__} has a card of its own")
    return line(fact)


def followed(roll_number: int, step: int, of: Sequence[Event]) -> list[Text]:
    """Return what a step added to a roll: line by line for the step that made it, later in one line."""
    lines = list(map(line_of, of))
    return lines if step == roll_number else [joined("; ", lines)]


_LONGEST_SETTING = 60
"""A longer value of a setting isn't said in an undo."""


@WORDS.line(OldWords)
def _event_line(fact: OldWords) -> str:
    return fact.text


@WORDS.line(Illegible)
def _illegible(fact: Illegible) -> Text:
    return illegible(fact.kind)


def _began_undone(fact: Began) -> Text:
    return say("{what} hasn't begun", what=stretch_words(fact.what, fact.number, fact.name))


@WORDS.line(Began, undone=_began_undone)
def _began(fact: Began) -> Text:
    what = stretch_words(fact.what, fact.number, fact.name)
    if fact.day:
        return say("{what} begins. Day: {day}", what=what, day=fact.day)
    return say("{what} begins", what=what)


def _ended_undone(fact: Ended) -> Text:
    return say("{what} is running again", what=stretch_words(fact.what, fact.number, fact.name))


@WORDS.line(Ended, undone=_ended_undone)
def _ended(fact: Ended) -> Text:
    what = stretch_words(fact.what, fact.number, fact.name)
    if not fact.closed:
        return say("{what} ends", what=what)
    return say(
        "{what} ends. Open rolls closed: {names}", what=what, names=listed(map(roller_words, fact.closed))
    )


@WORDS.line(PortraitChanged)
def _portrait_changed(fact: PortraitChanged) -> Text:
    if fact.is_gone:
        return say("{who} no longer has a portrait", who=fact.who)
    return say("{who} has a new portrait", who=fact.who)


_NOTES = {
    (False, False): (later("Note about {about}: {text}"), later("Note: {text}")),
    (False, True): (later("Open note about {about}: {text}"), later("Open: {text}")),
    (True, False): (later("The {gm.one}’s note about {about}: {text}"), later("The {gm.one}’s note: {text}")),
    (True, True): (
        later("The {gm.one}’s note about {about}, still open: {text}"),
        later("The {gm.one}’s note, still open: {text}"),
    ),
}
"""How a note is told, about something and without: by whether it is the GM's alone, and is open."""


@WORDS.line(Noted)
def _noted(fact: Noted) -> Text:
    with_it, alone = _NOTES[fact.secret, fact.is_open]
    return say(with_it if fact.about else alone, about=fact.about, text=fact.text)


@WORDS.line(NoteDone)
def _note_done(fact: NoteDone) -> Text:
    if fact.secret:
        return say("The {gm.one}’s note is done: {text}", text=fact.text)
    return say("Done: {text}", text=fact.text)


@WORDS.line(RollNoted)
def _roll_noted(fact: RollNoted) -> Text:
    return say("What {who} rolled for: {note}", who=roller_words(fact.who), note=fact.note)


@WORDS.line(Quoted)
def _quoted(fact: Quoted) -> Text:
    if not fact.text:
        return say("A quote by {who}, since removed", who=fact.who or fact.by)
    return say("Quoted: {what}", what=quoted_words(fact))


def quoted_words(fact: Quoted) -> Text:
    """Return a quote with its speaker: `Mira: “The map lies.”`"""
    return say("{who}: “{text}”", who=fact.who or fact.by, text=fact.text)


@WORDS.line(Titled)
def _titled(fact: Titled) -> Text:
    return say("{session.One} {number} is now called {title}", number=fact.number, title=strong(fact.title))


def _asked_to_come(table: Table, fact: Planned) -> Iterable[int]:
    """Who hears of a session that is planned or moved: not who has planned it, or is out."""
    said = answers(table, table.plan) if table.plan is not None else {}
    if fact.asked:  # whom the time suits hears that it is taken
        return [player for player, (_, coming) in said.items() if coming is None or player not in table.gms]
    return [player for player, (_, coming) in said.items() if coming is None]


@WORDS.line(Planned, people=_asked_to_come)
def _planned(fact: Planned) -> Text:
    day = moment(fact.at, TimeStyle.DAY)
    if fact.was:
        before = moment(fact.was, TimeStyle.DAY)
        return say("The {session.one} on {before} has been moved to {day}", before=before, day=strong(day))
    return say("The next {session.one} is on {day}", day=strong(day))


def _asked_when(table: Table, fact: TimesAsked) -> Iterable[int]:
    """Who hears of times that are asked for: who has not said that any suits them."""
    return [] if table.plan is None else [p for p in silent(table, table.plan) if p not in table.gms]


@WORDS.line(TimesAsked, people=_asked_when)
def _times_asked(fact: TimesAsked) -> Text:
    days = listed([strong(moment(at, TimeStyle.DAY)) for at in fact.times])
    if fact.was:
        before = moment(fact.was, TimeStyle.DAY)
        return say(
            "The {session.one} on {before} needs a new time. Proposed: {days}", before=before, days=days
        )
    return say("Proposed for the next {session.one}: {days}", days=days)


@WORDS.line(TimeSuited)
def _time_suited(fact: TimeSuited) -> Text:
    day = moment(fact.at, TimeStyle.DAY)
    if fact.can:
        return say("{who} can play on {day}", who=fact.who, day=day)
    return say("{who} can no longer play on {day}", who=fact.who, day=day)


def _expected(table: Table, fact: CalledOff | None = None) -> Iterable[int]:
    """Who hears of a session that is called off: who may have come."""
    said = answers(table, table.plan) if table.plan is not None else {}
    return [player for player, (_, coming) in said.items() if coming not in (Coming.OUT, Coming.AWAY)]


@WORDS.line(CalledOff, people=_expected)
def _called_off(fact: CalledOff) -> Text:
    if not fact.at:
        return say("The search for a time has been called off")
    return say("The {session.one} on {day} has been called off", day=moment(fact.at, TimeStyle.DAY))


@WORDS.line(Replied)
def _replied(fact: Replied) -> Text:
    return say(COMING[fact.coming].told, who=fact.who, day=moment(fact.at, TimeStyle.DAY))


@WORDS.line(Seated)
def _seat(fact: Seated) -> Text:
    player = fact.by or say(NOBODY)
    return say(SEATS[fact.seat], who=fact.who, was=fact.was, player=player)


@WORDS.line(Moved)
def _moved(fact: Moved) -> Text:
    return say(FATES[fact.fate], table=fact.name or say(UNNAMED))


def _setting_undone(fact: SettingChanged) -> Text | None:
    """Say the value before, if it is known and short enough to be said."""
    if not 0 < len(fact.value_before) <= _LONGEST_SETTING:
        return None
    return say("{setting}: {value} again", setting=fact.setting, value=fact.value_before)


@WORDS.line(SettingChanged, undone=_setting_undone)
def _setting_changed(fact: SettingChanged) -> str:
    return f"{fact.setting}: {fact.value}"


@WORDS.line(SettingsKept)
def _settings_kept(fact: SettingsKept) -> Text:
    return say("kept: {settings}", settings=", ".join(map(" ".join, fact.settings)))


@WORDS.line(SheetChanged)
def _sheet_changed(fact: SheetChanged) -> Text:
    return say("{who}'s sheet has changed", who=fact.who)


def _xp_undone(fact: XpChanged) -> Text:
    return say("{who} has {points} again", who=fact.who, points=strong(say("{xp} XP", xp=fact.before)))


@WORDS.line(XpChanged, undone=_xp_undone, subject=lambda fact: key(fact.who))
def _xp(fact: XpChanged) -> Text:
    change, points = fact.after - fact.before, strong(say("{xp} XP", xp=fact.after))
    if not fact.why:
        return say("{who}: {points} ({change:+d})", who=fact.who, points=points, change=change)
    return say(
        "{who}: {points} ({change:+d}, {why})", who=fact.who, points=points, change=change, why=fact.why
    )


@WORDS.line(Imported)
def _imported(fact: Imported) -> Text:
    people = listed(shortened(fact.names)) or say("nobody yet")
    return say("{table} has been imported, with {people}", table=fact.what or say(UNNAMED), people=people)


@WORDS.line(StepsLost)
def _steps_lost(fact: StepsLost) -> Text:
    return lost_words(fact.number, fact.count)


@WORDS.line(BoundaryChanged)
def _boundary_changed(fact: BoundaryChanged) -> Text:
    words = BOUNDARIES[fact.kind]
    return say(words.gone if fact.is_gone else words.new, what=fact.what)


def asked_anew(table: Table, fact: Undone | Redone) -> Iterable[int]:
    """Return the ids of those to notify of an undo or redo that changes the time of the session again."""
    return (
        _expected(table)
        if any(isinstance(each, Planned | TimesAsked | CalledOff) for each in fact.facts)
        else ()
    )


_MOST_UNDONE = 5
"""An undo says at most this many changes."""


def fact_lines(fact: Fact) -> list[Text]:
    """Return a fact's lines; none for a roll, whose card shows everything."""
    return or_illegible(lambda: _fact_lines(fact), type(fact).__name__)


def _fact_lines(fact: Fact) -> list[Text]:
    how = telling(fact)
    return [] if how.line is None or how.is_beside else [how.line(fact)]


def lines_told(table: Table, of: Sequence[Fact]) -> tuple[tuple[Text, ...], tuple[int, ...]]:
    """Return the lines of facts, and the ids of the people concerned."""
    return tuple(lines(of)), concerned(table, of)


def summed_up(table: Table, of: Sequence[Fact]) -> tuple[Text, tuple[int, ...]]:
    """Return facts as one line for the log, and the ids of the people concerned."""
    return summary(of), concerned(table, of)


def lines(of: Iterable[Fact]) -> list[Text]:
    """Return the facts, one line each."""
    return [line for fact in of for line in fact_lines(fact)]


def summary(of: Sequence[Fact]) -> Text:
    """Return what happened as one line for the log, with every visible die of a roll."""
    found: list[Text] = []
    is_told = False
    for fact in of:
        found += or_illegible(partial(_summed, fact, of, is_told=is_told), type(fact).__name__)
        is_told = telling(fact).is_of_roll
    return aloud(joined("; ", distinct(found)))


def _summed(fact: Fact, of: Sequence[Fact], *, is_told: bool) -> list[Text]:
    """What a fact is in the log, among those of its step; `is_told` where the one before told of its roll."""
    in_log = telling(fact).in_log
    if in_log is None:
        return fact_lines(fact)
    line = in_log(fact, of, is_told)
    return [] if line is None else [line]


def news(
    table: Table, of: Sequence[Fact], but: Fact | None = None
) -> tuple[tuple[Text, ...], tuple[int, ...]]:
    """Return the lines that deserve a separate message, and the ids of the people concerned.

    They are for a roll's message that is only edited: endings, takeouts, and contests that go on after all;
    without the line of the fact `but`.
    """
    found = []
    for fact in of:
        is_news = telling(fact).is_news
        if is_news is not None and fact is not but and is_news(fact):
            found.append(line_of(fact))
    return tuple(found), concerned(table, of) if found else ()


def concerned(table: Table, of: Iterable[Fact]) -> tuple[int, ...]:
    """Return the ids of the people whom facts concern: players of characters who are taken out, whose turn it
    is, who must answer or are targets of a GM's roll; for a GMC, the GM.
    """
    names, others = set[str](), list[int]()
    for fact in of:
        how = telling(fact)
        if how.whom is not None:
            names.update(map(key, how.whom(fact)))
        if how.people is not None:
            others += how.people(table, fact)
    whom = [each for who, each in table.characters.items() if who in names] if names else []
    players = [each.player for each in whom if each.player]
    is_gms = any(each.gmc and not each.player for each in whom)
    return tuple(dict.fromkeys([*players, *others, *(table.gms if is_gms else ())]))


@WORDS.line(Undone, people=asked_anew)
def _undone(fact: Undone) -> Text:
    """Say the state after an undo; quote facts that have no state as they were told."""
    states, others, settings = list[Text](), list[Fact](), set[str]()
    for each in _merged(fact.facts):
        how = telling(each)
        if isinstance(each, SettingChanged):  # a step changes settings first
            settings.add(each.setting)
        if settings and how.setting is not None and how.setting(each) in settings:
            continue
        state = None if how.undone is None or (how.has_parts and fact.has_later) else how.undone(each)
        if state is None:
            others.append(each)
        else:
            states.append(state)
    quoted = [say("“{what}”", what=summary(others[:_MOST_UNDONE]))] if others else []
    told = distinct([*quoted, *states])
    if more := len(others[_MOST_UNDONE:]) + len(told[_MOST_UNDONE:]):
        told = [*told[:_MOST_UNDONE], say_of(more, "{count} more change", "{count} more changes")]
    return say("Undone: {what}", what=aloud(joined("; ", told)))


def _merged(facts: Iterable[Fact]) -> Iterable[Any]:
    """Yield the facts of a step, with changes of the same thing merged: from its first state to its last."""
    found: dict[Hashable, Any] = {}
    for place, each in enumerate(facts):
        subject = telling(each).subject
        of = place if subject is None else (type(each), subject(each))
        found[of] = replace(found[of], after=getattr(each, "after")) if of in found else each  # noqa: B009
    return found.values()


@WORDS.line(Redone, people=asked_anew)
def _redone(fact: Redone) -> Text:
    """Say what was done again; quote it if its numbers are not the present ones."""
    what = summary(fact.facts)
    is_past = fact.has_later and any(telling(each).has_parts for each in fact.facts)
    return say("Redone: {what}", what=say("“{what}”", what=what) if is_past else what)


@WORDS.line(QuoteTakenOut)
def _quote_taken_out(fact: QuoteTakenOut) -> Text:
    return say("A quote by {who} has been removed", who=fact.who or fact.by)


@WORDS.line(Forgotten)
def _forgotten(fact: Forgotten) -> Text:
    return say("{who}'s data was deleted at their request", who=fact.name)


_SHARED: Mapping[type[Fact], str] = {**SHARED_FACTS.tags, Illegible: ""}
exhaustive(_SHARED, WORDS.by_kind)


def log_lines(steps: Iterable[LogStep], who: str | None = None, zone: str = "") -> list[Text]:
    """Return steps as lines, newest first, grouped by day in a time zone; undone steps are marked.

    `who` is the name by which the steps were filtered, if any.
    """
    found = list(steps)
    notes = _later_notes(found)
    lines: list[Text] = []
    day = None
    for step in found:
        if not step.is_veiled and step.at != UNKNOWN and (now := local(step.at, zone).date()) != day:
            lines.append(heading(moment(step.at, TimeStyle.CALENDAR)))
            day = now
        lines.append(_log_line(step, notes))
    none = (
        say("No step in the log names that character.")
        if who
        else say("Nothing has happened at this table yet.")
    )
    return lines or [nothing(none)]


def recap_lines(steps: Iterable[LogStep]) -> list[Text]:
    """Return steps as a story, oldest first, without times."""
    found = list(steps)
    notes = _later_notes(found)
    lines = [
        together(strong(step.author.name), ": ", summary(_with_notes(step.facts, notes))) for step in found
    ]
    return (
        [heading(say("What happened")), *lines]
        if lines
        else [say("Nothing has happened in this {session.one} yet.")]
    )


def rolls_told(steps: Iterable[tuple[str, Sequence[Fact]]]) -> list[Text]:
    """Return the steps that made a roll, with the person, oldest first, without times."""
    made = tuple(game.made for game in played() if game.made)
    return [
        together(strong(who), ": ", summary(facts))
        for who, facts in steps
        if any(isinstance(fact, made) for fact in facts)
    ]


def step_words(step: LogStep) -> Text:
    """Return a step in a phrase: `step 3 (“Alice: 2 PP (+1)”)`."""
    if step.secret:
        return say("step {number} (the {gm.one}’s)", number=step.number)
    return say("step {number} (“{what}”)", number=step.number, what=summary(step.facts))


def _log_line(step: LogStep, notes: Mapping[int, str]) -> Text:
    if step.is_veiled:
        return say("{number}: a hidden step", number=step.number)
    when = "" if step.at == UNKNOWN else together(", ", moment(step.at, TimeStyle.TIME))
    what = summary(_with_notes(step.facts, notes))
    line: Text = together(step.number, ". ", step.author.name, when, ": ", what)
    return say("{step} (undone)", step=line) if step.undone else line


def _later_notes(steps: Iterable[LogStep]) -> dict[int, str]:
    """What was said later of rolls, by their numbers: what was said last."""
    told = [step for step in steps if not step.undone and codec.may_hold(step.written, RollNoted)]
    told.sort(key=lambda step: step.number)
    return {fact.roll: fact.note for step in told for fact in step.facts if isinstance(fact, RollNoted)}


def _with_notes(facts: Sequence[Fact], notes: Mapping[int, str]) -> tuple[Fact, ...]:
    """Facts whose rolls say what they were for, also where that was said later."""
    return tuple(_with_note(fact, notes) if notes else fact for fact in facts)


def _with_note(fact: Fact, notes: Mapping[int, str]) -> Fact:
    made: Any = fact
    if not any(type(fact) is game.made for game in played()) or made.roll.number not in notes:
        return fact
    fresh: Fact = replace(made, roll=with_note(made.roll, notes[made.roll.number]))
    return fresh


def place_lines(place: int) -> list[Text]:
    """Return the settings line that says where else each step is posted; none if nowhere."""
    return [strong(together(LOG, ": ", channel(place)))] if place else []


def told_line(step: LogStep, rolls: Mapping[int, Fact], link: str, most: int) -> Text:
    """Return a step as in the log, with the current state of its roll and a link to it.

    At most that many characters of what happened are included.
    """
    what = summary(tuple(_as_it_is(fact, rolls) for fact in step.facts))
    line: Text = together(step.number, ". ", step.author.name, ": ", cut(what, most))
    line = say("{step} (undone)", step=line) if step.undone else line
    return together(line, " ", link) if link else line


def rolls_now(table: Table, steps: Iterable[LogStep]) -> dict[int, Fact]:
    """Return the rolls that steps made, by number: as on the table, or as the steps left them.

    The steps must be newest first.
    """
    found: dict[int, Fact] = {}
    steps = list(steps)
    notes = _later_notes(steps)
    for fact in (fact for step in steps if not step.undone for fact in step.facts):
        for made in filter(None, (game.as_made(fact) for game in played())):
            found.setdefault(_number(made), _with_note(made, notes))
    for game in played():
        found |= game.rolls_now(table)
    return found


def _as_it_is(fact: Fact, rolls: Mapping[int, Fact]) -> Fact:
    is_made = any(type(fact) is game.made for game in played())
    return rolls.get(_number(fact), fact) if is_made else fact


def _number(made: Any) -> int:
    """The number of the roll that was made."""
    number: int = made.roll.number
    return number
