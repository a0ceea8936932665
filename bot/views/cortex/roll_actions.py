"""Buttons below a roll, its cards, and the choice of kept dice (R1, R4, H4, T2, T6)."""

from collections.abc import Sequence
from functools import partial

from bot.language import later, say
from bot.language.line import small
from bot.views import facts, question
from bot.views.card import Button, Card, Field, Form, Option, led, phone_rows
from bot.views.cortex import contest, effects, hitches, opposition, roll_changes, scenes
from bot.views.cortex import roll as cards
from bot.views.cortex.challenge import roll_turn
from bot.views.cortex.climax import CLIMAXES, climax_card, climax_of, is_told
from bot.views.cortex.effects import effect_buttons as apply_buttons
from bot.views.cortex.opposition import AMENDED, in_the_way, in_the_way_of, opposed
from bot.views.cortex.roll import OTHER_DICE, choice_words, die_words, other_words
from bot.views.cortex.roll_changes import about, once
from bot.views.cortex.spending import naming_buttons, spend_button
from bot.views.cortex.table import fact_rows
from bot.views.game import Rule, Shows
from bot.views.labels import ROLLERS
from bot.views.question import (
    CHOICE,
    MOST_IN_MENU,
    TYPED,
    VERSION,
    Answer,
    Fields,
    Question,
    numbers,
    pick,
    whole_number,
)
from rules.campaign import rolls
from rules.campaign.seats import Actor, require_gm
from rules.cortex import actions, outcome, roll, spending
from rules.cortex.actions import RollReading, can_amend, read_roll
from rules.cortex.effects import is_gm_side
from rules.cortex.facts import HiddenRolled, RollChanged, RollMade, SfxUsed, StatementSettled, TakenOut
from rules.cortex.kinds import Result
from rules.cortex.model import CORTEX, Hand, Roll
from rules.cortex.outcome import KeepChoice, Outcome
from rules.cortex.roll_status import as_ruled, rules_of
from rules.cortex.ruleset import EffectBy
from rules.cortex.spending import CHANGED
from rules.errors import NotAllowed, TooLate
from rules.facts import Began, Ended, Fact, RollNoted, Stretch
from rules.game import Step
from rules.table import Table
from rules.text import Words
from rules.values import replace

_ROWS = (
    ("total", later("Total"), later("More dice for the total")),
    ("effect", later("Effect"), later("More dice for the effect")),
)
"""The fields in which dice are chosen, each with a second one: a menu holds 25 of them, a pool 30."""
_MORE = "more_"
_KEPT = r"(?:[0-9.]*-[0-9.]*)?"
"""The subject of a form: the dice that were kept when it was opened; its button has none."""
_LABELS = {
    **{key: label for key, label, _ in _ROWS},
    **{_MORE + key: label for key, _, label in _ROWS},
}


def choice_button(reading: RollReading, other: Outcome) -> Button:
    """Return the button for another choice of dice, labelled with its result."""
    came = reading.came
    return Button(other_words(came, other), "keep", came.roll.number, _sign(other.kept))


def paid_button(reading: RollReading, other: Outcome) -> Button:
    """Return the button for the choice that one more PP buys, labelled with its result."""
    came = reading.came
    words = other_words(came, other, say("1 {plot_point.short}"))
    return Button(words, "buykeep", came.roll.number, reading.actions.version)


def other_button(reading: RollReading) -> Button:
    """Return the button for the form in which any dice can be kept."""
    return Button(say(OTHER_DICE), "otherdice", reading.came.roll.number)


def keep_form(table: Table, made: Roll) -> Form:
    """Return a form to choose any usable dice for total and effect (R1)."""
    offered = outcome.options(made, rules_of(table, made))
    most = max(len(choice.effects_at) for choice in offered)
    return Form(say("Other dice for {who}", who=ROLLERS[made.who]), _fields(made.hand, most))


def counter_form(table: Table, made: Roll) -> Form:
    """Return a form to choose the opposition's dice, and the traits in the way (T2, T3, R1)."""
    hand = roll.opposing_hand(made)
    kept = outcome.kept(hand)
    options = [Option(choice_words(c), _sign(c)) for c in outcome.choices(hand)[: MOST_IN_MENU - 1]]
    dice = _fields(hand)
    if hand.by is not EffectBy.ALL_DICE:
        options.append(Option(say("Other dice, as chosen below"), TYPED))
    is_listed = _sign(kept) in {option.value for option in options}
    first = pick("what", say("What"), options, _sign(kept) if is_listed else TYPED)
    # A form has five fields, and two of them are what is in the way.
    besides = in_the_way(table, made) if len(dice) <= 2 and can_amend(made) else ()
    return Form(say("The opposition's choice"), (first, *dice, *besides), _kept(hand))


