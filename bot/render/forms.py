"""The forms that a roll's buttons open, the likeliest answer filled in."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.render.card import Field, Form, Option, mark, whole
from bot.render.roll import OTHER_DICE, choice_sign, choice_words, die_words, share_sign, share_words
from bot.render.roll_buttons import can_pay
from bot.render.sheet import sheet_hint
from rules.cortex import doom, hero, outcome, pools, sheet
from rules.cortex.apply import (
    can_take_out,
    concerned,
    hitches,
    is_gm_side,
    is_of_challenge,
    open_effects,
    step_shares,
)
from rules.cortex.hitches import TROUBLE, Offer, Way, opportunities, touchable, ways
from rules.cortex.opposition import DIFFICULTIES, targets
from rules.cortex.reroll import is_fixed
from rules.cortex.roll import rules_of
from rules.cortex.ruleset import Opposition
from rules.cortex.seats import Actor, character_of
from rules.cortex.sfx import write_parts
from rules.cortex.sfx_pool import needs_die
from rules.cortex.sfx_use import is_on_roll, usable
from rules.cortex.spend import Purchase, can_effect, can_hero, can_total, can_trade, over_limit, purses_of
from rules.cortex.table import Foe, Hand, Kind, Roll, Sfx, Table, Target, key
from rules.dice import SIZES, up, write
from rules.errors import TooLate

LONGEST = 100
"""A label, and what is typed into most fields, has at most this many characters."""
MOST_IN_MENU = 25
"""A menu shows this many options."""
ADVANTAGE = "Advantage"
"""The label of an asset that nobody named."""
PAID, FREE = "paid", "free"
"""Whether staying in costs its price."""
TYPED = "typed"
"""The option that means what is typed below."""
TOTAL, MORE_TOTAL, EFFECT, MORE_EFFECT = "Total", "More for the total", "Effect", "More for the effect"
"""The fields in which dice are chosen; a menu holds 25 of them, a pool 30."""


def hitches_form(table: Table, roll: Roll) -> Form:
    """What the GM buys with hitches: the ruleset's way first, all at once (H1)."""
    count = len(hitches(roll))
    offers = [offer for offer in ways(table, roll) if count > 1 or offer.way is not Way.DOOM_EACH]
    options = []
    for offer in offers:
        options.append(Option(_way(roll, offer, count), offer.way))
        if offer.way is Way.COMPLICATION:
            options += _worse(table, roll, offer, count)
    fields = [pick("What", options)]
    if any(offer.way in (Way.COMPLICATION, Way.BOTCH) for offer in offers):
        fields.append(Field("Name", TROUBLE, hint="Of a new complication", required=False))
    if count > 1:
        fields.append(_how_many(count))
    return Form(f"Hitches of {roll.who}", tuple(fields))


def opportunities_form(table: Table, actor: Actor, roll: Roll) -> Form:
    """What a player changes with an opportunity, for a PP (H2)."""
    count = len(opportunities(roll))
    written = touchable(table, actor)
    fields = [pick("What", [Option(text, mark(text)) for text in written])]
    if count > 1:
        fields.append(_how_many(count, 1))
    return Form("An opportunity, for 1 PP", tuple(fields))


def spend_form(table: Table, roll: Roll) -> Form:
    """What the roller buys, for a PP or a doom die, and the SFX of the roller (P2, M4, X1)."""
    own = () if roll.applied else usable(table, roll)
    options = (
        _purchases(table, roll)
        if can_pay(table, roll) or can_trade(roll, rules_of(table, roll)) or not own
        else []
    )
    for each in own:
        options += _sfx(roll, each)
    what = pick("What", options)
    if len(options) > MOST_IN_MENU:
        what = replace(what, hint="More by name: /reroll dice:d8, /sfx use name:Focus")
    payable = [
        Option(f"d{size} of {_purse(table, purse)}", f"{purse.foe}:d{size}")
        for purse in (purses_of(table, roll) if roll.gm else [])
        for size in sorted(set(pools.dice(table, purse)))
    ]
    price = "a doom die" if roll.gm else "1 PP"
    title = "Spend, or use an SFX" if own else f"Spend {price}"
    return Form(title, (what, *([pick("Dice", payable)] if payable else [])))


