"""One-Roll rolls as text and buttons."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from bot.language import later, say, say_of
from bot.language.line import (
    DieForm,
    Text,
    capital,
    dice_drawn,
    heading,
    joined,
    small,
    spoken,
    together,
)
from bot.views import facts, question
from bot.views.card import MOST_IN_ROW, Button, Card, Field, Form, Option, Tone, Weight, portrait_of
from bot.views.game import Rule, Shows
from bot.views.labels import listed, roller_words
from bot.views.ore.damage import hit_buttons
from bot.views.question import MOST_IN_MENU, NUMBER, Answer, Pressed, Question, pick, whole_number
from rules.campaign.notes import LONGEST_NOTE
from rules.campaign.seats import Actor
from rules.errors import Unreadable
from rules.facts import Fact
from rules.game import Step
from rules.names import key
from rules.ore import gobble, pool
from rules.ore import roll as rolls
from rules.ore.model import (
    ORE,
    OreChanged,
    OreGobbled,
    OreHand,
    OreHit,
    OreKind,
    OreRoll,
    OreRolled,
    OreSet,
    OreThinned,
    acting,
    beats,
    best_set,
    counting,
    height_of,
    idle,
    latest,
    loose,
    order,
    sets,
)
from rules.ore.placing import best, changeable, offered
from rules.ore.pool import FEWEST, MOST, MOST_IN_CROWD, SIDES, OrePool, QuickDice, write
from rules.table import Table
from rules.text import truncate
from rules.values import exhaustive, replace

POOLS_ON_PAGE = 25
"""A crowd is shown so many pools at a time."""
_POOL = later("Pool {number}, {pool}: {result}. {dice}")
_ACTION = later("Action {number}, {pool}: {result}. {dice}")
"""One of several pools, and of several actions."""


def special(name: str) -> Text:
    """Return a game's name for wiggle dice or the expert die."""
    return spoken(pool.special(name))


def ore_lines(roll: OreRoll, page: int = 0) -> list[Text]:
    """Return a roll as lines; of a crowd, one page."""
    note: list[Text] = [roll.note] if roll.note else []
    if roll.least_width or roll.least_height:
        least = difficulty_words(OreSet(roll.least_width, roll.least_height))
        note.append(say("A set needs {difficulty}", difficulty=least))
    if roll.kind in (OreKind.CROWD, OreKind.ACTIONS):
        return [heading(headline(roll)), *note, *KINDS[roll.kind].details(roll, page)]
    hand = roll.hands[0]
    title = heading(together(roller_words(roll.who), ": ", made_words(hand, roll)))
    beside = joined(", ", [*_loose(hand), *_unplaced(hand)])
    return [title, *note, *([small(beside)] if beside else []), *KINDS[roll.kind].details(roll, page)]


def difficulty_words(least: OreSet) -> Text:
    """Return what a set needs to count (O6): `width 3 and height 5`."""
    parts = [say("width {number}", number=least.width)] if least.width else []
    parts += [say("height {number}", number=least.height)] if least.height else []
    return listed(parts)


def _pools(roll: OreRoll, page: int) -> list[Text]:
    return [_numbered(_POOL, n, hand, MOST_IN_CROWD) for n, hand in pools_on(roll, page)]


def pools_on(roll: OreRoll, page: int) -> list[tuple[int, OreHand]]:
    """Return one page of a crowd's pools, each with its number (from 1), best sets first."""
    found = list(enumerate(roll.hands, 1))
    found.sort(key=lambda each: ([order(one) for one in sets(each[1])], -each[0]), reverse=True)
    start = page % pages_of(roll) * POOLS_ON_PAGE
    return found[start : start + POOLS_ON_PAGE]


def _all_actions(roll: OreRoll, page: int) -> list[Text]:
    return [_numbered(_ACTION, n, hand) for n, hand in enumerate(roll.hands, 1)]


def _of_one(roll: OreRoll, page: int) -> list[Text]:
    return _details(roll.hands[0])


def headline(roll: OreRoll) -> Text:
    """Return who rolled, and the sets: `Alice: 3×7 (widest), 2×10 (highest), loose 3`."""
    return KINDS[roll.kind].headline(roll)


