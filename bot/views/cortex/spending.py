"""What players buy for a PP, and GMs for a doom die (P2, M4, X1)."""

from collections.abc import Callable, Sequence
from functools import partial

from bot.language import say
from bot.language.line import Text, spoken, together
from bot.views import question
from bot.views.card import MOST_IN_ROW, Button, Field, Form, Option, mark
from bot.views.cortex.labels import pool_title, sfx_parts
from bot.views.cortex.roll import die_words
from bot.views.cortex.roll_changes import about, once
from bot.views.game import Rule
from bot.views.question import (
    MOST_IN_MENU,
    SIGN,
    VERSION,
    Answer,
    Pressed,
    Question,
    choice,
    cut,
    marked,
    pick,
    whole_number,
)
from rules.campaign import rolls
from rules.campaign.seats import Actor, is_game_master, is_gm
from rules.cortex import doom, gm_pools, points, reroll, roll, sfx_use, spending
from rules.cortex.actions import RollReading
from rules.cortex.facts import SfxUsed, TraitChanged
from rules.cortex.kinds import Foe, Sfx, Target, Trait, Use
from rules.cortex.model import CORTEX, Roll
from rules.cortex.outcome import gm_hand, is_without_effects
from rules.cortex.reroll import is_fixed
from rules.cortex.roll_status import is_given_in, rules_of
from rules.cortex.spending import Purchase
from rules.cortex.trait_lookup import owners
from rules.dice import Throw, write_dice
from rules.errors import NotAllowed, TooLate
from rules.facts import Fact
from rules.game import Step
from rules.names import key
from rules.table import Table
from rules.values import exhaustive, replace

_THEIRS = "theirs"
"""Before what is bought for the opposition."""


def spend_button(reading: RollReading) -> Button:
    """Return the button that offers what can be bought for a roll."""
    return Button(say("Spend"), "spend", reading.came.roll.number, reading.actions.version)


def spend_form(table: Table, actor: Actor, made: Roll) -> Form:
    """Return a form with what can be bought; SFX once per choice of dice.

    A GM gets what the opposition buys first, then the player's options with the player's name, without SFX.
    Raises NotAllowed if there is nothing to buy.
    """
    is_others = _is_others(table, actor, made)
    own = () if made.applied or is_others else sfx_use.usable(table, made)
    theirs = doom.opposition_purses(table, made) if is_gm(table, actor) else []
    options = _for_the_opposition(made) if theirs else []
    resources = [
        Option(_beside_total(each), f"{Purchase.RESOURCE}.{mark(each.label)}")
        for each in spending.resources_left(table, made)
    ]
    options += (
        [_named(option, say("{who}'s", who=made.who)) for option in resources] if is_others else resources
    )
    if spending.can_pay(table, made) or not (options or own or theirs):
        payer = say("{who} pays 1 {plot_point.short}", who=made.who)
        bought = _purchases(table, made)
        options += [_named(option, payer) for option in bought] if is_others else bought
    for each in own:
        options += _sfx(made, each)
    if not options:  # the button is there for the GM, who may pay for the opposition
        raise NotAllowed(
            "There's nothing left to buy for that roll, and {who} has no SFX for it.", who=made.who
        )
    what = pick("what", say("What"), options)
    if len(options) > MOST_IN_MENU:
        what = replace(
            what, hint=say("For more choices, use a command: /reroll dice:d8, /sfx use name:Focus")
        )
    payable = [
        Option(_coin(table, purse, size), f"{purse.foe}:d{size}")
        for purse in (spending.purses_of(table, made) if made.gm else theirs)
        for size in sorted(set(gm_pools.dice(table, purse)))
    ]
    price = say("Spend {doom_pool.a_short} die") if made.gm else say("Spend 1 {plot_point.short}")
    is_priced = not (theirs or resources)
    title = say("Spend, or use an SFX") if own else price if is_priced else say("Spend")
    paying = say("The die to spend for the opposition") if theirs else ""
    fields = [what]
    if payable:
        fields.append(pick("dice", say("Dice"), payable, hint=paying))
    if any(map(sfx_use.can_name, own)):
        hint = say("For {asset.a} or {complication.one} that an SFX makes")
        fields.append(Field("name", say("Name"), hint=hint, required=False))
    return Form(question.headed(title, made), tuple(fields), spending.version(made))


def _is_others(table: Table, actor: Actor, made: Roll) -> bool:
    """Return whether the GM looks at what a player pays for, also where the GM rolled for the player."""
    character = table.characters.get(key(made.who))
    payer = made.player if character is None else character.player
    return is_game_master(table, actor) and not made.gm and payer not in (0, actor.id)


def _named(option: Option, payer: Text) -> Option:
    """What is bought, with whose it is that pays."""
    return replace(option, label=cut(say("{what} ({payer})", what=option.label, payer=payer)))