def _purchases(table: Table, roll: Roll) -> list[Option]:
    """What a PP or a doom die buys for a roll."""
    held = sorted(set(hero.usable(table, roll)), reverse=True) if can_hero(table, roll) else []
    offered = (
        (
            can_trade(roll, rules_of(table, roll)),
            "Another effect die for one of the steps past the difficulty, free",
            Purchase.TRADE,
        ),
        (can_total(roll), "Another die in the total", Purchase.TOTAL),
        (can_effect(roll), "Another effect die", Purchase.EFFECT),
        (over_limit(roll, rules_of(table, roll)), "A die over the limit", Purchase.LIMIT),
        (roll.gm, "An SFX of a GMC", Purchase.SFX),
    )
    options = [Option(label, f"{what}.") for is_offered, label, what in offered if is_offered]
    options += [Option(f"Hero d{n}: roll it into the total", f"{Purchase.HERO_TOTAL}.{n}") for n in held]
    options += [Option(f"Hero d{n}: take it as the effect", f"{Purchase.HERO_EFFECT}.{n}") for n in held]
    again = enumerate(roll.hand.dice) if rules_of(table, roll).reroll_for_pp else ()
    return options + [
        Option(f"Reroll {die_words(die, gm=roll.gm)}", f"{Purchase.REROLL}.{n}")
        for n, die in again
        if not is_fixed(die)
    ]


def _sfx(roll: Roll, sfx: Sfx) -> list[Option]:
    """An SFX of the roller, once for each die that it could be for (X1)."""
    said = _cut(f"{sfx.name}: {write_parts(sfx)}")
    if not (is_on_roll(sfx) and needs_die(sfx)):
        return [Option(said, f"{Purchase.USE}.{mark(sfx.name)}")]
    free = [(n, die) for n, die in enumerate(roll.hand.dice) if not die.used and not die.removed]
    dice = [(n, die_words(die, gm=roll.gm)) for n, die in free]
    return [Option(_cut(f"{sfx.name} on {die}"), f"{Purchase.USE}.{mark(sfx.name)}.{n}") for n, die in dice]


def _purse(table: Table, purse: Target) -> str:
    """What pays: `doom`, `Crisis Fire`."""
    return "doom" if purse.foe is Foe.DOOM else pools.title(table, purse)


def apply_form(table: Table, actor: Actor, roll: Roll, place: int) -> Form:
    """What an effect die becomes (R7, C3, M7); the likeliest first: of the GM or against a GMC, a harm."""
    effect = next((e for e in open_effects(table, roll) if e.place == place), None)
    size = f"d{effect.size}" if effect else "effect"
    hit = concerned(table, roll)
    is_gms = is_gm_side(table, roll)
    asset = [] if is_of_challenge(table, roll) else [Option(f"Asset {size}", Kind.ASSET)]
    harms = _harms(table, size, is_past=bool(effect and effect.past) and can_take_out(roll))
    options = [*harms, *asset] if is_gms or hit else [*asset, *harms]
    if is_gms and asset and table.ruleset.doom and effect and effect.size > 4:
        options.append(Option(f"{doom.NAME}: {size} added", "doom"))
    name = _cut(roll.note) or (TROUBLE if is_gms or hit else ADVANTAGE)
    first = hit or character_of(table, actor).name
    fields = [
        pick("What", options),
        Field("Name", name, hint="Of the asset or complication"),
        _on(table, first, hit if is_gms else "", hint=f"If left out: {_usual(hit)}" if not is_gms else ""),
        Field("Or on somebody new", hint="A name that is not in the list", required=False),
    ]
    return Form(f"Apply {size}", tuple(fields))


def _usual(hit: str) -> str:
    """Who gets it where nobody is chosen."""
    return f"an asset is the roller's, the rest hits {_cut(hit, 40)}" if hit else "an asset is the roller's"