def _actions(roll: OreRoll) -> Text:
    return say_of(
        len(roll.hands),
        "{who}: {count} action with {dice}d: {results}",
        "{who}: {count} actions with {dice}d: {results}",
        who=roller_words(roll.who),
        dice=roll.hands[0].pool.dice,
        results=joined(say(", then "), map(_result_of_action, roll.hands)),
    )


def _one(roll: OreRoll) -> Text:
    hand = roll.hands[0]
    return joined(", ", [together(roller_words(roll.who), ": ", result(hand, roll)), *_unplaced(hand)])


def _unplaced(hand: OreHand) -> list[Text]:
    """How many wiggle dice are still to be placed, if there are any."""
    if not hand.waiting:
        return []
    return [
        say_of(
            hand.waiting,
            "{count} {name} die still to place",
            "{count} {name} dice still to place",
            name=special(hand.pool.wiggle_name),
        )
    ]


def _loose(hand: OreHand) -> list[Text]:
    """The dice in no set; a quick roll has none."""
    single = loose(hand) if hand.quick is None else ()
    return [say("loose {dice}", dice=dice_row(single))] if single else []


def _crowd(roll: OreRoll) -> Text:
    made = sum(bool(sets(hand)) for hand in roll.hands)
    pools = {hand.pool for hand in roll.hands}
    # More dice than the quick roll's table has are rolled in full (O5).
    ways = {hand.quick is None for hand in roll.hands}
    if len(ways) > 1:
        rolls = say_of(len(roll.hands), "{count} roll", "{count} rolls")
    elif True in ways:
        rolls = say_of(len(roll.hands), "{count} full roll", "{count} full rolls")
    else:
        rolls = say_of(len(roll.hands), "{count} quick roll", "{count} quick rolls")
    if len(pools) > 1:
        return say("{who}: {rolls}, {made} with a set", who=roller_words(roll.who), rolls=rolls, made=made)
    return say(
        "{who}: {rolls} of {dice}, {made} with a set",
        who=roller_words(roll.who),
        rolls=rolls,
        dice=pool_words(roll.hands[0].pool, MOST_IN_CROWD),
        made=made,
    )


def whose(roll: OreRoll, hand: int, most: int = LONGEST_NOTE) -> Text:
    """Return whose set it is: which pool of a crowd, or which of several actions.

    `most` is how many characters of a note are shown.
    """
    who = (
        say("{who} ({note})", who=roller_words(roll.who), note=truncate(roll.note, most))
        if roll.note
        else roller_words(roll.who)
    )
    return say(KINDS[roll.kind].whose, who=who, number=hand + 1)


def result(hand: OreHand, roll: OreRoll | None = None) -> Text:
    """Return the sets of a pool as `made_words` does, and the loose dice."""
    return joined(", ", [made_words(hand, roll), *_loose(hand)])


def made_words(hand: OreHand, roll: OreRoll | None = None) -> Text:
    """Return the sets of a pool, widest and highest marked if there are several.

    Sets that don't reach the roll's difficulty come last: `3×7, doesn't count: 2×3`.
    """
    made = counting(roll, hand) if roll else sets(hand)
    below = [one for one in sets(hand) if one not in made]
    is_ranked = bool(made) and order(made[0]) != order(made[-1])
    highest = max((one.height, one.width) for one in made) if is_ranked else ()
    said: list[Text] = []
    for one in made:
        marks = [say("widest")] if is_ranked and order(one) == order(made[0]) else []
        marks += [say("highest")] if (one.height, one.width) == highest else []
        said.append(together(str(one), " (", listed(marks), ")") if marks else str(one))
    short = listed(map(str, below))
    said = said or [say("no set counts ({sets})", sets=short) if below else say("no set")]
    said += [say("doesn't count: {sets}", sets=short)] if below and made else []
    return joined(", ", said)


def _result_of_action(hand: OreHand) -> Text:
    """The sets of one action, and whether its wiggle dice are still to be placed."""
    if not hand.waiting:
        return result(hand)
    return together(result(hand), " (", *_unplaced(hand), ")")


def seen(roll: OreRoll) -> Text:
    """Return a roll in one line for the log: every visible die, and what the roll was for."""
    return together(_seen(roll), ". ", roll.note) if roll.note else _seen(roll)


