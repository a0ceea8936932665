"""A pool being built or shared, as text, menus and buttons (D7)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from bot.language import later, say, say_of
from bot.language.line import Text, heading, small, strong
from bot.language.said import width
from bot.views.card import Button, Card, Field, Form, Menu, Option, Tone, Weight, mark
from bot.views.cortex.labels import sfx_parts
from bot.views.cortex.odds import brief_odds
from bot.views.cortex.opposition import DICE_LENGTHS, pool_field
from bot.views.game import Rule
from bot.views.question import (
    MOST_IN_MENU,
    NUMBER,
    SIGN,
    Answer,
    Fields,
    Pressed,
    Question,
    only_one,
    whole_number,
)
from rules.campaign.seats import Actor
from rules.cortex import builder, named_pools, roll
from rules.cortex.builder import (
    DICE,
    DISTINCTIONS,
    SECTION_OF_SCENE,
    SFX_SECTION,
    Build,
    BuildSeen,
    Candidate,
    Piece,
    fold_name,
    look,
)
from rules.cortex.kinds import KINDS
from rules.cortex.model import CORTEX
from rules.cortex.opposition import names
from rules.cortex.pool import NamedPool, write_pool
from rules.cortex.pool_grammar import beside_modifiers
from rules.dice import VERBS, Throw, write_dice
from rules.errors import TooLate
from rules.game import Step
from rules.table import Table
from rules.terms import in_terms

Change = Callable[[Table, Actor, Build], Build]
"""What a press makes of a pool that is built."""
FINISHES: Mapping[str, str] = {"buildroll": NUMBER, "buildshare": NUMBER}
"""The verbs that roll or share what is built; their subject is how often that has been done before."""
_SAID = {in_terms(text): text for text in (SFX_SECTION, SECTION_OF_SCENE)}
_SAID |= {in_terms(kind.section): kind.section for kind in KINDS.values()}
"""Sections of no trait set, as they are said: what those are called is data."""
PAGE = "[0-9]{1,2}"
"""The subject of a menu or a button: a page of traits."""
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


@dataclass(frozen=True, slots=True)
class BuildShown:
    """The part of the builder that is shown: a page of traits, or what can be done with one of the dice."""

    page: int = 0
    is_die: bool = False


NEW = Build()
"""A build without anything."""
TRAITS = BuildShown()
"""The first page of traits."""


def build_card(table: Table, seen: BuildSeen, shown: BuildShown = TRAITS) -> Card:
    """Return the builder: odds and pool, `Roll` first, then a menu of traits, or of changes to a die."""
    lines = tuple(_lines(seen))
    if shown.is_die and seen.build.piece:
        die = say("The buttons below change {die}", die=seen.build.piece.text)
        dice = _pieces(seen.build)
        return Card((*lines, die), _die_rows(seen), private=True, menus=(dice,), tone=Tone.CALM)
    pages = trait_pages(seen)
    page = min(shown.page, len(pages) - 1)
    menus = (_traits(pages, page, seen), _against(table, seen.build, page))
    rows = _rows(seen, len(pages), page)
    return Card(lines, rows, private=True, menus=menus, tone=Tone.CALM, are_buttons_first=True)


def shown_after(verb: str, subject: str) -> BuildShown:
    """Return the part of the builder to show after a press."""
    if verb in _OF_DIE:
        return BuildShown(is_die=True)
    return BuildShown(int(subject)) if verb in _OF_PAGE and subject else TRAITS


def trait_pages(seen: BuildSeen) -> list[list[tuple[str, Candidate]]]:
    """Return everything that can join the pool, each with its section, in pages that fit into menus."""
    # Discord shows no menu in which two options mean the same.
    there = {mark(one.name): (each.name, one) for each in seen.sections for one in each.candidates}
    found = [*there.values()]
    return [found[n : n + MOST_IN_MENU] for n in range(0, len(found), MOST_IN_MENU)]


def roll_form(table: Table, actor: Actor, build: Build = NEW) -> Form:
    """Return a form for a roll, filled in with the build, or with the likeliest dice if it is empty."""
    against = say("{doom_pool.Short}, {crisis.a}, a name, a number or dice")
    fields = (
        pool_field(table, actor, build.text),
        Field("vs", say("Against"), build.vs, hint=against, required=False),
        Field("note", say("What it's for"), hint=say("Example: Force the door"), required=False),
    )
    return Form(say("Roll"), fields)


def read_typed(fields: Fields, throw: Throw, who: str = "") -> Rule:
    """Return the rule that rolls what was typed into the form."""
    vs, note = fields.typed("vs") or None, fields.typed("note") or None
    return partial(roll.make, throw=throw, dice=fields["dice"], vs=vs, who=who or None, note=note)


def read_finish(verb: str, throw: Throw) -> Callable[[Build], Rule]:
    """Return the function that turns a build into the rule that rolls or shares it."""
    if verb == "buildshare":
        return lambda build: partial(named_pools.share, build=build)
    return lambda build: partial(builder.throw_build, throw=throw, build=build)


def read(verb: str, subject: str, chosen: tuple[str, ...], offered: tuple[str, ...] = ()) -> Change:
    """Return the change to the pool that a button or menu makes; `offered` are the menu's options."""
    if verb in _LOOKS:
        return lambda table, actor, build: build
    match verb:
        case "buildpick":
            return partial(_picked, offered=offered, signs=chosen)
        case "buildvs":
            return partial(_opposed, sign=only_one(chosen))
        case "buildchoose":
            place = whole_number(only_one(chosen))
            return lambda table, actor, build: builder.choose(build, place)
        case "buildstep":
            return lambda table, actor, build: builder.change(build, subject)
        case _:
            return lambda table, actor, build: _PLAIN[verb](build)


