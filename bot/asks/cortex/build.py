"""A pool that is being built, in words, menus and buttons."""

from collections.abc import Callable, Mapping
from functools import partial

from bot.asks.question import MOST_IN_MENU, NUMBER, SIGN, STALE, Fields, Rule, whole
from bot.language import later, say
from bot.language.line import Text, heading
from bot.language.said import width
from bot.render.card import Button, Card, Field, Form, Menu, Option, Tone, Weight, mark
from bot.render.cortex.odds import brief_odds
from bot.render.cortex.parts import sfx_parts
from rules.cortex.rolling.opposition import names
from rules.cortex.state.kinds import KINDS
from rules.cortex.tools import build as building
from rules.cortex.tools import named_pool
from rules.cortex.tools.build import Build, Candidate, plain
from rules.cortex.tools.candidates import (
    DICE,
    DISTINCTIONS,
    HARMS,
    SFX_SECTION,
    THE_SCENE,
    BuildSeen,
    PoolSection,
    look,
)
from rules.dice import VERBS, Throw, write, write_pool
from rules.errors import TooLate
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

Change = Callable[[Table, Actor, Build], Build]
"""What a press makes of a pool that is built."""
FINISHES: Mapping[str, str] = {"buildroll": NUMBER, "buildshare": NUMBER}
"""The verbs that roll or share what is built; their subject is how often that has been done before."""
# With the two menus below them, three rows of up to twelve buttons, the text and its box these are 39
# components; a message holds 40.
MOST_MENUS = 9
"""So many trait sets and kinds have a menu of their own; the rest share one."""
_OWN_MENU = (DISTINCTIONS, "Assets", "Resources", HARMS, THE_SCENE, SFX_SECTION, DICE)
"""What always has a menu of its own, beside the trait sets."""
_SHARED = later("More trait sets")
"""The name of the menu that the last trait sets share."""
_SAID = {*_OWN_MENU, *(kind.section for kind in KINDS.values()), _SHARED}
"""Menus of no trait set: what those are called is data."""
NOTHING = "nothing"
"""The option that takes the opposition away."""
_STEPS: Mapping[str, str] = {
    "up": later("Step up"),
    "down": later("Step down"),
    "double": later("Double"),
    "split": later("Split"),
}
"""What can be done to the chosen die, by the verb for it."""
LONGEST = 1000
"""A pool as text has at most this many characters."""


def build_card(table: Table, seen: BuildSeen) -> Card:
    """The pool so far with its odds and price, a menu for each trait set, steps for the chosen die."""
    build = seen.build
    menus = [_menu(section) for section in _fitting(seen.sections)]
    menus.append(_against(table, build))
    if build.pieces:
        menus.append(_pieces(build))
    return Card(tuple(_lines(seen)), _rows(seen), private=True, menus=tuple(menus), tone=Tone.CALM)


def offered(seen: BuildSeen, sign: str) -> list[Candidate]:
    """What the menu of that sign offers. Raises TooLate when there is no such menu any more."""
    for section in _fitting(seen.sections):
        if mark(section.name) == sign:
            return _likeliest(section.candidates)
    raise TooLate("That menu is no longer there. Example: /pool build")


def type_form(build: Build) -> Form:
    """The pool and what it is rolled against, as text."""
    example = say("Example: up Mind, Sharp, 2d6")
    dice = Field("dice", say("Dice"), build.text, hint=example, longest=LONGEST, lines=True)
    example = say("Example: doom, challenging, 11")
    against = Field("against", say("Against"), build.vs, hint=example, required=False, longest=200)
    return Form(say("Your pool"), (dice, against))


def read_typed(fields: Fields) -> Change:
    """The pool as it was typed."""
    dice, against = fields.get("dice", ""), fields.get("against", "")
    return lambda table, actor, build: building.retype(table, actor, build, dice, against)


def read_finish(verb: str, throw: Throw) -> Callable[[Build], Rule]:
    """The rule that rolls what is built, or shares it."""
    if verb == "buildshare":
        return lambda build: partial(named_pool.share, build=build)
    return lambda build: partial(building.throw_build, throw=throw, build=build)


