"""The settings of a campaign in words, and the forms that change them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from zlib import crc32

from bot.language import later, say, say_of
from bot.language.line import BREAK, Text, capital, heading, joined, small, strong
from bot.language.printers import PHONE, phone_lines
from bot.language.said import cut
from bot.views.card import Button, Field, Form, Menu, Option, Weight
from bot.views.game import Rule
from bot.views.labels import UNNAMED, listed, shortened
from bot.views.question import STALE, Fields, Pressed, pick
from rules.campaign import lifecycle
from rules.campaign.lifecycle import RULESET, differences, names, settings, table_by_ruleset
from rules.campaign.seats import Actor, is_gm, require_gm
from rules.errors import NotAllowed, TooLate
from rules.game import Step, terms_at
from rules.settings import Setting, SettingInput, SettingSubject
from rules.table import Table
from rules.terms import STANDARD, Term, Wording
from rules.text import Words
from rules.values import exhaustive

LOG = "log"
"""What is set beside the settings that a table keeps: the channel of its log, which it can be without."""
MOST_LINES = 16
"""What differs from the ruleset takes so many lines of a phone at most."""
MOST_FIELDS = 5
"""A form has so many fields."""
MOST_ON_PAGE = 7
"""So many settings are on a page of a subject, each in two lines of a phone or less, as a rule."""


SUBJECTS: Mapping[SettingSubject, str] = exhaustive(
    SettingSubject,
    {
        SettingSubject.ROLLING: later("Rolling"),
        SettingSubject.CHARACTERS: later("Characters"),
        SettingSubject.POINTS: later("{plot_point.Many}"),
        SettingSubject.DOOM: later("{doom_pool.Short}"),
        SettingSubject.TIME: later("Time"),
        SettingSubject.MODS: later("Mods"),
        SettingSubject.LOOKS: later("Looks"),
    },
)


_LOG_HELP = later("turned off here; choose its channel with the option log")


def setting_words(name: str) -> Text:
    """Return a setting as autocomplete shows it, with its description."""
    return say("{setting}: {about}", setting=name, about=about_setting(name))


def about_setting(name: str) -> Text:
    """Return the description of a setting."""
    return say(_LOG_HELP if name == LOG else settings()[name].about.help)


def ruleset_words(name: str) -> Text:
    """Return a ruleset as autocomplete shows it, with its description."""
    return say("{setting}: {about}", setting=name, about=about_ruleset(name))


def about_ruleset(name: str) -> Text:
    """Return the description of a ruleset."""
    return say(lifecycle.rulesets()[name])


def pages_of(subject: SettingSubject) -> list[tuple[str, ...]]:
    """Return a subject's settings in pages, each of which fits into a form."""
    known = settings()
    found: list[tuple[str, ...]] = []
    for name in names():
        if known[name].about.subject is not subject:
            continue
        more = (*found[-1], name) if found else ()
        if more and len(more) <= MOST_ON_PAGE and _fields(known[each] for each in more) <= MOST_FIELDS:
            found[-1] = more
        else:
            found.append((name,))
    return found


def settings_on(table: Table, subject: SettingSubject, page: int) -> tuple[str, ...]:
    """Return the settings on a page that the table has: those of its games. Raises IndexError."""
    known = names(table)
    return tuple(name for name in pages_of(subject)[page] if name in known)


def _pages(table: Table, subject: SettingSubject) -> list[int]:
    """The numbers of the pages of a subject on which the table has settings."""
    return [page for page in range(len(pages_of(subject))) if settings_on(table, subject, page)]


def page_of(setting: str) -> tuple[SettingSubject, int]:
    """Return the subject of a setting, and the number of its page."""
    subject = SettingSubject.LOOKS if setting == LOG else settings()[setting].about.subject
    pages = pages_of(subject)
    return subject, next((place for place, page in enumerate(pages) if setting in page), len(pages) - 1)


def _fields(settings: Iterator[Setting]) -> int:
    """How many fields of a form these are: those that are on or off are one together."""
    takes = [each.takes for each in settings]
    switches = takes.count(SettingInput.SWITCH)
    return len(takes) - switches + bool(switches)


