"""Facts of any table in words: one plain line each. Nothing reads these words back."""

from collections.abc import Iterable, Mapping

from bot.language import later, say
from bot.language.line import Text, TimeStyle, moment, strong
from bot.render.illegible import illegible
from bot.render.kinds import BOUNDARIES, COMING, FATES, SEATS
from bot.render.parts import (
    listed,
    roller,
    shortened,
)
from bot.render.telling import Telling
from bot.render.words import (
    NOBODY,
    UNNAMED,
    lost_words,
    stretch_words,
)
from rules.campaign.schedule import answers, silent
from rules.facts import (
    Began,
    BoundaryChanged,
    CalledOff,
    Ended,
    Fact,
    Illegible,
    Imported,
    Moved,
    Noted,
    NoteDone,
    OldWords,
    Planned,
    PortraitChanged,
    Quoted,
    Redone,
    Replied,
    RollNoted,
    Seated,
    SettingChanged,
    SettingsKept,
    SharedEvent,
    SheetChanged,
    StepsLost,
    TimesAsked,
    TimeSuited,
    Titled,
    Undone,
)
from rules.names import Coming
from rules.table import Table
from rules.values import exhaustive

_LONGEST_SETTING = 60
"""A longer value of a setting isn't said in an undo."""


def _line(fact: OldWords) -> str:
    return fact.text


def _illegible(fact: Illegible) -> Text:
    return illegible(fact.kind)


def _began(fact: Began) -> Text:
    what = stretch_words(fact.what, fact.number, fact.name)
    if fact.day:
        return say("{what} begins. Day: {day}", what=what, day=fact.day)
    return say("{what} begins", what=what)


def _ended(fact: Ended) -> Text:
    what = stretch_words(fact.what, fact.number, fact.name)
    if not fact.closed:
        return say("{what} ends", what=what)
    return say("{what} ends. Open rolls closed: {names}", what=what, names=listed(map(roller, fact.closed)))


def _began_undone(fact: Began) -> Text:
    return say("{what} hasn't begun", what=stretch_words(fact.what, fact.number, fact.name))


def _ended_undone(fact: Ended) -> Text:
    return say("{what} is running again", what=stretch_words(fact.what, fact.number, fact.name))


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


def _noted(fact: Noted) -> Text:
    with_it, alone = _NOTES[fact.secret, fact.is_open]
    return say(with_it if fact.about else alone, about=fact.about, text=fact.text)


def _note_done(fact: NoteDone) -> Text:
    if fact.secret:
        return say("The {gm.one}’s note is done: {text}", text=fact.text)
    return say("Done: {text}", text=fact.text)


def _roll_noted(fact: RollNoted) -> Text:
    return say("What {who} rolled for: {note}", who=roller(fact.who), note=fact.note)


def _quoted(fact: Quoted) -> Text:
    if not fact.text:
        return say("A quote by {who}, since removed", who=fact.who or fact.by)
    return say("Quoted: {what}", what=quoted_words(fact))


def quoted_words(fact: Quoted) -> Text:
    """What somebody wrote, in their words: `Mira: “The map lies.”`"""
    return say("{who}: “{text}”", who=fact.who or fact.by, text=fact.text)


def _titled(fact: Titled) -> Text:
    return say("{session.One} {number} is now called {title}", number=fact.number, title=strong(fact.title))


def _planned(fact: Planned) -> Text:
    day = moment(fact.at, TimeStyle.DAY)
    if fact.was:
        before = moment(fact.was, TimeStyle.DAY)
        return say("The {session.one} on {before} has been moved to {day}", before=before, day=strong(day))
    return say("The next {session.one} is on {day}", day=strong(day))


def _times_asked(fact: TimesAsked) -> Text:
    days = listed([strong(moment(at, TimeStyle.DAY)) for at in fact.times])
    if fact.was:
        before = moment(fact.was, TimeStyle.DAY)
        return say(
            "The {session.one} on {before} needs a new time. Proposed: {days}", before=before, days=days
        )
    return say("Proposed for the next {session.one}: {days}", days=days)


def _time_suited(fact: TimeSuited) -> Text:
    day = moment(fact.at, TimeStyle.DAY)
    if fact.can:
        return say("{who} can play on {day}", who=fact.who, day=day)
    return say("{who} can no longer play on {day}", who=fact.who, day=day)


