"""SFX as data, end to end: what they cost and give is done, or refused (X1)."""

import pytest

from rules.cortex.model import CORTEX
from rules.cortex.sfx_use import MOST
from rules.dice import write_dice
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_rulings import labels, options
from tests.game import Game


async def test_X1_what_is_none_of_the_words_is_refused_with_the_list(
    table: Game, subtests: pytest.Subtests
) -> None:
    for line, because in (
        ("alice: /sfx add name:Grit benefit:split Mind", '"split Mind" isn\'t a benefit. Try add'),
        ("alice: /sfx add name:Grit benefit:be brave", 'plain text: "be brave"'),
        ('alice: /sfx add name:Grit benefit:""', "There are no words between the quotation marks."),
        ('alice: /sfx add name:Grit benefit:" " cost:1 PP', 'Example: benefit:"nobody sees you go"'),
        ('alice: /sfx add name:Grit benefit:"be, brave', 'Example: benefit:"be, brave"'),
        ('alice: /sfx add name:Grit benefit:1 PP cost:be "brave', 'Example: cost:"be brave"'),
        ("alice: /sfx add name:Grit benefit:up cost:be brave", '"be brave" isn\'t a cost. Try add'),
        ("gm: /sfx add name:Grit benefit:add d6 cost:doom die who:Bob", "pays 1 PP with a doom die"),
        ("alice: /sfx add name:Grit benefit:add d6, pay 1 PP", "benefit: you pay a cost"),
    ):
        with subtests.test(line=line):
            refused = await table.says(line)
            assert is_refused(refused)
            assert because in refused.text
            assert not CORTEX.has((await seen(table))[1].characters["alice"]).sfx


TYPED = (
    "split",
    "save",
    "doubl",
    "upp",
    "dwn",
    "removed",
    "rerolls",
    "pushed",
    "shutdown",
    "dooom",
    "totall",
    "effects",
    "be brave",
)


@pytest.mark.parametrize("ruleset", ["prime", "adept", "action", "blockbuster"])
@pytest.mark.parametrize("side", ["benefit", "cost"])
async def test_X1_each_proposal_can_be_sent_as_it_stands(game: Game, ruleset: str, side: str) -> None:
    await game.play(f"gm: /campaign new name:Skyfall ruleset:{ruleset}", "alice: /character new name:Alice")
    await game.play("alice: /character set trait:Quick Wits die:d8 trait_set:Skills")
    safe = {}
    for is_safe in ("off", "on"):
        await game.says(f"gm: /campaign set setting:safe dice value:{is_safe}")
        proposed = set()
        for word in TYPED:
            for typed in (word, f"{word} Mind", f"{word} doom", f"{word} Angry", f"{word} d6"):
                other = "benefit:add d6 " if side == "cost" else ""
                refused = (await game.says(f"alice: /sfx add name:Grit {other}{side}:{typed}")).text
                if f"isn't a {side}. Try " in refused:
                    row = refused.split(" Try ")[1].split(", or put it")[0]
                    proposed |= set(row.replace(" or ", ", ").split(", "))
        for form in sorted(proposed):
            await game.play(f"alice: /sfx add name:Grit {other}{side}:{form}")
        safe[is_safe] = {form for form in proposed if form.startswith("safe")}
        assert {"add d6", "double Quick Wits"} <= proposed
    assert safe == {"off": set(), "on": {"safe Quick Wits"}}


async def test_X1_who_has_as_many_sfx_as_can_be_gets_proposals_too(table: Game) -> None:
    for number in range(MOST):
        await table.play(f"alice: /sfx add name:Grit {number} benefit:add d6")
    refused = await table.says("alice: /sfx add name:Grit 7 benefit:adds d8")
    assert "Try add d6, asset d8 or reroll, or put it" in refused.text


async def test_X1_mere_words_are_in_quotation_marks(table: Game) -> None:
    added = await table.play('alice: /sfx add name:Grit benefit:"be brave, always", use opportunity, 1 PP')
    assert 'Alice · SFX Grit: "be brave, always", opportunity, 1 PP' in added.text
    opened = await table.says("alice: /character edit")
    assert opened.form is not None
    kept = opened.form.field("Sheet").default
    assert 'SFX: Grit: "be brave, always", opportunity, 1 PP' in str(kept)
    await table.alice.submit(opened.form, {"Sheet": f"{kept}\nSFX: Fury: sing loudly"})
    assert "Fury" not in (await table.says("alice: /sfx show")).text


