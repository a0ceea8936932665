"""What the roller does with a One-Roll roll: places wiggle dice, changes a height, gobbles (O1 to O5)."""

from functools import partial

from bot.asks import what_for
from bot.asks.question import MOST_IN_MENU, NUMBER, Answer, Pressed, Question, Rule, pick, whole
from bot.language import later, say
from bot.language.line import Text, capital, together
from bot.render.card import MOST_IN_ROW, Button, Card, Field, Form, Option, Tone, Weight
from bot.render.ore.roll import ore_lines, pages_of, pools_on, row, special
from bot.render.parts import listed
from rules.campaign.seats import Actor
from rules.errors import Unreadable
from rules.ore import roll as rolls
from rules.ore.model import ORE, OreHand, OreKind, OreRoll, sets
from rules.ore.roll import best, changeable, offered
from rules.table import Table
from rules.values import replace

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
    """A roll as it is now, with what can be done with it; a crowd page by page."""
    found = _buttons(table, roll, page)
    rows = tuple(found[start : start + MOST_IN_ROW] for start in range(0, len(found), MOST_IN_ROW))
    return Card(tuple(ore_lines(roll, page)), rows, roll=roll, tone=Tone.CALM)


def _buttons(table: Table, roll: OreRoll, page: int) -> tuple[Button, ...]:
    """What the roller may do, as long as the roll is open; the pages of a crowd."""
    found = []
    if roll.number in ORE.of(table).rolls:
        for place, hand in enumerate(roll.hands if roll.kind is not OreKind.CROWD else ()):
            found += _changes(roll, place, hand)
        if roll.kind is OreKind.CROWD:
            waiting = [number - 1 for number, hand in pools_on(roll, page) if hand.waiting]
            found += [_place_of(roll, place) for place in waiting[:_MOST_PLACED]]
        if rolls.can_gobble(roll):
            found.append(Button(say("Gobble"), "gobble", roll.number))
        if len(found) < 2 * MOST_IN_ROW:
            found.append(what_for.button(roll))
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
    if hand.pool.wiggle and not (hand.placed and hand.is_settled):
        label = say("Place") if hand.waiting else say("Place again")
        weight = Weight.MAIN if hand.waiting else Weight.QUIET
        found.append(Button(capital(together(of, label)), "place", roll.number, str(place), weight))
    for height in changeable(hand) if roll.kind in (OreKind.QUICK, OreKind.ACTIONS) else ():
        label = say("Height {now} to {then}", now=hand.to or 10, then=height)
        found.append(Button(capital(together(of, label)), "height", roll.number, f"{height}.{place}"))
    return found


def page_card(table: Table, number: int, subject: str) -> Card:
    """The page of a crowd that a button turns to."""
    return ore_card(table, rolls.find(table, number), int(subject))


def place_form(hand: OreHand) -> Form:
    """Where wiggle dice go: the best width and the best height first, any other typed (O1, O3)."""
    marked = best(hand)
    ways = [Option(_way(hand, way, marked), f"{AT} {row(way)}") for way in offered(hand)]
    example = row((6,) * hand.pool.wiggle)
    hint = say("Or type a height for each die, such as {example}", example=example)
    typed = Field("dice", say("Dice"), hint=hint, required=False)
    now = f"{AT} {row(hand.placed)}"
    chosen = now if now in [option.value for option in ways] else ""
    title = say("Place {kind} dice", kind=special(hand.pool.wiggle_name))
    return Form(title, (pick("what", say("What"), ways, chosen), typed))


def gobble_form(table: Table, roll: OreRoll) -> Form:
    """Which set of somebody else's is spoiled, and by how many dice; those that fit no menu are typed."""
    found = rolls.preys(table, roll)
    options = [Option(_cut(rolls.prey_words(table, prey)), prey.sign) for prey in found]
    most = min(max(prey.own.width for prey in found), max(prey.target.width for prey in found))
    counts = (Option(say("As many as it takes"), "0"), *(Option(str(n), str(n)) for n in range(1, most + 1)))
    fields = [pick("what", say("What"), options), Field("count", say("How many"), "0", counts)]
    if len(found) > MOST_IN_MENU:
        hint = say(
            "Or type any of the {count} choices: {example}", count=len(found), example=options[-1].label
        )
        fields.insert(1, Field("set", say("Set"), hint=hint, required=False, longest=400))
    return Form(say("Gobble for {who}", who=roll.who), tuple(fields), rolls.stamp(roll))


def _ask_place(table: Table, actor: Actor, press: Pressed) -> Form:
    return place_form(rolls.placeable(table, actor, press.number, int(press.subject or 0))[1])


def _read_place(answer: Answer) -> Rule:
    where = _heights(answer.fields.typed("dice") or answer.fields["what"])
    return partial(rolls.place, number=answer.number, where=where, hand=int(answer.subject or 0))


def _read_height(answer: Answer) -> Rule:
    height, _, place = answer.subject.partition(".")
    return partial(rolls.change_tens, number=answer.number, height=int(height), hand=int(place or 0))


def _ask_gobble(table: Table, actor: Actor, press: Pressed) -> Form:
    return gobble_form(table, rolls.require_preys(table, actor, press.number))


def _read_gobble(answer: Answer) -> Rule:
    which = answer.fields.typed("set") or answer.fields["what"]
    rule = partial(rolls.gobble, number=answer.number, which=which, seen=answer.subject)
    return partial(rule, count=whole(answer.fields["count"]))


def _heights(typed: str) -> tuple[int, ...]:
    """Heights as typed or chosen: `7 7 3`. Raises Unreadable for what is no number."""
    parts = typed.removeprefix(AT).replace(",", " ").split()
    if any(not part.isascii() or not part.isdigit() or len(part) > 3 for part in parts):
        raise Unreadable("Type a height from 1 to 10 for each die.")
    return tuple(map(int, parts))


def _way(hand: OreHand, way: tuple[int, ...], marked: tuple[tuple[int, ...], tuple[int, ...]]) -> Text:
    """One way to place wiggle dice, and what it makes: `On 7 and 7, the widest: 4×7, 2×3`."""
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
    Question("gobble", f"(?:{NUMBER})?", form=_ask_gobble, read=_read_gobble),
)