def _seen(roll: OreRoll) -> Text:
    if roll.kind in (OreKind.FULL, OreKind.QUICK):
        return together(headline(roll), " (", joined("; ", _details(roll.hands[0], _in_words)), ")")
    if roll.kind is OreKind.ACTIONS:
        thrown = joined("; ", (dice_row(_faces(hand)) or say("no dice") for hand in roll.hands))
        return together(headline(roll), " (", thrown, ")")
    rows = (
        together(n, ". ", result(hand), " (", dice_row(_faces(hand)) or say("nothing rolled"), ")")
        for n, hand in enumerate(roll.hands, 1)
    )
    return together(headline(roll), ": ", joined(", ", rows))


def open_lines(rolls: Iterable[OreRoll], links: Mapping[int, str]) -> list[Text]:
    """Return a line per roll whose wiggle dice are not placed yet."""
    waiting = [roll for roll in rolls if any(hand.waiting for hand in roll.hands)]
    return [together(say("Open: {roll}", roll=headline(roll)), _link(links, roll.number)) for roll in waiting]


def order_lines(table: Table, links: Mapping[int, str]) -> list[Text]:
    """Return the order of action: `1. Bob: 3×7`; equal sets share a place, then those without a set."""
    people, companies = latest(table), latest(table, of_companies=True)
    if not (people or companies):
        return [say("No One-Roll roll is open. Example: /ore roll dice:5d 2w")]
    lines = [say("Order of action:"), *_order_of(people, links)] if people else []
    return [*lines, say("Companies:"), *_order_of(companies, links)] if companies else lines


def _order_of(rolls: Sequence[OreRoll], links: Mapping[int, str]) -> list[Text]:
    lines = [
        together(each.place, ". ", whose(each.roll, each.hand), ": ", str(each.made))
        for each in acting(rolls)
    ]
    none = idle(rolls)
    without = [say("{who}: no set", who=listed(none))] if none else []
    return [*lines, *without, *open_lines(rolls, links)]


def _in_words(size: int, faces: tuple[int, ...], form: DieForm = DieForm.THROWN) -> Text:
    return dice_row(faces)


def _details(hand: OreHand, row: Callable[..., Text] = dice_drawn) -> list[Text]:
    """Every die of a pool: those rolled, those fixed, and where the wiggle dice are.

    `row` shows dice: as pictures, unless they are to be in words.
    """
    pool = hand.pool
    fixed = (
        (hand.faces, row(SIDES, hand.faces)),
        (hand.quick, _quick_dice(hand, hand.quick or QuickDice())),
        (pool.hard, say("hard {dice}", dice=row(SIDES, (SIDES,) * pool.hard, DieForm.FIXED))),
        (
            pool.expert,
            together(special(pool.expert_name), " ", row(SIDES, (pool.expert,), DieForm.FIXED)),
        ),
        (pool.called, say("called {value}", value=pool.called)),
        (hand.to, say("the 10 counts as {height}", height=hand.to)),
        (
            hand.placed,
            together(special(pool.wiggle_name), " ", row(SIDES, hand.placed, DieForm.PLACED)),
        ),
        (hand.spoiled, say("spoiled {dice}", dice=dice_row(map(height_of, hand.spoiled)))),
        (hand.spent, say("gobbling {dice}", dice=dice_row(map(height_of, hand.spent)))),
    )
    shown = joined(", ", (text for is_there, text in fixed if is_there)) or say("none rolled")
    if hand.quick:
        return [say("Quick roll of {pool}: {dice}", pool=pool_words(pool), dice=shown)]
    return [say("Dice of {pool}: {dice}", pool=pool_words(pool), dice=shown)]


def pool_words(pool: OrePool, most: int = MOST) -> Text:
    """Return a pool's dice, and what was typed for them: `10d (Body 8d + Fight 5d, 3 over 10)`."""
    dice = write(pool)
    if pool.over:
        return say(
            "{dice} ({typed}, {over} over {most})",
            dice=dice,
            typed=pool.typed,
            over=pool.over,
            most=most,
        )
    return say("{dice} ({typed})", dice=dice, typed=pool.typed) if pool.typed else dice


