"""What the GM buys with hitches (H1)."""

from functools import partial

from bot.asks.question import LONGEST, Answer, Question, Rule, about, choice, counted, cut, how_many, pick
from bot.render.card import Button, Field, Form, Option
from rules.cortex.apply import hitches
from rules.cortex.hitches import TROUBLE, Offer, Way, buy, require_hitches, ways
from rules.dice import SIZES, up, write
from rules.seats import Actor, require_gm
from rules.table import Roll, Table, key


def button(made: Roll) -> Button:
    """How many hitches can be bought."""
    return Button(f"Hitches: {len(hitches(made))}", "hitches", made.number)


def form(table: Table, made: Roll) -> Form:
    """What the GM buys with hitches: the ruleset's way first, all at once."""
    count = len(hitches(made))
    offers = [offer for offer in ways(table, made) if count > 1 or offer.way is not Way.DOOM_EACH]
    options = []
    for offer in offers:
        options.append(Option(_way(made, offer, count), offer.way))
        if offer.way is Way.COMPLICATION:
            options += _worse(table, made, offer, count)
    fields = [pick("what", "What", options)]
    if any(offer.way in (Way.COMPLICATION, Way.BOTCH) for offer in offers):
        fields.append(Field("name", "Name", TROUBLE, hint="Of a new complication", required=False))
    if count > 1:
        fields.append(how_many(count, count))
    return Form(f"Hitches of {made.who}", tuple(fields))


def _read(answer: Answer) -> Rule:
    way, _, there = answer.fields["what"].partition(":")
    rule = partial(buy, number=answer.number, way=choice(Way, way), count=counted(answer))
    return partial(rule, what=there or answer.fields.get("name", ""))


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, "buy hitches")
    require_hitches(made)
    return form(table, made)


def _worse(table: Table, made: Roll, offer: Offer, count: int) -> list[Option]:
    """Complications that are there already, to be stepped up instead (H1a)."""
    held = table.characters.get(key(made.who))
    there = held.complications.values() if held else ()
    said = [(trait, f" d{trait.die} up {_once_each(count)}, {_price(offer)}") for trait in there]
    return [
        Option(cut(trait.label, LONGEST - len(rest)) + rest, f"{offer.way}:{trait.label}")
        for trait, rest in said
        if len(trait.label) < 80
    ]


def _way(made: Roll, offer: Offer, count: int) -> str:
    """A way to buy hitches with its result and its price, true for any number of them."""
    pays = _price(offer)
    like = [size for size in (made.hand.dice[place].size for place in hitches(made)) if size > SIZES[0]]
    match offer.way:
        case Way.BOTCH:
            return f"Botch: complication {_grown(count)}, all at once, {pays}"
        case Way.COMPLICATION if count > 1:
            return f"New complication d6, a step up for each further hitch (all: {_grown(count)}), {pays}"
        case Way.COMPLICATION:
            return f"New complication d6, {pays}"
        case Way.DOOM_ONE if count > 1:
            return f"Doom: a d6, a step up for each further hitch (all: d{up(6, count - 1)}), {pays}"
        case Way.DOOM_ONE:
            return f"Doom: a d6, {pays}"
        case Way.DOOM_EACH:
            return f"Doom: a d6 for each hitch, {pays}"
        case Way.DOOM_STEP:
            return f"Doom: lowest die up {_once_each(count)}, {pays}"
        case Way.DOOM_SIZE if len(like) > 1:
            return f"Doom: a die like each that rolled a 1 ({write(like)}), {pays}"
        case Way.DOOM_SIZE:
            return f"Doom: a die like the one that rolled a 1 ({write(like)}), {pays}"


def _price(offer: Offer) -> str:
    """The PP that a way pays, for each hitch where it pays by the hitch (H1)."""
    if not offer.pp:
        return "free"
    is_each = offer.pp > 1
    return "pays 1 PP each" if is_each else "pays 1 PP"


def _grown(count: int) -> str:
    """The size that so many hitches make of a new complication (H1a, C4)."""
    return f"d{up(6, count - 1)}" if count < 5 else "past d12"


def _once_each(count: int) -> str:
    return "once" if count == 1 else "once for each hitch"


QUESTIONS = (Question("hitches", form=about(_ask), read=_read),)
