"""The settings of a table in words: what each is about, what differs from the ruleset, subject by subject."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.language import later, say, say_of
from bot.language.line import BREAK, Text, capital, heading, joined, small, strong
from bot.language.printers import PHONE, phone_lines
from bot.language.said import cut
from bot.render.parts import listed, shortened
from bot.render.words import UNNAMED
from rules.campaign import lifecycle
from rules.campaign.lifecycle import RULESET, SETTINGS, differences, names, usual
from rules.settings import Setting, Takes
from rules.table import Table
from rules.values import exhaustive

LOG = "log"
"""What is set beside the settings that a table keeps: the channel of its log, which it can be without."""
MOST_LINES = 16
"""What differs from the ruleset takes so many lines of a phone at most."""
MOST_FIELDS = 5
"""A form has so many fields."""
MOST_ON_PAGE = 7
"""So many settings are on a page of a subject, each in two lines of a phone or less, as a rule."""


class Subject(StrEnum):
    """What a setting belongs to."""

    ROLLING = "rolling"
    DOOM = "doom"
    GROWTH = "growth"
    TIME = "time"
    MODS = "mods"
    LOOKS = "looks"


SUBJECTS: Mapping[Subject, str] = exhaustive(
    Subject,
    {
        Subject.ROLLING: later("Rolling"),
        Subject.DOOM: later("{doom_pool.Short}"),
        Subject.GROWTH: later("Growth"),
        Subject.TIME: later("Time"),
        Subject.MODS: later("Mods"),
        Subject.LOOKS: later("Looks"),
    },
)


@dataclass(frozen=True, slots=True)
class About:
    """What a setting is about: its subject, and a sentence short enough for a suggestion."""

    subject: Subject
    what: str


def of_subject(subject: Subject, settings: Mapping[str, str]) -> Mapping[str, About]:
    """What settings of one subject are about."""
    return {name: About(subject, what) for name, what in settings.items()}


_ABOUT: Mapping[str, About] = exhaustive(
    SETTINGS,
    {
        **of_subject(
            Subject.TIME,
            {
                "pace": later("live, or post: everyone plays when they have time"),
                "deadline": later("by post: hours before something is overdue"),
                "time zone": later("the zone for dates that you type"),
            },
        ),
        **of_subject(
            Subject.LOOKS,
            {
                "name": later("the table's name"),
                "dice": later("rolled dice: pictures or words"),
                "words": later("your words for the game's terms"),
                LOG: later("turned off here; choose its channel with the option log"),
            },
        ),
    },
)
_known: dict[str, About] = {**_ABOUT}
_rulesets: dict[str, str] = {}


def learn(about: Mapping[str, About], rulesets: Mapping[str, str]) -> None:
    """Let settings and rulesets of the games mean that. Raises LookupError for one that means nothing."""
    _known.update(exhaustive(lifecycle.settings(), {**_ABOUT, **about}))
    _rulesets.update(rulesets)


def setting_words(name: str) -> Text:
    """A setting as it is suggested, with what it is about."""
    return say("{setting}: {about}", setting=name, about=about_setting(name))


def about_setting(name: str) -> Text:
    """What a setting is about."""
    return say(_known[name].what)


def ruleset_words(name: str) -> Text:
    """A ruleset as it is suggested, with what it means."""
    return say("{setting}: {about}", setting=name, about=about_ruleset(name))


def about_ruleset(name: str) -> Text:
    """What a ruleset means."""
    return say(_rulesets[name])


def pages_of(subject: Subject) -> list[tuple[str, ...]]:
    """The settings of a subject, page by page, each of which a form can ask for."""
    known = lifecycle.settings()
    found: list[tuple[str, ...]] = []
    for name in names():
        if _known[name].subject is not subject:
            continue
        more = (*found[-1], name) if found else ()
        if more and len(more) <= MOST_ON_PAGE and _fields(known[each] for each in more) <= MOST_FIELDS:
            found[-1] = more
        else:
            found.append((name,))
    return found


def page_of(setting: str) -> tuple[Subject, int]:
    """Where a setting stands: its subject, and on which of its pages."""
    subject = _known[setting].subject
    pages = pages_of(subject)
    return subject, next((place for place, page in enumerate(pages) if setting in page), len(pages) - 1)


def _fields(settings: Iterator[Setting]) -> int:
    """How many fields of a form these are: those that are on or off are one together."""
    takes = [each.takes for each in settings]
    switches = takes.count(Takes.SWITCH)
    return len(takes) - switches + bool(switches)


def campaign_lines(table: Table) -> list[Text]:
    """The campaign's name, seats and ruleset, and what differs from it."""
    gms = listed(shortened([*table.gms.values()])) or say("nobody (the table is open to everyone)")
    seats = [say("{gm.One}: {names}", names=strong(gms))]
    if RULESET in names():
        seats.append(say("Ruleset: {name}", name=strong(lifecycle.shown(table, RULESET))))
    lines = [heading(table.name or say(UNNAMED)), joined(". ", seats)]
    if table.archived:
        lines.append(say("Archived"))
    changed = differences(table)
    lines += [
        BREAK,
        say("Different from the ruleset:") if changed else small(say("Nothing differs from the ruleset.")),
    ]
    # One line is for where the log is.
    return [*lines, *_fitting(table, changed, MOST_LINES - 1 - sum(map(phone_lines, lines)))]


def _fitting(table: Table, changed: Sequence[str], room: int) -> list[Text]:
    """Settings in so many lines of a phone, all if that can be, the first ones with what they are about."""
    found = [strong(cut(_set(table, name), PHONE)) for name in changed]
    if len(found) > room:
        more = len(found) - max(room - 1, 1)
        return [*found[:-more], small(say_of(more, "and {count} more", "and {count} more"))]
    room -= len(found)
    for place, name in enumerate(changed):
        told = _told(table, name)
        room -= phone_lines(told) - 1
        if room < 0:
            break
        found[place] = told
    return found


def _told(table: Table, name: str) -> Text:
    """A setting that differs, with what it is about."""
    return say("{setting}. {about}", setting=strong(_set(table, name)), about=capital(about_setting(name)))


def _set(table: Table, name: str) -> str:
    return f"{name}: {lifecycle.shown(table, name)}"


def subject_lines(table: Table, subject: Subject, page: int) -> list[Text]:
    """The settings on a page of a subject, a sentence each; what differs says what the ruleset has."""
    pages, changed, by_ruleset = pages_of(subject), differences(table), usual(table)
    title = say(SUBJECTS[subject])
    if len(pages) > 1:
        title = say("{subject}, page {page} of {pages}", subject=title, page=page + 1, pages=len(pages))
    lines = [heading(title)]
    for name in pages[page]:
        about = capital(about_setting(name))
        if name in changed:
            lines.append(
                say(
                    "{setting}, instead of {usual}. {about}",
                    setting=strong(_set(table, name)),
                    usual=lifecycle.shown(by_ruleset, name),
                    about=about,
                )
            )
        else:
            lines.append(say("{setting}. {about}", setting=strong(_set(table, name)), about=about))
    return lines


def subject_words(table: Table, subject: Subject) -> Text:
    """A subject, and how many of its settings differ."""
    title, changed = say(SUBJECTS[subject]), differences(table)
    count = sum(name in changed for page in pages_of(subject) for name in page)
    return say("{subject}, {count} changed", subject=title, count=count) if count else title


def subject_hint(subject: Subject) -> str:
    """Which settings a subject has."""
    return ", ".join(name for page in pages_of(subject) for name in page)
