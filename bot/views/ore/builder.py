"""Building a One-Roll pool from menus: a stat, a skill and dice more or less, with its odds (O1, O6).

What is built stands in the ids of the message's buttons, so nothing is stored and a restart loses nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from bot.language import say
from bot.language.line import Text, heading, small
from bot.views.card import Button, Card, Field, Form, Menu, Option, Tone, Weight, mark
from bot.views.game import Rule
from bot.views.ore.damage import members_words
from bot.views.ore.odds import percent
from bot.views.ore.roll import headline
from bot.views.question import MOST_IN_MENU, NUMBER, SIGN, STALE, Answer, Pressed, Question, cut, typed_number
from bot.views.sheet import edit_button
from rules.campaign.notes import LONGEST_NOTE
from rules.campaign.seats import Actor, is_gm, require_character
from rules.errors import RuleError, TooLate
from rules.game import Step
from rules.names import fold
from rules.ore import gmc
from rules.ore import roll as rolls
from rules.ore.model import ORE, OneRollRating
from rules.ore.notation import quote_label
from rules.ore.odds import full_set
from rules.ore.pool import WIDEST, write
from rules.ore.sheet import STATS, grouped
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace

ROLL, WHO, MORE = "oreroll", "orewho", "oremore"
"""The verbs: open the builder, choose a character, roll with more dice."""
FIRST, SECOND, REST = "orefirst", "oresecond", "orerest"
"""The verbs that choose a rating; the last is for what has no room in the menu of the second."""
_NO = "-"
STATE = rf"(?:{SIGN}|-)\.(?:{SIGN}|-)\.(?:{SIGN}|-)\.[+-][0-9](?:\.{NUMBER})?"
"""The subject of its buttons: whose dice, two ratings, how many dice more or less, and the opposed roll."""
MOST_MORE = 9
"""At most so many dice more or less are set with buttons."""


@dataclass(frozen=True, slots=True)
class OreBuild:
    """A pool that is being built: signs of a character and of up to two ratings, and dice more or less."""

    who: str = _NO
    first: str = _NO
    second: str = _NO
    more: int = 0
    against: int = 0
    """The number of the roll that it opposes, 0 for none."""

    def __str__(self) -> str:
        opposed = f".{self.against}" if self.against else ""
        return f"{self.who}.{self.first}.{self.second}.{self.more:+d}{opposed}"


def read_build(subject: str) -> OreBuild:
    """Return the pool that stands in a button's subject.

    >>> str(read_build("-.0a1b2c3d.-.+2"))
    '-.0a1b2c3d.-.+2'
    """
    who, first, second, more, *against = subject.split(".")
    return OreBuild(who, first, second, int(more), int(against[0]) if against else 0)


def opposing(table: Table, actor: Actor, number: int) -> OreBuild:
    """Return a pool that opposes a roll. Raises TooLate if that is closed, NotAllowed for one's own."""
    own = table.played_by(actor.id)
    if own is None or is_gm(table, actor):  # who may choose for whom it is
        rolls.find(table, number)
    else:
        rolls.require_opposable(table, number, own.name)
    return OreBuild(against=number)


def roll_button(label: Text = "") -> Button:
    """Return the button that opens the builder."""
    return Button(label or say("Roll"), ROLL, weight=Weight.MAIN)


def builder_card(table: Table, actor: Actor, build: OreBuild) -> Card:
    """Return the builder as a private card; who has no ratings is offered to fill in a sheet, or to type."""
    own = _roller(table, actor, build)
    typed = Button(say("Type dice"), MORE, subject=str(replace(build, first=_NO, second=_NO, more=0)))
    who = _people(table, actor, build, own)
    if own is not None and ORE.has(own).members:
        return _crowd(table, own, build, who)
    if own is None or not ORE.has(own).ratings:
        return _without_ratings(table, actor, own, typed, who)
    ratings = ORE.has(own).ratings
    if len(ratings) == 1:  # a creature's, mostly: there is nothing to choose
        build = replace(build, first=mark(next(iter(ratings.values())).label))
    first, second = _rating(ratings.values(), build.first), _rating(ratings.values(), build.second)
    menus = (*who, *_menus(own, build))
    lines = _head(table, own, build)
    if first is None and second is None:
        lines.append(say("Choose what you roll: the dice are added."))
        return Card(tuple(lines), ((typed,),), private=True, menus=menus, tone=Tone.CALM)
    text = _typed(first, second, build.more)
    try:
        pool = rolls.pool_of(table, actor, text, who=own.name)
    except RuleError as error:
        lines += [text, say("{why}", why=error.words)]
        return Card(tuple(lines), (_dice_buttons(build),), private=True, menus=menus, tone=Tone.CALM)
    lines += [
        say("{dice}: {pool}", dice=text, pool=write(pool)),
        small(say("A set: {chance}", chance=percent(full_set(pool, 2, 1)))),
    ]
    label = say("Roll {pool}", pool=write(pool))
    buttons = (
        Button(label, "orebuilt", subject=str(build), weight=Weight.MAIN),
        *_dice_buttons(build),
        Button(say("More"), MORE, subject=str(build)),
    )
    return Card(tuple(lines), (buttons,), private=True, menus=menus, tone=Tone.CALM)


