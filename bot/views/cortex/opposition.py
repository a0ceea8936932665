"""The opposition of a roll: forms for a number, a pool, a crisis or a contest (T2, T4, T6)."""

from collections.abc import Sequence
from functools import partial

from bot.language import say
from bot.views.card import Button, Field, Form, Option, mark
from bot.views.cortex.gm_pools import name_of, pool_line
from bot.views.cortex.roll_changes import about
from bot.views.game import Rule
from bot.views.labels import ROLLERS
from bot.views.question import MOST_IN_MENU, SIGN, Answer, Pressed, Question, cut, pick, whole_number
from rules.campaign.scenes import ended_scenes
from rules.campaign.seats import Actor, require_gm
from rules.cortex import actions, gm_pools, roll
from rules.cortex.builder import still_held
from rules.cortex.kinds import Target
from rules.cortex.model import CORTEX, Against, Roll
from rules.cortex.opposition import number_named, targets
from rules.cortex.pool_grammar import LONGEST
from rules.cortex.pool_resolver import likeliest
from rules.cortex.pool_words import DIFFICULTIES
from rules.cortex.ruleset import Opposition
from rules.cortex.scenes import require_scene
from rules.dice import Throw
from rules.errors import Gone, TooLate
from rules.game import Step
from rules.table import Table
from rules.text import Words

AMENDED = ("way", "more")
"""The fields of what is in the way."""
_KEPT = "kept"
"""Before the place of what is in the way already."""


def oppose_button(made: Roll) -> Button:
    """Return the button to oppose a roll, choose the opposition's dice, or amend a difficulty."""
    against = made.against
    verb = "oppose" if against is None else "amend" if against.hand is None else "counter"
    return Button(say("Oppose"), verb, made.number)


def against_button(made: Roll) -> Button:
    """Return the button to roll against a roll of the GM."""
    return Button(say("Roll against"), "against", made.number)


def oppose_form(table: Table, made: Roll) -> Form:
    """Return a form for the opposition of a roll: doom, a difficulty, a GM pool, or typed dice."""
    here = CORTEX.of(table)
    options = [Option(_difficulty(table, name), name) for name in DIFFICULTIES]
    # A menu has 25 options, and doom may be one more.
    options += [Option(cut(name), cut(name)) for name in targets(table)][: 24 - len(options)]
    default = "challenging"
    if here.ruleset.doom and here.doom:
        options.insert(0, Option(pool_line(table, gm_pools.DOOM), "doom"))
        default = "doom"
    hint = say("Or type a number or dice: 11, 2d8 d6, {doom_pool.short} + Rain")
    typed = Field("dice", say("Dice"), hint=hint, required=False)
    return Form(
        say("Against {who}", who=ROLLERS[made.who]), (pick("what", say("What"), options, default), typed)
    )


def amend_form(table: Table, made: Roll) -> Form:
    """Return a form for the difficulty of a roll, and the traits in the way (T3)."""
    against = opposed(made)
    number = Field(
        "number",
        say("Number"),
        str(actions.base_of(against)),
        hint=say("Anything in the way is added to this number"),
    )
    return Form(say("Against {who}", who=ROLLERS[made.who]), (number, *in_the_way(table, made)))


def in_the_way(table: Table, made: Roll) -> tuple[Field, ...]:
    """Return the fields for traits in the way: present ones ticked, other candidates, and typed ones (T3)."""
    there = opposed(made).plus
    options = [Option(cut(each), f"{_KEPT}{place}") for place, each in enumerate(there)]
    options += [Option(cut(each), mark(each)) for each in actions.candidates(table, made)]
    ticked = ",".join(option.value for option in options[: len(there)])
    # A distinction and a complication of one name are one thing in the way; Discord takes no option twice.
    shown = tuple({option.value: option for option in options}.values())[:MOST_IN_MENU]
    boxes = Field("way", say("In the way"), ticked, shown, required=False, most=len(shown))
    hint = say("Names or dice, separated by +: Rain + d8")
    typed = Field("more", say("More in the way"), hint=hint, required=False)
    return (*((boxes,) if shown else ()), typed)


def opposed(made: Roll) -> Against:
    """Return the opposition of a roll. Raises TooLate if it has none any more."""
    if made.against is None:
        raise TooLate("That roll's opposition is gone. Press Oppose again.")
    return made.against


def against_form(table: Table, actor: Actor, made: Roll) -> Form:
    """Return a form for the pool to roll against a roll, filled in with the caller's last pool."""
    return Form(say("Roll against {who}", who=ROLLERS[made.who]), (pool_field(table, actor),))


def pool_field(table: Table, actor: Actor, usual: str = "") -> Field:
    """Return a field for a pool, filled in with the usual pool or the caller's last one."""
    last, own = CORTEX.of(table).last_pools.get(actor.id, ()), table.played_by(actor.id)
    filled = usual or (still_held(table, own, last[0]) if last else likeliest(table, own))
    hint = say("Example: Mind d10, Sharp d8, 2d6")
    return Field("dice", say("Dice"), filled, hint=hint)


