"""Forms in which the GM activates hitches, and players use opportunities (H1, H2)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.language import later, say
from bot.language.line import Text
from bot.language.said import width
from bot.views import question
from bot.views.card import Button, Field, Form, Option, mark
from bot.views.cortex.labels import trait_name, unnamed
from bot.views.cortex.roll_changes import about
from bot.views.game import Rule
from bot.views.labels import ROLLERS
from bot.views.question import LONGEST, Answer, Question, choice, chosen_count, cut, how_many, pick
from rules.campaign.seats import Actor, require_gm
from rules.cortex import hitches as cortex_hitches
from rules.cortex.actions import RollReading
from rules.cortex.effects import hitches
from rules.cortex.hitches import (
    BUY,
    Buyable,
    SteppableTrait,
    Way,
    buy,
    growing,
    opportunities,
    require_hitches,
    require_opportunities,
    require_player,
    seize,
    steps_left,
    touchable,
    ways,
)
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, Roll, ladder
from rules.cortex.push_and_challenge import is_helper
from rules.cortex.roll import find
from rules.cortex.roll_status import resolve
from rules.dice import SIZES, Ladder, down, up, write_dice
from rules.errors import NotAllowed, TooLate
from rules.game import Step
from rules.names import key
from rules.table import Table
from rules.text import Words
from rules.values import exhaustive

_UP = later("Step up {name} d{die}, {price}")
_UP_EACH = later("Step up {name} d{die} once for each {hitch.one}, {price}")
"""What one hitch, or each of several, does to a complication that is there."""
_NAMED = (Way.COMPLICATION, Way.BOTCH)
"""What is given a name."""


def hitches_button(reading: RollReading) -> Button:
    """Return the button to activate hitches, with their number."""
    return Button(
        say("{hitch.Many}: {count}", count=reading.actions.hitches), "hitches", reading.came.roll.number
    )


def hitches_form(table: Table, made: Roll) -> Form:
    """Return a form with what hitches buy: the ruleset's usual way first, for all hitches together."""
    count = len(hitches(made))
    came = resolve(table, made)
    offered = ways(table, came)
    buyable = [each for each in offered if count > 1 or each.way is not Way.DOOM_EACH]
    options = []
    for each in buyable:
        by_trait = _WAYS[each.way].by_trait
        if by_trait is not None:
            options += by_trait(table, made)
            continue
        options.append(Option(_way(came.rules.sizes, made, each, count), each.way))
        if each.way is Way.COMPLICATION:
            options += _worse(table, made, each, count)
    fields = [pick("what", say("What"), options)]
    if any(each.way in _NAMED for each in buyable):
        hint = say("Type a name to make a new {complication.one}")
        fields.append(
            Field(
                "name", say("Name"), hint=hint, required=False, otherwise=made.note or unnamed(is_asset=False)
            )
        )
    if count > 1:
        fields.append(how_many(count, count))
    return Form(question.headed(say("{hitch.Many} of {who}", who=ROLLERS[made.who]), made), tuple(fields))


def _growing(table: Table, made: Roll) -> list[Option]:
    """The d4s that have helped, to be stepped up instead of gone (N2)."""
    labels = [label for label in growing(table, made) if len(label) < 80]
    said = _WAYS[Way.GROW].one
    free = say("free")
    return [Option(cut(say(said, name=each, price=free)), f"{Way.GROW}:{each}") for each in labels]


def _thinning(table: Table, made: Roll) -> list[Option]:
    """The traits of several dice that can lose one of them for good (N21)."""
    return [
        Option(
            cut(say(_WAYS[Way.THIN_OUT].one, name=one.label, price=say("free"))),
            f"{Way.THIN_OUT}:{one.label}",
        )
        for _, one in cortex_hitches.thinning(table, made)
        if len(one.label) < 80
    ]