def _for_the_opposition(made: Roll) -> list[Option]:
    """What a doom die, or one of the crisis that opposes, does for the dice against a roll (M4, K4)."""
    hand = gm_hand(made)
    offered = (
        (
            hand is not None and spending.has_total(hand),
            say("Another die in the opposition's total"),
            Use.TOTAL,
        ),
        (
            hand is not None and spending.has_effect(hand),
            say("Another effect die for the opposition"),
            Use.EFFECT,
        ),
        (True, say("Add the spent die to the opposition"), Use.DIE),
    )
    return [Option(label, f"{_THEIRS}.{use}") for is_offered, label, use in offered if is_offered]


def _beside_total(resource: Trait) -> Text:
    """A resource that is left, as what it does (N22)."""
    dice = write_dice((resource.die, *resource.more))
    return say("Add {resource} {dice} to the total", resource=resource.label, dice=dice)


def _purchases(table: Table, made: Roll) -> list[Option]:
    """What a PP or a doom die buys for a roll."""
    rules = rules_of(table, made)
    held = sorted(set(points.usable(table, made)), reverse=True) if spending.can_hero(table, made) else []
    offered = (
        (spending.can_total(made), say("Another die in the total"), Purchase.TOTAL),
        (spending.can_effect(made), say("Another effect die"), Purchase.EFFECT),
        (spending.over_limit(made, rules), say("A die over the limit"), Purchase.LIMIT),
        (made.gm, say("Use {gmc.a}'s SFX"), Purchase.SFX),
    )
    options = [Option(label, f"{what}.") for is_offered, label, what in offered if is_offered]
    options += [
        Option(say("Hero d{size}: roll it and add it to the total", size=n), f"{Purchase.HERO_TOTAL}.{n}")
        for n in held
    ]
    options += [
        Option(say("Hero d{size}: use it as the effect die", size=n), f"{Purchase.HERO_EFFECT}.{n}")
        for n in (() if is_without_effects(made.hand) else held)
    ]
    again = enumerate(made.hand.dice) if rules.reroll_for_pp and not is_given_in(table, made) else ()
    return options + [
        Option(say("Reroll {die}", die=die_words(die, gm=made.gm)), f"{Purchase.REROLL}.{n}")
        for n, die in again
        if not is_fixed(die)
    ]


def _sfx(made: Roll, sfx: Sfx) -> list[Option]:
    """An SFX of the roller, once for each choice of the dice that it could be for (X1)."""
    used = f"{Purchase.USE}.{mark(sfx.name)}"
    ways = sfx_use.choices(made.hand, sfx)
    if len(ways) == 1:
        places = ".".join(map(str, ways[0]))
        return [Option(cut(together(sfx.name, ": ", sfx_parts(sfx))), f"{used}.{places}".rstrip("."))]
    return [
        Option(
            cut(_on_dice(made, sfx, way)),
            f"{used}.{'.'.join(map(str, way))}",
        )
        for way in ways
    ]


def _on_dice(made: Roll, sfx: Sfx, way: tuple[int, ...]) -> Text:
    """An SFX on one die, or with what it does to each of several."""
    if len(set(way)) > 1:
        return together(sfx.name, ": ", spoken(sfx_use.way_words(made.hand, sfx, way)))
    return say("{sfx} on {die}", sfx=sfx.name, die=die_words(made.hand.dice[way[0]], gm=made.gm))


def _coin(table: Table, purse: Target, size: int) -> Text:
    """What pays: `d6 of doom`, `d8 of Crisis Fire`."""
    if purse.foe is Foe.DOOM:
        return say("d{size} from {doom_pool.short}", size=size)
    return say("d{size} from {pool}", size=size, pool=pool_title(gm_pools.called(table, purse)))


def _read(answer: Answer) -> Rule:
    return once(answer, partial(_bought(answer), number=answer.number))


def _refuse_name(table: Table, actor: Actor, number: int) -> Step:
    raise NotAllowed("Only an SFX makes something with a name. Clear the Name field.")


def _bought(answer: Answer) -> Callable[..., Step]:
    """The rule for what was chosen, which still waits for the roll's number."""
    what, _, of = answer.fields["what"].partition(".")
    die, name = answer.fields.get("dice"), answer.fields.typed("name")
    if name and what != Purchase.USE:
        return _refuse_name
    if what == _THEIRS:
        return partial(_for_opposition, throw=answer.throw, use=choice(Use, of), die=die or "")
    rule = _BOUGHT[choice(Purchase, what)](answer.throw, of, die)
    return partial(rule, name=name) if name else rule


def _paid(rule: Callable[..., Step]) -> Callable[[Throw, str, str | None], Callable[..., Step]]:
    """What is bought without saying more."""
    return lambda throw, of, die: partial(rule, doom_die=die)


def _hero_used(*, as_effect: bool) -> Callable[[Throw, str, str | None], Callable[..., Step]]:
    """A hero die, of which the size was chosen (Z2)."""
    return lambda throw, of, die: partial(
        spending.use_hero, throw=throw, size=whole_number(of), as_effect=as_effect
    )


def _rerolled(throw: Throw, of: str, die: str | None) -> Callable[..., Step]:
    return partial(reroll.reroll_at, throw=throw, places=(whole_number(of),), doom_die=die)


