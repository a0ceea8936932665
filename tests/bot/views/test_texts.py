"""What people read, held against texts that are kept in `texts/`.

`DOOMKEEPER_WRITE=1 uv run pytest tests/bot/render` writes them anew: read the difference.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from bot.language.line import BREAK, Text
from bot.language.printers import harmless, spelled
from bot.language.said import width
from bot.services import responses
from bot.views import join
from bot.views.card import Card, Form
from bot.views.cortex import effects, hitches, opposition, roll_changes, spending
from bot.views.cortex.gm_pools import challenge_lines
from bot.views.cortex.roll import roll_lines
from bot.views.cortex.table import trait_lines
from bot.views.files import behind_line, table_preview
from bot.views.ore.odds import ore_odds_card
from bot.views.ore.roll import gobble_form, headline, place_form
from bot.views.table import character_lines, views
from rules import visibility
from rules.campaign import lifecycle, scenes, seats
from rules.campaign.seats import Actor
from rules.cortex import challenge, contest, doom, gm_pools, gmc, points, roll, traits, turn
from rules.cortex import effects as cortex_effects
from rules.cortex import hitches as cortex_hitches
from rules.cortex import spending as cortex_spending
from rules.cortex.actions import read_roll as reading
from rules.cortex.challenge import ChallengeAct
from rules.cortex.hitches import Way
from rules.cortex.kinds import Foe, Trait, TraitKind, Use
from rules.cortex.model import CORTEX, Roll
from rules.cortex.roll_status import resolve
from rules.game import Step
from rules.ore import gobble
from rules.ore import roll as ore_roll
from rules.ore.model import ORE, OneRollRating, OreCharacter
from rules.ore.notation import read
from rules.ore.odds import odds as ore_odds
from rules.ore.roll import place
from rules.table import Table
from rules.values import replace
from tests.texts import is_kept

GM, ALICE, BOB = Actor(1, "gm"), Actor(2, "alice"), Actor(3, "bob")
TEXTS = Path(__file__).parent / "texts"
Rule = Callable[[Table, Actor], Step]


def shows(*faces: int) -> Callable[[Sequence[int]], Sequence[int]]:
    """Dice that show these faces, whatever they are thrown for."""
    left: Iterator[int] = iter(faces)
    return lambda sizes: [next(left) for _ in sizes]


def told(table: Table, actor: Actor, rule: Rule) -> tuple[Table, Card]:
    """What a rule makes of the table, kept as it is in play, and the card that is shown."""
    step = rule(table, actor)
    kept = replace(visibility.stored_step(step).table, number=table.number + 1)
    return kept, responses.step_card(kept, step)


def after(table: Table, *steps: tuple[Actor, Rule]) -> tuple[Table, Card]:
    """The table and the last card after several rules."""
    for actor, rule in steps:
        table, card = told(table, actor, rule)
    return table, card


def begun(ruleset: str = "adept") -> Table:
    """A table with a GM, Alice and Rex, in a session and a scene."""
    return after(
        Table(),
        (GM, partial(lifecycle.found, name="Skyfall", ruleset=ruleset)),
        (ALICE, partial(seats.join, name="Alice")),
        (BOB, partial(seats.join, name="Rex")),
        (GM, scenes.start_session),
        (GM, partial(scenes.start_scene, name="The docks", distinctions="Fog")),
    )[0]


def words(card: Card) -> str:
    """A card with its parts as Markdown writes them, its tone above, its buttons in brackets."""
    tone = [f"({card.tone.value})"] if card.tone else []
    rows = ["  ".join(f"[{spelled(button.label)}]" for button in row) for row in card.rows]
    more = [f"More: {' | '.join(spelled(button.label) for button in card.more)}"] if card.more else []
    return "\n".join([*tone, *map(_sent, card.lines), *rows, *more])


def _sent(line: Text) -> str:
    return "---" if line == BREAK else harmless(line)


def form_words(form: Form) -> str:
    """A form as text."""
    lines = [spelled(form.title)]
    for field in form.fields:
        options = " | ".join(spelled(option.label) for option in field.options)
        must = "" if field.required else " (may be left out)"
        otherwise = f"({field.otherwise})" if field.otherwise else ""
        label, hint = spelled(field.label), spelled(field.hint)
        lines.append(f"{label}{must}: {options or field.value or otherwise} {hint}".rstrip())
    return "\n".join(lines)


def rolled(
    *faces: int, dice: str, vs: str | None = None, actor: Actor = ALICE, ruleset: str = "adept"
) -> Card:
    rule = partial(roll.make, throw=shows(*faces), dice=dice, vs=vs)
    return told(begun(ruleset), actor, rule)[1]


RECOVER = partial(cortex_effects.recover, kinds=(TraitKind.COMPLICATION, TraitKind.STRESS), what="Broken Leg")


def recovered(ruleset: str, die: str, *faces: int, dice: str = "2d6 d8") -> Card:
    return after(
        begun(ruleset),
        (ALICE, partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", die=die)),
        (ALICE, partial(RECOVER, throw=shows(*faces), dice=dice)),
    )[1]


def ore(kind: str, pool: str, *faces: int, note: str | None = None) -> Rule:
    """A full or a quick roll of a One-Roll pool."""
    rule = ore_roll.full if kind == "full" else ore_roll.quick
    return partial(rule, throw=shows(*faces), pool=read(pool), note=note)


CARDS: dict[str, Callable[[], Card]] = {
    "a plain roll": lambda: rolled(5, 6, 3, dice="2d6 d8"),
    "a roll against a number": lambda: rolled(9, 6, 2, dice="Mind d10, d6, d8", vs="11"),
    "a tie fails": lambda: rolled(5, 6, dice="2d6", vs="11"),
    "a heroic success past d12": lambda: rolled(10, 9, 5, 2, 3, dice="2d10 d12", vs="2d4"),
    "a heroic success that stays d12": lambda: rolled(
        10, 9, 5, 2, 3, dice="2d10 d12", vs="2d4", ruleset="heroic"
    ),
    "the opposition's effect counts": lambda: rolled(2, 3, 8, 7, 5, dice="2d6", vs="3d8", ruleset="heroic"),
    "a botch": lambda: rolled(1, 1, 1, dice="3d6", vs="hard", ruleset="empire"),
    "hitches and opportunities": lambda: rolled(1, 7, 4, 1, 1, 6, dice="d8 d10 d6", vs="doom + Fog"),
    "static difficulty with what is in the way": lambda: rolled(
        8, 7, dice="d8 d10", vs="hard + Fog", ruleset="empire"
    ),
    "a roll of the GM": lambda: rolled(6, 6, 1, dice="Guard d8, 2d6", actor=GM),
    "over the usual pool": lambda: after(
        begun("heroic"),
        *((GM, partial(traits.add_asset, what=what, who="Alice")) for what in ("Rope", "Lamp", "Map")),
        (ALICE, partial(roll.make, throw=shows(2, 3, 4), dice="rope, lamp, map")),
    )[1],
    "hinder pays": lambda: after(
        begun(),
        (ALICE, partial(traits.add, kind=TraitKind.DISTINCTION, what="Reckless")),
        (ALICE, partial(roll.make, throw=shows(3, 4, 5), dice="2d8", hinder="Reckless")),
    )[1],
    "hitches bought": lambda: after(
        begun(),
        (ALICE, partial(roll.make, throw=shows(1, 1, 5), dice="2d6 d8")),
        (GM, partial(cortex_hitches.buy, number=6, way=Way.COMPLICATION, what="Lost")),
    )[1],
    "an effect applied": lambda: after(
        begun(),
        (ALICE, partial(roll.make, throw=shows(4, 5, 6), dice="2d6 d8", vs="7")),
        (ALICE, partial(cortex_effects.apply, number=6, place=0, kind=TraitKind.ASSET, what="Foothold")),
    )[1],
    "a die bought": lambda: after(
        begun(),
        (ALICE, partial(roll.make, throw=shows(4, 5, 6), dice="2d6 d8", vs="14")),
        (ALICE, partial(cortex_spending.spend_total, number=6)),
    )[1],
    "a die bought against somebody": lambda: after(
        begun(),
        (GM, partial(roll.make, throw=shows(6, 3, 2), dice="d6 2d8")),
        (ALICE, partial(roll.against_roll, throw=shows(5, 6, 3), number=6, dice="2d6 d8")),
        (GM, partial(cortex_spending.spend_total, number=6)),
    )[1],
    "a recovery that fails": lambda: recovered("heroic", "d8", 2, 3, 1, 8, 6, 6),
    "a recovery past d12": lambda: recovered("adept", "d12", 12, 12, 2, 3, 2, 2, dice="2d12 d12"),
    "a recovery of what is gone": lambda: after(
        begun(),
        (ALICE, partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg")),
        (ALICE, partial(RECOVER, throw=shows(5, 6, 7, 2, 2, 2), dice="2d6 d8")),
        (ALICE, partial(cortex_effects.apply_recovery, number=7)),
    )[1],
    "taken out": lambda: after(
        begun(),
        (GM, partial(traits.add, kind=TraitKind.STRESS, what="Mental", who="Alice", die="d12")),
        (GM, partial(traits.step_up, kind=TraitKind.STRESS, what="Mental")),
    )[1],
    "staying in": lambda: after(
        begun(),
        (GM, partial(traits.add, kind=TraitKind.STRESS, what="Mental", who="Alice", die="d12")),
        (GM, partial(traits.step_up, kind=TraitKind.STRESS, what="Mental")),
        (ALICE, partial(traits.stay_in, who=None, name="Shaken")),
    )[1],
    "doom added": lambda: told(begun(), GM, partial(gm_pools.add, foe=Foe.DOOM, dice="d8", why="thunder"))[1],
    "doom spent": lambda: told(
        begun(),
        GM,
        partial(doom.spend, throw=shows(), dice="d6", use=Use.COMPLICATION, name="Fire"),
    )[1],
    "doom kept for PP": lambda: told(
        begun(),
        GM,
        partial(
            doom.spend,
            throw=shows(),
            dice="d6",
            use=Use.COMPLICATION,
            name="Fire",
            on="Alice",
            keep_for_pp=True,
        ),
    )[1],
    "points given": lambda: told(begun(), GM, partial(points.give_points, who="all", why="a good laugh"))[1],
    "a One-Roll roll": lambda: told(begun(), ALICE, ore("full", "7d", 6, 3, 6, 9, 9, 9, 10))[1],
    "a One-Roll roll with special dice": lambda: told(
        begun(), ALICE, ore("full", "4d 2 trump 1h e7 c3", 6, 3, 6, note="Dodge")
    )[1],
    "wiggle dice placed": lambda: after(
        begun(), (ALICE, ore("full", "4d 1w", 6, 3, 1, 9)), (ALICE, partial(place, number=6, where=(9,)))
    )[1],
    "a quick roll": lambda: told(begun(), ALICE, ore("quick", "8d", 10, 6, 9))[1],
    "a quick roll with special dice": lambda: told(
        begun(), ALICE, ore("quick", "5d 1 master e7", 4, 10, 3, note="To the roof")
    )[1],
    "a quick roll without a set": lambda: told(begun(), ALICE, ore("quick", "4d", 5, 6))[1],
    "several actions": lambda: told(
        begun(), ALICE, partial(ore_roll.actions, throw=shows(6, 3, 4, 8), dice=["8d", "6d"])
    )[1],
    "a crowd": lambda: told(
        begun(),
        GM,
        partial(
            ore_roll.crowd, throw=shows(7, 10, 3, 8, 8, 5, 6, 10), dice="4d, 5d 1h", count=2, note="Guards"
        ),
    )[1],
    "a set gobbled": lambda: after(
        begun(),
        (ALICE, ore("full", "3d", 6, 6, 6)),
        (BOB, ore("full", "4d", 8, 8, 8, 1)),
        (BOB, partial(gobble.gobble, number=7, which="0.3×8.6.0.3×6", count=1)),
    )[1],
    "a scene ends": lambda: after(
        begun(),
        (ALICE, partial(traits.add_asset, what="Rope")),
        (ALICE, partial(roll.make, throw=shows(4, 5), dice="2d6")),
        (GM, scenes.end_scene),
    )[1],
}


def newest(table: Table) -> Roll:
    """The last roll on the table."""
    here = CORTEX.of(table)
    return here.rolls[max(here.rolls)]


@pytest.mark.parametrize("name", CARDS)
def test_a_card_reads_as_it_did(name: str) -> None:
    is_kept(TEXTS / f"{name}.txt", words(CARDS[name]()), os.environ)


@pytest.mark.parametrize("view", views())
def test_a_view_reads_as_it_did(view: str) -> None:
    table = after(
        begun(),
        (ALICE, partial(traits.add_asset, what="Rope")),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Alice", die="d8")),
        (GM, partial(traits.add, kind=TraitKind.STRESS, what="Physical", who="Rex")),
        (GM, partial(traits.add, kind=TraitKind.DISTINCTION, what="Old Soldier", who="Rex")),
        (ALICE, partial(roll.make, throw=shows(1, 5, 6), dice="2d6 d8", vs="7")),
    )[0]
    is_kept(
        TEXTS / f"view {view}.txt",
        "\n".join(map(_sent, views()[view].lines(table, {11: "LINK"}))),
        os.environ,
    )


HURT = partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg")
CHALLENGE = partial(challenge.new, name="Storm", difficulty="2d8", rounds=3)
SKIPPED = [(GM, partial(challenge.skip, who=who)) for who in ("Alice", "Rex")]
TURNS = [(GM, partial(turn.start, who="Alice")), (ALICE, partial(turn.hand_on, who="Rex"))]


@pytest.mark.parametrize(
    ("view", "steps", "line"),
    [
        ("table", [(GM, partial(points.give, who="Alice", die="d8"))], "Alice: 1 PP. Hero dice d8"),
        (
            "table",
            [(GM, lifecycle.archive)],
            ("This table is archived. Example: /campaign join name:Skyfall"),
        ),
        ("campaign", [(GM, lifecycle.archive)], "Archived"),
        (
            "comp",
            [
                (ALICE, partial(HURT, die="d8")),
                (ALICE, partial(RECOVER, throw=shows(5, 6, 3, 2, 2), dice="2d6 d4", vs="2d4")),
                (ALICE, partial(cortex_effects.apply_recovery, number=7)),
            ],
            "Alice · Broken Leg d6 (recovery tried)",
        ),
        (
            "challenge",
            [(GM, CHALLENGE), *SKIPPED, (GM, partial(challenge.act, what=ChallengeAct.TARGET, who="Rex"))],
            "Challenge Storm: 2d8, round 1 of 3. It acts against Rex; they roll first",
        ),
        (
            "challenge",
            [
                (GM, CHALLENGE),
                (GM, partial(challenge.first, who="Rex")),
                (BOB, partial(roll.make, throw=shows(3, 4, 2, 2), dice="2d6", vs="Storm")),
            ],
            "Challenge Storm: 2d8, round 1 of 3. Turn: Rex (has acted), then Alice",
        ),
        (
            "turn",
            [*TURNS, (GM, partial(turn.skip, who="Rex"))],
            "Who is next? Alice or the GM decides. Round 1",
        ),
    ],
)
def test_a_view_says_how_what_is_in_play_stands(
    view: str, steps: Sequence[tuple[Actor, Rule]], line: str
) -> None:
    table = after(begun("prime"), *steps)[0]
    assert line in [*map(spelled, views()[view].lines(table, {}))]


@pytest.mark.parametrize(
    ("view", "line"),
    [
        ("pp", "Nobody has any plot points yet. Example: /pp give who:Alice"),
        ("characters", "There are no characters yet. Example: /character new name:Alice"),
        ("dist", "No distinctions yet."),
        ("stress", "No stress or trauma yet."),
    ],
)
def test_a_view_without_anything_says_so(view: str, line: str) -> None:
    assert [*map(spelled, views()[view].lines(Table(), {}))] == [line]


def test_where_nothing_of_several_kinds_is_there_all_are_named() -> None:
    kinds = (
        TraitKind.ASSET, TraitKind.COMPLICATION, TraitKind.STRESS, TraitKind.TRAUMA,
        TraitKind.DISTINCTION, TraitKind.TRAIT, TraitKind.RESOURCE,
    )  # fmt: skip
    (line,) = trait_lines(Table(), kinds)
    assert spelled(line) == (
        "No assets, complications, stress, trauma, distinctions, traits or resources yet."
    )


def test_a_sheet_says_what_cannot_be_used_and_what_was_earned() -> None:
    table = begun()
    alice = CORTEX.give(
        replace(table.characters["alice"], xp=3),
        replace(
            CORTEX.has(table.characters["alice"]),
            sheet={"mind": Trait("Mind", 8, shut=True), "body": Trait("Body", 6)},
            resources={"owl": Trait("Owl", 6, spent=True)},
        ),
    )
    alice = ORE.give(alice, OreCharacter({"fight": OneRollRating("Fight", "2d 1w")}))
    assert [*map(spelled, character_lines(alice))][2:] == [
        "Alice: 1 PP",
        "Traits Mind d8 shut down, Body d6",
        "Resources Owl d6 spent",
        "Ratings Fight 2d 1w",
        "",
        "3 XP",
    ]
    lines = views()["table"].lines(table.with_owner("alice", alice), {})
    assert "Alice: 1 PP. Mind d8 (shut down). Owl d6 (spent)" in [*map(spelled, lines)]


def test_a_roll_to_recover_says_where_the_trait_is_gone() -> None:
    table = after(
        begun(),
        (ALICE, partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg")),
        (ALICE, partial(RECOVER, throw=shows(5, 6, 7, 2, 2, 2), dice="2d6 d8")),
        (GM, partial(traits.remove, kind=TraitKind.COMPLICATION, what="Broken Leg")),
    )[0]
    lines = [*map(spelled, roll_lines(table, reading(table, newest(table))))]
    assert "To recover: Alice · Broken Leg (gone)" in lines


def test_a_pool_of_the_gm_past_the_usual_one_says_that_doom_cannot_pay() -> None:
    table = after(
        begun(),
        (GM, partial(gm_pools.remove, foe=Foe.DOOM, dice="2d6")),
        (GM, partial(HURT, who="Alice")),
        (GM, partial(HURT, what="Lost", who="Alice")),
        (GM, partial(roll.make, throw=shows(2, 3), dice="Broken Leg, Lost")),
    )[0]
    lines = [*map(spelled, roll_lines(table, reading(table, newest(table))))]
    assert "That's 1 die over the limit, and the GM has no die to pay with." in lines
    assert "Let the roll stand, or take it back: /undo" in lines


def test_wiggle_dice_to_place_are_counted_for_one_roll_and_for_each_action() -> None:
    one = after(begun(), (ALICE, ore("full", "2d 1w", 6, 3)))[0]
    assert spelled(headline(ORE.of(one).rolls[6])) == (
        "Alice: no set, loose 3 6, 1 wiggle die still to place"
    )
    both = partial(ore_roll.actions, throw=lambda sizes: [8 for _ in sizes], dice=["8d 1w", "7d 2w"])
    two = spelled(headline(ORE.of(after(begun(), (ALICE, both))[0]).rolls[6]))
    assert "(1 wiggle die still to place)" in two
    assert "(2 wiggle dice still to place)" in two


def test_who_has_no_set_comes_last_in_the_order_of_action() -> None:
    table = after(begun(), (ALICE, ore("full", "2d", 7, 7)), (BOB, ore("full", "2d", 6, 3)))[0]
    lines = [*map(spelled, views()["ore"].lines(table, {}))]
    assert lines == ["Order of action:", "1. Alice: 2×7", "Rex: no set"]


def test_the_largest_width_has_nothing_above_it() -> None:
    assert "Width 10 100.0%, quick 100.0%" in words(ore_odds_card(ore_odds(read("10h"))))


def test_a_preview_that_is_long_says_that_there_is_more() -> None:
    crowd = ((Actor(n, f"p{n}"), partial(seats.join, name=f"{n} {'x' * 70}")) for n in range(10, 50))
    lines = table_preview(Table(), after(begun(), *crowd)[0])
    assert spelled(lines[-1]) == "The rest doesn't fit in this preview."


def test_contests_of_a_file_belong_to_another_table() -> None:
    fight = partial(contest.start, dice="2d6", against="Rex")
    one = after(begun(), (ALICE, partial(fight, throw=shows(4, 5))))[0]
    two = after(
        one,
        (GM, partial(gmc.new, name="Warden", dice="2d8", kind="boss")),
        (GM, partial(fight, throw=shows(4, 5), who="Warden")),
    )[0]
    behind = "These items belong to another table, so they aren't imported: "
    assert spelled(behind_line(one, begun())) == f"{behind}1 open roll and 1 contest"
    assert spelled(behind_line(two, begun())) == f"{behind}2 open rolls and 2 contests"


def test_a_card_of_gobbling_tells_it_in_a_message_of_its_own() -> None:
    news = CARDS["a set gobbled"]().news
    assert news is not None
    assert news.text == "Rex: 3×8 spoils 1 die of Alice: 3×6 is now 2×6"
    assert news.calls == (ALICE.id,)


def test_One_Roll_forms_and_odds_read_as_they_did() -> None:
    table = after(
        begun(),
        (ALICE, ore("full", "5d 2w", 6, 6, 9, 1, 3)),
        (BOB, ore("quick", "8d", 8, 9)),
        (GM, partial(ore_roll.crowd, throw=shows(7, 9, 6, 3), dice="4d", count=2, note="Guards")),
    )[0]
    here = ORE.of(table)
    shown = [form_words(place_form(here.rolls[6].hands[0])), form_words(gobble_form(table, here.rolls[7]))]
    odds = [words(ore_odds_card(ore_odds(read(pool)))) for pool in ("7d", "4d 1w 1h e7")]
    order = "\n".join(map(_sent, views()["ore"].lines(table, {8: "LINK"})))
    is_kept(TEXTS / "one-roll.txt", "\n\n".join([*shown, *odds, order]), os.environ)


def test_sets_of_a_crowd_with_a_long_note_are_told_apart_in_a_menu() -> None:
    table = after(
        begun(),
        (GM, partial(ore_roll.crowd, throw=shows(*[7] * 20, *[6] * 20), dice="4d", count=20, note="x" * 200)),
        (BOB, ore("full", "2d", 8, 8)),
    )[0]
    labels = [
        spelled(option.label) for option in gobble_form(table, ORE.of(table).rolls[7]).fields[0].options
    ]
    assert len({*labels}) == 20
    assert all(len(label) <= 100 for label in labels)


@pytest.mark.parametrize("dice", ["30d12", "2d6 2d8 2d10 2d12"])
@pytest.mark.parametrize("label", ["Lost", "x" * 79])
def test_H1_what_hitches_buy_fits_a_menu(dice: str, label: str) -> None:
    table, _ = after(
        begun(),
        (ALICE, partial(traits.add, kind=TraitKind.COMPLICATION, what=label)),
        (ALICE, partial(roll.make, throw=shows(*[1] * 30), dice=dice)),
    )
    options = hitches.hitches_form(table, newest(table)).fields[0].options
    assert all(len(text) <= 100 for option in options for text in (spelled(option.label), option.value))


@pytest.mark.parametrize(
    ("actor", "rule", "otherwise", "on"),
    [
        (ALICE, partial(roll.make, throw=shows(4, 5, 6), dice="3d8"), "Advantage", "an asset"),
        (ALICE, partial(roll.make, throw=shows(4, 5, 6), dice="3d8", note="Climb"), "Climb", ""),
        (ALICE, partial(roll.make, throw=shows(4, 5, 6, 7), dice="2d8", vs="2d8"), "Trouble", "hits Alice"),
        (GM, partial(roll.make, throw=shows(4, 5, 6), dice="3d8"), "Trouble", ""),
        (GM, partial(gmc.roll_doom, throw=shows(4, 5, 6), on="Rex"), "Trouble", "hits Rex"),
    ],
)
def test_T6_what_an_effect_is_called_and_whom_it_hits_is_said(
    actor: Actor, rule: Rule, otherwise: str, on: str
) -> None:
    table, _ = after(begun("heroic"), (actor, rule))
    fields = {
        spelled(field.label): field
        for field in effects.apply_form(table, actor, resolve(table, newest(table)), 0).fields
    }
    assert (fields["Name"].value, fields["Name"].otherwise) == ("", otherwise)
    assert fields["On"].value == ""
    assert on in spelled(fields["On"].hint)


def test_forms_read_as_they_did() -> None:
    table = after(
        begun(),
        (ALICE, partial(traits.add_asset, what="Rope")),
        (ALICE, partial(roll.make, throw=shows(1, 1, 10, 9, 8, 2, 1), dice="2d6, 3d10", vs="2d4")),
        (ALICE, partial(roll.make, throw=shows(3, 4, 5), dice="2d6 d8")),
    )[0]
    here = CORTEX.of(table)
    made, plain = here.rolls[7], here.rolls[8]
    heroic, one = (
        after(begun("heroic"), (ALICE, partial(roll.make, throw=shows(*faces), dice="2d6 d8")))[0]
        for faces in ((1, 1, 5), (5, 5, 1))
    )
    shown = [
        hitches.hitches_form(heroic, newest(heroic)),
        hitches.hitches_form(one, newest(one)),
        hitches.hitches_form(table, made),
        hitches.seize_form(table, ALICE, made),
        spending.spend_form(table, ALICE, made),
        effects.apply_form(table, ALICE, resolve(table, made), 0),
        opposition.oppose_form(table, plain),
        opposition.against_form(table, ALICE, plain),
        roll_changes.reroll_form(plain),
        effects.stay_in_form("1 PP"),
        join.form(table, Actor(9, "carol")),
    ]
    is_kept(TEXTS / "forms.txt", "\n\n".join(form_words(form) for form in shown), os.environ)


def phone_lines(card_lines: Sequence[Text]) -> int:
    """How many lines of 40 characters a phone needs."""
    return sum(max(1, -(-width(line) // 40)) for line in card_lines)


@pytest.mark.parametrize(
    "card",
    [
        lambda: rolled(10, 4, 3, 1, 6, 4, dice="Strong d10, d6, d4, Crowbar d6", vs="2d6"),
        lambda: rolled(9, 8, 7, 2, 1, 5, 6, dice="Mind d10, Sharp d10, d8, d6, d4", vs="2d6"),
        lambda: rolled(1, 1, 2, 3, 4, dice="2d6 d8 d10 d12", vs="11"),
    ],
)
def test_a_roll_of_five_dice_takes_eight_lines_of_a_phone(card: Callable[[], Card]) -> None:
    assert phone_lines(card().lines) <= 8


def test_a_table_of_four_characters_takes_sixteen_lines_of_a_phone() -> None:
    table = after(
        begun(),
        (GM, partial(seats.name_gm, player=Actor(4, "carol"))),
        (Actor(5, "dan"), partial(seats.join, name="Wisp")),
        (Actor(6, "eve"), partial(seats.join, name="Nova")),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Burned", who="Rex", die="d10")),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Trouble", who="Rex")),
        (GM, partial(traits.add, kind=TraitKind.STRESS, what="Physical", who="Wisp")),
        (ALICE, partial(roll.make, throw=shows(1, 1, 5), dice="2d6 d8")),
    )[0]
    assert phone_lines(views()["table"].lines(table, {})) <= 16


def test_a_full_table_of_two_takes_sixteen_lines_of_a_phone() -> None:
    """A boss, a challenge and a contest at once, beside doom, a crisis and what both have."""
    table = after(
        begun(),
        (GM, partial(scenes.start_scene, name="The burning hangar", distinctions="Thick smoke, Flames")),
        (GM, partial(gm_pools.add, foe=Foe.DOOM, dice="3d6 d10")),
        (GM, partial(gmc.new, name="Warden", dice="3d8", kind="boss")),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Trouble", who="Warden", die="d8")),
        (GM, partial(challenge.new, name="Storm", difficulty="2d8")),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Burned", who="Rex", die="d10")),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Trouble", who="Rex")),
        (GM, partial(traits.add, kind=TraitKind.ASSET, what="Lucky Scarf", who="Alice")),
        (GM, partial(traits.add, kind=TraitKind.STRESS, what="Physical", who="Alice")),
        (ALICE, partial(contest.start, throw=shows(4, 3, 5), dice="2d6 d8", against="Rex", note="the map")),
    )[0]
    assert phone_lines(views()["table"].lines(table, {})) <= 16


def test_who_is_left_in_a_round_is_told_once_somebody_has_acted() -> None:
    table = after(
        begun(),
        (GM, partial(challenge.new, name="Storm", difficulty="2d8")),
        (GM, partial(challenge.first, name="Storm", who="Alice")),
    )[0]
    here = CORTEX.of(table)
    (storm,) = here.challenges.values()
    acted = replace(storm, order=replace(storm.order, turn="", acted=("alice",)))
    gone = CORTEX.put(table, replace(here, challenges={"storm": acted}))
    (line,) = challenge_lines(gone)
    assert "Still to go this round: Rex. Who is next?" in spelled(line)