def read(verb: str, subject: str, chosen: tuple[str, ...]) -> Change:
    """What a button or a menu of the builder makes of the pool."""
    match verb:
        case "buildpick":
            return partial(_picked, section=subject, signs=chosen)
        case "buildvs":
            return partial(_opposed, sign=_one(chosen))
        case "buildchoose":
            place = whole(_one(chosen))
            return lambda table, actor, build: building.choose(build, place)
        case "buildstep":
            return lambda table, actor, build: building.change(build, subject)
        case _:
            return lambda table, actor, build: _PLAIN[verb](build)


_PLAIN: Mapping[str, Callable[[Build], Build]] = {
    "buildfirst": building.put_first,
    "buildback": building.take_back,
    "buildremove": building.remove,
    "buildclear": building.cleared,
}
"""What is done to the chosen die, or to all, without saying more."""
CHANGES: Mapping[str, str] = {
    "buildpick": SIGN,
    "buildvs": "",
    "buildchoose": "",
    "buildstep": "|".join(VERBS),
    **dict.fromkeys(_PLAIN, ""),
}
"""The verbs that change what is built, each with the pattern of its subjects."""


def _one(chosen: tuple[str, ...]) -> str:
    """The one value that is chosen in a menu. Raises TooLate where none is."""
    if not chosen:
        raise TooLate(STALE)
    return chosen[0]


def _picked(table: Table, actor: Actor, build: Build, section: str, signs: tuple[str, ...]) -> Build:
    """The pool with exactly the chosen things of that menu."""
    there = offered(look(table, actor, build), section)
    return building.pick(build, there, [one for one in there if mark(one.name) in signs])


def _opposed(table: Table, actor: Actor, build: Build, sign: str) -> Build:
    """The pool against what was chosen."""
    if sign == NOTHING:
        return building.oppose(build, "")
    named = next((name for name in (build.vs, *names(table)) if mark(name) == sign), None)
    if named is None:
        raise TooLate("That is no longer there to roll against.")
    return building.oppose(build, named)


def _lines(seen: BuildSeen) -> list[Text]:
    """The pool, what is against it, what it costs, its odds, and what is wrong with it."""
    build = seen.build
    lines = [say("{name} is no longer there, and left the pool.", name=name) for name in seen.gone]
    pool = build.text or say("empty")
    if seen.gathered:
        full = write_pool(seen.gathered.pool)
        pool = full if len(full) <= LONGEST else write(die.size for die in seen.gathered.pool)
    mine = say("Your pool: {pool}", pool=pool)
    lines.append(heading(say("The pool of {who}: {pool}", who=build.who, pool=pool) if build.who else mine))
    lines.append(say("Against: {what}", what=build.vs) if build.vs else say("Against: nothing yet"))
    if seen.gathered:
        hindered = seen.gathered.hindered
        lines += [say("{label} hinders: 1 PP for you when it is rolled", label=label) for label in hindered]
        lines += [
            say("{sfx}: {parts}; paid when it is rolled", sfx=sfx.name, parts=sfx_parts(sfx))
            for sfx, _ in seen.gathered.used
        ]
    if seen.over:
        lines.append(
            say("Over the usual pool by {count}: {count} PP, paid by Spend after the roll", count=seen.over)
        )
    if seen.asked:
        lines.append(brief_odds(seen.asked))
    if seen.fault:
        lines.append(say("Not to be rolled yet: {fault}", fault=seen.fault))
    if build.piece:
        lines.append(say("The buttons are for {die}", die=build.piece.text))
    return lines


def _fitting(sections: tuple[PoolSection, ...]) -> list[PoolSection]:
    """As many menus as a message has room for; the last trait sets share one, each option with its set."""
    spare = len(sections) - MOST_MENUS
    if spare <= 0:
        return list(sections)
    sets = [each for each in sections if each.name not in _OWN_MENU][-spare - 1 :]
    shared = [replace(one, label=f"{each.name}: {one.label}") for each in sets for one in each.candidates]
    kept = [each for each in sections if each not in sets]
    place = next((n for n, each in enumerate(sections) if each in sets), 0)
    return [*kept[:place], PoolSection(_SHARED, tuple(shared)), *kept[place:]]