def _read(answer: Answer) -> Rule:
    said, _, there = answer.fields["what"].partition(":")
    way, name = choice(Way, said), answer.fields.typed("name")
    what, count = name or there, chosen_count(answer)

    def bought(table: Table, actor: Actor) -> Step:
        if name and (there or way not in _NAMED):
            raise NotAllowed(
                "{chosen} doesn't need a name, but you entered {name}. Clear the Name field, or choose "
                "the new {complication.one}.",
                name=name,
                chosen=there or Words("{doom_pool.Short}"),
            )
        return buy(table, actor, number=answer.number, way=way, what=what, count=count)

    return bought


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, BUY)
    require_hitches(made)
    return hitches_form(table, made)


def _worse(table: Table, made: Roll, way: Buyable, count: int) -> list[Option]:
    """Complications that are there already, to be stepped up instead (H1a); not for a price what is free."""
    held = table.characters.get(key(made.who))
    there = CORTEX.has(held).complications.values() if held else ()
    # An option's value has 100 characters, its way among them.
    return [
        Option(_up(trait, way, count), f"{way.way}:{trait.label}")
        for trait in there
        if len(trait.label) < 80 and not (count == 1 and _grows_for_free(made, trait))
    ]


def _grows_for_free(made: Roll, trait: Trait) -> bool:
    """Whether a complication is a d4 that has helped the roll, which `Way.GROW` offers (N2)."""
    return trait.die == SIZES[0] and any(
        each.kind is TraitKind.COMPLICATION and is_helper(each, trait.label) for each in made.closing
    )


def _up(trait: Trait, way: Buyable, count: int) -> Text:
    """A complication that is stepped up, its name cut where it is too long for a label."""
    said = partial(say, _UP if count == 1 else _UP_EACH, die=trait.die, price=_price(way))
    return said(name=cut(trait.label, LONGEST - width(said(name=""))))


def _way(sizes: Ladder, made: Roll, way: Buyable, count: int) -> Text:
    """A way to buy hitches with its result and its price, true for any number of them."""
    like = [size for size in (made.hand.dice[place].size for place in hitches(made)) if size >= 6]
    words = _WAYS[way.way]
    is_one = (len(like) if words.is_of_like else count) <= 1
    return say(
        words.one if is_one else words.several,
        die=_grown(sizes, count),
        size=up(6, count - 1, sizes),
        dice=write_dice(like),
        price=_price(way),
    )


def _price(way: Buyable) -> Text:
    """The PP that a way pays, for each hitch where it pays by the hitch (H1)."""
    if not way.pp:
        return say("free")
    return say("pays 1 {plot_point.short} each") if way.pp > 1 else say("pays 1 {plot_point.short}")


def _grown(sizes: Ladder, count: int) -> Text:
    """The size that so many hitches make of a new complication (H1a, C4)."""
    is_past = sizes.index(6) + count > len(sizes)  # a d6 and three steps are a d12
    return say("past d{size}", size=sizes[-1]) if is_past else f"d{up(6, count - 1, sizes)}"


@dataclass(frozen=True, slots=True)
class _Offered:
    """How a way to buy hitches is offered: where there is one hitch, and where there are several."""

    one: str
    several: str
    is_of_like: bool = False
    """Of the hitches those alone count that are larger than a d4."""
    by_trait: Callable[[Table, Roll], list[Option]] | None = None
    """It is offered once for each trait that it could be for."""