async def test_X1_one_more_die_in_the_total_for_the_highest_one(table: Game) -> None:
    await table.play("alice: /sfx add name:Burst benefit:add d6, total cost:remove highest")
    table.dice.show((8, 6, 3, 2))
    card = (await table.play("alice: /roll dice:2d8 2d6")).message
    assert card is not None
    assert "Total 14, effect d6" in card.text
    table.dice.show((4,))
    used = await table.play("alice: /sfx use name:Burst")
    assert "Alice uses Burst: add d6, total, for remove highest" in used.text
    await table.at_rest()
    assert "Total 13, effect d6" in card.text
    assert "d8: 8 (removed)" in card.text


async def test_X1_the_effect_is_stepped_up_everywhere(table: Game) -> None:
    await table.play("alice: /sfx add name:Grit benefit:effect up cost:1 PP")
    table.dice.show((8, 6, 3))
    made = await table.play("alice: /roll dice:2d8 d6 vs:11")
    card = made.message
    assert card is not None
    await table.play("alice: /sfx use name:Grit")
    await table.at_rest()
    assert "Total 14, effect d8" in card.text
    assert "Effect d6 stepped up" in card.text
    assert (await table.alice.press(made, "Apply d8")).form is not None


async def test_X1_a_name_that_is_two_things_is_asked_for(table: Game) -> None:
    await table.play("gm: /comp add what:Webbed who:Bob", "gm: /comp add what:Webbed die:d8 who:Alice")
    await table.play("alice: /sfx add name:Grit benefit:down Webbed cost:1 PP")
    asked = await table.says("alice: /sfx use name:Grit")
    assert "Grit: which Webbed steps down" in asked.text
    done = await table.alice.press(asked, "Bob · Webbed d6")
    assert "Bob · Webbed d4 (was d6)" in done.text
    at = (await seen(table))[1]
    assert (
        CORTEX.has(at.characters["alice"]).pp,
        CORTEX.has(at.characters["alice"]).complications["webbed"].die,
    ) == (0, 8)


async def test_X1_trouble_that_is_called_like_a_trait_is_asked_for(table: Game) -> None:
    await table.play("gm: /comp add what:Calm who:Alice die:d8", "gm: /asset add what:Calm who:Alice")
    await table.play("alice: /sfx add name:Grit benefit:up Calm")
    asked = await table.says("alice: /sfx use name:Grit")
    assert "Calm, but traits only step in a roll. Step" in asked.text
    assert [button.label for button in asked.buttons] == ["Alice · Calm d8"]
    assert CORTEX.has((await seen(table))[1].characters["alice"]).complications["calm"].die == 8
    assert "Alice · Calm d10 (was d8)" in (await table.alice.press(asked, "Alice · Calm d8")).text


async def test_X1_a_trait_alone_is_not_asked_about(table: Game) -> None:
    await table.play("gm: /asset add what:Calm who:Alice", "alice: /sfx add name:Grit benefit:up Calm")
    refused = await table.says("alice: /sfx use name:Grit")
    assert is_refused(refused)
    assert not refused.buttons


async def test_X1_trouble_steps_by_the_buttons_of_a_roll(table: Game) -> None:
    await table.play("gm: /comp add what:Webbed who:Bob", "gm: /comp add what:Webbed die:d8 who:Alice")
    await table.play("alice: /sfx add name:Grit benefit:add d6, down Webbed")
    made = await table.play("alice: /roll dice:2d8")
    form = (await table.alice.press(made, "Spend")).form
    assert form is not None
    what = next(each for each in form.field("What").options if each.label.startswith("Grit"))
    asked = await table.alice.submit(form, {"What": what.label})
    done = await table.alice.press(asked, "Alice · Webbed d8")
    assert "Alice · Webbed d6 (was d8)" in done.text


async def test_M8_a_doom_die_steps_down_at_once(table: Game) -> None:
    await table.play("alice: /sfx add name:Hope benefit:down doom cost:1 PP")
    assert "Alice uses Hope: down doom, for 1 PP" in (await table.play("alice: /sfx use name:Hope")).text
    assert CORTEX.of((await seen(table))[1]).doom == {6: 1}


async def test_X1_down_theirs_says_what_it_can_do_against_a_number(table: Game) -> None:
    await table.play("alice: /sfx add name:Feint benefit:down theirs")
    refused = await table.says("alice: /roll dice:2d8 Feint vs:11")
    assert is_refused(refused)
    assert "Add a" in refused.text
    assert "vs:11 + d6" in refused.text