def _harms(table: Table, size: str, *, is_past: bool) -> list[Option]:
    """The complication and stress that an effect die can become, past d12 a takeout (R7, C5)."""
    tracks = table.ruleset.stress
    found = [Option(f"Complication {size}", Kind.COMPLICATION)]
    found += [Option(f"{track} stress {size}", f"stress:{track}") for track in tracks]
    if is_past:
        found.append(Option("Complication that takes them out", "out complication"))
        found += [Option(f"{track} stress that takes them out", f"out stress:{track}") for track in tracks]
    return found


def counter_form(hand: Hand) -> Form:
    """Another choice of the opposition's dice, or any of them (T2, R1)."""
    kept = outcome.kept(hand)
    options = [Option(choice_words(c), choice_sign(c)) for c in outcome.choices(hand)[: MOST_IN_MENU - 1]]
    options.append(Option(f"{OTHER_DICE}, as chosen below", TYPED))
    is_listed = choice_sign(kept) in {option.value for option in options}
    first = pick("What", options, choice_sign(kept) if is_listed else TYPED)
    return Form("The opposition's choice", (first, *_kept_fields(hand)))


def other_dice_form(roll: Roll) -> Form:
    """Any usable dice for the total and for the effect, listed among the choices or not (R1)."""
    return Form(f"Other dice of {roll.who}", _kept_fields(roll.hand))