def _head(table: Table, own: Character, build: OreBuild) -> list[Text]:
    """Who rolls, and against what."""
    other = ORE.of(table).rolls.get(build.against)
    return [heading(own.name), *([say("Against {roll}", roll=headline(other))] if other else [])]


def _crowd(table: Table, own: Character, build: OreBuild, who: tuple[Menu, ...]) -> Card:
    """A crowd rolls a die for each of its members."""
    members = ORE.has(own).members
    roll = Button(say("Roll {pool}", pool=f"{members}d"), "orebuilt", subject=str(build), weight=Weight.MAIN)
    lines = (*_head(table, own, build), members_words(members))
    return Card(lines, ((roll,),), private=True, menus=who, tone=Tone.CALM)


def _without_ratings(
    table: Table, actor: Actor, own: Character | None, typed: Button, who: tuple[Menu, ...]
) -> Card:
    """What is offered to somebody without anything to choose: their sheet, or dice by hand."""
    if own is None:
        line = say("Choose whose dice you roll, or type them.") if who else say("Type the dice you roll.")
        return Card((line,), ((typed,),), private=True, menus=who, tone=Tone.CALM)
    line = say("{who} has no ratings on the sheet yet.", who=own.name)
    fill = replace(edit_button(table, own), label=say("Fill in my sheet"), weight=Weight.MAIN)
    return Card((line,), ((fill, typed),), private=True, menus=who, tone=Tone.CALM)


def _dice_buttons(build: OreBuild) -> tuple[Button, ...]:
    """One die less, and one more."""
    found = []
    if build.more > -MOST_MORE:
        found.append(Button(say("-1 die"), ROLL, subject=str(replace(build, more=build.more - 1))))
    if build.more < MOST_MORE:
        found.append(Button(say("+1 die"), ROLL, subject=str(replace(build, more=build.more + 1))))
    return tuple(found)


def _people(table: Table, actor: Actor, build: OreBuild, own: Character | None) -> tuple[Menu, ...]:
    """The menu of those for whom the GM rolls: creatures that are here."""
    if not is_gm(table, actor):
        return ()
    there = [each for each in table.characters.values() if each.gmc and not each.away]
    if own is not None:  # even if there are more than have room
        there = [own, *(each for each in there if each is not own)]
    options = tuple(Option(cut(each.name), mark(each.name)) for each in there[:MOST_IN_MENU])
    chosen = (mark(own.name),) if own is not None else ()
    return (Menu(say("Character"), WHO, str(build), options, chosen),) if len(options) > len(chosen) else ()


def _menus(own: Character, build: OreBuild) -> tuple[Menu, ...]:
    """Menus of the ratings: of stats and of all others, or of all where the sheet has one group.

    There are none for a single rating.
    """
    if len(ORE.has(own).ratings) == 1:
        return ()
    groups = grouped(ORE.has(own).ratings)
    name = next((each for each in groups if fold(each) == fold(STATS)), next(iter(groups)))
    firsts = groups.pop(name)
    others = [each for group in groups.values() for each in group]
    # The second menu also has the ratings that don't fit into the first.
    seconds = [*others, *firsts[_MOST_RATED:]] if others else firsts
    heads = ", ".join(each for each in groups if each) or say("And another")
    found = [
        _menu(name or say("Rating"), FIRST, build, firsts, build.first),
        _menu(heads, SECOND, build, seconds[:_MOST_RATED], build.second),
    ]
    if rest := seconds[_MOST_RATED:]:
        found.append(_menu(say("{head} (more)", head=heads), REST, build, rest, build.second))
    return tuple(found)


_MOST_RATED = MOST_IN_MENU - 1
"""So many ratings stand in a menu, below the choice of none."""


