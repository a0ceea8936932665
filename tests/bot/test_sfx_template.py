"""SFX templates, end to end: chosen, named, and used, each does what its words say (X1)."""

from dataclasses import dataclass

import pytest

from bot.loopback.reply import BotReply
from bot.views.cortex.sheet import TEMPLATES
from rules.cortex.model import CORTEX
from rules.cortex.sfx import Template
from rules.text import Words
from rules.values import exhaustive
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.game import Game

MENU = "What it does"
BEGUN = (
    "gm: /campaign set setting:safe dice value:on",
    "gm: /campaign set setting:push stress value:SFX only",
    "alice: /character set trait:Mind die:d10 trait_set:Attributes",
    "alice: /character set trait:Body die:d8 trait_set:Attributes",
    "gm: /pp set who:Alice number:3",
)


def words(template: Template) -> str:
    """What the menu calls it."""
    return str(Words(TEMPLATES[template]))


async def given(game: Game, template: Template, **typed: str) -> BotReply:
    """Alice takes a template, as it is shown unless something is typed or chosen."""
    shown = await game.says("alice: /sfx template")
    assert shown.private
    form = (await game.alice.choose(shown, MENU, [words(template)])).form
    assert form is not None
    assert form.title == words(template)
    filled = {"Name": "Trick", **typed}
    return await game.alice.submit(form, filled)


@dataclass(frozen=True)
class Used:
    """How an SFX is used, its faces, and what is heard; `then` after a roll is made."""

    says: str
    hears: tuple[str, ...]
    faces: tuple[tuple[int, ...], ...] = ()
    then: str = ""
    before: tuple[str, ...] = ()
    paid: bool = True
    """Whether it takes one of Alice's PP."""


ROLL = "alice: /roll dice:Mind, Body, Trick"
BARE = "alice: /roll dice:Mind, Body, d6"
ALONE = "alice: /sfx use name:Trick"
USES = exhaustive(
    Template,
    {
        Template.STEP_UP: Used(ROLL, ("Mind d12: 9",), ((9, 4),)),
        Template.DOUBLE: Used(ROLL, ("Mind d10: 9", "Mind d10: 8"), ((9, 8, 4),)),
        Template.TRADE: Used(ROLL, ("Mind d12: 9", "Body d6: 4"), ((9, 4),), paid=False),
        Template.STRAIN: Used(ROLL, ("Mind d8: 7", "d6: 3"), ((7, 4, 3),), paid=False),
        Template.RISK: Used(ROLL, ("d6: 3", "Alice · Trick d6 (complication"), ((7, 4, 3),), paid=False),
        Template.OVERLOAD: Used(
            ROLL, ("Mind d10: 8", "Alice · Mind d10 is shut down"), ((9, 8, 4),), paid=False
        ),
        Template.BARGAIN: Used(ROLL, ("Mind d10: 8", "Doom pool: 3d6"), ((9, 8, 4),), paid=False),
        Template.SAFE: Used(ROLL, ("Mind d10: 1 (safe)",), ((1, 4),)),
        Template.PUSH: Used(
            ROLL,
            ("Physical d8: 5",),
            ((9, 4, 5),),
            before=("gm: /stress add what:Physical who:Alice die:d8",),
            paid=False,
        ),
        Template.WEAKEN: Used(f"{ROLL} vs:d8", ("d6: 5",), ((9, 4), (5,))),
        Template.REROLL: Used(BARE, ("Total 16",), ((9, 4, 2), (7,)), "alice: /sfx use name:Trick on:d8"),
        Template.TOTAL: Used(BARE, ("Total 15",), ((9, 4, 2),), ALONE),
        Template.EFFECT: Used(f"{BARE}, d6", ("effect d6 and d6",), ((9, 4, 3, 2),), ALONE),
        Template.EFFECT_UP: Used(BARE, ("Effect d6 stepped up",), ((9, 4, 2),), ALONE),
        Template.FLURRY: Used(BARE, ("d10: 9 (removed)", "Total 9"), ((9, 4, 2), (3,)), ALONE, paid=False),
        Template.ASSET: Used(ALONE, ("Alice · Trick d8 (asset)",)),
        Template.COMPLICATION: Used("alice: /sfx use name:Trick on:Bob", ("Bob · Trick d6 (complication)",)),
        Template.RECOVER: Used(
            ALONE,
            ("Alice · Physical stress d6 (was d8)",),
            before=("gm: /stress add what:Physical who:Alice die:d8",),
        ),
        Template.CALM: Used(ALONE, ("Doom pool: d6",)),
        Template.OPPORTUNITY: Used(
            "gm: /roll dice:2d6", ("Alice · Trick d8 (asset)",), ((1, 5),), ALONE, paid=False
        ),
        Template.SHUT: Used(ALONE, ("Alice · Mind d10 is shut down", "Alice: 4 PP"), paid=False),
        Template.HITCH: Used(ROLL, ("Alice: 4 PP", "Trick d6: 1 (hitch)"), ((9, 4),), paid=False),
        Template.TRIGGER: Used(ALONE, ("Alice: 4 PP",), paid=False),
    },
)
"""Each template, used once."""