def _quick_dice(hand: OreHand, dice: QuickDice) -> Text:
    """The dice of a quick roll: `Width d10: 5, Height d10: 6`."""
    said = [say("Width d10: {face}", face=dice.width)] if dice.width else []
    said += [say("Second d10: {face}", face=dice.second)] if dice.second else []
    said += [say("Height d10: {face}", face=height) for height in dice.heights]
    return joined(", ", said) or say("pools below {fewest}d have no width", fewest=FEWEST)


def _numbered(text: str, number: int, hand: OreHand, most: int = MOST) -> Text:
    """A pool of several: `Pool 3, 4d: 2×8. Width d10: 7, Height d10: 8`."""
    dice = _quick_dice(hand, hand.quick) if hand.quick else say("rolled {dice}", dice=dice_row(hand.faces))
    pool = pool_words(hand.pool, most)
    dice = capital(dice)
    if hand.to:
        dice = together(dice, ", ", say("the 10 counts as {height}", height=hand.to))
    if hand.placed:
        dice = together(dice, ", ", special(hand.pool.wiggle_name), " ", dice_row(hand.placed))
    if hand.spoiled:
        dice = together(dice, ", ", say("spoiled {dice}", dice=dice_row(map(height_of, hand.spoiled))))
    return say(text, number=number, pool=pool, result=result(hand), dice=dice)


def _faces(hand: OreHand) -> tuple[int, ...]:
    """The faces of a roll, those of a quick one in the order rolled."""
    return hand.quick.thrown if hand.quick else hand.faces