_PLAIN: Mapping[str, Callable[[Build], Build]] = {
    "buildfirst": builder.put_first,
    "buildback": builder.take_back,
    "buildremove": builder.remove,
    "buildclear": builder.cleared,
}
"""What is done to the chosen die, or to all, without saying more."""
_LOOKS = ("buildpage", "builddie")
"""The verbs that only show something else."""
_OF_PAGE = ("buildpick", "buildpage", "buildvs")
"""Those whose subject is the page of traits on which they stand."""
_OF_DIE = ("builddie", "buildchoose", "buildstep", "buildfirst", "buildback", "buildremove")
"""Those that are about one die."""
CHANGES: Mapping[str, str] = {
    "buildpick": PAGE,
    "buildpage": PAGE,
    "buildvs": rf"(?:{PAGE})?",
    "builddie": "",
    "buildchoose": "",
    "buildstep": "|".join(VERBS),
    **dict.fromkeys(_PLAIN, ""),
}
"""The verbs that change what is built or show more of it, each with the pattern of its subjects."""


def _picked(
    table: Table, actor: Actor, build: Build, offered: tuple[str, ...], signs: tuple[str, ...]
) -> Build:
    """The pool with exactly the chosen of what a menu offered; all else in it stays."""
    sections = look(table, actor, build).sections
    there = [one for each in sections for one in each.candidates if mark(one.name) in offered]
    if not {*signs} <= {mark(one.name) for one in there}:
        raise TooLate("Something you chose is gone. Open the builder again. Example: /pool build")
    return builder.pick(build, there, [one for one in there if mark(one.name) in signs])


def _opposed(table: Table, actor: Actor, build: Build, sign: str) -> Build:
    """The pool against what was chosen."""
    if sign == NOTHING:
        return builder.oppose(build, "")
    named = next((name for name in (build.vs, *names(table)) if mark(name) == sign), None)
    if named is None:
        raise TooLate("The opposition you chose is gone. Choose something else.")
    return builder.oppose(build, named)


