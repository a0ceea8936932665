"""Experience points: who has how many, what a session brought, and the form to give some."""

from collections.abc import Sequence
from functools import partial

from bot.language import say
from bot.language.line import Text, nothing
from bot.views.card import Button, Field, Form, Option
from bot.views.game import Rule
from bot.views.labels import balance
from bot.views.question import Answer, Pressed, Question, pick, typed_number
from rules.campaign.notes import LONGEST_NOTE
from rules.campaign.seats import Actor, require_gm
from rules.campaign.story import Tally, together
from rules.campaign.xp import give_xp, spend_xp
from rules.table import Table
from rules.text import Words

SPEND = "spendxp"
"""The verb of the form that asks what XP are spent on."""
ALL = "all"
"""The option that means everybody; no character can be called so."""


def xp_lines(table: Table) -> list[Text]:
    """Return a line per character with XP."""
    return earned_lines(table) or [nothing(say("Nobody has any XP yet. Example: /xp give who:Alice"))]


def earned_lines(table: Table) -> list[Text]:
    """Return a line per character with XP; none if nobody has any."""
    held = [(each.name, each.xp) for each in table.characters.values()]
    return [say("{who}: {xp} XP", who=name, xp=xp) for name, xp in held if xp]


def xp_balance(people: Sequence[Tally]) -> Text:
    """Return the XP of one or of all, in few words where everybody got as many; empty if none."""
    got, of_all = {each["xp_gained"] for each in people}, together("", people)
    if len(people) > 1 and len(got) == 1 and any(got) and not of_all["xp_spent"]:
        return say("XP {count} each", count=got.pop())
    return balance(say("XP"), of_all["xp_gained"], of_all["xp_spent"])


def give_button() -> Button:
    """Return the button to give XP at the end of a session."""
    return Button(say("Give XP"), "givexp")


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("give XP"))
    names = [c.name for c in table.in_play.values() if not c.gmc]
    options = [Option(say("Everybody"), ALL), *(Option(name, name) for name in names)]
    fields = (
        pick("who", say("Recipients"), options),
        Field("number", say("How many"), "1"),
        Field("why", say("Why"), required=False),
    )
    return Form(say("Give XP"), fields)


def spend_form(table: Table, actor: Actor, number: int, who: str | None) -> Form:
    """Return a form that asks what XP are spent on. Raises what `spend_xp` does."""
    spend_xp(table, actor, number, who=who)
    whose = () if who is None else (Field("who", say("Who"), who),)
    fields = (Field("why", say("What for")), Field("number", say("How many"), str(number)), *whose)
    return Form(say("Spend XP"), fields)


def _ask_spent(table: Table, actor: Actor, press: Pressed) -> Form:
    return spend_form(table, actor, 1, None)


def _read_spent(answer: Answer) -> Rule:
    fields = answer.fields
    number = typed_number(fields.typed("number"))
    spent = 1 if number is None else number
    return partial(spend_xp, number=spent, why=fields.typed("why"), who=fields.typed("who") or None)


def _read(answer: Answer) -> Rule:
    fields = answer.fields
    number = typed_number(fields.typed("number"))
    given = 1 if number is None else number
    return partial(give_xp, who=fields["who"], number=given, why=fields.typed("why"))


QUESTIONS = (
    Question(
        SPEND,
        form=lambda table, actor, press: spend_form(table, actor, 1, None),
        read=_read_spent,
        apart=True,
        longest={"number": 3, "why": LONGEST_NOTE},
    ),
    Question("givexp", form=_ask, read=_read, apart=True, longest={"number": 3, "why": LONGEST_NOTE}),
)
