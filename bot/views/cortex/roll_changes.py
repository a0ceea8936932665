"""Changes to a roll by buttons: reroll, steps, recovery, hero dice, secret rolls (Z1, D4, D8, R3, L5)."""

from collections.abc import Callable
from functools import partial

from bot.language import say, say_of
from bot.views import question
from bot.views.card import Button, Form, Option, Weight
from bot.views.cortex.labels import label_words
from bot.views.cortex.roll import die_words, share_words
from bot.views.game import Rule
from bot.views.question import (
    CHOICE,
    NUMBER,
    VERSION,
    Answer,
    FormRequired,
    Pressed,
    Question,
    cut,
    numbers,
    pick,
    whole_number,
)
from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor
from rules.cortex import doom, effects, hitches, points, roll, spending
from rules.cortex.actions import RollReading
from rules.cortex.effects import require_effective, share_steps, step_shares
from rules.cortex.model import CORTEX, Roll
from rules.cortex.outcome import Outcome, shared
from rules.cortex.reroll import reroll_at
from rules.cortex.roll import find, let_stand, rename, roll_effect
from rules.cortex.roll_status import resolve
from rules.cortex.spending import version
from rules.dice import write_dice
from rules.game import Step
from rules.table import Table


def about(ask: Callable[[Table, Actor, Roll], Form]) -> Callable[[Table, Actor, Pressed], Form]:
    """Adapt a form for a roll to the press of a button that names the roll."""
    return lambda table, actor, press: ask(table, actor, find(table, press.number))


def once(answer: Answer, rule: Rule) -> Rule:
    """Return the rule, except that it refuses if something was bought since the button was shown."""

    def checked(table: Table, actor: Actor) -> Step:
        spending.check_version(table, answer.number, answer.subject)
        return rule(table, actor)

    return checked


def bank_buttons(reading: RollReading) -> list[Button]:
    """Return the button to bank the hero die of a heroic success (Z1)."""
    size, number = reading.actions.bankable, reading.came.roll.number
    return [Button(say("Bank d{size}", size=size), "bank", number)] if size else []


def hero_back_buttons(reading: RollReading) -> list[Button]:
    """Return the button to take back a hero die that shows a 1, instead of the PP for it (Z1)."""
    size, number = reading.actions.hero_back, reading.came.roll.number
    label = say("Take back hero d{size} for 1 {plot_point.short}", size=size)
    return [Button(label, "heroback", number)] if size else []


def back_buttons(reading: RollReading) -> list[Button]:
    """Return the button to return doom dice to the pool, stepped up (D4)."""
    return [
        Button(
            say("Back to {doom_pool.short} {dice}", dice=write_dice(dice)),
            "backtodoom",
            reading.came.roll.number,
            str(place),
        )
        for place, dice in reading.actions.lent
    ]


def doubt_buttons(reading: RollReading) -> list[Button]:
    """Return the buttons by which the GM decides whether a taken-out character's roll stands (C4)."""
    number = reading.came.roll.number
    return [Button(say("It stands"), "stands", number), Button(say("Take back"), "takeback", number)]


def turn_buttons(reading: RollReading) -> list[Button]:
    """Return the button by which the GM lets a roll out of turn stand (L2)."""
    roll = reading.came.roll
    return [Button(say("Let it stand"), "stands", roll.number)] if roll.turn else []


def recover_buttons(reading: RollReading) -> list[Button]:
    """Return the button to apply a recovery: remove or step down the trait, or step it up (T5)."""
    goal, found = reading.came.roll.recovery, reading.recovering
    if goal is None or found is None or not found.is_ready:
        return []
    label = cut(label_words(found.trait.label, goal.kind), 20)
    after = found.after
    if after is None:
        said = say("Apply: remove {trait}", trait=label)
    elif found.is_failed and after.out:
        said = say("Apply: {trait} up past d{size}", trait=label, size=after.die)
    elif found.is_failed:
        said = say("Apply: {trait} up to d{size}", trait=label, size=after.die)
    else:
        said = say("Apply: {trait} down to d{size}", trait=label, size=after.die)
    return [Button(said, "recover", reading.came.roll.number)]


def _bank(answer: Answer) -> Rule:
    return partial(points.bank, number=answer.number)


def _hero_back(answer: Answer) -> Rule:
    return partial(hitches.take_hero_die_back, number=answer.number)


def _back(answer: Answer) -> Rule:
    return partial(doom.give_back, number=answer.number, place=int(answer.subject))


def _stands(answer: Answer) -> Rule:
    return partial(let_stand, number=answer.number)


def _recover(answer: Answer) -> Rule:
    return partial(effects.apply_recovery, number=answer.number)


def effect_roll_button(reading: RollReading) -> Button:
    """Return the button to roll for the effect."""
    return Button(say("Roll effect"), "rolleffect", reading.came.roll.number)