def _menu(label: Text, verb: str, build: OreBuild, held: list[OneRollRating], chosen: str) -> Menu:
    options = [Option(cut(f"{each.label} {each.dice}"), mark(each.label)) for each in held[:_MOST_RATED]]
    here = (chosen,) if chosen in [each.value for each in options] else ()
    if here:
        options.insert(0, Option(say("None"), _NO))
    return Menu(label, verb, str(build), tuple(options), here)


def chosen(verb: str, build: OreBuild, sign: str) -> OreBuild:
    """Return what is built after a choice in one of the menus. Raises TooLate for none."""
    if not sign:
        raise TooLate(STALE)
    if verb == WHO:
        return OreBuild(sign, against=build.against)
    return replace(build, first=sign) if verb == FIRST else replace(build, second=sign)


def _roller(table: Table, actor: Actor, build: OreBuild) -> Character | None:
    """Whose dice are built: the chosen character, else the actor's own; None for a GM who plays nobody."""
    if build.who == _NO:
        return table.played_by(actor.id)
    found = next((each for each in table.characters.values() if mark(each.name) == build.who), None)
    if found is None:
        raise TooLate("That character is no longer at the table.")
    require_character(table, actor, found, Words("roll"))
    return found


def _rating(ratings: Iterable[OneRollRating], sign: str) -> OneRollRating | None:
    """The rating of that sign. Raises TooLate if it is no longer on the sheet."""
    if sign == _NO:
        return None
    found = next((each for each in ratings if mark(each.label) == sign), None)
    if found is None:
        raise TooLate("That rating is no longer on the sheet. Press Roll on the table again.")
    return found


def _typed(first: OneRollRating | None, second: OneRollRating | None, more: int) -> str:
    """A pool as it can be typed: `Body + Fight - 1d`."""
    names = [quote_label(each.label) for each in (first, second) if each]
    return " + ".join(names) + (f" {'+' if more > 0 else '-'} {abs(more)}d" if more else "")


def _dice_of(table: Table, actor: Actor, build: OreBuild) -> tuple[str, str | None]:
    """The text of what is built, and who rolls it; None if the actor plays nobody."""
    own = _roller(table, actor, build)
    if own is None:
        return "", None
    held = ORE.has(own).ratings.values()
    return _typed(_rating(held, build.first), _rating(held, build.second), build.more), own.name


def _rolled(answer: Answer) -> Rule:
    def rule(table: Table, actor: Actor) -> Step:
        build = read_build(answer.subject)
        crowd, against = _roller(table, actor, build), build.against
        if crowd is not None and ORE.has(crowd).members:
            return gmc.roll_crowd(table, actor, answer.throw, crowd, against)
        dice, who = _dice_of(table, actor, build)
        return rolls.typed(table, actor, rolls.full, answer.throw, dice, who=who, against=against)

    return rule


def _ask_more(table: Table, actor: Actor, press: Pressed) -> Form:
    """The form behind `More` and `Type dice`: further dice, what a set needs, and what it is for."""
    dice, _ = _dice_of(table, actor, read_build(press.subject))
    hint = say("Example: +1w, or -1d") if dice else say("Example: 5d 1w")
    label = say("More or fewer dice") if dice else say("Dice")
    return Form(
        say("Roll {dice}", dice=cut(dice, 30)) if dice else say("Roll"),
        (
            Field("dice", label, hint=hint, required=not dice),
            Field(
                "width",
                say("Width a set needs"),
                hint=say("2 to {most}; empty for any", most=WIDEST),
                required=False,
            ),
            Field("height", say("Height a set needs"), hint=say("1 to 10; empty for any"), required=False),
            Field("note", say("What the roll is for"), required=False),
        ),
        press.subject,
    )


def _read_more(answer: Answer) -> Rule:
    typed = answer.fields.typed

    def made(table: Table, actor: Actor) -> Step:
        dice, who = _dice_of(table, actor, read_build(answer.subject))
        more, note = typed("dice"), typed("note") or None
        if dice and more:
            more = more if more.casefold().startswith(_JOINED) else f"+ {more}"
        pool = f"{dice} {more}".strip()
        width, height = typed_number(typed("width")), typed_number(typed("height"))
        against = read_build(answer.subject).against
        rule = partial(rolls.typed, who=who, note=note, width=width, height=height, against=against)
        return rule(table, actor, rolls.full, answer.throw, pool)

    return made


_JOINED = ("+", "-", "width", "height", "penalty")
"""How typed dice begin that need no plus before them."""


QUESTIONS = (
    Question("orebuilt", STATE, press=_rolled, apart=True),
    Question(MORE, STATE, form=_ask_more, read=_read_more, apart=True, longest={"note": LONGEST_NOTE}),
)