def _kept(hand: Hand) -> str:
    """The dice that are kept, in the id of a form: `0.2-3`."""
    return "-".join(".".join(map(str, places)) for places in (hand.total, hand.effects))


def _read_button(answer: Answer) -> Rule:
    total, *effects = numbers(answer.subject)
    return partial(roll.choose, number=answer.number, total=total, effects=tuple(effects))


def _read_paid(answer: Answer) -> Rule:
    return once(answer, partial(spending.spend_total, number=answer.number))


def _read(answer: Answer) -> Rule:
    totals, effects = _places(answer.fields)
    return partial(roll.keep_dice, number=answer.number, totals=totals, effects=effects)


def _read_counter(answer: Answer) -> Rule:
    """A choice of the opposition's dice, or what is in the way: one of the two (T2, T3)."""

    def read(table: Table, actor: Actor) -> Step:
        what = answer.fields["what"]
        chosen = () if what == TYPED else numbers(what)
        made = roll.find(table, answer.number)
        if answer.subject != _kept(roll.opposing_hand(made)):
            raise TooLate(CHANGED)
        first, *boxes = (each for each in counter_form(table, made).fields if each.key not in AMENDED)
        changed = [each for each in boxes if _parted(answer.fields.get(each.key, "")) != _parted(each.value)]
        is_switched = what != first.value
        if "more" in answer.fields:
            _, kept, more = in_the_way_of(table, made, answer)
            if more or len(kept) != len(opposed(made).plus):
                if changed or is_switched:
                    raise NotAllowed(
                        "Changing what's in the way also changes the dice. Make that change first, "
                        "then press Oppose again to choose dice."
                    )
                return actions.amend(table, actor, answer.throw, answer.number, kept, more)
        return _read_choice(answer, chosen, changed, is_switched=is_switched)(table, actor)

    return read


def _parted(values: str) -> set[str]:
    return set(values.split(","))


def _read_choice(
    answer: Answer, chosen: Sequence[int], changed: Sequence[Field], *, is_switched: bool
) -> Rule:
    """The choice of the menu, or the dice that were ticked instead; raises NotAllowed where it is both."""
    if not chosen or (changed and not is_switched):
        totals, sizes = _places(answer.fields)
        return partial(roll.keep_opposing_dice, number=answer.number, totals=totals, effects=sizes)
    if changed:
        raise NotAllowed(
            "You changed {field}, but chose something else under What. Choose Other dice under What, "
            "or leave {field} as it was.",
            field=Words(_LABELS[changed[0].key]),
        )
    total, *effects = chosen
    return partial(roll.choose_opposition, number=answer.number, total=total, effects=tuple(effects))


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    rolls.require_roller(table, actor, made)
    roll.check_open(made)
    return keep_form(table, made)


def _ask_counter(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, Words("choose for the opposition"))
    roll.check_open(made)
    return counter_form(table, made)


def _sign(choice: KeepChoice) -> str:
    """A choice in an id: `15.8`."""
    return ".".join(str(number) for number in (choice.total, *choice.effects))


def _fields(hand: Hand, effects: int = 0) -> tuple[Field, ...]:
    """Boxes for the dice of the total and of the effect, the kept ones ticked; a menu holds 25 of them."""
    if hand.by is EffectBy.ALL_DICE:
        return ()  # all are in the total, so there is nothing to choose (N10)
    dice = [Option(die_words(hand.dice[place]), str(place)) for place in outcome.usable(hand)]
    most_effects = max(effects, outcome.most_effects(hand))
    kept = ((hand.total, outcome.fewest(hand), hand.keep), (hand.effects, 0, most_effects))
    found = []
    for (key, label, more), (places, least, most) in zip(_ROWS, kept, strict=True):
        value = ",".join(str(place) for place in places)
        first, rest = tuple(dice[:MOST_IN_MENU]), tuple(dice[MOST_IN_MENU:])
        box = Field(key, say(label), value, first, required=False, most=max(2, most))
        if least and not rest:
            box = replace(box, required=True, least=min(least, len(first)))
        is_asked = key == "total" or not outcome.is_without_effects(hand)
        found += [box] if first and is_asked else []
        found += [replace(box, key=_MORE + key, label=say(more), options=rest)] if rest else []
    return tuple(found)