def pages_of(roll: OreRoll) -> int:
    """Return the number of pages of a roll."""
    is_long = roll.kind is OreKind.CROWD
    return -(-len(roll.hands) // POOLS_ON_PAGE) if is_long else 1


def dice_row(numbers: Iterable[int]) -> str:
    """Return dice as text: `7 7 3`."""
    return " ".join(map(str, numbers))


def _link(links: Mapping[int, str], number: int) -> str:
    return f" {links[number]}" if number in links else ""


@dataclass(frozen=True, slots=True)
class OreWords:
    """A way to roll a One-Roll pool: its title, its details page, and the owner of its sets."""

    headline: Callable[[OreRoll], Text]
    details: Callable[[OreRoll, int], list[Text]]
    whose: str = later("{who}")


KINDS: Mapping[OreKind, OreWords] = exhaustive(
    OreKind,
    {
        OreKind.FULL: OreWords(_one, _of_one),
        OreKind.QUICK: OreWords(_one, _of_one),
        OreKind.ACTIONS: OreWords(_actions, _all_actions, later("{who}, action {number}")),
        OreKind.CROWD: OreWords(_crowd, _pools, later("{who}, pool {number}")),
    },
)


AGAINST = "oreagainst"
"""The verb of the button that opens the builder to oppose a roll."""
AT = "at"
"""The sign before the heights of an option, so that no height is taken for the option's number."""
_WAYS = {
    (False, False): later("On {heights}: {sets}"),
    (True, False): later("On {heights} (widest): {sets}"),
    (False, True): later("On {heights} (highest): {sets}"),
    (True, True): later("On {heights} (widest and highest): {sets}"),
}
"""A way to place wiggle dice, by whether it is the widest and the highest."""


_MOST_PLACED = 8
"""So many pools of a crowd can be placed by a button; others follow as these are done."""


def ore_card(table: Table, roll: OreRoll, page: int = 0) -> Card:
    """Return the card of a roll in its current state, with its buttons; of a crowd, one page."""
    found = _buttons(table, roll, page)
    rows = tuple(found[start : start + MOST_IN_ROW] for start in range(0, len(found), MOST_IN_ROW))
    title, *lines = ore_lines(roll, page)
    other = _opposed(table, roll)
    if other is not None:
        lines.insert(0, _contest(roll, other))
    return Card((title, *lines), rows, roll=roll, opposed=other, tone=Tone.CALM)


def _opposed(table: Table, roll: OreRoll) -> OreRoll | None:
    """The roll that another one opposes, while it is open."""
    return ORE.of(table).rolls.get(roll.against)


def _contest(roll: OreRoll, other: OreRoll) -> Text:
    """How a roll compares with the one that it opposes, such as `Against Ogre (3×8): Ogre wins`."""
    own, theirs = best_set(roll), best_set(other)
    against = str(theirs) if theirs else say("no set")
    line = say("Against {who} ({set})", who=roller_words(other.who), set=against)
    who = beats(own, theirs)
    if not who:
        return say("{line}: even", line=line)
    winner = roller_words(roll.who if who > 0 else other.who)
    if own is None or theirs is None:
        return say("{line}: {who} wins", line=line, who=winner)
    if own.width != theirs.width:
        return say("{line}: {who} wins with the wider set", line=line, who=winner)
    return say("{line}: {who} wins with the higher set", line=line, who=winner)


def _buttons(table: Table, roll: OreRoll, page: int) -> tuple[Button, ...]:
    """What the roller may do, as long as the roll is open; the pages of a crowd."""
    found = []
    if roll.number in ORE.of(table).rolls:
        for place, hand in enumerate(roll.hands if roll.kind is not OreKind.CROWD else ()):
            found += _changes(roll, place, hand)
        if roll.kind is OreKind.CROWD:
            waiting = [number - 1 for number, hand in pools_on(roll, page) if hand.waiting]
            found += [_place_of(roll, place) for place in waiting[:_MOST_PLACED]]
        found += hit_buttons(table, roll)
        if gobble.can_gobble(roll):
            found.append(Button(say("Gobble"), "gobble", roll.number))
        if len(found) < 2 * MOST_IN_ROW - 1 and table.game == ORE.name:
            found.append(Button(say("Roll against"), AGAINST, roll.number))
        if len(found) < 2 * MOST_IN_ROW:
            found.append(question.what_for_button(roll))
    if pages_of(roll) > 1:
        following = (page + 1) % pages_of(roll)
        label = say("Page {page} of {pages}", page=following + 1, pages=pages_of(roll))
        found.append(Button(label, "orepage", roll.number, str(following)))
    return tuple(found)


def _place_of(roll: OreRoll, place: int) -> Button:
    """Place the wiggle dice of one pool of a crowd."""
    label = say("Pool {number}: place", number=place + 1)
    return Button(label, "place", roll.number, str(place), Weight.MAIN)


def _changes(roll: OreRoll, place: int, hand: OreHand) -> list[Button]:
    """What may be done with the wiggle dice and the tens of a pool; of several actions it says of which."""
    found = []
    of = say("action {number}: ", number=place + 1) if len(roll.hands) > 1 else ""
    if hand.waiting or (hand.placed and not hand.is_settled):
        label = say("Place") if hand.waiting else say("Place again")
        weight = Weight.MAIN if hand.waiting else Weight.QUIET
        found.append(Button(capital(together(of, label)), "place", roll.number, str(place), weight))
    for height in changeable(hand) if roll.kind in (OreKind.QUICK, OreKind.ACTIONS) else ():
        label = say("Height {now} to {then}", now=hand.to or 10, then=height)
        found.append(Button(capital(together(of, label)), "height", roll.number, f"{height}.{place}"))
    return found


def page_card(table: Table, number: int, subject: str) -> Card:
    """Return the page of a crowd that a button turns to."""
    return ore_card(table, rolls.find(table, number), int(subject))


def place_form(hand: OreHand) -> Form:
    """Return a form to place wiggle dice: best width and best height first, or typed (O1, O3)."""
    marked = best(hand)
    ways = [Option(_way(hand, way, marked), f"{AT} {dice_row(way)}") for way in offered(hand)]
    example = dice_row((6,) * hand.pool.wiggle)
    hint = say("Or type a height for each die, such as {example}", example=example)
    typed = Field("dice", say("Dice"), hint=hint, required=False)
    now = f"{AT} {dice_row(hand.placed)}"
    chosen = now if now in [option.value for option in ways] else ""
    title = say("Place {kind} dice", kind=special(hand.pool.wiggle_name))
    return Form(title, (pick("what", say("What"), ways, chosen), typed))


def gobble_form(table: Table, roll: OreRoll) -> Form:
    """Return a form to spoil somebody else's set with gobble dice; long lists have a text field."""
    found = gobble.preys(table, roll)
    options = [Option(_cut(gobble.prey_words(table, prey)), prey.sign) for prey in found]
    widest = max(prey.own.width for prey in found), max(prey.target.width for prey in found)
    most = min(*widest, MOST_IN_MENU - 1)
    counts = (Option(say("As many as it takes"), "0"), *(Option(str(n), str(n)) for n in range(1, most + 1)))
    fields = [pick("what", say("What"), options), Field("count", say("How many"), "0", counts)]
    if len(found) > MOST_IN_MENU:
        hint = say(
            "Or type any of the {count} choices: {example}", count=len(found), example=options[-1].label
        )
        fields.insert(1, Field("set", say("Set"), hint=hint, required=False))
    return Form(say("Gobble for {who}", who=roll.who), tuple(fields), gobble.stamp(roll))


def _ask_place(table: Table, actor: Actor, press: Pressed) -> Form:
    return place_form(rolls.placeable(table, actor, press.number, int(press.subject or 0))[1])


def _read_place(answer: Answer) -> Rule:
    where = _heights(answer.fields.typed("dice") or answer.fields["what"])
    return partial(rolls.place, number=answer.number, where=where, hand=int(answer.subject or 0))


def round_button(table: Table) -> tuple[Button, ...]:
    """Return the button that starts the next round, if somebody has rolled in this one."""
    here = ORE.of(table).rolls
    return (Button(say("Next round"), "oreround", max(here)),) if here else ()


def _next_round(answer: Answer) -> Rule:
    return partial(rolls.next_round, until=answer.number)


def _read_height(answer: Answer) -> Rule:
    height, _, place = answer.subject.partition(".")
    return partial(rolls.change_tens, number=answer.number, height=int(height), hand=int(place or 0))


def _ask_gobble(table: Table, actor: Actor, press: Pressed) -> Form:
    return gobble_form(table, gobble.require_preys(table, actor, press.number))


def _read_gobble(answer: Answer) -> Rule:
    which = answer.fields.typed("set") or answer.fields["what"]
    rule = partial(gobble.gobble, number=answer.number, which=which, seen=answer.subject)
    return partial(rule, count=whole_number(answer.fields["count"]))


def _heights(typed: str) -> tuple[int, ...]:
    """Heights as typed or chosen: `7 7 3`. Raises Unreadable for what is no number."""
    parts = typed.removeprefix(AT).replace(",", " ").split()
    if any(not part.isascii() or not part.isdigit() or len(part) > 3 for part in parts):
        raise Unreadable("Type a height from 1 to 10 for each die.")
    return tuple(map(int, parts))


def _way(hand: OreHand, way: tuple[int, ...], marked: tuple[tuple[int, ...], tuple[int, ...]]) -> Text:
    """One way to place wiggle dice, and what it makes: `On 7 and 7 (widest): 4×7, 2×3`."""
    made = ", ".join(map(str, sets(replace(hand, placed=way))))
    widest, highest = marked
    return say(_WAYS[way == widest, way == highest], heights=listed(map(str, way)), sets=made)


def _cut(said: str) -> str:
    """A set with whose it is, short enough for a label."""
    who, _, what = said.rpartition(": ")
    return f"{who if len(who) <= 70 else f'{who[:35]}…{who[-34:]}'}: {what}"


QUESTIONS = (
    Question("place", "[0-9]{0,2}", form=_ask_place, read=_read_place),
    Question("height", f"{NUMBER}(?:[.][0-9])?", press=_read_height),
    Question("oreround", press=_next_round, apart=True),
    Question("gobble", f"(?:{NUMBER})?", form=_ask_gobble, read=_read_gobble, longest={"set": 400}),
)


def roll_card(table: Table, roll: OreRoll) -> Card:
    """Return the card of a roll in its current state, with its buttons."""
    character = table.characters.get(key(roll.who))
    return replace(ore_card(table, roll), portrait=portrait_of(character) if character else None)


def ore_step(table: Table, step: Step, fact: Fact) -> Card | None:
    """Return the card of the roll that a step made or changed; it pings the owner of a spoiled set."""
    if not isinstance(fact, OreRolled | OreChanged | OreGobbled | OreHit | OreThinned):
        return None
    card = roll_card(table, ORE.of(table).rolls[fact.roll.number])
    if isinstance(fact, OreRolled | OreChanged):
        return replace(card, lines=(*card.lines, *facts.lines(each for each in step.facts if each != fact)))
    said, calls = facts.news(table, step.facts)
    return replace(card, news=Card(said, calls=calls))


SHOWS = Shows(OreRoll, roll_card, ore_step, opposed=_opposed)
"""How One-Roll shows its rolls."""