def _lines(seen: BuildSeen) -> list[Text]:
    """Its odds, the pool, what is against it, what it costs, and what is wrong with it."""
    build = seen.build
    pool = build.text or say("empty")
    if seen.gathered:
        full = write_pool(seen.gathered.pool)
        full = full if len(full) <= LONGEST else write_dice(die.size for die in seen.gathered.pool)
        pool = beside_modifiers(full, seen.gathered.plus)
    mine = say("Your pool: {pool}", pool=pool)
    whose = say("{who}'s pool: {pool}", who=build.who, pool=pool) if build.who else mine
    lines = [heading(brief_odds(seen.asked)), strong(whose)] if seen.asked else [heading(whose)]
    lines.append(say("Against: {what}", what=build.vs) if build.vs else say("Against: nothing yet"))
    lines += [say("{name} is gone, so it's no longer in the pool.", name=name) for name in seen.gone]
    if seen.gathered:
        hindered = seen.gathered.hindered
        lines += [
            say("{label} hinders you, so you get 1 {plot_point.short} when you roll", label=label)
            for label in hindered
        ]
        lines += [
            say("{sfx}: {parts}; you pay the cost when you roll", sfx=sfx.name, parts=sfx_parts(sfx))
            for sfx, _ in seen.gathered.used
        ]
    if seen.over:
        lines.append(
            say_of(
                seen.over,
                "{count} die over the limit: after the roll, press Spend to pay {count} {plot_point.short}",
                "{count} dice over the limit: after the roll, press Spend to pay {count} {plot_point.short}",
            )
        )
    if seen.fault:
        lines.append(say("You can't roll yet: {fault}", fault=seen.fault))
    if build.piece and len(build.pieces) > 1 and any(one.needs_die for one in _of(seen, SFX_SECTION)):
        lines.append(small(say("The next SFX you choose applies to {die}", die=build.piece.text)))
    return lines


def _traits(pages: list[list[tuple[str, Candidate]]], page: int, seen: BuildSeen) -> Menu:
    """A page of all that can join the pool: what is in it is chosen, a die past a limit has its price."""
    options = tuple(_option(section, one) for section, one in pages[page])
    chosen = tuple(mark(one.name) for _, one in pages[page] if one.is_in)
    label = say("Traits and dice")
    if len(pages) > 1:
        label = say("Traits and dice, page {page} of {pages}", page=page + 1, pages=len(pages))
    # One more than there are, so that a menu with a single option can be emptied, too.
    return Menu(label, "buildpick", str(page), options, chosen, len(options) + 1)


def _option(section: str, one: Candidate) -> Option:
    """One thing that can join the pool, with its set below it."""
    room = 100 - width(_priced("", one.price))
    label = one.label if len(one.label) <= room else f"{one.label[: room - 1]}…"
    hint = say(_SAID[section]) if section in _SAID else section
    return Option(_priced(label, one.price), mark(one.name), "" if section == DICE else hint)


def _priced(label: str, price: int) -> Text:
    return say("{what} for {price} {plot_point.short}", what=label, price=price) if price else label


def _against(table: Table, build: Build, page: int) -> Menu:
    """What the pool can be rolled against."""
    there = names(table)
    mine = [build.vs] if build.vs and build.vs not in there else []
    shown = [*mine, *there][: MOST_IN_MENU - 1]
    options = [Option(name[:100], mark(name)) for name in shown]
    chosen = (mark(build.vs),) if build.vs else ()
    return Menu(say("Against"), "buildvs", str(page), (*options, Option(say("Nothing"), NOTHING)), chosen)


