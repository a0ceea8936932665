"""Questions about scenes: statements, joining groups (M5, N7)."""

from bot.language import say
from bot.language.line import Text
from bot.views.card import Button, Field, Form, Option, mark
from bot.views.game import Rule
from bot.views.question import SIGN, Answer, FormRequired, Pressed, Question, pick
from rules.campaign import scenes
from rules.campaign.seats import Actor, require_character
from rules.cortex import push_and_challenge
from rules.cortex import scenes as cortex_scenes
from rules.cortex.kinds import LONGEST_STATEMENT
from rules.cortex.model import CORTEX
from rules.cortex.push_and_challenge import SETTLE, Challenged
from rules.errors import Gone, TooLate
from rules.game import Step
from rules.names import fold
from rules.table import Table

MOST = 2
"""So many traits are asked about at once, a row each; the others are asked next."""


def statement_rows(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return a row of two buttons per challenged trait, as far as there is room.

    Empty while the setting is off; the challenged traits remain stored.
    """
    found = push_and_challenge.challenge_statement(table) if CORTEX.of(table).ruleset.statements else []
    labels = [fold(trait.label) for _, _, trait in found]
    return tuple(_pair(table, each, labels.count(fold(each[2].label)) > 1) for each in found[:MOST])


def _pair(table: Table, of: Challenged, is_one_of_several: bool) -> tuple[Button, ...]:
    """To rewrite or keep a statement, with its owner where several have a trait of that name."""
    who, _, trait = of
    label: Text = trait.label
    if is_one_of_several:
        label = say("{who}'s {trait}", trait=trait.label, who=table.characters[who].name)
    return (
        Button(say("Rewrite {trait}", trait=label), "rewritestatement", table.number, _sign(of)),
        Button(say("Keep {trait}", trait=label), "keepstatement", table.number, _sign(of)),
    )


def _sign(of: Challenged) -> str:
    who, kind, trait = of
    return mark(f"{who} {kind} {trait.label}")


def _meant(table: Table, sign: str) -> Challenged:
    """The trait of a button. Raises TooLate where that is settled, NotAllowed where the setting is off."""
    push_and_challenge.require_on(table)
    found = next(
        (each for each in push_and_challenge.challenge_statement(table) if _sign(each) == sign), None
    )
    if found is None:
        raise TooLate("That statement has already been settled, or its trait is gone.")
    return found


def _named(table: Table, of: Challenged) -> Text:
    who, _, trait = of
    return say("{who}: {trait} d{die}", who=table.characters[who].name, trait=trait.label, die=trait.die)


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    of = _meant(table, press.subject)
    require_character(table, actor, table.characters[of[0]], SETTLE)
    hint = say("Example: Duty asks too much of me")
    field = Field("statement", say("Statement"), of[2].statement, hint=hint)
    return Form(_named(table, of), (field,))


def _read(answer: Answer) -> Rule:
    def rewritten(table: Table, actor: Actor) -> Step:
        who, kind, trait = _meant(table, answer.subject)
        return push_and_challenge.rewrite(table, actor, who, kind, trait.label, answer.fields["statement"])

    return rewritten


def _press_keep(answer: Answer) -> Rule:
    def kept(table: Table, actor: Actor) -> Step:
        who, kind, trait = of = _meant(table, answer.subject)
        require_character(table, actor, table.characters[who], SETTLE)
        others = push_and_challenge.to_step_up(table, who, kind, trait)
        if others:
            options = [Option(f"{each.label} d{each.die}", mark(each.label)) for each in others]
            raise FormRequired(Form(_named(table, of), (pick("what", say("Steps up instead"), options),)))
        return push_and_challenge.keep(table, actor, who, kind, trait.label)

    return kept


def _read_keep(answer: Answer) -> Rule:
    def kept(table: Table, actor: Actor) -> Step:
        who, kind, trait = _meant(table, answer.subject)
        others = push_and_challenge.to_step_up(table, who, kind, trait)
        chosen = next((each.label for each in others if mark(each.label) == answer.fields["what"]), "")
        return push_and_challenge.keep(table, actor, who, kind, trait.label, chosen)

    return kept


def join_button(table: Table) -> Button:
    """Return the button that joins a split group again, valid in this scene."""
    return Button(say("Join again"), "joinagain", scenes.ended_scenes(table))


def _join(answer: Answer) -> Rule:
    def joined(table: Table, actor: Actor) -> Step:
        if scenes.ended_scenes(table) != answer.number:
            raise Gone("That {scene.one} has ended. To bring a split group back together: /scene join")
        return cortex_scenes.join(table, actor)

    return joined


def scene_fields(planned: str) -> tuple[Field, ...]:
    """Return the field for the distinctions of a new scene, with those that are planned."""
    hint = say("Separated by commas. Example: Thick smoke, Flames")
    named = say("{distinction.Many}")
    return (Field("distinctions", named, planned, hint=hint, required=False),)


QUESTIONS = (
    Question(
        "rewritestatement",
        SIGN,
        form=_ask,
        read=_read,
        apart=True,
        longest={"statement": LONGEST_STATEMENT},
    ),
    Question("keepstatement", SIGN, press=_press_keep, read=_read_keep, apart=True),
    Question("joinagain", press=_join, apart=True),
)