def campaign_lines(table: Table) -> list[Text]:
    """Return the campaign's name, seats and ruleset, and where its settings differ from that."""
    gms = listed(shortened([*table.gms.values()])) or say("nobody (the table is open to everyone)")
    seats = [say("{gm.One}: {names}", names=strong(gms))]
    if RULESET in names(table):
        seats.append(say("Ruleset: {name}", name=strong(lifecycle.setting_value(table, RULESET))))
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
    return f"{name}: {lifecycle.setting_value(table, name)}"


def subject_lines(table: Table, subject: SettingSubject, page: int) -> list[Text]:
    """Return the settings on a page of a subject, a sentence each, with the ruleset's value if it differs."""
    pages, changed, by_ruleset = _pages(table, subject), differences(table), table_by_ruleset(table)
    title = say(SUBJECTS[subject])
    if len(pages) > 1 and page in pages:
        place = pages.index(page) + 1
        title = say("{subject}, page {page} of {pages}", subject=title, page=place, pages=len(pages))
    lines = [heading(title)]
    for name in settings_on(table, subject, page):
        about = capital(about_setting(name))
        if name in changed:
            lines.append(
                say(
                    "{setting}, instead of {usual}. {about}",
                    setting=strong(_set(table, name)),
                    usual=lifecycle.setting_value(by_ruleset, name),
                    about=about,
                )
            )
        else:
            lines.append(say("{setting}. {about}", setting=strong(_set(table, name)), about=about))
    return lines


def subject_words(table: Table, subject: SettingSubject) -> Text:
    """Return a subject, with the number of settings that differ from the ruleset."""
    title, changed = say(SUBJECTS[subject]), differences(table)
    count = sum(name in changed for page in _pages(table, subject) for name in pages_of(subject)[page])
    return say("{subject}, {count} changed", subject=title, count=count) if count else title


def subject_hint(table: Table, subject: SettingSubject) -> str:
    """Return which settings of a subject a table has."""
    return ", ".join(name for page in _pages(table, subject) for name in settings_on(table, subject, page))


OVERVIEW = "campaign"
"""The view of what differs from the ruleset."""
PAGES = "settings."
"""How the views of pages begin."""
PAGE = r"[a-z]+\.[0-9]{1,2}"
"""The subject of a button: a page of a subject."""
VIEW = rf"settings\.{PAGE}"
"""The view of a page of a subject."""
OPENED = rf"{PAGE}(?:\.[0-9a-f]{{1,8}})*"
"""The subject of a form: its page, and a sign of each value that it was opened with."""
ON = "on"
"""The field of all settings of a page that are on or off."""
LONGEST = 2000
"""A setting's value has at most this many characters; the longest are the words for all terms."""


OWN = "own"
"""The value of the option to start a campaign without a ready-made story."""


def new_campaign_form(stories: Sequence[Option], ruleset: str = "", *, is_open: bool = False) -> Form:
    """Return the form that starts a campaign: its name, a story or none, and a ruleset.

    `is_open` is sent with it, as the form's subject.
    """
    own = Option(say("Our own game"), OWN, say("Bring your own characters and ideas."))
    rulesets = [Option(name, name, about_ruleset(name)) for name in lifecycle.values(lifecycle.RULESET)]
    hint = say("Example: Skyfall. A ready-made story has a name.")
    return Form(
        say("New campaign"),
        (
            Field("name", say("Name"), hint=hint, required=False),
            pick("story", say("Story"), [own, *stories]),
            pick("ruleset", say("Ruleset"), rulesets, ruleset, optional=True),
        ),
        subject=OPEN if is_open else "",
    )


OPEN = "open"
"""The subject of the form for a campaign without a GM."""


def view_of(subject: SettingSubject, page: int = 0) -> str:
    """Return the view name of a page of a subject."""
    return f"{PAGES}{subject}.{page}"


def view_with(table: Table, setting: str) -> str:
    """Return the view name of the page with a setting of the table. Raises Unknown or Ambiguous."""
    return view_of(*page_of(lifecycle.setting_meant(setting, LOG, table=table)[0]))


_EARLIER = {"growth": SettingSubject.CHARACTERS.value}
"""What subjects were called in earlier versions, whose messages still have buttons."""