async def test_H3_a_hitch_is_handed_to_the_gm_without_a_1(table: Game) -> None:
    await table.play("alice: /sfx add name:Grit benefit:add d6 cost:hitch")
    table.dice.show((5, 4, 3))
    made = await table.play("alice: /roll dice:2d8 Grit")
    assert "Alice uses Grit: add d6, for hitch" in made.text
    assert "Grit d6: 1 (hitch)" in made.text
    form = (await table.person("gm").press(made, "Hitches: 1")).form
    assert form is not None
    bought = await table.person("gm").submit(form, {"What": "complication", "Name": "Limp"})
    assert "Limp d6" in bought.text
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 2


async def test_X1_ones_own_trouble_pays_for_an_sfx(table: Game) -> None:
    await table.play("gm: /comp add what:Angry who:Alice", "gm: /comp add what:Angry die:d8 who:Bob")
    await table.play("alice: /sfx add name:Rage benefit:add d8 cost:up Angry")
    table.dice.show((5, 4, 3))
    made = await table.play("alice: /roll dice:2d8 Rage")
    assert "Alice · Angry d8 (was d6)" in made.text
    await table.play("gm: /comp remove what:Angry who:Alice")
    refused = await table.says("alice: /roll dice:2d8 Rage")
    assert is_refused(refused)
    assert "Alice has no complication or stress like that. Example" in refused.text
    assert not CORTEX.has((await seen(table))[1].characters["alice"]).complications


async def test_X1_a_pool_that_is_built_asks_when_it_is_rolled(table: Game) -> None:
    await table.play("gm: /comp add what:Webbed who:Bob", "gm: /comp add what:Webbed die:d8 who:Alice")
    await table.play("alice: /sfx add name:Grit benefit:down Webbed")
    build = await table.says("alice: /pool build")
    assert [menu.placeholder for menu in build.menus] == ["Traits and dice", "Against"]
    built = await table.alice.choose(build, 0, ["d8", "Grit: down Webbed"])
    table.dice.show((5,))
    asked = await table.alice.press(built, "Roll")
    assert "Grit: which Webbed steps down" in asked.text
    rolled = await table.alice.press(asked, "Bob · Webbed d6")
    assert "Bob · Webbed d4 (was d6)" in rolled.text
    assert "Odds of 2d8" in (await table.says("alice: /odds dice:2d8, Grit")).text


async def test_X1_stress_that_nobody_has_is_answered_with_its_own_command(table: Game) -> None:
    await table.play("alice: /sfx add name:Phys benefit:down Physical")
    refused = await table.says("alice: /sfx use name:Phys")
    assert is_refused(refused)
    assert "Did you mean" not in refused.text
    assert "Example: /stress add what:Physical" in refused.text