def _called_off(fact: CalledOff) -> Text:
    if not fact.at:
        return say("The search for a time has been called off")
    return say("The {session.one} on {day} has been called off", day=moment(fact.at, TimeStyle.DAY))


def _replied(fact: Replied) -> Text:
    return say(COMING[fact.coming].told, who=fact.who, day=moment(fact.at, TimeStyle.DAY))


def _seat(fact: Seated) -> Text:
    player = fact.by or say(NOBODY)
    return say(SEATS[fact.seat], who=fact.who, was=fact.was, player=player)


def _moved(fact: Moved) -> Text:
    return say(FATES[fact.fate], table=fact.name or say(UNNAMED))


def _setting_changed(fact: SettingChanged) -> str:
    return f"{fact.setting}: {fact.value}"


def _setting_undone(fact: SettingChanged) -> Text | None:
    """Say the value before, if it is known and short enough to be said."""
    if not 0 < len(fact.value_before) <= _LONGEST_SETTING:
        return None
    return say("{setting}: {value} again", setting=fact.setting, value=fact.value_before)


def _settings_kept(fact: SettingsKept) -> Text:
    return say("kept: {settings}", settings=", ".join(map(" ".join, fact.settings)))


def _sheet_changed(fact: SheetChanged) -> Text:
    return say("{who}'s sheet has changed", who=fact.who)


def _imported(fact: Imported) -> Text:
    people = listed(shortened(fact.names)) or say("nobody yet")
    return say("{table} has been imported, with {people}", table=fact.what or say(UNNAMED), people=people)


def _steps_lost(fact: StepsLost) -> Text:
    return lost_words(fact.number, fact.count)


def _boundary_changed(fact: BoundaryChanged) -> Text:
    words = BOUNDARIES[fact.kind]
    return say(words.gone if fact.is_gone else words.new, what=fact.what)


def _asked_to_come(table: Table, fact: Planned) -> Iterable[int]:
    """Who hears of a session that is planned or moved: not who has planned it, or is out."""
    said = answers(table, table.plan) if table.plan is not None else {}
    if fact.asked:  # whom the time suits hears that it is taken
        return [player for player, (_, coming) in said.items() if coming is None or player not in table.gms]
    return [player for player, (_, coming) in said.items() if coming is None]


def _asked_when(table: Table, fact: TimesAsked) -> Iterable[int]:
    """Who hears of times that are asked for: who has not said that any suits them."""
    return [] if table.plan is None else [p for p in silent(table, table.plan) if p not in table.gms]


def _expected(table: Table, fact: CalledOff | None = None) -> Iterable[int]:
    """Who hears of a session that is called off: who may have come."""
    said = answers(table, table.plan) if table.plan is not None else {}
    return [player for player, (_, coming) in said.items() if coming not in (Coming.OUT, Coming.AWAY)]


def asked_anew(table: Table, fact: Undone | Redone) -> Iterable[int]:
    """Who hears of a step back or forward: where the session is at another time again, who may come."""
    return (
        _expected(table)
        if any(isinstance(each, Planned | TimesAsked | CalledOff) for each in fact.facts)
        else ()
    )


WORDS: Mapping[type[Fact], Telling] = exhaustive(
    SharedEvent,
    {
        OldWords: Telling(_line),
        Illegible: Telling(_illegible),
        Began: Telling(_began, undone=_began_undone),
        Ended: Telling(_ended, undone=_ended_undone),
        PortraitChanged: Telling(_portrait_changed),
        Noted: Telling(_noted),
        NoteDone: Telling(_note_done),
        RollNoted: Telling(_roll_noted),
        Quoted: Telling(_quoted),
        Titled: Telling(_titled),
        Planned: Telling(_planned, people=_asked_to_come),
        TimesAsked: Telling(_times_asked, people=_asked_when),
        TimeSuited: Telling(_time_suited),
        CalledOff: Telling(_called_off, people=_expected),
        Replied: Telling(_replied),
        Seated: Telling(_seat),
        Moved: Telling(_moved),
        SettingChanged: Telling(_setting_changed, undone=_setting_undone),
        SettingsKept: Telling(_settings_kept),
        SheetChanged: Telling(_sheet_changed),
        Imported: Telling(_imported),
        StepsLost: Telling(_steps_lost),
        BoundaryChanged: Telling(_boundary_changed),
    },
)
"""How each kind is told. A new one is a class in `rules.facts`, a tag in the store, and its words here."""