def _read(answer: Answer) -> Rule:
    vs = answer.fields.typed("dice") or answer.fields["what"]
    return partial(roll.oppose, throw=answer.throw, number=answer.number, vs=vs)


def _read_amend(answer: Answer) -> Rule:
    return partial(amended, answer=answer)


def amended(table: Table, actor: Actor, answer: Answer) -> Step:
    """Return the step that sets the difficulty and the traits in the way from a form."""
    made = roll.find(table, answer.number)
    number, kept, more = in_the_way_of(table, made, answer)
    return actions.amend(table, actor, answer.throw, answer.number, kept, more, number)


def in_the_way_of(table: Table, made: Roll, answer: Answer) -> tuple[str, tuple[int, ...], tuple[str, ...]]:
    """Return the new difficulty, the traits that stay in the way, and those that join.

    The difficulty is empty if unchanged. Raises TooLate if the opposition or a chosen trait is gone.
    """
    against, fields = opposed(made), answer.fields
    ticked = [value for value in fields.get("way", "").split(",") if value]
    kept = tuple(whole_number(value.removeprefix(_KEPT)) for value in ticked if value.startswith(_KEPT))
    there = {mark(each): each for each in actions.candidates(table, made)}
    chosen = [value for value in ticked if not value.startswith(_KEPT)]
    if not set(chosen) <= set(there):
        raise TooLate("Something you chose is gone. Press Oppose again.")
    typed = [part.strip() for part in fields.typed("more").split("+") if part.strip()]
    number = fields.typed("number")
    return (
        "" if number == str(actions.base_of(against)) else number,
        kept,
        (*map(there.__getitem__, chosen), *typed),
    )


def _read_against(answer: Answer) -> Rule:
    dice = answer.fields["dice"]
    return partial(roll.against_roll, throw=answer.throw, number=answer.number, dice=dice)


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, Words("oppose a roll"))
    roll.require_unopposed(made)
    roll.check_open(made)
    return oppose_form(table, made)


def _ask_amend(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, Words("change what opposes a roll"))
    roll.check_open(made)
    return amend_form(table, made)


def _ask_against(table: Table, actor: Actor, made: Roll) -> Form:
    roll.require_concerned(table, actor, made)
    roll.require_turn(table, actor, None if roll.is_action(made) else made.target)
    return against_form(table, actor, made)


def _difficulty(table: Table, name: str) -> str:
    number, size = number_named(table, name), DIFFICULTIES[name]
    worth = str(number) if CORTEX.of(table).ruleset.opposition is Opposition.STATIC else f"2d{size}"
    return f"{name} {worth}"


def face_buttons(table: Table, found: Sequence[Target], *, named: bool = False) -> list[Button]:
    """Return a `Roll against` button for each of these that still exists."""
    there = [target for target in found if gm_pools.is_there(table, target)]
    return [
        face_button(table, target, named=named or len(there) > 1)
        for target in there
        if targets(table).get(name_of(table, target)) == target
    ]


def face_button(table: Table, target: Target, *, named: bool = False) -> Button:
    """Return a `Roll against` button for one target, valid in this scene."""
    name = name_of(table, target)
    label = say("Roll against {who}", who=name) if named else say("Roll against")
    return Button(label, "face", ended_scenes(table), mark(name))


def _ask_face(table: Table, actor: Actor, press: Pressed) -> Form:
    name = _faced(table, press.number, press.subject)
    roll.require_turn(table, actor, targets(table)[name])
    return Form(say("Roll against {who}", who=name), (pool_field(table, actor),))


def _read_face(answer: Answer) -> Rule:
    rule = partial(_rolled, throw=answer.throw, scene=answer.number, sign=answer.subject)
    return partial(rule, dice=answer.fields["dice"])


def _rolled(table: Table, actor: Actor, throw: Throw, scene: int, sign: str, dice: str) -> Step:
    return roll.make(table, actor, throw, dice, _faced(table, scene, sign))


def _faced(table: Table, scene: int, sign: str) -> str:
    """The name of what a button rolls against. Raises Gone when it, or its scene, is no more."""
    require_scene(table, scene)
    name = next((name for name in targets(table) if mark(name) == sign), "")
    if not name:
        here = CORTEX.of(table)
        names = [crisis.name for crisis in here.crises.values()]
        names += [pool.name for pool in here.challenges.values()]
        names += [character.name for character in table.characters.values()]
        # What is turned off or away comes back with its button.
        raise (TooLate if sign in map(mark, names) else Gone)(
            "The target of that button has ended or left the {scene.one}. Roll against something else."
        )
    return name


DICE_LENGTHS = dict.fromkeys(("dice", "vs", "more"), LONGEST)
"""The most characters of the fields for dice."""
QUESTIONS = (
    Question("oppose", form=about(_ask), read=_read, longest=DICE_LENGTHS),
    Question("amend", form=about(_ask_amend), read=_read_amend, longest=DICE_LENGTHS),
    Question("against", form=about(_ask_against), read=_read_against, apart=True, longest=DICE_LENGTHS),
    Question("face", SIGN, form=_ask_face, read=_read_face, apart=True, longest=DICE_LENGTHS),
)