async def test_X1_a_template_does_what_it_says(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*BEGUN)
    begun = (await seen(table))[1]
    for template, used in USES.items():
        with subtests.test(template=str(template)):
            await put_back(table, begun)
            for line in used.before:
                await table.play(line)
            when = {"When": "it matters"} if template is Template.TRIGGER else {}
            before = (await seen(table))[0]
            assert "Alice · SFX Trick: " in (await given(table, template, **when)).text
            assert (await seen(table))[0] == before + 1, "one step"
            table.dice.show(*used.faces)
            reply = await table.play(used.says)
            told = [reply]
            if used.then:
                told.append(await table.play(used.then))
            await table.at_rest()
            heard = "\n".join(each.text for each in told)
            assert all(each in heard for each in used.hears)
            if used.paid:
                assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 2


async def test_X1_a_template_is_taken_after_a_restart_and_undone(table: Game) -> None:
    await table.play(*BEGUN)
    shown = await table.says("alice: /sfx template")
    await table.restart()
    form = (await table.alice.choose(shown, MENU, [words(Template.TRADE)])).form
    assert form is not None
    await table.restart()
    added = await table.alice.submit(form, {"Name": "All in", "When": "when alone"})
    assert added.text == "Alice · SFX All in: up Mind, for down Body, when alone"
    assert "Undone: “Alice · SFX All in" in (await table.play("alice: /undo")).text
    assert not CORTEX.has((await seen(table))[1].characters["alice"]).sfx


async def test_X1_a_gm_takes_one_for_a_gmc(table: Game) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fangs d8")
    shown = await table.says("gm: /sfx template who:Rex")
    assert shown.text == "Choose what Rex's new SFX does."
    form = (await table.gm.choose(shown, MENU, [words(Template.DOUBLE)])).form
    assert form is not None
    added = await table.gm.submit(form, {"Name": "Pounce"})
    assert added.text == "Rex · SFX Pounce: double Fangs, for 1 PP"


async def test_X1_below_all_sfx_the_templates_are_one_press(table: Game) -> None:
    shown = await table.says("alice: /sfx show")
    offered = await table.alice.press(shown, "Templates")
    assert offered.private
    assert "Choose what Alice's new SFX does" in offered.text
    assert offered.menus[0].options


async def test_X1_what_is_refused_can_be_tried_again(table: Game) -> None:
    await table.play(*BEGUN)
    refused = await given(table, Template.REROLL, Name="Mind")
    assert is_refused(refused)
    assert "Mind is already the name of a trait. Choose another name" in refused.text
    form = (await table.alice.press(refused, "Try again")).form
    assert form is not None
    assert form.field("Name").default == "Mind"
    assert "SFX Luck: reroll" in (await table.alice.submit(form, {"Name": "Luck"})).text


async def test_N1_templates_are_said_in_the_tables_own_words(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:plot point = Hero Point, Hero Points, HP")
    shown = await table.says("alice: /sfx template")
    assert "Reroll a die for 1 HP" in [option.label for option in shown.menus[0].options]