async def test_X1_what_would_be_refused_on_a_roll_is_not_offered(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play("gm: /pp set who:Alice number:0", "alice: /dist add what:Sailor")
    for benefit, before, is_offered in (
        ("total", (), False),
        ("add d6, total", (), True),
        ("effect", (), False),
        ("add d6 cost:1 PP", (), False),
        ("add d6 cost:1 PP", ("gm: /pp set who:Alice number:1",), True),
        ("add d6 cost:shut down Sailor", (), True),
        ("add d6 cost:shut down Sailor", ("alice: /sfx use name:Trick",), False),
        ("down doom", ("gm: /doom set dice:2d6",), True),
        ("down doom", ("gm: /doom remove dice:2d6",), False),
    ):
        with subtests.test(benefit=benefit, before=before):
            await table.play(*before, f"alice: /sfx add name:Trick benefit:{benefit}")
            table.dice.show((5, 4))
            rolled = await table.play("alice: /roll dice:d6 d8")
            offers = await options(table, "alice", rolled, "Spend") if "Spend" in labels(rolled) else []
            assert any("Trick" in each for each in offers) == is_offered, offers


async def test_X1_what_no_die_can_help_is_refused_before_one_is_asked_for(table: Game) -> None:
    await table.play("alice: /sfx add name:Trick benefit:total cost:remove highest")
    table.dice.show((8, 8, 6))
    await table.play("alice: /roll dice:Mind d12, Sharp d8, d6")
    refused = await table.says("alice: /sfx use name:Trick")
    assert is_refused(refused)
    assert refused.text == "Every die that can count toward the total already does."
    assert not refused.buttons


async def test_B3_what_a_players_pp_buy_says_whose_they_are_where_the_gm_rolled(table: Game) -> None:
    await table.play("alice: /sfx add name:Again benefit:reroll", "gm: /pp set who:Alice number:3")
    table.dice.show((5, 4, 3))
    rolled = await table.play("gm: /roll dice:d8 d6 d4 who:Alice")
    offers = await options(table, "gm", rolled, "Spend")
    assert offers == ["Another die in the total (Alice pays 1 PP)"]
    assert any("Again" in each for each in await options(table, "alice", rolled, "Spend"))


@pytest.mark.parametrize(
    ("sfx", "line", "expected"),
    [
        ("benefit:asset d8", "what:Distraction", "Alice · Distraction d8 (asset)"),
        ("benefit:asset", 'what:"Old friends"', "Alice · Old friends d8 (asset)"),
        ("benefit:asset d8", "", "Alice · Planner d8 (asset)"),
        ("benefit:complication d6", "what:Mud on:Bob", "Bob · Mud d6 (complication)"),
        ("benefit:complication d6", "what:Mud", "Scene · Mud d6 (complication)"),
        ("benefit:add d6 cost:complication d6", "what:Tired", "Alice · Tired d6 (complication)"),
        ("benefit:asset d8, opportunity", "what:Gap", "Alice · Gap d8 (asset)"),
        ("benefit:asset d8 Rope", "", "Alice · Rope d8 (asset)"),
        ("benefit:asset d8, complication d6 Debt", "what:Cash", "Scene · Debt d6 (complication)"),
    ],
)
@pytest.mark.parametrize("way", ["command", "button"])
async def test_X1_what_an_sfx_makes_is_named_by_whoever_uses_it(
    table: Game, sfx: str, line: str, expected: str, way: str
) -> None:
    await table.play(f"alice: /sfx add name:Planner {sfx}")
    table.dice.show((1, 5))
    await table.play("gm: /doom roll")
    table.dice.show((4, 3))
    rolled = await table.play("alice: /roll dice:2d6")
    table.dice.show(*[(2,)] * ("add" in sfx))
    if way == "command" or "on:" in line:
        used = await table.play(f"alice: /sfx use name:Planner {line}")
    else:
        form = (await table.alice.press(rolled, "Spend")).form
        assert form is not None
        (what,) = (each for each in form.field("What").options if each.label.startswith("Planner"))
        name = {"Name": line.removeprefix("what:")} if line else {}
        used = await table.alice.submit(form, {"What": what.label, **name})
    assert expected in used.text


@pytest.mark.parametrize(
    ("sfx", "line", "says"),
    [
        ("benefit:asset d8", "on:Distraction", "To name what it makes: what:Distraction"),
        (
            "benefit:asset d8 Rope",
            "what:Net",
            'Planner makes nothing that needs a name. Use it without "Net".',
        ),
        ("benefit:1 PP", "what:Net", 'Planner makes nothing that needs a name. Use it without "Net".'),
        ("benefit:1 PP", "on:Net", "so leave out the option on"),
        ("benefit:asset d8", "what:Net d10", "d10"),
    ],
)
async def test_X1_a_name_for_nothing_is_refused(table: Game, sfx: str, line: str, says: str) -> None:
    await table.play(f"alice: /sfx add name:Planner {sfx}")
    refused = await table.says(f"alice: /sfx use name:Planner {line}")
    assert is_refused(refused)
    assert says in refused.text


async def test_X1_a_name_beside_something_else_that_is_bought_is_refused(table: Game) -> None:
    await table.play("alice: /sfx add name:Planner benefit:asset d8")
    table.dice.show((4, 3, 2))
    rolled = await table.play("alice: /roll dice:3d6")
    form = (await table.alice.press(rolled, "Spend")).form
    refused = await table.alice.submit(form, {"What": "Another die in the total", "Name": "Net"})
    assert refused.text == "Only an SFX makes something with a name. Clear the Name field."


@pytest.mark.parametrize(
    ("sfx", "line", "button", "expected"),
    [
        ("benefit:asset d8", "dice:d8 Planner", "Name Planner", "Alice · Rope d8 (was Planner)"),
        ("benefit:asset d8", "dice:d8 Planner vs:2d6", "Name Planner", "Alice · Rope d8 (was Planner)"),
        ("benefit:asset d8, add d6", "dice:Planner d8", "Name Planner", "Alice · Rope d8 (was Planner)"),
        ("benefit:complication d6", "dice:d8 Planner", "Name Planner", "Scene · Rope d6 (was Planner)"),
        ("benefit:complication d6", "dice:d8 Planner vs:Rex", "Name Planner", "Rex · Rope d6 (was Planner)"),
        (
            "benefit:1 PP cost:complication d6",
            "dice:d8 Planner",
            "Name Planner",
            "Alice · Rope d6 (was Planner)",
        ),
        ("benefit:asset d8 Net", "dice:d8 Planner", "", ""),
        (
            "benefit:asset d8 cost:asset d6 Net",
            "dice:d8 Planner",
            "Name Planner",
            "Alice · Rope d8 (was Planner)",
        ),
        ("benefit:add d6", "dice:d8 Planner", "", ""),
    ],
)
async def test_X1_what_an_sfx_made_in_a_roll_is_named_by_a_press(
    table: Game, sfx: str, line: str, button: str, expected: str
) -> None:
    await table.play("gm: /gmc new name:Rex dice:Fist d6")
    await table.play(f"alice: /sfx add name:Planner {sfx}")
    rolled = await table.play(f"alice: /roll {line}")
    assert [each for each in labels(rolled) if each.startswith("Name")] == ([button] if button else [])
    if not button:
        return
    assert is_refused(await table.person("bob").press(rolled, button))
    form = (await table.alice.press(rolled, button)).form
    assert form is not None
    assert expected in (await table.alice.submit(form, {"Name": "Rope"})).text
    again = await table.alice.press(rolled, button)
    assert again.text == "That already has another name, or is gone."
    late = await table.alice.submit(form, {"Name": "Ladder"})
    assert late.text == "That already has another name, or is gone."
    assert "Planner" in (await table.play("alice: /roll dice:d8 Planner")).text


async def test_X1_what_sfx_made_is_named_wherever_they_were_used(table: Game) -> None:
    await table.play(
        "alice: /sfx add name:Planner benefit:asset d8, complication d6",
        "alice: /sfx add name:Climber benefit:asset d6",
    )
    both = await table.play("alice: /roll dice:d8 Planner Climber")
    names = [each for each in labels(both) if each.startswith("Name")]
    assert names == ["Name Planner", "Name Planner", "Name Climber"]
    form = (await table.person("gm").press(both, "Name Climber")).form
    assert "Alice · Ladder d6" in (await table.person("gm").submit(form, {"Name": "Ladder"})).text
    used = await table.play("alice: /sfx use name:Climber")
    form = (await table.alice.press(used, "Name Climber")).form
    taken = await table.alice.submit(form, {"Name": "Ladder"})
    assert is_refused(taken)
    await table.play("alice: /sfx remove name:Climber")
    assert (
        await table.alice.submit(form, {"Name": "Rope"})
    ).text == "That already has another name, or is gone."


# D4: a die of the pool moves to doom


BLAST = "alice: /character set trait:Blast die:{die} trait_set:Powers"


@pytest.mark.parametrize(
    ("die", "sfx", "dice", "faces", "shown", "doom"),
    [
        ("d8", "benefit:add d10 cost:to doom Blast", "Blast, Burst, d6", (3, 4), "d6 d10", {6: 2, 8: 1}),
        ("d8", "benefit:1 PP cost:to doom Blast", "Blast, Burst, d6", (3,), "d6", {6: 2, 8: 1}),
        ("d12", "benefit:1 PP cost:move to the doom Blast", "Blast, Burst, d6", (3,), "d6", {6: 2, 12: 1}),
        ("d8", "benefit:1 PP cost:to doom d6", "Blast, Burst, d6", (3,), "d8", {6: 3}),
        ("d6", "benefit:double Mind cost:to doom Blast", "Mind, Blast, Burst", (3, 4), "2d10", {6: 3}),
        ("d8", "benefit:1 PP cost:to doom Blast", "up Blast, Burst, d6", (3,), "d6", {6: 2, 10: 1}),
    ],
)
async def test_D4_a_die_moves_to_doom_before_the_roll(
    table: Game, die: str, sfx: str, dice: str, faces: tuple[int, ...], shown: str, doom: dict[int, int]
) -> None:
    mind = "alice: /character set trait:Mind die:d10 trait_set:Attributes"
    await table.play(BLAST.format(die=die), mind, f"alice: /sfx add name:Burst {sfx}")
    table.dice.show(faces)
    rolled = await table.play(f"alice: /roll dice:{dice}")
    assert rolled.failed is None
    here = CORTEX.of((await seen(table))[1])
    assert write_dice([die.size for die in here.rolls[max(here.rolls)].hand.dice]) == shown
    assert here.doom == doom
    await table.play("gm: /undo")
    assert CORTEX.of((await seen(table))[1]).doom == {6: 2}


@pytest.mark.parametrize("way", ["command", "button"])
async def test_D4_a_die_moves_to_doom_after_the_roll(table: Game, way: str) -> None:
    await table.play(BLAST.format(die="d8"), "alice: /sfx add name:Burst benefit:add d10 cost:to doom Blast")
    table.dice.show((7, 3, 4), (9,))
    rolled = await table.play("alice: /roll dice:Blast, 2d6")
    if way == "command":
        used = await table.play("alice: /sfx use name:Burst")
    else:
        form = (await table.alice.press(rolled, "Spend")).form
        assert form is not None
        (what,) = (each for each in form.field("What").options if each.label.startswith("Burst"))
        used = await table.alice.submit(form, {"What": what.label})
    await table.at_rest()
    assert rolled.message is not None
    assert "Blast d8: 7 (removed)" in rolled.message.text
    assert "Total 13" in rolled.message.text
    assert "Doom pool: 2d6 d8" in used.text
    assert CORTEX.of((await seen(table))[1]).doom == {6: 2, 8: 1}


async def test_D4_where_doom_is_off_no_die_moves_there(game: Game) -> None:
    await game.table("prime")
    await game.play(BLAST.format(die="d8"), "alice: /sfx add name:Burst benefit:1 PP cost:to doom Blast")
    refused = await game.says("alice: /roll dice:Blast, Burst, d6")
    assert refused.text.startswith("The doom pool is off in this campaign.")
    game.dice.show((7, 3))
    rolled = await game.play("alice: /roll dice:Blast, d6")
    assert "Spend" not in labels(rolled)  # nothing is left to use but that SFX


@pytest.mark.parametrize(
    ("setup", "line", "says"),
    [
        ((BLAST.format(die="d4"),), "alice: /roll dice:Blast, Burst, d6", "The doom pool can't hold a d4"),
        ((BLAST.format(die="d8"),), "alice: /roll dice:Burst, 2d6", "so the pool needs that and another die"),
        (
            (BLAST.format(die="d8"),),
            "alice: /roll dice:Blast, Burst",
            "so the pool needs that and another die",
        ),
    ],
)
async def test_D4_a_die_that_cannot_move_to_doom_is_refused(
    table: Game, setup: tuple[str, ...], line: str, says: str
) -> None:
    await table.play(*setup, "alice: /sfx add name:Burst benefit:1 PP cost:to doom Blast")
    before = (await seen(table))[1]
    refused = await table.says(line)
    assert is_refused(refused)
    assert says in refused.text
    assert (await seen(table))[1] == before


async def test_D4_moving_to_doom_is_read_and_written_in_every_place(table: Game) -> None:
    await table.play(BLAST.format(die="d8"), "gm: /campaign set setting:words value:doom pool = Threat")
    added = await table.play("alice: /sfx add name:Burst benefit:add d10 cost:to threat Blast")
    assert "SFX Burst: add d10, for to threat Blast" in added.text
    opened = await table.says("alice: /character edit")
    assert opened.form is not None
    assert "SFX: Burst: add d10, for to doom Blast" in str(opened.form.field("Sheet").default)
    refused = await table.says("alice: /sfx add name:Boom benefit:add d10 cost:to doom")
    assert is_refused(refused)
    refused = await table.says("alice: /sfx add name:Boom benefit:add d10 cost:to doom Blasst")
    assert "Blast" in refused.text
    refused = await table.says("alice: /sfx add name:Boom benefit:add d10 cost:to doom d4")
    assert "can't hold a d4" in refused.text


async def test_an_asset_that_is_named_goes_on_nobody(table: Game) -> None:
    await table.play("alice: /sfx add name:Planner benefit:asset d8 cost:1 PP")
    refused = await table.says("alice: /sfx use name:Planner on:Big plan")
    assert refused.text.endswith("To name what it makes: what:Big plan")
    refused = await table.says("alice: /sfx use name:Planner what:Big plan on:Bob")
    assert refused.text == "Planner doesn't affect a die or a character, so leave out the option on."
