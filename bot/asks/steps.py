"""Which effect dice the steps of a heroic success go to: by a button, or by a form with all ways (R3)."""

from functools import partial

from bot.asks.question import CHOICE, Answer, Question, Rule, about, numbers, pick
from bot.language import say, say_of
from bot.render.card import Button, Form, Option
from bot.render.roll import share_words
from rules.cortex.apply import require_effective, share_steps, step_shares
from rules.seats import Actor
from rules.table import Roll, Table


def buttons(table: Table, made: Roll) -> list[Button]:
    """Another way to share R7's steps among effect dice; where there are several, a form with all."""
    shares = step_shares(table, made)
    if len(shares) < 2:
        return []
    rest = [share for share in shares if share != (made.steps_to if made.steps_to in shares else shares[0])]
    if len(rest) > 1:
        label = say_of(sum(shares[0]), "Place {count} step", "Place {count} steps")
        return [Button(label, "steps", made.number)]
    return [Button(share_words(table, made, rest[0]), "step", made.number, _sign(rest[0]))]


def form(table: Table, made: Roll) -> Form:
    """Which effect dice the steps go to, each way with what comes of it."""
    options = [Option(share_words(table, made, each), _sign(each)) for each in step_shares(table, made)]
    return Form(say("Steps of the effect dice"), (pick("what", say("What"), options),))


def _read_button(answer: Answer) -> Rule:
    return partial(share_steps, number=answer.number, share=numbers(answer.subject))


def _read(answer: Answer) -> Rule:
    return partial(share_steps, number=answer.number, share=numbers(answer.fields["what"]))


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    require_effective(table, actor, made)
    return form(table, made)


def _sign(share: tuple[int, ...]) -> str:
    """A way to share steps in an id: `1.1`."""
    return ".".join(str(steps) for steps in share)


QUESTIONS = (Question("step", CHOICE, press=_read_button), Question("steps", form=about(_ask), read=_read))
