"""One-Roll hits, boxes and crowds as text, and the form behind `Hit` (O7, O8)."""

from collections.abc import Mapping
from functools import partial

from bot.language import later, say, say_of
from bot.language.line import Text, joined
from bot.views.card import Button, Field, Form, Option, Weight
from bot.views.game import Rule
from bot.views.labels import roller_words
from bot.views.question import Answer, Pressed, Question, choice, cut, pick, typed_number
from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor
from rules.errors import TooLate
from rules.ore import damage
from rules.ore import roll as rolls
from rules.ore.damage import targets, usable
from rules.ore.model import (
    Boxes,
    DamageKind,
    OreHealed,
    OreHit,
    OreHurt,
    OreRoll,
    OreThinned,
    order,
    set_owner,
)
from rules.table import Table
from rules.values import exhaustive

HIT = "orehit"
"""The verb of the button that hits somebody with a set."""
KINDS: Mapping[DamageKind, tuple[str, str]] = exhaustive(
    DamageKind,
    {
        DamageKind.SHOCK: (later("Shock"), later("{count} shock")),
        DamageKind.KILLING: (later("Killing"), later("{count} killing")),
        DamageKind.BOTH: (later("Shock and killing"), later("{count} shock and {count} killing")),
    },
)
"""Each kind of damage as an option, and how much of it."""


def hit_buttons(table: Table, roll: OreRoll) -> list[Button]:
    """Return the button to hit somebody, if the roll has a set for it and there is somebody to hit."""
    if not any(usable(roll)) or not targets(table, roll):
        return []
    return [Button(say("Hit"), HIT, roll.number, weight=Weight.MAIN)]


def filled_words(boxes: Boxes) -> Text:
    """Return what fills boxes: `Body 3 killing, 1 shock of 10`, `Body out (2 killing of 10)`, `Body gone`."""
    if boxes.is_gone:
        return say("{place} gone", place=boxes.label)
    if boxes.is_out and not boxes.killing:
        return say("{place} out", place=boxes.label)
    if boxes.is_out:
        return say(
            "{place} out ({count} killing of {size})", place=boxes.label, count=boxes.killing, size=boxes.size
        )
    parts = [say("{count} killing", count=boxes.killing)] if boxes.killing else []
    parts += [say("{count} shock", count=boxes.shock)] if boxes.shock else []
    if not parts:
        return say("{place} unhurt", place=boxes.label)
    return say("{place} {damage} of {size}", place=boxes.label, damage=joined(", ", parts), size=boxes.size)


def box_words(boxes: Boxes) -> Text:
    """Return boxes as a sheet shows them: `Head 4`, `Body 3 killing of 10, armour 2`."""
    is_hurt = boxes.shock or boxes.killing
    said = filled_words(boxes) if is_hurt else f"{boxes.label} {boxes.size}"
    return say("{boxes}, armour {armour}", boxes=said, armour=boxes.armour) if boxes.armour else said


def members_words(count: int) -> Text:
    """Return how many members a crowd has: `12 members`."""
    return say_of(count, "{count} member", "{count} members")


def hit_words(fact: OreHit) -> Text:
    """Return a hit: `Rook hits Ogre with 3×7: 3 shock and 3 killing. Ogre: Body 3 killing, 3 shock of 10`."""
    amount = say(KINDS[fact.kind][1], count=fact.amount)
    if fact.stopped:
        amount = say("{amount}, {stopped} stopped by armour", amount=amount, stopped=fact.stopped)
    return say(
        "{who} hits {whom} with {own}: {amount}. {whom}: {now}",
        who=roller_words(fact.roll.who),
        whom=fact.who,
        own=str(fact.own),
        amount=amount,
        now=filled_words(fact.after),
    )


def thinned_words(fact: OreThinned) -> Text:
    """Return a hit on a crowd: `Rook hits Guards with 3×7: 3 of them fall, 12 are left`."""
    fallen = fact.before - fact.after
    line = say_of(
        fallen,
        "{who} hits {whom} with {own}: {count} of them falls",
        "{who} hits {whom} with {own}: {count} of them fall",
        who=roller_words(fact.roll.who),
        whom=fact.who,
        own=str(fact.own),
    )
    if not fact.after:
        return say("{line}, and nobody is left", line=line)
    return say_of(fact.after, "{line}, {count} is left", "{line}, {count} are left", line=line)


def hurt_words(fact: OreHurt) -> Text:
    """Return damage by hand: `Rook takes 2 shock: Head 2 shock of 4`."""
    return say(
        "{who} takes {amount}: {now}",
        who=fact.who,
        amount=say(KINDS[fact.kind][1], count=fact.amount),
        now=filled_words(fact.after),
    )


def healed_words(fact: OreHealed) -> Text:
    """Return what healed: `Rook heals: Head 1 shock of 4`."""
    return say("{who} heals: {now}", who=fact.who, now=filled_words(fact.after))


def state_words(who: str, boxes: Boxes) -> Text:
    """Return how somebody's place is: `Rook: Head 1 shock of 4`."""
    return say("{who}: {now}", who=who, now=filled_words(boxes))


def hit_form(table: Table, roll: OreRoll) -> Form:
    """Return the form of a hit; its subject is the set if there is only one.

    Raises TooLate if no set is left, or nobody to hit.
    """
    found = sorted(usable(roll), key=lambda each: order(each[1]), reverse=True)
    named = {
        f"{place}.{one}": cut(f"{set_owner(roll, place)}: {one}" if len(roll.hands) > 1 else str(one))
        for place, one in found
    }
    sets = [Option(name, value) for value, name in named.items()]
    people = [Option(cut(each.name), each.name) for each in targets(table, roll)]
    if not sets:
        raise TooLate("That roll has no set left to hit with.")
    if not people:
        raise TooLate("There's nobody left to hit.")
    kinds = [Option(say(KINDS[kind][0]), kind) for kind in reversed(DamageKind)]
    plus = Field("plus", say("The weapon adds"), "0", hint=say("0 to 20"), required=False)
    fields = [pick("whom", say("Whom"), people)]
    fields += [pick("set", say("Set"), sets)] if len(sets) > 1 else []
    only = sets[0].value if len(sets) == 1 else ""
    return Form(say("Hit"), (*fields, pick("kind", say("Damage"), kinds), plus), only)


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    roll = rolls.find(table, press.number)
    require_roller(table, actor, roll)
    return hit_form(table, roll)


def _read(answer: Answer) -> Rule:
    fields = answer.fields
    return partial(
        damage.hit,
        number=answer.number,
        which=fields.typed("set") or answer.subject,  # the form of a roll with one set doesn't ask for it
        whom=fields["whom"],
        kind=choice(DamageKind, fields["kind"]),
        plus=typed_number(fields.typed("plus")) or 0,
    )


QUESTIONS = (Question(HIT, r"(?:[0-9]{1,2}\.[0-9]{1,2}×[0-9]{1,2})?", form=_ask, read=_read),)
