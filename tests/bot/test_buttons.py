"""Every button of rolls and foes: it works, for whom it belongs to, once, after a restart, until closed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

import pytest

from bot.loopback.forms import FieldKind
from bot.loopback.reply import BotReply, MessageButton
from bot.store.history import Author, Draft, Place
from rules.table import Table
from rules.values import replace
from tests.bot.deeds import FOE_AGAIN, FOE_DEEDS, ORE_DEEDS, PLAYERS, STRANGERS, Deed
from tests.bot.store.samples import told
from tests.game import Game

pytestmark = pytest.mark.usefixtures("table")

HITCH = ("alice: /roll dice:2d6 d8",)
REROLLS = "gm: /campaign set setting:reroll for 1 PP value:on"
ONE_HITCH, TWO_HITCHES = ((1, 4, 5),), ((1, 1, 5),)
BEATEN = ("alice: /roll dice:2d6 d8 vs:5",)
DOOM_FACES = (4, 1)
DEEDS = {
    "keep another choice": Deed(
        "Total 12, effect d8",
        ("alice: /roll dice:d10 d8 2d6",),
        "alice",
        "Alice: Total 12, effect d8",
        STRANGERS,
        ((9, 7, 2, 3),),
        is_form=False,
    ),
    "pay for the verdict": Deed(
        "Total 12, effect d4 for 1 PP",
        ("alice: /roll dice:2d6 d8 vs:11",),
        "alice",
        "vs 11: success by 1",
        STRANGERS,
        ((5, 4, 3),),
        is_form=False,
    ),
    "recover": Deed(
        "Apply",
        ("alice: /comp add what:Lost", "alice: /comp recover what:Lost dice:2d8 d10"),
        "alice",
        "Alice · Lost is gone",
        STRANGERS,
        ((7, 6, 5), (2, 2, 3)),
        is_form=False,
    ),
    "apply as an asset": Deed(
        "Apply d8",
        BEATEN,
        "alice",
        "Alice · Rope d8 (asset)",
        STRANGERS,
        ((4, 3, 2),),
        {"What": "Asset d8", "Name": "Rope", "On": "Alice"},
    ),
    "apply as a complication": Deed(
        "Apply d8",
        BEATEN,
        "alice",
        "Bob · Tangled d8 (complication)",
        STRANGERS,
        ((4, 3, 2),),
        {"What": "Complication d8", "Name": "Tangled", "On": "Bob"},
    ),
    "apply on somebody new": Deed(
        "Apply d8",
        BEATEN,
        "alice",
        "Rex · Tangled d8 (complication)",
        STRANGERS,
        ((4, 3, 2),),
        {"What": "Complication d8", "Name": "Tangled", "Or on someone new": "Rex"},
    ),
    "apply as stress": Deed(
        "Apply d8",
        BEATEN,
        "alice",
        "Bob · Mental stress d8",
        STRANGERS,
        ((4, 3, 2),),
        {"What": "Mental stress d8", "On": "Bob"},
    ),
    "apply as a takeout": Deed(
        "Apply d12",
        ("alice: /roll dice:2d8 d12 vs:7",),
        "alice",
        "Bob is taken out by Beaten",
        STRANGERS,
        ((7, 6, 3),),
        {"What": "out complication", "Name": "Beaten", "On": "Bob"},
    ),
    "apply to doom": Deed(
        "Apply d6",
        ("gm: /doom roll with:Guards d6",),
        "gm",
        "Doom pool: 3d6",
        PLAYERS,
        ((3, 4, 2),),
        {"What": "doom"},
    ),
    "spend for the total": Deed(
        "Spend",
        HITCH,
        "alice",
        "Alice: Total 13, effect d4",
        STRANGERS,
        ((2, 5, 6),),
        {"What": "Another die in the total"},
    ),
    "spend for an effect": Deed(
        "Spend",
        ("alice: /roll dice:2d6 2d8",),
        "alice",
        "effect d8 and d8",
        STRANGERS,
        ((5, 6, 2, 3),),
        {"What": "Another effect die"},
    ),
    "spend for a reroll": Deed(
        "Spend",
        (REROLLS, *HITCH),
        "alice",
        "d6: 6",
        STRANGERS,
        ((2, 5, 4), (6,)),
        {"What": "Reroll d6: 2"},
    ),
    "spend for a die over the limit": Deed(
        "Spend",
        (
            "alice: /dist add what:Pirate",
            "alice: /dist add what:Sailor",
            "alice: /roll dice:Pirate + Sailor + d6",
        ),
        "alice",
        "Alice: 0 PP (-1, a die over the limit)",
        STRANGERS,
        ((7, 6, 5),),
        {"What": "A die over the limit"},
    ),
    "spend doom": Deed(
        "Spend",
        ("gm: /doom roll with:Guards d8",),
        "gm",
        "Doom pool: d6 (d6 spent",
        PLAYERS,
        ((3, 4, 5),),
        {"What": "Another die in the total", "Dice": "d6 from doom"},
    ),
    "buy hitches as a complication": Deed(
        "Hitches: 1",
        HITCH,
        "gm",
        "Alice · Tired d6 (complication)",
        PLAYERS,
        ONE_HITCH,
        {"What": "complication", "Name": "Tired"},
    ),
    "buy a botch": Deed(
        "Hitches: 2", ("alice: /roll dice:2d6",), "gm", "Alice · Trouble d8", PLAYERS, ((1, 1),), {}
    ),
    "buy hitches as one doom die": Deed(
        "Hitches: 2", HITCH, "gm", "Doom pool: 2d6 d8", PLAYERS, TWO_HITCHES, {"What": "doom one"}
    ),
    "buy hitches as doom dice": Deed(
        "Hitches: 2", HITCH, "gm", "Alice: 3 PP (+2, hitch)", PLAYERS, TWO_HITCHES, {"What": "doom each"}
    ),
    "buy hitches as steps of doom": Deed(
        "Hitches: 2", HITCH, "gm", "Doom pool: 2d8", PLAYERS, TWO_HITCHES, {"What": "doom step"}
    ),
    "buy hitches as doom dice of their size": Deed(
        "Hitches: 1",
        ("alice: /roll dice:d10 2d6",),
        "gm",
        "Doom pool: 2d6 d10",
        PLAYERS,
        ((1, 4, 5),),
        {"What": "doom size"},
    ),
    "use an opportunity": Deed(
        "Opportunities: 1",
        ("gm: /comp add what:Rain who:scene die:d8", "gm: /doom roll"),
        "bob",
        "Scene · Rain d6",
        ("gm",),
        (DOOM_FACES,),
    ),
    "use an opportunity for an asset": Deed(
        "Opportunities: 1",
        ("alice: /asset add what:Rope", "alice: /roll dice:2d6 d8 vs:doom"),
        "bob",
        "Alice · Rope d8",
        ("gm",),
        ((5, 5, 5), DOOM_FACES),
        {"What": "Step Alice · Rope up to d8"},
    ),
    "oppose": Deed(
        "Oppose",
        HITCH,
        "gm",
        "vs 7: success by 2",
        PLAYERS,
        ((5, 4, 5), (3, 4)),
        {"What": "doom"},
    ),
    "oppose with a number": Deed(
        "Oppose", HITCH, "gm", "vs 30: failure", PLAYERS, ((5, 4, 5),), {"Dice": "30"}
    ),
    "choose for the opposition": Deed(
        "Oppose",
        ("alice: /roll dice:2d6 d8 vs:d10 d8 d6",),
        "gm",
        "vs 8",
        PLAYERS,
        ((5, 4, 5), (6, 5, 3)),
        {"What": "Total 8, effect d10"},
    ),
    "stay in": Deed(
        "Stay in: Alice",
        ("alice: /comp add what:Hurt die:d12", "alice: /comp stepup what:Hurt"),
        "alice",
        "Alice stays in",
        STRANGERS,
        fields={"Name": "Shaken"},
    ),
    **FOE_DEEDS,
    **ORE_DEEDS,
}
"""What can be done once, each by its button."""
AGAIN = {
    "roll against": Deed(
        "Roll against",
        ("gm: /doom roll on:Alice",),
        "alice",
        "\nTotal 11",
        STRANGERS,
        ((3, 2), (6, 5, 4)),
        {"Dice": "3d6"},
    ),
    **FOE_AGAIN,
}
"""What can be done any number of times."""
ALL = DEEDS | AGAIN
SOME = 9
"""So many deeds are done at one table, which is laid anew for each."""
Check = Callable[[Game, Deed], Awaitable[None]]


def for_some(names: Iterable[str]) -> pytest.MarkDecorator:
    """A test that gets so many of these `names` at a time."""
    every = [*names]
    some = [every[first : first + SOME] for first in range(0, len(every), SOME)]
    return pytest.mark.parametrize("names", some, ids=lambda names: f"{names[0]} to {names[-1]}")


async def check_each(game: Game, subtests: pytest.Subtests, names: Sequence[str], check: Check) -> None:
    """Check each of these deeds at the table as it is now."""
    _, start = await seen(game)
    for name in names:
        with subtests.test(name):
            await put_back(game, start)
            await check(game, ALL[name])


async def prepared(game: Game, deed: Deed) -> tuple[BotReply, MessageButton]:
    """The message with the button, and the button, at a table where carol is a stranger."""
    game.person("carol")
    game.dice.show(*deed.faces)
    reply = await game.play(*deed.says)
    return reply, game.person(deed.by).look_for(reply, deed.label)


async def fill_in(game: Game, deed: Deed, opened: BotReply) -> BotReply:
    """Fill in the form that opened, if the deed has one."""
    if not deed.is_form:
        return opened
    assert opened.form is not None, opened.text
    return await game.person(deed.by).submit(opened.form, deed.fields)


async def carry_out(game: Game, deed: Deed, reply: BotReply, button: MessageButton) -> BotReply:
    """Press the button, and fill in its form."""
    return await fill_in(game, deed, await game.person(deed.by).push(reply, button))


async def seen(game: Game) -> tuple[int, Table]:
    """The number of the last step, and the table."""
    entry = await game.ledger.look(Place(game.discord.table.id, game.discord.world.home.id))
    assert entry is not None
    return entry.number, entry.table


async def put_back(game: Game, table: Table) -> None:
    """Make the table what it was, in one more step: for the next case of a test, with no dice loaded."""
    place = Place(game.discord.table.id, game.discord.world.home.id)
    game.dice.faces.clear()

    def rule(now: Table) -> Draft:
        return Draft(replace(table, number=now.number, plan_changes=now.plan_changes), told("Put back"))

    await game.ledger.append(place, Author(game.gm.id, "gm"), 0, rule)


def is_refused(reply: BotReply) -> bool:
    """A private sentence, and no form."""
    assert reply.failed is None
    assert "Something went wrong" not in reply.text
    return reply.private and not reply.updated and reply.form is None


@for_some(AGAIN)
async def test_it_works_for_whom_it_belongs_alone_also_after_a_restart(
    game: Game, subtests: pytest.Subtests, names: Sequence[str]
) -> None:
    await check_each(game, subtests, names, works_again)


async def works_again(game: Game, deed: Deed) -> None:
    reply, button = await prepared(game, deed)
    await is_refused_to_others(game, deed, reply, button)
    opened = await game.person(deed.by).push(reply, button)
    await game.restart()
    await works(game, deed, fill_in(game, deed, opened))
    await game.play("gm: /undo")
    await game.bot.followers.flush()  # else an edit that is on its way may come behind the next answer
    game.dice.show(*deed.faces[deed.rolled :])
    await works(game, deed, carry_out(game, deed, reply, button))


@for_some(DEEDS)
async def test_it_works_for_whom_it_belongs_alone_once_and_again_when_undone(
    game: Game, subtests: pytest.Subtests, names: Sequence[str]
) -> None:
    """After a restart, too, as does a form opened before; and of two presses in the same instant one does."""
    await check_each(game, subtests, names, works_once)


async def works_once(game: Game, deed: Deed) -> None:
    reply, button = await prepared(game, deed)
    person = game.person(deed.by)
    await is_refused_to_others(game, deed, reply, button)
    forms = [await person.push(reply, button) for _ in range(2)] if deed.is_form else []
    before = (await seen(game))[1]
    await game.restart()
    await works(game, deed, fill_in(game, deed, forms[0]) if forms else person.push(reply, button))
    done = await seen(game)
    if forms:
        assert is_refused(await fill_in(game, deed, forms[1]))
    pressed = await person.push(reply, button)
    assert pressed.form is not None or is_refused(pressed), pressed.text
    assert await seen(game) == done
    await game.play("gm: /undo")
    assert plain((await seen(game))[1]) == plain(before)
    await game.play("gm: /redo")
    assert plain((await seen(game))[1]) == plain(done[1])
    await game.play("gm: /undo")
    await game.bot.followers.flush()  # else an edit that is on its way may come behind the next answer
    game.dice.faces[:] = deed.faces[deed.rolled :]
    number, _ = await seen(game)
    opened = [await person.push(reply, button) for _ in range(2)] if deed.is_form else []
    both = [fill_in(game, deed, form) for form in opened] or [person.push(reply, button) for _ in range(2)]
    one, other = await asyncio.gather(*both)
    assert sorted([is_refused(one), is_refused(other)]) == [False, True], (one.text, other.text)
    assert any(deed.hears in each.text for each in (one, other))
    assert (await seen(game))[0] == number + 1
    assert plain(before) != plain((await seen(game))[1])


async def is_refused_to_others(game: Game, deed: Deed, reply: BotReply, button: MessageButton) -> None:
    """Whoever it does not belong to is told so alone, and nothing changes."""
    before = await seen(game)
    for other in deed.others:
        refused = await game.person(other).push(reply, button)
        assert is_refused(refused), (other, refused.text, refused.form)
    assert await seen(game) == before


async def works(game: Game, deed: Deed, doing: Awaitable[BotReply]) -> None:
    """What the button is for is done, and told, in one step."""
    number, _ = await seen(game)
    done = await doing
    assert not is_refused(done), done.text
    assert deed.hears in done.text
    assert (await seen(game))[0] == number + 1


@for_some(ALL)
async def test_it_lives_as_long_as_its_scene_what_led_to_it_and_the_campaign(
    game: Game, subtests: pytest.Subtests, names: Sequence[str]
) -> None:
    await check_each(game, subtests, names, lives_as_long)


async def lives_as_long(game: Game, deed: Deed) -> None:
    reply, button = await prepared(game, deed)
    early = await game.person(deed.by).push(reply, button) if deed.is_form else None
    await game.play("gm: /scene end")
    if not deed.outlives:
        before = await seen(game)
        assert is_refused(await game.person(deed.by).push(reply, button))
        assert await seen(game) == before
    await game.play("gm: /undo", "gm: /undo")
    before = await seen(game)
    assert is_refused(await game.person(deed.by).push(reply, button))
    if early is not None:
        assert is_refused(await fill_in(game, deed, early))
    assert await seen(game) == before
    await game.play("gm: /redo")
    game.dice.faces[:] = deed.faces[deed.rolled :]
    await works(game, deed, carry_out(game, deed, reply, button))
    await game.gm.press(await game.says("gm: /campaign delete"), "Delete")
    assert is_refused(await game.person(deed.by).push(reply, button))


@pytest.mark.parametrize("name", [name for name, deed in ALL.items() if deed.outlives])
async def test_a_contest_goes_on_after_the_scene_has_ended(game: Game, name: str) -> None:
    reply, button = await prepared(game, ALL[name])
    await game.play("gm: /scene end")
    await works(game, ALL[name], carry_out(game, ALL[name], reply, button))


@for_some(name for name, deed in ALL.items() if "Dice" in deed.fields)
async def test_a_refused_form_is_tried_again_as_it_was_typed(
    game: Game, subtests: pytest.Subtests, names: Sequence[str]
) -> None:
    await check_each(game, subtests, names, is_tried_again)


async def is_tried_again(game: Game, deed: Deed) -> None:
    reply, button = await prepared(game, deed)
    person = game.person(deed.by)
    opened = await person.push(reply, button)
    assert opened.form is not None
    if opened.form.field("Dice").options:
        return
    before = await seen(game)
    refused = await person.submit(opened.form, {"Dice": "2d7"})
    assert is_refused(refused)
    assert await seen(game) == before
    again = await person.press(refused, "Try again")
    assert again.form is not None
    assert again.form.field("Dice").default == "2d7"
    done = await person.submit(again.form, {"Dice": deed.fields["Dice"]})
    assert deed.hears in done.text


@for_some(name for name, deed in ALL.items() if deed.is_form)
async def test_blanks_fill_in_no_field_that_is_required(
    game: Game, subtests: pytest.Subtests, names: Sequence[str]
) -> None:
    await check_each(game, subtests, names, takes_no_blanks)


async def takes_no_blanks(game: Game, deed: Deed) -> None:
    reply, button = await prepared(game, deed)
    person = game.person(deed.by)
    opened = await person.push(reply, button)
    if opened.form is None:
        return
    before = await seen(game)
    for field in opened.form.fields:
        if field.required and field.kind is FieldKind.TEXT:
            refused = await person.submit(opened.form, {field.label: "  \u00a0"})
            assert refused.text == "A field that isn't optional is empty. Fill it in.", field.label
            assert await seen(game) == before


def plain(table: Table) -> Table:
    """A table without the numbers that no undo takes back."""
    return replace(table, number=0, plan_changes=0)