def _places(fields: Fields) -> tuple[tuple[int, ...], ...]:
    """The places of the dice that were chosen for the total, and for the effect."""
    chosen = [",".join(fields.get(each, "") for each in (key, _MORE + key)) for key, *_ in _ROWS]
    return tuple(tuple(whole_number(place) for place in text.split(",") if place) for text in chosen)


QUESTIONS = (
    Question("keep", CHOICE, press=_read_button),
    Question("buykeep", VERSION, press=_read_paid),
    Question("otherdice", form=about(_ask), read=_read),
    Question("counter", _KEPT, form=about(_ask_counter), read=_read_counter),
)


GMS_VERBS = frozenset({"hitches", "oppose", "stands", "takeback"})
APPLY_VERBS = frozenset({"apply", "applyas"})
_SPENDING = frozenset({"spend"})
_STANDS = frozenset({"stands"})
MOST_CHOICES = 5
"""A roll offers this many other choices."""


RollButtons = tuple[tuple[tuple[Button, ...], ...], tuple[Button, ...]]
"""The rows of buttons below a roll, and the options of the menu `More`."""


def roll_buttons(table: Table, reading: RollReading) -> RollButtons:
    """Return what can be pressed below a roll: the likeliest first and coloured, then two rows at most.

    A choice that betters the verdict is always a button. The menu `More` has the buttons without room, and
    those that are seldom needed: a choice that fails, other opposition, other dice, and what the roll was
    for.
    """
    if not reading.is_on_table:
        return (), ()
    if reading.is_in_doubt:
        return led(roll_changes.doubt_buttons(reading), but=GMS_VERBS if reading.came.is_failed else ()), ()
    made, can = reading.came.roll, reading.actions
    does = [roll_changes.reroll_button(reading)] if reading.is_bare else _actions(table, reading)
    actions = [*does, *roll_changes.near_name_buttons(reading), *roll_changes.turn_buttons(reading)]
    is_open = not (made.answered or made.applied)
    needed, choices, failing = _choices(reading, is_open=is_open)
    seldom = failing
    seldom += [opposition.oppose_button(made)] if can.can_oppose and not reading.is_bare else []
    seldom += [other_button(reading)] if can.can_pick and is_open else []
    rows, more = phone_rows(actions, choices, needed, [*seldom, question.what_for_button(made)])
    return led(*rows, but=_of_the_gm(table, reading)), more


def _of_the_gm(table: Table, reading: RollReading) -> frozenset[str]:
    """The verbs of what only the GM may press below a player's roll: the player is not led there."""
    if reading.came.roll.gm:
        return frozenset()
    verbs = _STANDS if reading.actions.can_buy else _STANDS | _SPENDING
    if reading.came.is_failed:
        verbs |= GMS_VERBS
        verbs |= APPLY_VERBS if is_gm_side(table, reading.came) else frozenset()
    return verbs


def _choices(reading: RollReading, *, is_open: bool) -> tuple[list[Button], list[Button], list[Button]]:
    """The choices that better the verdict, one of which a PP may buy, others, and those that fail (R4)."""
    can, now = reading.actions, reading.came.verdict
    needed: list[Button] = []
    others: list[Button] = []
    failing: list[Button] = []
    if not is_open:
        return needed, others, failing
    for other in can.others[:MOST_CHOICES]:
        how, button = other.verdict, choice_button(reading, other)
        if how is None or now is None or how.result is now.result:
            others.append(button)
        elif how.result is Result.FAILURE:
            failing.append(replace(button, hint=say("A larger effect die, but the roll fails")))
        else:
            needed.append(button)
    if can.bought is not None:
        needed.append(paid_button(reading, can.bought))
    return needed, [*roll_changes.step_buttons(reading), *others], failing


def _actions(table: Table, reading: RollReading) -> list[Button]:
    """What players and the GM may do with the roll now, the likeliest first."""
    roll, can = reading.came.roll, reading.actions
    handing = roll_turn(table, roll)
    lasting = [
        *roll_changes.bank_buttons(reading),
        *roll_changes.hero_back_buttons(reading),
        *roll_changes.back_buttons(reading),
    ]
    used = roll_changes.recover_buttons(reading) or apply_buttons(table, reading)
    answers = contest.contest_buttons(roll) if reading.is_waiting else []
    spend = [spend_button(reading)] if can.can_spend else []
    bought = [hitches.hitches_button(reading)] if can.hitches else []
    if can.can_roll_effect:
        used = [roll_changes.effect_roll_button(reading)]
    row = [*used, *lasting, *spend, *bought] if used else [*answers, *bought, *lasting, *spend]
    if can.opportunities:
        row.append(hitches.seize_button(reading))
    if used:
        row += answers
    if not answers and roll.gm and not roll.contest:
        against = opposition.against_button(roll)
        row = [against, *row] if roll.on else [*row, against]
    return [*row, *handing] if used else [*handing, *row]


