"""Sheets, end to end: edited as text, shown, rolled from, handed on."""

import pytest

from bot.language.printers import harmless
from bot.loopback.model import walk
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused
from tests.game import Game

SHEET = (
    "Pronouns: she/her\nDistinctions: Old Soldier d8\nAttributes: Mind d10 (quick), Body d8\nSkills: Sharp d6"
)


EMPTY = "Distinctions:\nAttributes:\nSkills:\nSignature assets:"


async def edited(table: Game, text: str, who: str = "alice") -> BotReply:
    """Somebody's own sheet, as it is typed into the form."""
    opened = await table.says(f"{who}: /character edit")
    assert opened.form is not None
    return await table.person(who).submit(opened.form, {"Sheet": text})


async def test_a_sheet_is_typed_shown_and_rolled_from(table: Game) -> None:
    assert (await edited(table, SHEET)).text == "Alice's sheet has changed"
    shown = await table.says("bob: /character show who:Alice")
    assert shown.private
    assert "Attributes Mind d10 (quick), Body d8" in shown.text
    table.dice.show((9, 4, 3))
    rolled = await table.play("alice: /roll dice:mi + sh, 6")
    assert "Total: Mind d10: 9, Sharp d6: 4\nEffect: d6: 3" in rolled.text
    assert "over the limit" not in rolled.text


async def test_the_table_shows_every_trait_and_what_is_shut_down(table: Game) -> None:
    await edited(table, f"{SHEET}\nSFX: Rest: 1 PP, for shut down Sharp")
    await table.play("alice: /sfx use name:Rest")
    shown = (await table.says("bob: /table show")).text
    assert "Alice: 2 PP. Sharp d6 (shut down)" in shown


async def test_D3_two_dice_of_one_set_are_pointed_out(table: Game) -> None:
    await edited(table, SHEET)
    rolled = await table.play("alice: /roll dice:Mind + Body")
    assert "die over the limit. Press Spend to pay." in rolled.text
    await table.play("alice: /pp spend")
    poor = (await table.play("alice: /roll dice:Mind + Body")).message
    assert poor is not None
    assert "die over the limit, and Alice has no PP." in poor.text
    assert "Ask the GM for one, or take the roll back: /undo" in poor.text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in poor.text
    assert "over the limit" not in poor.text


async def test_the_form_holds_the_sheet_with_a_line_for_each_set(table: Game) -> None:
    opened = await table.says("alice: /character edit")
    assert opened.form is not None
    assert opened.form.field("Sheet").default == EMPTY
    await edited(table, SHEET)
    opened = await table.says("alice: /character edit")
    assert opened.form is not None
    assert opened.form.field("Sheet").default == f"{SHEET}\nSignature assets:"


async def test_all_mistakes_of_a_first_sheet_are_told_at_once(table: Game) -> None:
    refused = await edited(table, "Distinctions: Old Soldier\nSkills: Fight, Sneak\nMind d8")
    assert refused.text.splitlines()[:2] == [
        (
            'Line 2, "Skills: Fight, Sneak": "Fight" needs a die. Example: Fight d8. "Sneak" needs a die. '
            "Example: Sneak d8"
        ),
        'Line 3, "Mind d8": these traits need a trait set. Example: Attributes: Mind d8',
    ]


async def test_a_distinction_without_a_die_is_d8(table: Game) -> None:
    await edited(table, "Distinctions: Old Soldier, Reckless (sometimes)")
    shown = (await table.says("alice: /character show")).text
    assert "Distinctions Old Soldier d8, Reckless d8 (sometimes)" in shown


async def test_the_form_holds_an_example_filled_in(table: Game) -> None:
    opened = await table.says("alice: /character edit")
    assert opened.form is not None
    example = opened.form.field("Sheet").description.removeprefix("Example: ")
    assert example == "Distinctions: Old Sailor, Reckless. Attributes: Mind d10, Body d8"
    assert not is_refused(await edited(table, example))
    shown = (await table.says("alice: /character show")).text
    assert "Distinctions Old Sailor d8, Reckless d8\nAttributes Mind d10, Body d8" in shown


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_a_mistake_is_named_and_what_was_typed_comes_back(table: Game, is_restarted: bool) -> None:
    refused = await edited(table, f"{SHEET}\nPowers: Fly")
    assert refused.private
    assert 'Line 5, "Powers: Fly": "Fly" needs a die' in refused.text
    if is_restarted:
        await table.restart()
    again = await table.alice.press(refused, "Try again")
    assert again.form is not None
    assert again.form.field("Sheet").default == f"{SHEET}\nPowers: Fly"
    done = await table.alice.submit(again.form, {"Sheet": f"{SHEET}\nPowers: Fly d8"})
    assert done.text == "Alice's sheet has changed"


async def test_a_form_opened_before_a_restart_can_be_sent_after_it(table: Game) -> None:
    opened = await table.says("alice: /character edit")
    await table.restart()
    assert opened.form is not None
    assert (await table.alice.submit(opened.form, {"Sheet": SHEET})).text == "Alice's sheet has changed"


async def test_of_two_who_edit_at_once_the_second_is_told_and_keeps_the_text(table: Game) -> None:
    alices = await table.says("alice: /character edit")
    gms = await table.says("gm: /character edit who:Alice")
    assert alices.form is not None
    assert gms.form is not None
    await table.alice.submit(alices.form, {"Sheet": SHEET})
    late = await table.gm.submit(gms.form, {"Sheet": "Skills: Fight d12"})
    assert "sheet changed in" in late.text
    again = await table.gm.press(late, "Try again")
    assert again.form is not None
    assert again.form.field("Sheet").default == "Skills: Fight d12"