def read_kept(fields: Mapping[str, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of the dice that were chosen for the total and for the effect."""
    total = [fields.get(name, "") for name in (TOTAL, MORE_TOTAL)]
    effect = [fields.get(name, "") for name in (EFFECT, MORE_EFFECT)]
    found = [
        [whole(place) for text in texts for place in text.split(",") if place] for texts in (total, effect)
    ]
    return tuple(found[0]), tuple(found[1])


def _kept_fields(hand: Hand) -> tuple[Field, ...]:
    """Boxes for the dice of the total and of the effect, the kept ones ticked; a menu holds 25 of them."""
    free = outcome.usable(hand)
    dice = [Option(die_words(hand.dice[place]), str(place)) for place in free]
    rows = (
        (TOTAL, MORE_TOTAL, hand.total, outcome.fewest(hand), hand.keep),
        (EFFECT, MORE_EFFECT, hand.effects, 0, outcome.most_effects(hand)),
    )
    found = []
    for name, more, kept, least, most in rows:
        for title, part in ((name, dice[:MOST_IN_MENU]), (more, dice[MOST_IN_MENU:])):
            is_whole = title == name and not dice[MOST_IN_MENU:]
            value = ",".join(str(place) for place in kept)
            field = Field(title, value, tuple(part), required=False, most=max(2, most))
            if is_whole and least:
                field = replace(field, required=True, least=min(least, len(part)))
            found += [field] if part else []
    return tuple(found)


def shares_form(table: Table, roll: Roll) -> Form:
    """Which effect dice the steps of a heroic success go to, each way with what comes of it (R3)."""
    options = [Option(share_words(table, roll, each), share_sign(each)) for each in step_shares(table, roll)]
    return Form("Steps of the effect dice", (pick("What", options),))


def oppose_form(table: Table, roll: Roll) -> Form:
    """The opposition of a roll (T2)."""
    is_doom = table.ruleset.doom and bool(table.doom)
    options = [Option(_difficulty(table, name), name) for name in DIFFICULTIES]
    options += [Option(_cut(name), _cut(name)) for name in targets(table)][: 24 - len(options)]
    default = "challenging"
    if is_doom:
        options.insert(0, Option(f"{doom.NAME}: {write(doom.dice(table))}", "doom"))
        default = "doom"
    fields = (
        pick("What", options, default),
        Field("Dice", hint="Or a number, or dice: 11, 2d8 d6, doom + Rain", required=False, longest=200),
    )
    return Form(f"Against {roll.who}", fields)


def against_form(table: Table, actor: Actor, roll: Roll) -> Form:
    """The pool to roll against a roll, one's last pool filled in (T2)."""
    pools = table.last_pools.get(actor.id, ())
    field = Field("Dice", pools[0] if pools else "", hint="Example: Mind d10, Sharp d8, 2d6", longest=1000)
    return Form(f"Roll against {roll.who}", (field,))


def reroll_form(roll: Roll) -> Form:
    """Which die is rolled again (D4, D8)."""
    free = [(n, die) for n, die in enumerate(roll.hand.dice) if not die.used and not die.removed]
    options = [Option(die_words(die, gm=roll.gm), str(place)) for place, die in free]
    lowest = min(free, key=lambda pair: pair[1].face)[0] if free else 0
    return Form("Reroll", (pick("Dice", options, str(lowest)),))


def stay_in_form(price: str, *, can_waive: bool = False) -> Form:
    """The complication that staying in costs besides its price, which the GM may waive (C4)."""
    name = Field("Name", TROUBLE, hint="The new d6 complication")
    waived = pick("What", [Option(f"For {price}", PAID), Option("For nothing", FREE)])
    return Form(f"Stay in for {price}", (waived, name) if can_waive else (name,))


def join_form(table: Table, actor: Actor) -> Form:
    """Take a character that nobody plays, or name a new one, with a sheet if it is at hand."""
    free = [c.name for c in table.characters.values() if not c.player and not c.gmc]
    sets = table.ruleset.trait_sets
    hint = sheet_hint(sets) or "Of a new character, or later"
    lines = sheet.write(sheet.Sheet(), sets)
    typed = Field("Sheet", lines, hint=hint, required=False, longest=4000, lines=True)
    if not free:
        own = character_of(table, actor).name
        return Form("Join", (Field("Name", own, hint="Of a new character", longest=80), typed))
    options = [*(Option(n, n) for n in free), Option("A new character, named below", TYPED)]
    new = Field("Name", hint="Or a new character; then this counts", required=False, longest=80)
    return Form("Join", (pick("What", options), new, typed))


def _way(roll: Roll, offer: Offer, count: int) -> str:
    """A way to buy hitches with its result and its price, true for any number of them."""
    pays = _price(offer)
    like = [size for size in (roll.hand.dice[place].size for place in hitches(roll)) if size > SIZES[0]]
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


def _worse(table: Table, roll: Roll, offer: Offer, count: int) -> list[Option]:
    """Complications that are there already, to be stepped up instead (H1a)."""
    held = table.characters.get(key(roll.who))
    there = held.complications.values() if held else ()
    said = [(trait, f" d{trait.die} up {_once_each(count)}, {_price(offer)}") for trait in there]
    return [
        Option(_cut(trait.label, LONGEST - len(rest)) + rest, f"{offer.way}:{trait.label}")
        for trait, rest in said
        if len(trait.label) < 80
    ]


def _how_many(count: int, default: int | None = None) -> Field:
    options = [Option(str(n), str(n)) for n in range(count, 0, -1)][:25]
    return Field("How many", str(default or count), tuple(options))


def pick(name: str, options: Iterable[Option], default: str = "", *, optional: bool = False) -> Field:
    """One of several options, the first unless another is likelier; 25 are the most that a menu shows."""
    shown = tuple(options)[:MOST_IN_MENU]
    if not shown:
        raise TooLate("There is nothing left to choose.")
    first = shown[0].value if shown and not optional else ""
    return Field(name, default or first, shown, required=not optional)


def _on(table: Table, first: str, chosen: str, hint: str = "") -> Field:
    """Whom something hits; nobody is chosen unless one is likely."""
    options = _people(table, first)
    is_there = any(option.value == chosen for option in options)
    field = pick("On", options, chosen if is_there else "", optional=True)
    return replace(field, hint=hint)


def _people(table: Table, first: str) -> list[Option]:
    names = [c.name for c in table.characters.values()]
    ordered = sorted(names, key=lambda name: name != first)[:24]
    return [*(Option(name, name) for name in ordered), Option("Scene", "scene")]


def _difficulty(table: Table, name: str) -> str:
    number, size = DIFFICULTIES[name]
    worth = str(number) if table.ruleset.opposition is Opposition.STATIC else f"2d{size}"
    return f"{name} {worth}"


def _once_each(count: int) -> str:
    return "once" if count == 1 else "once for each hitch"


def _cut(text: str, most: int = LONGEST) -> str:
    """Text short enough for a label or a field."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