def roll_card(table: Table, roll: Roll) -> Card:
    """Return the card of a roll in its current state, with its buttons."""
    reading = read_roll(table, roll)
    rows, more = roll_buttons(table, reading)
    return replace(cards.roll_card(table, reading, rows), more=more)


def hidden_card(table: Table, roll: Roll) -> Card:
    """Return the card of a secret roll for its roller."""
    card = cards.roll_card(table, read_roll(table, roll))
    lines = (*card.lines, small(say("Only you can see this roll until you reveal it.")))
    return replace(
        card, lines=lines, rows=roll_changes.hidden_rows(roll), private=True, roll=None, portrait=None
    )


def cortex_step(table: Table, step: Step, fact: Fact) -> Card | None:
    """Return the card of the roll that a step made or changed, with what else it did; None without one."""
    if isinstance(fact, HiddenRolled):
        return hidden_card(table, fact.roll)
    if isinstance(fact, RollNoted) and (made := CORTEX.of(table).hidden.get(fact.roll)) is not None:
        return hidden_card(table, made)
    if not isinstance(fact, RollMade | RollChanged):
        return _big_moment(table, step) if fact.__class__ in CLIMAXES else None
    card, more = roll_card(table, CORTEX.of(table).rolls[fact.roll.number]), _follow_up_rows(table, step)
    big = climax_of(step.facts) if not CLIMAXES.isdisjoint(map(type, step.facts)) else None
    if isinstance(fact, RollChanged):
        said, calls = facts.news(table, step.facts, but=big)
        if big is not None:
            return replace(card, news=climax_card(table, step.facts, big, said, more))
        return replace(card, news=Card(said, more, calls=calls) if said else None)
    calls = facts.concerned(table, step.facts)
    if big is not None:
        return replace(card, news=climax_card(table, step.facts, big, (), more))
    return replace(card, rows=(*card.rows, *more), calls=calls) if more or calls else card


def _big_moment(table: Table, step: Step) -> Card | None:
    """The card of a big moment that no roll brought about; None if there is none, or a roll tells it."""
    big = climax_of(step.facts)
    if big is None or any(isinstance(each, RollMade | RollChanged | Began | Ended) for each in step.facts):
        return None
    others = facts.lines(each for each in step.facts if not is_told(each, big))
    return climax_card(table, step.facts, big, others, cortex_step_rows(table, step))


def cortex_step_rows(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons below a step: stay in, name what is new, roll against it, pass the turn."""
    offered = (*_follow_up_rows(table, step), *fact_rows(table, step.facts))
    for fact in step.facts:
        if fact.__class__ in _ASKING:
            return (*offered, *_statements(table, step))
    return offered


_ASKING: frozenset[type[Fact]] = frozenset({Began, Ended, StatementSettled})
"""The facts after which there may be statements to settle."""


def _statements(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """What becomes of statements, where a session ends or begins, and once one is settled (N7)."""
    asks = any(
        isinstance(fact, StatementSettled)
        or (isinstance(fact, Began | Ended) and fact.what is Stretch.SESSION)
        for fact in step.facts
    )
    return scenes.statement_rows(table) if asks else ()


def _follow_up_rows(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """Buttons to stay in for everybody who was taken out (C4), and to name what SFX made (X1)."""
    followed = [fact for fact in step.facts if isinstance(fact, TakenOut | SfxUsed)]
    if not followed:
        return ()
    out = [fact for fact in followed if isinstance(fact, TakenOut)]
    for_good = {fact.who for fact in out if fact.for_good}
    left = dict.fromkeys(fact.who for fact in out if fact.who not in for_good)
    rows = (effects.stay_in_buttons(table, left), naming_buttons(table, step.facts))
    return tuple(row for row in rows if row)


def closed_roll(before: Table, after: Table, roll: Roll, facts: Sequence[Fact]) -> tuple[Table, Roll]:
    """Return the table and the roll that the last card of a roll shows: contests are as they are now."""
    here = replace(CORTEX.of(before), contests=CORTEX.of(after).contests)
    return CORTEX.put(before, here), as_ruled(roll, facts)


SHOWS = Shows(Roll, roll_card, cortex_step, cortex_step_rows, closed=closed_roll)
"""What it shows of its own."""