async def test_a_long_sheet_has_several_fields_and_nothing_is_cut(table: Game) -> None:
    words = [f"Trait number {n} with a name that is rather long to read x" for n in range(150)]
    lines = [", ".join(f"{word} d8" for word in words[n : n + 30]) for n in range(0, 150, 30)]
    sheet = "\n".join(f"Set {n}: {line}" for n, line in enumerate(lines))
    parts = sheet.split("\n")
    for part in parts:
        name, _, traits = part.partition(": ")
        for one in traits.split(", ")[:20]:
            label, _, die = one.rpartition(" ")
            await table.play(f"alice: /character set trait:{label} die:{die} trait_set:{name}")
    opened = await table.says("alice: /character edit")
    assert opened.form is not None
    fields = opened.form.inputs()
    assert len(fields) > 1
    assert sum(str(field.default).count(" d8") for field in fields) == 100
    done = await table.alice.submit(opened.form, {"Sheet": f"Pronouns: they/them\n{fields[0].default}"})
    assert done.text == "Alice's sheet has changed"
    assert (
        sum(line.count(" d8") for line in (await table.says("alice: /character show")).text.split("\n")) >= 60
    )


async def test_a_character_is_played_for_an_evening_and_comes_back(table: Game) -> None:
    await table.play("alice: /character give name:Alice player:@bob")
    assert (await table.play("bob: /roll dice:2d6")).text.startswith("Alice: ")
    back = await table.play("alice: /character play name:Alice")
    assert back.text == "Alice is played by alice\nBob is played by bob"


async def test_a_removed_trait_leaves_no_name_behind(table: Game) -> None:
    await edited(table, SHEET)
    await table.play("alice: /character unset trait:Mind")
    offered = [choice.name for choice in await table.alice.complete("/roll dice:M")]
    assert not any("Mind" in name for name in offered)
    assert (
        "Alice has no Mind. Try Body, Sharp or Old Soldier."
        in (await table.says("alice: /roll dice:Mind")).text
    )


async def test_hostile_names_stay_as_typed_and_harmless(table: Game) -> None:
    await edited(table, 'Attributes: "**bold**, @every one" d8, ||x|| d6')
    shown = await table.says("alice: /character show")
    shared = await table.alice.press(shown, "Share")
    assert shared.message is not None
    assert shared.message.pings == frozenset()
    assert r"Attributes \*\*bold\*\*, @every one d8, x d6" in shared.text


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("I [a](b) **x** [free](https://evil.test)", r"I [a]\(b) \*\*x\*\* [free]\(https://evil.test)"),
        ("[x](http://evil.test) ||s|| _it_ (undone)", r"[x]\(http://evil.test) \|\|s\|\| \_it\_ (undone)"),
        ("[a] (b)", "[a] (b)"),
    ],
)
def test_a_link_that_was_typed_hides_nothing(typed: str, sent: str) -> None:
    assert harmless(typed) == sent


async def test_join_takes_a_sheet_with_the_name(table: Game) -> None:
    new = await table.begin("gm: /campaign new name:Other")
    form = (await table.person("carol").press(new, "Join")).form
    assert form is not None
    assert "Distinctions: Reckless Pilot d8, " in str(form.field("Sheet").default)
    refused = await table.person("carol").submit(form, {"Name": "Carol", "Sheet": "Skills: Fight"})
    assert refused.private
    joined = await table.person("carol").submit(form, {"Name": "Carol", "Sheet": "Skills: Fight d8"})
    assert joined.text == "Carol is played by carol"
    await table.play("carol: /roll dice:fight", "carol: /character new name:Dana")
    dave = table.person("dave")
    form = (await dave.press(await dave.press(new, "Join"), "Somebody new")).form
    taken = await dave.submit(form, {"Name": "Carol", "Sheet": "Skills: Fight d4"})
    assert "Carol already has a sheet" in taken.text
    taken = await dave.submit(form, {"Name": "Carol"})
    assert taken.text == "Carol is played by dave"


async def test_X1_an_sfx_is_used_among_the_dice(table: Game) -> None:
    await edited(table, f"{SHEET}\nSFX: Focus (Mind): double, for doom d6, when angry")
    table.dice.show((9, 4, 3, 2))
    rolled = await table.play("alice: /roll dice:Focus Mind + 2d6")
    assert "Total: Mind d10: 9, Mind d10: 4\nEffect: d6: 2. Left over: d6: 3" in rolled.text
    assert "Alice uses Focus on Mind d10: double, for doom d6, when angry" in rolled.text
    assert "Focus" in [choice.value for choice in await table.alice.complete("/roll dice:Foc")]


@pytest.mark.parametrize(
    ("address", "is_shown"),
    [("https://example.org/nova.png", True), ("http://example.org/nova.png", False)],
)
async def test_a_portrait_stands_beside_its_sheet(table: Game, address: str, is_shown: bool) -> None:
    form = (await table.says("alice: /character edit")).form
    assert form is not None
    await table.alice.submit(form, {"Sheet": f"Portrait: {address}"})
    shown = await table.says("bob: /character show who:Alice")
    assert shown.message is not None
    pictures = [part for part in walk(shown.message.components) if part["type"] == 11]
    assert [(p["media"]["url"], p["description"]) for p in pictures] == (
        [(address, "Portrait of Alice")] if is_shown else []
    )
    assert (f"Portrait: {address}" in shown.text) is not is_shown


async def test_a_sheet_of_heroic_is_edited_with_a_hint_about_ability_sets(game: Game) -> None:
    await game.table("heroic")
    form = (await game.says("alice: /character edit")).form
    assert form is not None
    assert form.field("Sheet").description.startswith("Start each line with the ability set's name.")