_GROWS = later("Step up {name} d4, {price}")
_THINS = later("{name} loses a die for good, {price}")
_FOR_EACH = later("{doom_pool.Short}: a d6 for each {hitch.one}, {price}")
_BOTCH = later("Botch: a single {complication.one} {die}, {price}")
_WAYS = exhaustive(
    Way,
    {
        Way.COMPLICATION: _Offered(
            later("New {complication.one} d6, {price}"),
            later("New {complication.one} d6, stepped up for each extra {hitch.one} ({die} in all), {price}"),
        ),
        Way.BOTCH: _Offered(_BOTCH, _BOTCH),
        Way.DOOM_ONE: _Offered(
            later("{doom_pool.Short}: a d6, {price}"),
            later("{doom_pool.Short}: a d6, stepped up for each extra {hitch.one} (d{size} in all), {price}"),
        ),
        Way.DOOM_EACH: _Offered(_FOR_EACH, _FOR_EACH),
        Way.DOOM_STEP: _Offered(
            later("{doom_pool.Short}: step up the smallest die, {price}"),
            later("{doom_pool.Short}: step up the smallest die once for each {hitch.one}, {price}"),
        ),
        Way.DOOM_SIZE: _Offered(
            later("{doom_pool.Short}: a die the size of the {hitch.one} ({dice}), {price}"),
            later("{doom_pool.Short}: a die the size of each {hitch.one} ({dice}), {price}"),
            is_of_like=True,
        ),
        Way.GROW: _Offered(_GROWS, _GROWS, by_trait=_growing),
        Way.THIN_OUT: _Offered(_THINS, _THINS, by_trait=_thinning),
    },
)


_SEIZE_UP = later("Step {trait} up to d{size}"), later("Step {trait} up (d{size} if you use all)")
_DOWN = later("Step {trait} down to d{size}"), later("Step {trait} down (d{size} if you use all)")
_GONE = later("Remove {trait}"), later("Step {trait} down (gone if you use all)")
"""What becomes of a trait by one step, and by the steps of all opportunities."""


def seize_button(reading: RollReading) -> Button:
    """Return the button to use opportunities, with their number."""
    count = reading.actions.opportunities
    return Button(say("{opportunity.Many}: {count}", count=count), "seize", reading.came.roll.number)


def seize_form(table: Table, actor: Actor, made: Roll) -> Form:
    """Return a form with what can be stepped down or up, the caller's own first.

    One price covers all opportunities of the roll.
    """
    count = len(opportunities(made))
    options = [
        Option(_label(ladder(table), each, count), mark(str(each))) for each in touchable(table, actor)
    ]
    fields = [pick("what", say("What"), options)]
    if count == 1:
        return Form(say("{opportunity.A}, for 1 {plot_point.short}"), tuple(fields))
    return Form(
        say("{count} {opportunity.many}, for 1 {plot_point.short}", count=count),
        (*fields, how_many(count, count)),
    )


def _read_seize(answer: Answer) -> Rule:
    return partial(_seized, number=answer.number, sign=answer.fields["what"], count=chosen_count(answer) or 1)


def _seized(table: Table, actor: Actor, number: int, sign: str, count: int) -> Step:
    """The opportunity used on what was chosen, as long as it is still as it was shown."""
    require_opportunities(find(table, number))
    found = next((each for each in touchable(table, actor) if mark(str(each)) == sign), None)
    if found is None:
        raise TooLate("That trait has changed in the meantime. Press the button again.")
    return seize(table, actor, number, str(found), count)


def _label(sizes: Ladder, each: SteppableTrait, count: int) -> Text:
    """What so many opportunities do to a trait: `Step Rook · Burned down to d8`."""
    steps, die = min(count, steps_left(each.kind, each.trait, sizes)), each.trait.die
    is_up = each.kind is TraitKind.ASSET
    size = up(die, steps, sizes) if is_up else down(die, steps, sizes)
    words = (_SEIZE_UP if is_up else _DOWN if size else _GONE)[steps > 1]
    said = partial(say, words, size=size)
    trait = trait_name(each.owner, each.kind, each.trait)
    return said(trait=cut(trait, LONGEST - width(said(trait=""))))


def _ask_seize(table: Table, actor: Actor, made: Roll) -> Form:
    require_player(table, actor)
    require_opportunities(made)
    if not touchable(table, actor):
        raise NotAllowed(
            "There's no {complication.one} or {stress.one} to step down, and no {asset.one} to step up."
        )
    return seize_form(table, actor, made)


QUESTIONS = (
    Question("hitches", form=about(_ask), read=_read),
    Question("seize", form=about(_ask_seize), read=_read_seize),
)
