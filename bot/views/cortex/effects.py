"""Effect dice: what they become, which die they hit, and staying in (R7, C3, C4, M7, K3, L3, B1)."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from bot.language import later, say, say_of
from bot.language.line import Text
from bot.views import question
from bot.views.card import Button, Field, Form, Option, Weight, mark
from bot.views.cortex.gm_pools import name_of
from bot.views.cortex.labels import pool_title, unnamed
from bot.views.game import Rule
from bot.views.question import (
    MOST_IN_MENU,
    NUMBER,
    SIGN,
    Answer,
    FormRequired,
    Pressed,
    Question,
    choice,
    cut,
    marked,
    pick,
)
from rules.campaign.seats import Actor, character_of, is_game_master, with_new
from rules.cortex import effects, gm_pools, roll, traits
from rules.cortex.actions import RollReading, Unused
from rules.cortex.gm_pools import FOES
from rules.cortex.kinds import Target, TraitKind
from rules.cortex.model import CORTEX, ladder
from rules.cortex.outcome import WITHOUT_EFFECT, Effect, Outcome
from rules.cortex.roll_status import resolve
from rules.cortex.trait_lookup import owners, suggested, wording
from rules.errors import NotAllowed, PossibleAnswer, TooLate, Undecided
from rules.game import Step
from rules.names import SCENE
from rules.table import Table
from rules.text import Phrase, Words

_DOOM = "doom"
_GROWN = "grown:"
"""Before a trait that is there."""
_OUT = "out "
"""Before a harm that takes somebody out."""
_SCENE = "scene"
_HITS = ".hit"
"""Behind the place of an effect die whose button names what it hits."""


def effect_buttons(table: Table, reading: RollReading) -> list[Button]:
    """Return an `Apply` button for each effect die; against a boss, also for its other uses (B1)."""
    unused, target, number = reading.actions.unused, reading.actions.target, reading.came.roll.number
    to = cut(name_of(table, target), 20) if unused and target is not None else ""
    is_bare = reading.came.roll.hand.by in WITHOUT_EFFECT
    labels = [_bare(each, to) if is_bare else _label(each, to) for each in unused]
    if len(labels) > 1 and labels[0] == labels[1]:
        labels[1] = _label(unused[1], to, is_other=True)
    hits = _HITS if to else ""
    row = [
        Button(label, "apply", number, f"{each.effect.place}{hits}")
        for label, each in zip(labels, unused, strict=True)
    ]
    if row and reading.actions.is_boss:
        row = [row[0], Button(say("Use effect for…"), "applyas", number, str(unused[0].effect.place))]
    return row


def _bare(each: Unused, to: str) -> Text:
    """What a success does where no die is its effect: no size is said (N10)."""
    if each.takes_boss_die or each.takes_d12:
        return _label(each, to)
    return say("Apply to {target}", target=to) if to else say("Apply")


def _label(each: Unused, to: str, *, is_other: bool = False) -> Text:
    """What an effect die does: `Apply d10 to Fire`; without anything that it hits `Apply d10`."""
    if each.takes_boss_die:
        return say("Apply: remove a boss die")
    if each.takes_d12:
        return say("Apply: remove a d12")
    size = each.effect.size
    die = say("the other d{size}", size=size) if is_other else f"d{size}"
    return say("Apply {die} to {target}", die=die, target=to) if to else say("Apply {die}", die=die)


def apply_form(table: Table, actor: Actor, came: Outcome, place: int) -> Form:
    """Return a form with what an effect die can become, likeliest first.

    If the GM rolls, or against a GMC, that is harm.
    """
    made = came.roll
    effect = next((e for e in effects.open_effects(table, came) if e.place == place), None)
    size = f"d{effect.size}" if effect else say("effect")
    hit = effects.concerned(table, came)
    is_gms = effects.is_gm_side(table, came)
    can_be_asset = not effects.is_of_challenge(came)
    asset = [Option(say("{asset.One} {size}", size=size), TraitKind.ASSET)] if can_be_asset else []
    is_past = effect is not None and (effect.past > 0 or effect.is_further)
    takeouts = effects.takeouts_left(came) if is_past and effects.can_take_out(made) else 0
    harms = _harms(table, size, is_past=takeouts > 0)
    options = [*harms, *asset] if is_gms or hit else [*asset, *harms]
    if is_gms and asset and CORTEX.of(table).ruleset.doom and effect and effect.size > 4:
        options.append(Option(say("{doom_pool.One}: {size} added", size=size), _DOOM))
    if effect is not None:
        options += _grown(table, came, effect.size)[: MOST_IN_MENU - len(options)]
    name = made.note or unnamed(is_asset=not (is_gms or hit))
    what = say("A name for {asset.a} or {complication.a}")
    target = None if made.against is None else made.against.target
    if effect is not None and target is not None and effects.takes_die(table, came, effect, target):
        what = say("On {who}, the die removes a boss die instead", who=hit)
    people = _people(table, hit or character_of(table, actor).name, is_gms=is_gms)
    fields = (
        pick("what", say("What"), options),
        Field("name", say("Name"), hint=what, required=False, otherwise=name),
        replace(
            pick("on", say("On"), people, optional=True, hint=_usual(hit, is_gms=is_gms)),
            most=max(1, min(takeouts, len(people))),
        ),
        Field("new", say("Or on someone new"), hint=say("The name of a new character"), required=False),
    )
    return Form(question.headed(say("Apply {size}", size=size), made), fields)


def _grown(table: Table, came: Outcome, size: int) -> list[Option]:
    """An option for each trait that an effect die of that size makes larger, with what becomes of it (C3)."""
    top, options = ladder(table)[-1], []
    for owner, kind, trait in effects.growable(table, came):
        label = suggested(table, owner, kind, trait)
        if size > trait.die:
            words = say("{trait}: becomes d{die}", trait=label, die=size)
        elif trait.die >= top:
            words = say("{trait}: takes the target out", trait=label)
        else:
            words = say("{trait}: steps up", trait=label)
        options.append(Option(cut(words), f"{_GROWN}{kind}:{mark(owner.name)}:{mark(trait.label)}"))
    return options


def strike_form(table: Table, came: Outcome, place: int, target: Target) -> Form:
    """Return a form with the dice that an effect die can hit, each with the result (K3, L3)."""
    effect = effects.require_effect(table, came, place)
    there = effects.sizes(table, came.roll, target)
    options = [
        Option(_hit(table, size, effect, is_past=effects.is_past(came, effect, size)), f"d{size}")
        for size in there
    ]
    title = say("d{size} hits {target}", size=effect.size, target=pool_title(gm_pools.called(table, target)))
    return Form(question.headed(title, came.roll), (pick("dice", say("Dice"), options),))


def _press(answer: Answer) -> Rule:
    place, names_target = _effect_of(answer.subject), answer.subject.endswith(_HITS)

    def pressed(table: Table, actor: Actor) -> Step:
        came = resolve(table, roll.find(table, answer.number))
        if effects.is_direct(table, came, place):
            return effects.strike(table, actor, answer.number, place)
        form = _asked(table, actor, came, place)
        if names_target and effects.target_of(table, came) is None:
            _ask_other_use(actor, came, place)
        raise FormRequired(form)

    return pressed


def _effect_of(subject: str) -> int:
    """The place of the effect die that a button is for."""
    return int(subject.removesuffix(_HITS))


def _ask_other_use(actor: Actor, came: Outcome, place: int) -> None:
    """Ask first if an effect die is for something else: what its button names is gone. Raises Undecided."""
    against, sign = came.roll.against, f"another use of {came.roll.number}.{place}"
    if against is None or against.target is None or sign in actor.agreed:
        return
    kind, pool = FOES[against.target.foe], against.label
    gone = Words(kind.called, name=pool.removeprefix(kind.title)) if pool.startswith(kind.title) else pool
    answer = PossibleAnswer(Words("Use the die for something else"), sign)
    raise Undecided("{pool} is gone, so there's nothing left for this effect die to hit.", answer, pool=gone)


def _asked(table: Table, actor: Actor, came: Outcome, place: int) -> Form:
    """What is asked about an effect die: what it hits, or where nothing is hit, what it becomes."""
    _require(table, actor, came, place)
    target = effects.target_of(table, came)
    if target is None or effects.is_boss(table, target):
        return apply_form(table, actor, came, place)
    return strike_form(table, came, place, target)


def _ask_as(table: Table, actor: Actor, press: Pressed) -> Form:
    came, place = resolve(table, roll.find(table, press.number)), int(press.subject)
    _require(table, actor, came, place)
    return apply_form(table, actor, came, place)


def _require(table: Table, actor: Actor, came: Outcome, place: int) -> None:
    effects.require_effective(table, actor, came)
    effects.require_effect(table, came, place)


def _read(answer: Answer) -> Rule:
    fields, number, place = answer.fields, answer.number, _effect_of(answer.subject)
    if "dice" in fields:
        return partial(effects.strike, number=number, place=place, die=fields["dice"])
    if fields["what"] == _DOOM:
        return _to_doom(answer)
    if fields["what"].startswith(_GROWN):
        return _to_grown(answer)
    what, typed = fields["what"], fields.typed("name")
    on, new = fields.get("on", ""), fields.typed("new")
    said, _, track = what.removeprefix(_OUT).partition(":")
    kind = choice(TraitKind, said)
    is_takeout = what.startswith(_OUT)
    rule = partial(effects.take_out if is_takeout else effects.apply, number=number, place=place, kind=kind)

    def applied(table: Table, actor: Actor) -> Step:
        _require_one(on, new)
        if "," in on and not is_takeout:
            raise NotAllowed("Only takeouts can have several targets. Choose one.")
        if track and typed:
            raise NotAllowed(
                _NAMED_FOR_NOTHING, name=typed, chosen=Words("{track} {stress.one}", track=track)
            )
        asking = with_new(table, actor, new) if new else actor
        return rule(table, asking, what=track or typed, on=new or on or None)

    return applied


_NAMED_FOR_NOTHING = later(
    "{chosen} doesn't need a name, but you entered {name}. Clear the Name field, or choose something else."
)
_WHICH_OF_THE_TWO = later("{chosen} and {typed} are both filled in. Keep only one of them.")


def _require_one(chosen: str | Phrase, typed: str) -> None:
    """Refuse two answers to whom it hits."""
    if chosen and typed:
        raise NotAllowed(_WHICH_OF_THE_TWO, chosen=_place(chosen), typed=_place(typed))


def _place(of: str | Phrase) -> str | Phrase:
    """What a choice is called; the scene stands in it by a sign."""
    return Words("The {scene.one}") if of == _SCENE else of


def _to_doom(answer: Answer) -> Rule:
    """The effect into the doom pool, where no name and nobody was filled in beside it (M7)."""
    fields, number = answer.fields, answer.number
    on, new, typed = fields.get("on", ""), fields.typed("new"), fields.typed("name")

    def added(table: Table, actor: Actor) -> Step:
        chosen = Words("{doom_pool.One}")
        if typed:
            raise NotAllowed(_NAMED_FOR_NOTHING, name=typed, chosen=chosen)
        _require_one(chosen if on or new else "", on or new)
        return effects.apply_to_doom(table, actor, number=number, place=_effect_of(answer.subject))

    return added


def _to_grown(answer: Answer) -> Rule:
    """The effect onto a trait that is there, where no name and nobody was filled in beside it (C3)."""
    fields, number, place = answer.fields, answer.number, _effect_of(answer.subject)
    on, new, typed = fields.get("on", ""), fields.typed("new"), fields.typed("name")
    said, _, signs = fields["what"].removeprefix(_GROWN).partition(":")
    kind = choice(TraitKind, said)

    def grown(table: Table, actor: Actor) -> Step:
        found = next(
            (
                (who, owner, trait)
                for who, owner in owners(table)
                for trait in CORTEX.has(owner).traits(kind).values()
                if signs == f"{mark(owner.name)}:{mark(trait.label)}"
            ),
            None,
        )
        if found is None:
            raise TooLate("That trait is gone. Press the button on the roll again.")
        who, owner, trait = found
        chosen = Words("{trait}", trait=wording(owner.name, kind, trait))
        if typed:
            raise NotAllowed(_NAMED_FOR_NOTHING, name=typed, chosen=chosen)
        _require_one(chosen if on or new else "", on or new)
        onto = _SCENE if who == SCENE else owner.name
        return effects.apply(table, actor, number, place, kind, trait.label, onto)

    return grown


def _usual(hit: str, *, is_gms: bool) -> Text:
    """Who gets it where nobody is chosen."""
    if is_gms:
        return say("Default: any harm hits {who}", who=cut(hit, 40)) if hit else ""
    if not hit:
        return say("Default: the roller gets {asset.a}")
    return say("Default: the roller gets {asset.a}; anything else hits {who}", who=cut(hit, 40))


def _harms(table: Table, size: Text, *, is_past: bool) -> list[Option]:
    """The complication or stress that an effect die can become, past d12 a takeout (R7, C5)."""
    tracks = CORTEX.of(table).ruleset.stress
    found = [Option(say("{complication.One} {size}", size=size), TraitKind.COMPLICATION)]
    found += [
        Option(say("{track} {stress.one} {size}", track=track, size=size), f"{TraitKind.STRESS}:{track}")
        for track in tracks
    ]
    if is_past:
        found.append(
            Option(say("{complication.One} that takes the target out"), f"{_OUT}{TraitKind.COMPLICATION}")
        )
        found += [
            Option(
                say("{track} {stress.one} that takes the target out", track=track),
                f"{_OUT}{TraitKind.STRESS}:{track}",
            )
            for track in tracks
        ]
    return found


def _people(table: Table, first: str, *, is_gms: bool) -> list[Option]:
    """Whom something can hit: the likeliest, then the other side, those who are there before the rest."""
    there = sorted(table.in_play.values(), key=lambda c: (c.name != first, c.away, c.gmc is is_gms))
    return [*(Option(c.name, c.name) for c in there[:24]), Option(say("{scene.One}"), _SCENE)]  # 25


def _hit(table: Table, size: int, effect: Effect, *, is_past: bool) -> Text:
    fallen = gm_pools.fallen_to(size, effect.size, ladder(table), is_past=is_past)
    if not fallen:
        return say("d{size}: removed", size=size)
    return say("d{size}: steps down to d{fallen}", size=size, fallen=fallen)


_PAID, _FREE = "paid", "free"
"""Whether staying in costs its price."""


def stay_in_buttons(table: Table, out: Iterable[str]) -> tuple[Button, ...]:
    """Return a button to stay in for everybody who was taken out."""
    return tuple(
        Button(say("Stay in: {who}", who=who), "stayin", table.number, mark(who), Weight.GOOD) for who in out
    )[:5]  # a row has five


def stay_in_form(price: Text, *, can_waive: bool = False, is_free: bool = False) -> Form:
    """Return a form for the complication that staying in costs besides its price.

    `can_waive` lets the GM waive the price; `is_free` means that it is waived.
    """
    hint = say("A name for the new d6 {complication.one}")
    name = Field("name", say("Name"), hint=hint, required=False, otherwise=unnamed(is_asset=False))
    paid = Option(say("For {price}", price=price), _PAID)
    waived = pick("what", say("What"), [*([] if is_free else [paid]), Option(say("For free"), _FREE)])
    title = say("Stay in for free") if is_free else say("Stay in for {price}", price=price)
    return Form(title, (waived, name) if can_waive or is_free else (name,))


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    character = marked(table, press.subject)
    traits.require_taken_out(table, actor, character)
    if traits.is_waived(table, actor, character):
        return stay_in_form("", is_free=True)
    count, ruleset = traits.count_takeouts(character), CORTEX.of(table).ruleset
    if character.gmc and not (ruleset.gm_pp or ruleset.doom):
        return stay_in_form("", is_free=True)
    if character.gmc and not ruleset.gm_pp:
        price = say_of(count, "{doom_pool.a_short} die", "{count} {doom_pool.short} dice")
    else:
        price = say("{count} {plot_point.short}", count=count)
    return stay_in_form(price, can_waive=is_game_master(table, actor))


def _read_stay_in(answer: Answer) -> Rule:
    free = answer.fields.get("what") == _FREE
    return partial(_stayed, sign=answer.subject, name=answer.fields.typed("name"), free=free)


def _stayed(table: Table, actor: Actor, sign: str, name: str, free: bool) -> Step:
    return traits.stay_in(table, actor, marked(table, sign).name, name, free)


QUESTIONS = (
    Question("apply", rf"{NUMBER}(?:{re.escape(_HITS)})?", press=_press, read=_read),
    Question("applyas", NUMBER, form=_ask_as, read=_read),
    Question("stayin", SIGN, form=_ask, read=_read_stay_in, apart=True),
)