def _used(throw: Throw, of: str, die: str | None) -> Callable[..., Step]:
    return partial(_sfx_used, throw=throw, subject=of, doom_die=die)


def _with_resource(throw: Throw, of: str, die: str | None) -> Callable[..., Step]:
    """A resource beside the total, which was chosen by its sign (N22)."""

    def rule(table: Table, actor: Actor, number: int) -> Step:
        left = spending.resources_left(table, roll.find(table, number))
        label = next((one.label for one in left if mark(one.label) == of), "")
        return spending.spend_resource(table, actor, throw, number, label)

    return rule


def _for_opposition(table: Table, actor: Actor, throw: Throw, number: int, use: Use, die: str) -> Step:
    """What was chosen for the opposition, paid by the die that was chosen with it."""
    foe, _, size = die.rpartition(":")
    purses = doom.opposition_purses(table, roll.find(table, number))
    purse = next((each for each in purses if each.foe == foe), None)
    if purse is None:
        raise TooLate("That pool is gone, so it can't pay. Press Spend again.")
    return doom.spend(table, actor, throw, size, use, purse=purse, number=number)


def _sfx_used(
    table: Table,
    actor: Actor,
    throw: Throw,
    number: int,
    subject: str,
    doom_die: str | None,
    name: str = "",
) -> Step:
    """The SFX that was chosen, on the die that was chosen with it; what it makes has the `name`."""
    sign, _, typed = subject.partition(".")
    there = sfx_use.usable(table, roll.find(table, number))
    sfx = next((each for each in there if mark(each.name) == sign), None)
    if sfx is None:
        raise TooLate("That SFX is gone. Press Spend again.")
    places = tuple(map(whole_number, typed.split("."))) if typed else ()
    return sfx_use.use_on(table, actor, throw, number, sfx.name, places, doom_die, label=name)


_BOUGHT = exhaustive(
    Purchase,
    {
        Purchase.TOTAL: _paid(spending.spend_total),
        Purchase.EFFECT: _paid(spending.spend_effect),
        Purchase.LIMIT: _paid(spending.spend_limit),
        Purchase.SFX: _paid(spending.spend_sfx),
        Purchase.HERO_TOTAL: _hero_used(as_effect=False),
        Purchase.HERO_EFFECT: _hero_used(as_effect=True),
        Purchase.REROLL: _rerolled,
        Purchase.USE: _used,
        Purchase.RESOURCE: _with_resource,
    },
)
"""What each purchase does: of the throw, of what was chosen with it, and the die that pays."""


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    rolls.require_roller(table, actor, made)
    roll.check_open(made)
    has_sfx = not _is_others(table, actor, made) and bool(sfx_use.usable(table, made))
    is_free = has_sfx or bool(spending.resources_left(table, made))
    is_vain = not (made.gm or spending.can_pay(table, made) or is_free)
    if is_vain and not (is_gm(table, actor) and doom.opposition_purses(table, made)):
        raise NotAllowed("{who} has no {plot_point.short} to spend.", who=made.who)
    return spend_form(table, actor, made)


def naming_buttons(table: Table, facts: Sequence[Fact]) -> tuple[Button, ...]:
    """Return the buttons to name what SFX made in a step without a name (X1)."""
    changed = dict.fromkeys(fact.owner for fact in facts if isinstance(fact, TraitChanged))
    made = [
        (fact, owner.name)
        for fact in facts
        if isinstance(fact, SfxUsed)
        for at, owner in owners(table)
        if owner.name in changed and sfx_use.find_unnamed_kinds(table, fact.sfx, at)
    ]
    return tuple(
        Button(
            say("Name {what}", what=fact.sfx.name),
            "namesfx",
            table.number,
            ".".join(map(mark, (fact.who, fact.sfx.name, owner))),
        )
        for fact, owner in made[:MOST_IN_ROW]
    )


def _read_made(table: Table, subject: str) -> tuple[str, Sfx, str]:
    """Who used an SFX, the SFX, and whose what it made is."""
    who, sign, whose = subject.split(".")
    user = marked(table, who)
    sfx = next((each for each in CORTEX.has(user).sfx.values() if mark(each.name) == sign), None)
    owner = next((at for at, each in owners(table) if mark(each.name) == whose), None)
    if sfx is None or owner is None:
        raise TooLate("That already has another name, or is gone.")
    return key(user.name), sfx, owner


def _ask_name(table: Table, actor: Actor, press: Pressed) -> Form:
    who, sfx, owner = _read_made(table, press.subject)
    sfx_use.require_unnamed(table, actor, who, sfx, owner)
    return Form(say("Name {what}", what=sfx.name), (Field("name", say("Name")),))


def _read_name(answer: Answer) -> Rule:
    def name(table: Table, actor: Actor) -> Step:
        return sfx_use.name_made(table, actor, *_read_made(table, answer.subject), answer.fields["name"])

    return name


QUESTIONS = (
    Question("spend", VERSION, form=about(_ask), read=_read),
    Question("namesfx", rf"{SIGN}\.{SIGN}\.{SIGN}", form=_ask_name, read=_read_name, apart=True),
)