def _roll_effect(answer: Answer) -> Rule:
    return partial(roll_effect, throw=answer.throw, number=answer.number)


def reroll_button(reading: RollReading) -> Button:
    """Return the button to reroll a die."""
    return Button(say("Reroll"), "reroll", reading.came.roll.number, reading.actions.version)


def reroll_form(made: Roll) -> Form:
    """Return a form to choose the dice to reroll, with the lowest preselected."""
    free = [(n, die) for n, die in enumerate(made.hand.dice) if not die.used and not die.removed]
    options = [Option(die_words(die, gm=made.gm), str(place)) for place, die in free]
    lowest = min(free, key=lambda pair: pair[1].face)[0] if free else 0
    return Form(say("Reroll"), (pick("dice", say("Dice"), options, str(lowest)),), version(made))


def _press_reroll(answer: Answer) -> Rule:
    again = once(answer, partial(reroll_at, throw=answer.throw, number=answer.number))

    def pressed(table: Table, actor: Actor) -> Step:
        made = find(table, answer.number)
        if len(made.hand.dice) == 1:
            return again(table, actor)
        require_roller(table, actor, made)
        raise FormRequired(reroll_form(made))

    return pressed


def _read_reroll(answer: Answer) -> Rule:
    places = (whole_number(answer.fields["dice"]),)
    return once(answer, partial(reroll_at, throw=answer.throw, number=answer.number, places=places))


SHOWN = 4
"""A view offers this many hidden rolls to be revealed, the latest."""


def hidden_rows(made: Roll) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a secret roll: reveal it, discard it, or note what it was for."""
    row = (
        Button(say("Reveal"), "reveal", made.number, weight=Weight.MAIN),
        Button(say("Drop"), "dropunseen", made.number),
    )
    return question.asking((row,), made)


def named_buttons(table: Table) -> tuple[Button, ...]:
    """Return a button for each of the latest secret rolls, numbered as in the list."""
    latest = list(CORTEX.of(table).hidden)[-SHOWN:]
    return tuple(Button(say("Hidden roll {number}", number=number), "hidden", number) for number in latest)


def _reveal(answer: Answer) -> Rule:
    return partial(roll.reveal_hidden, number=answer.number)


def _drop(answer: Answer) -> Rule:
    return partial(roll.drop_hidden, number=answer.number)


def step_buttons(reading: RollReading) -> list[Button]:
    """Return the button for another sharing of R7's steps; for several, one that opens a form."""
    shares, roll = reading.actions.shares, reading.came.roll
    if not shares:
        return []
    first = shares[0][0]
    now = roll.steps_to if any(share == roll.steps_to for share, _ in shares) else first
    rest = [(share, effects) for share, effects in shares if share != now]
    if len(rest) > 1:
        label = say_of(sum(first), "Place {count} step", "Place {count} steps")
        return [Button(label, "steps", roll.number)]
    share, effects = rest[0]
    return [Button(share_words(share, effects), "step", roll.number, _sign(share))]


def steps_form(table: Table, came: Outcome) -> Form:
    """Return a form to choose which effect dice are stepped up, each with its result."""
    shares = step_shares(table, came)
    options = [Option(share_words(each, shared(came, each)), _sign(each)) for each in shares]
    return Form(say("Place the steps"), (pick("what", say("What"), options),))


def _read_button(answer: Answer) -> Rule:
    return partial(share_steps, number=answer.number, share=numbers(answer.subject))


def _read_steps(answer: Answer) -> Rule:
    return partial(share_steps, number=answer.number, share=numbers(answer.fields["what"]))


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    came = resolve(table, made)
    require_effective(table, actor, came)
    return steps_form(table, came)


def _sign(share: tuple[int, ...]) -> str:
    """A way to share steps in an id: `1.1`."""
    return ".".join(str(steps) for steps in share)


def near_name_buttons(reading: RollReading) -> list[Button]:
    """Return the button that offers the existing name that a new label resembles."""
    roll = reading.came.roll
    near = reading.actions.near
    return [Button(say("Yes, {name}", name=near[1]), "nearname", roll.number)] if near else []


def _take_near_name(answer: Answer) -> Rule:
    return partial(rename, number=answer.number)


QUESTIONS = (
    Question("bank", press=_bank),
    Question("heroback", press=_hero_back),
    Question("backtodoom", NUMBER, press=_back),
    Question("recover", press=_recover),
    Question("stands", press=_stands),
    Question("rolleffect", press=_roll_effect),
    Question("reroll", VERSION, press=_press_reroll, read=_read_reroll),
    Question("reveal", press=_reveal),
    Question("dropunseen", press=_drop),
    Question("step", CHOICE, press=_read_button),
    Question("steps", form=about(_ask), read=_read_steps),
    Question("nearname", press=_take_near_name),
)