def read_page(text: str) -> tuple[SettingSubject, int]:
    """Parse the page from a button or a view name. Raises TooLate if it no longer exists.

    >>> read_page("growth.0")
    (<SettingSubject.CHARACTERS: 'characters'>, 0)
    """
    try:
        subject, page = text.removeprefix(PAGES).split(".")[:2]
        subject = _EARLIER.get(subject, subject)
        place, pages = int(page), pages_of(SettingSubject(subject))
    except ValueError:
        raise TooLate(STALE) from None
    if place >= len(pages):
        raise TooLate(STALE)
    return SettingSubject(subject), place


def chosen_view(chosen: tuple[str, ...]) -> str:
    """Return the view that was chosen in the menu. Raises TooLate if it isn't in the menu."""
    view = "".join(chosen[:1])
    return view if view == OVERVIEW else view_of(*read_page(view))


def page_lines(table: Table, view: str) -> list[Text]:
    """Return the settings on the page of a view."""
    return subject_lines(table, *read_page(view))


def menu(table: Table, view: str) -> Menu:
    """Return the menu of subjects, each with its differences, with the current one selected."""
    changed = say_of(len(differences(table)), "{count} setting differs", "{count} settings differ")
    shown = view if view == OVERVIEW else view_of(read_page(view)[0])
    options = [
        Option(subject_words(table, each), view_of(each), subject_hint(table, each))
        for each in SettingSubject
        if _pages(table, each)
    ]
    return Menu(
        say("Settings by subject"),
        "settings",
        "",
        (Option(say("What differs"), OVERVIEW, changed), *options),
        () if shown == OVERVIEW else (shown,),
    )


def page_buttons(table: Table, view: str, actor: Actor | None) -> tuple[Button, ...]:
    """Return the buttons below a page: change it, reset it, next page."""
    subject, page = read_page(view)
    pages = _pages(table, subject)
    found: list[Button] = []
    if actor is not None and is_gm(table, actor):
        found.append(Button(say("Change"), "settingschange", 0, f"{subject}.{page}", Weight.MAIN))
        changed = {*differences(table)}
        if any(name in changed for each in pages for name in pages_of(subject)[each]):
            found.append(Button(say("Reset"), "settingsreset", 0, f"{subject}.{page}"))
    if len(pages) > 1:
        place = (pages.index(page) + 1) % len(pages) if page in pages else 0
        label = say("Page {page} of {pages}", page=place + 1, pages=len(pages))
        found.append(Button(label, "page", subject=view_of(subject, pages[place])))
    return tuple(found)


def change_form(table: Table, actor: Actor, press: Pressed) -> Form:
    """Return the form for a page of settings; reopened, it still compares with its first state.

    Raises NotAllowed for people other than a GM; TooLate for a page that the table doesn't have.
    """
    require_gm(table, actor, Words("change settings"))
    subject, page = read_page(press.subject)
    here, known = settings_on(table, subject, page), settings()
    if not here:
        raise TooLate(STALE)
    fields = [_field(table, name) for name in here if known[name].takes is not SettingInput.SWITCH]
    switches = _switches(here)
    if switches:
        options = tuple(Option(name, name, about_setting(name)) for name in switches)
        on = ",".join(name for name in switches if known[name].of(table))
        # One option alone is a box to tick, too.
        most = max(2, len(options))
        hint = say("Ticked settings are on; all others are off.")
        fields.append(Field(ON, say("On"), on, options, hint, required=False, most=most))
    is_again = press.subject.count(".") > 1
    signs = [] if is_again else _signs(table, here)
    return Form(say(SUBJECTS[subject]), tuple(fields), ".".join((press.subject, *signs)))


def _field(table: Table, name: str) -> Field:
    """One setting to be chosen or typed, as it is."""
    held, about = settings()[name], about_setting(name)
    now = lifecycle.setting_value(table, name)
    if held.takes is SettingInput.CHOICE:
        means = about_ruleset if name == RULESET else None
        options = tuple(Option(each, each, means(each) if means else "") for each in held.values)
        return Field(name, name, now, options, about)
    examples = " / ".join(held.values[:3])
    hint = say("{about}. Examples: {examples}", about=about, examples=examples) if examples else about
    # A table may have no name yet, and is not asked for one.
    return Field(name, name, now, hint=hint, required=bool(now))


def _switches(page: tuple[str, ...]) -> list[str]:
    known = settings()
    return [name for name in page if known[name].takes is SettingInput.SWITCH]