def _pieces(build: Build) -> Menu:
    """The parts of the pool, of which one is chosen for the buttons; of very many those around it."""
    options = [Option(f"{n}. {piece.text}"[:100], str(n - 1)) for n, piece in enumerate(build.pieces, 1)]
    first = max(0, min(build.chosen - MOST_IN_MENU // 2, len(options) - MOST_IN_MENU))
    shown = tuple(options[first : first + MOST_IN_MENU])
    return Menu(say("Choose a die to change"), "buildchoose", "", shown, (str(build.chosen),))


def _rows(seen: BuildSeen, pages: int, page: int) -> tuple[tuple[Button, ...], ...]:
    """What becomes of the whole pool, `Roll` first; then the next page of traits, and none of it."""
    build = seen.build
    row = [*_roll(seen)]
    if build.piece:
        row.append(Button(say("Change a die"), "builddie"))
    row.append(Button(say("Type it"), "buildtype"))
    if seen.gathered and not seen.fault:
        row.append(Button(say("Share"), "buildshare", subject=str(build.version)))
    following = (page + 1) % pages
    label = say("Page {page} of {pages}", page=following + 1, pages=pages)
    more = [Button(label, "buildpage", subject=str(following))] if pages > 1 else []
    more += [Button(say("Clear"), "buildclear")] if build.piece else []
    return tuple(tuple(buttons) for buttons in (row, more) if buttons)


def _roll(seen: BuildSeen) -> list[Button]:
    """To roll what is built, where it can be rolled."""
    can = seen.gathered and not seen.fault
    version = str(seen.build.version)
    return [Button(say("Roll"), "buildroll", subject=version, weight=Weight.GOOD)] if can else []


def _die_rows(seen: BuildSeen) -> tuple[tuple[Button, ...], ...]:
    """Steps for the chosen die and what else is done to it; then the way back, or to roll at once."""
    build = seen.build
    steps = {} if _is_sfx(seen) else _STEPS
    row = [Button(say(label), "buildstep", subject=verb) for verb, label in steps.items()]
    row.append(Button(say("Remove"), "buildremove"))
    more = [Button(say("Hinder"), "buildstep", subject="hinder")] if _is_distinction(seen) else []
    more += [Button(say("Take back"), "buildback")] if build.piece and _is_changed(build.piece) else []
    more += [Button(say("Move first"), "buildfirst")] if build.chosen else []
    more += [Button(say("Done"), "buildpage", subject="0"), *_roll(seen)]
    return tuple(row), tuple(more)


def _is_changed(piece: Piece) -> bool:
    return bool(piece.verbs or piece.sfx)


def _of(seen: BuildSeen, section: str) -> list[Candidate]:
    """What of one section can join the pool."""
    return [one for each in seen.sections if each.name == section for one in each.candidates]


def _is_distinction(seen: BuildSeen) -> bool:
    """Whether the chosen piece can be hindered (P1)."""
    return seen.build.piece is not None and _sign(seen) in _keys(seen, DISTINCTIONS)


def _is_sfx(seen: BuildSeen) -> bool:
    """Whether the chosen piece is an SFX, to whose name nothing can be done."""
    return _sign(seen) in _keys(seen, SFX_SECTION)


def _keys(seen: BuildSeen, section: str) -> set[str]:
    return {fold_name(one.name) for one in _of(seen, section)}


def _sign(seen: BuildSeen) -> str:
    return fold_name(seen.build.piece.name) if seen.build.piece else ""


def shared_pool_buttons(pool: NamedPool) -> tuple[Button, ...]:
    """Return the buttons of a shared pool."""
    sign = mark(pool.name)
    return (
        Button(say("Add dice"), "pooladd", subject=sign),
        Button(say("Oppose"), "pooloppose", subject=sign),
        Button(say("Roll"), "poolroll", subject=sign, weight=Weight.GOOD),
    )


def _ask_add(table: Table, actor: Actor, press: Pressed) -> Form:
    pool = _shared(table, press.subject)
    field = Field("dice", say("Dice"), hint=say("Example: Rope, d6"))
    return Form(say("Add dice to pool {pool}", pool=pool.name), (field,))


def _read_add(answer: Answer) -> Rule:
    return _on_shared(answer, partial(named_pools.add, dice=answer.fields["dice"]))


def _ask_oppose(table: Table, actor: Actor, press: Pressed) -> Form:
    named_pools.require_opposing(table, actor)
    pool = _shared(table, press.subject)
    hint = say("Example: doom, challenging, 11, 2d8")
    field = Field("dice", say("Dice"), pool.vs, hint=hint)
    return Form(say("Against pool {pool}", pool=pool.name), (field,))


def _read_oppose(answer: Answer) -> Rule:
    return _on_shared(answer, partial(named_pools.oppose, vs=answer.fields["dice"]))


def _roll_shared(answer: Answer) -> Rule:
    return _on_shared(answer, partial(named_pools.throw_pool, throw=answer.throw))


def _on_shared(answer: Answer, rule: Callable[..., Step]) -> Rule:
    """A rule for the shared pool that a button names."""
    return lambda table, actor: rule(table, actor, name=_shared(table, answer.subject).name)


def _shared(table: Table, sign: str) -> NamedPool:
    """The shared pool of that sign. Raises TooLate when it was rolled or cleared."""
    pool = next((pool for pool in CORTEX.of(table).pools.values() if mark(pool.name) == sign), None)
    if pool is None:
        raise TooLate("That pool has been rolled or cleared. Build a new pool. Example: /pool build")
    return pool


QUESTIONS = (
    Question("pooladd", SIGN, form=_ask_add, read=_read_add, longest=DICE_LENGTHS),
    Question("pooloppose", SIGN, form=_ask_oppose, read=_read_oppose, longest=DICE_LENGTHS),
    Question("poolroll", SIGN, press=_roll_shared, apart=True),
)