def _menu(section: PoolSection) -> Menu:
    """A menu of a trait set: what is in the pool is chosen in it, a die past a limit has its price."""
    shown = _likeliest(section.candidates)
    label = say(section.name) if section.name in _SAID else section.name
    if more := len(section.candidates) - len(shown):
        label = say("{section}, {count} more by Type", section=label, count=more)
    chosen = tuple(mark(one.name) for one in shown if one.is_in)
    options = tuple(_option(one) for one in shown)
    # One more than there are, so that a menu with a single option can be emptied, too.
    return Menu(label, "buildpick", mark(section.name), options, chosen, len(options) + 1)


def _likeliest(there: tuple[Candidate, ...]) -> list[Candidate]:
    """What a menu has room for: what is in the pool, then the first on the sheet."""
    first = sorted(range(len(there)), key=lambda place: (not there[place].is_in, place))[:MOST_IN_MENU]
    return [there[place] for place in sorted(first)]


def _option(one: Candidate) -> Option:
    room = 100 - width(_priced("", one.price))
    label = one.label if len(one.label) <= room else f"{one.label[: room - 1]}…"
    return Option(_priced(label, one.price), mark(one.name))


def _priced(label: str, price: int) -> Text:
    return say("{what} for {price} PP", what=label, price=price) if price else label


def _against(table: Table, build: Build) -> Menu:
    """What the pool can be rolled against."""
    there = names(table)
    mine = [build.vs] if build.vs and build.vs not in there else []
    shown = [*mine, *there][: MOST_IN_MENU - 1]
    options = [Option(name[:100], mark(name)) for name in shown]
    chosen = (mark(build.vs),) if build.vs else ()
    return Menu(say("Against"), "buildvs", "", (*options, Option(say("Nothing"), NOTHING)), chosen)


def _pieces(build: Build) -> Menu:
    """The parts of the pool, of which one is chosen for the buttons."""
    options = [Option(f"{n}. {piece.text}"[:100], str(n - 1)) for n, piece in enumerate(build.pieces, 1)]
    return Menu(
        say("Which die the buttons are for"),
        "buildchoose",
        "",
        tuple(options[:MOST_IN_MENU]),
        (str(build.chosen),),
    )


def _rows(seen: BuildSeen) -> tuple[tuple[Button, ...], ...]:
    """Steps for the chosen die, what else is done to it, then what becomes of the whole pool."""
    build = seen.build
    row, more, last = list[Button](), list[Button](), [Button(say("Type"), "buildtype")]
    if build.piece:
        steps = {} if _is_sfx(seen) else _STEPS
        row = [Button(say(label), "buildstep", subject=verb) for verb, label in steps.items()]
        row.append(Button(say("Remove"), "buildremove"))
        more = [Button(say("Hinder"), "buildstep", subject="hinder")] if _is_distinction(seen) else []
        more += [Button(say("Take back"), "buildback")] if build.piece.verbs or build.piece.sfx else []
        more += [Button(say("Move first"), "buildfirst")] if build.chosen else []
        last.append(Button(say("Clear"), "buildclear"))
    if seen.gathered and not seen.fault:
        version = str(build.version)
        last.append(Button(say("Share"), "buildshare", subject=version))
        last.append(Button(say("Roll"), "buildroll", subject=version, weight=Weight.GOOD))
    return tuple(tuple(buttons) for buttons in (row, more, last) if buttons)


def _is_distinction(seen: BuildSeen) -> bool:
    """Whether the chosen piece can be hindered (P1)."""
    held = [one for each in seen.sections if each.name == DISTINCTIONS for one in each.candidates]
    return seen.build.piece is not None and _sign(seen) in {plain(one.name) for one in held}


def _is_sfx(seen: BuildSeen) -> bool:
    """Whether the chosen piece is an SFX, to whose name nothing can be done."""
    held = [one for each in seen.sections if each.name == SFX_SECTION for one in each.candidates]
    return _sign(seen) in {plain(one.name) for one in held}


def _sign(seen: BuildSeen) -> str:
    return plain(seen.build.piece.name) if seen.build.piece else ""