def _signs(table: Table, page: tuple[str, ...]) -> list[str]:
    """What a page was opened with: a sign of each value, and which switches were on."""
    known = settings()
    found = [
        _sign(lifecycle.setting_value(table, name))
        for name in page
        if known[name].takes is not SettingInput.SWITCH
    ]
    if switches := _switches(page):
        # A one before them says how many they are.
        ticked = "".join("1" if known[name].of(table) else "0" for name in switches)
        found.append(f"{int(f'1{ticked}', 2):x}")
    return found


def _sign(value: str) -> str:
    return f"{crc32(value.encode()):x}"


def read_change(subject: str, fields: Fields) -> Rule:
    """Return the rule for a submitted form, which changes only what differs from the form's first state.

    Thus a form that is sent late doesn't revert another GM's changes. Raises TooLate if its page has
    other settings by now.
    """
    read_page(subject)
    return partial(_changed, subject=subject, fields=fields)


def _changed(table: Table, actor: Actor, subject: str, fields: Fields) -> Step:
    """The settings of a form that are other than when it was opened."""
    _, _, *opened = subject.split(".")
    page = settings_on(table, *read_page(subject))
    switches = _switches(page)
    typed = [name for name in page if name not in switches]
    if len(opened) != len(typed) + bool(switches):
        raise TooLate(STALE)
    values = {name: fields[name].strip() for name in typed}
    changes = {
        name: value
        for (name, value), sign in zip(values.items(), opened, strict=False)
        if _sign(value) != sign
    }
    if switches:
        was, ticked = f"{int(opened[-1], 16):b}"[1:], fields[ON].split(",")
        if len(was) != len(switches):
            raise TooLate(STALE)
        now = {name: name in ticked for name in switches}
        changes |= {
            name: "on" if now[name] else "off"
            for name, before in zip(switches, was, strict=True)
            if now[name] != (before == "1")
        }
    if not changes:
        raise NotAllowed("Nothing has changed: you sent the form as it was.")
    return lifecycle.change_all(table, actor, changes)


def read_reset(subject: str) -> Rule:
    """Return the rule that resets a subject's settings to the ruleset."""
    there, _ = read_page(subject)
    return partial(lifecycle.reset, among=[name for page in pages_of(there) for name in page])


TERM = "|".join(term.name.lower() for term in Term)
"""The subject of a form of words: a term."""


def has_words(view: str) -> bool:
    """Return whether a view is the page with the table's own words."""
    return view == view_of(*page_of("words"))


def term_menu(table: Table) -> Menu:
    """Return the menu of game terms, each with the table's word for it."""
    own = table.settings.words
    options = tuple(
        Option(str(term), term.name.lower(), _called(own[term]) if term in own else "")
        for term in terms_at(table)
    )
    return Menu(say("Choose a term"), "term", "", options)


def _called(word: Wording) -> str:
    return ", ".join((word.one, word.many, word.short))


def term_form(table: Table, actor: Actor, wanted: str) -> Form:
    """Return the form to change the word for a term. Raises TooLate if there is no such term."""
    require_gm(table, actor, Words("change settings"))
    term = _term(wanted)
    own, standard = table.settings.words.get(term), STANDARD[term]
    was = (own.one, own.many, own.short) if own else ("", "", "")
    usual = (standard.one, standard.many, standard.short or standard.one)
    labels = (later("One"), later("Many"), later("Short"))
    fields = tuple(
        Field(label.lower(), say(label), held, hint=say(word), required=False)
        for label, held, word in zip(labels, was, usual, strict=True)
    )
    return Form(str(term), fields, term.name.lower())


def read_term(subject: str, fields: Fields) -> Rule:
    """Return the rule that sets the words for a term; empty input restores the standard ones."""
    term = _term(subject)
    one, many, short = (fields[name].strip() for name in ("one", "many", "short"))
    if not one and (many or short):
        standard = STANDARD[term]
        one, many, short = standard.one, many or standard.many, short or standard.short
    typed = ", ".join((one, many or f"{one}s", short or one)) if one else ""
    return partial(lifecycle.change, setting="words", value=f"{term} = {typed}")


def _term(name: str) -> Term:
    try:
        return Term[name.upper()]
    except KeyError:
        raise TooLate(STALE) from None
