"""The laws of typed dice: one reader, no dice in labels, nothing that disappears, nothing that is guessed."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import contest, gmc, named_pools, odds
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import Die, write_pool
from rules.cortex.pool_resolver import gather
from rules.cortex.pool_text import dice_of, parsed, read
from rules.cortex.ruleset import PRIME
from rules.dice import OPERATORS, write_dice
from rules.errors import RuleError, Undecided
from rules.game import Step
from rules.names import has_die
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.cortex.test_typed_dice import vocabulary_here
from tests.rules.people import ALICE, GRETA, having, table

DICE = (
    *(("d8", [8]), ("D10", [10]), ("2d6", [6, 6]), ("d12x2", [12, 12]), ("2xd4", [4, 4]), ("d6*3", [6] * 3)),
    *(("two d8", [8, 8]), ("a d6", [6]), ("**d8**", [8]), ("(d10)", [10]), ("2d8s", [8, 8]), ("d６", [6])),
    *(("2d10d4", [10, 10, 4]), ("3 d8", [8] * 3), ("💧d8", [8]), ("Fire d6", [6]), ("d6 Fire", [6])),
    *(("Fire: d6", [6]), ("Big Fire(d10)", [10]), ("Mind", [10]), ("Mind + Sharp", [8, 10]), ("8", [8])),
    *(("Crew", [6, 6, 8]), ("Double Agent", [8]), ("Mark 3", [8]), ('"High 5" d6', [6]), ("up d8", [10])),
)
"""Items that read in one way, each with its dice."""
SIGNS = (", ", " + ", "; ", "\n", " / ", " | ", " & ", " • ", " and ", " plus ")
NOISE = (
    *("d8", "2d6", "8", "4", "3", "47", "x2", "x", "Mind", "mi", "Fire", "Level", "up", "double", "hinder"),
    *(
        "vs",
        "11",
        "hard",
        "doom",
        "k3",
        "keep",
        "tn",
        "difficulty",
        "against",
        ">",
        "=",
        "-",
        "+2",
        "-1",
        "d7",
    ),
    *(
        "d1O",
        "!",
        "drop",
        "(",
        ")",
        "[",
        "one",
        "two",
        "a",
        "and",
        ",",
        ";",
        "+",
        "/",
        "~~d8~~",
        "**",
        "½",
        "😀",
    ),
    *(
        "Crew",
        "Double Agent",
        "less one",
        "scale",
        "from doom",
        "safe",
        "push",
        "\u00a0",
        "2w6",
        "5d",
        "R2D2",
    ),
)


@given(st.lists(st.tuples(st.sampled_from(DICE), st.sampled_from(SIGNS)), min_size=1, max_size=4))
def test_L4_every_die_that_is_typed_is_in_the_pool(items: list[tuple[tuple[str, list[int]], str]]) -> None:
    text = "".join(f"{typed}{sign}" for (typed, _), sign in items)
    wanted = sorted(size for (_, sizes), _ in items for size in sizes)
    known = vocabulary_here()
    try:
        tree = parsed(text, known, is_roll=True)
    except Undecided:
        assert "; " in text  # which may part two rolls
        return
    assert sorted(die.size for die in dice_of(tree, known, is_roll=True).pool) == wanted, text


@st.composite
def noise(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(st.sampled_from(NOISE), min_size=1, max_size=8))
    return draw(st.sampled_from((" ", " ", " ", ""))).join(pieces)


@given(noise() | strategies.typed().filter(lambda text: not re.search('["“”]', text)))
def test_L1_no_new_label_holds_a_die_or_a_word_of_the_notation(text: str) -> None:
    known = vocabulary_here()
    try:
        pool = dice_of(parsed(text, known, is_roll=True), known, is_roll=True).pool
    except RuleError:
        return
    for label in {die.label for die in pool if die.source.is_new and die.label}:
        assert not has_die(label), (text, label)
        words = set(re.sub("double agent|against all odds|^scale |hinder", "", label.casefold()).split())
        assert not words & (OPERATORS - {"x", "d", "v", "keep", "safe", "k"}), (text, label)


@given(noise())
def test_L5_each_answer_leads_on_and_to_other_dice(text: str) -> None:
    known = vocabulary_here()
    try:
        parsed(text, known, is_roll=True)
    except Undecided as question:
        offered = [str(answer.label) for answer in question.answers]
        assert len(set(offered)) == len(offered), (text, offered)
        for answer in question.answers:
            known = vocabulary_here()
            known.decided = (answer.sign,)
            try:
                pool = dice_of(parsed(text, known, is_roll=True), known, is_roll=True).pool
            except Undecided as further:
                signs = [each.sign for each in further.answers]
            else:
                signs = []
                assert str(answer.label).startswith("Roll "), (text, offered)
                assert pool
            assert answer.sign not in signs, text
    except RuleError:
        return


@given(noise())
def test_L3_every_example_of_dice_in_a_refusal_can_be_read(text: str) -> None:
    try:
        parsed(text, vocabulary_here(), is_roll=True)
    except Undecided:
        return
    except RuleError as refusal:
        found = re.search(r"Example: (?!/)(.+)$", str(refusal))
        if found and not re.match(r"[a-z_]+:", found[1]):
            known = vocabulary_here()
            assert dice_of(parsed(found[1], known, is_roll=True), known, is_roll=True).pool, found[1]


def playing() -> Table:
    at = having(table(), "alice", TraitKind.TRAIT, Trait("Mind", 10, set="A"), Trait("Sharp", 8, set="B"))
    return having(at, "alice", TraitKind.DISTINCTION, Trait("Double Agent", 8), Trait("Against All Odds", 6))


def _pooled(text: str) -> list[Die]:
    return list(gather(playing(), ALICE, text, None, "Alice").pool)


def _odds(text: str) -> list[Die]:
    return list(odds.ask(playing(), ALICE, text).pool)


def _named(text: str) -> list[Die]:
    step = named_pools.add(playing(), ALICE, text, "Shared")
    return list(CORTEX.of(step.table).pools["shared"].dice)


def _contest(text: str) -> list[Die]:
    step = contest.start(playing(), ALICE, lambda sizes: [2] * len(sizes), text, "Bob")
    return _rolled(step)


def _rolled(step: Step) -> list[Die]:
    (roll,) = CORTEX.of(step.table).rolls.values()
    return [Die(die.size, die.label) for die in roll.hand.dice]


def _gmc(text: str) -> list[Die]:
    new = gmc.new(playing(), replace(GRETA, agreed=("boss guard", "mob guard")), "Guard", text).table
    own = CORTEX.has(new.characters["guard"])
    traits = [Die(size, each.label) for each in own.sheet.values() for size in (each.die, *each.more)]
    return [*traits, *(Die(size) for size in own.pool for _ in range(own.pool[size]))]


PLACES: dict[str, Callable[[str], list[Die]]] = {
    "roll": _pooled,
    "odds": _odds,
    "pool": _named,
    "contest": _contest,
}
TEXTS = (
    *(
        "d8x2 d6 d4",
        "2xd10",
        "Mind(d10) + Sharp(d8)",
        "**d8** d6",
        "d８",
        "two d8 and d6",
        "💧d8, d4",
        "2d10d8",
    ),
    *(
        "Claws d8 Senses d10",
        "Mind + Sharp",
        "mi sh d6",
        "Double Agent, d6",
        "Against All Odds + d8",
        "8 6 4",
    ),
    *("Sharp d12", "d12 Sharp", "4 d6", "6 d8", "Level 4 d8", "Level 3 d8", "Agent 47 d8", "d8 d6 x2"),
    *(
        "~~d8~~ d6",
        "Double Trouble d8",
        "up Mind, double Sharp",
        "2d6!",
        "drop d6",
        "5d",
        "d1O",
        "½ d8",
        "d7",
    ),
    *("Fire", "Fire d8-d6", '"Broken d8" d6', "Mind Reader d8", "R2D2 d8", "Mind 8", "Fight 8", "d8 - d6"),
)


def outcome(place: Callable[[str], list[Die]], text: str) -> tuple[str, object]:
    try:
        pool = place(text)
    except Undecided as question:
        return "asked", (str(question), [str(each.label).removeprefix("Roll ") for each in question.answers])
    except RuleError as refusal:
        return "refused", re.sub(r" (There is|There are|You play|Did you|Dice are) .*", "", str(refusal))
    return "read", sorted((die.size, die.label) for die in pool)


@pytest.mark.parametrize("text", TEXTS)
def test_L2_a_text_means_the_same_wherever_dice_are_typed(text: str) -> None:
    first = outcome(_pooled, text)
    assert {name: outcome(place, text) for name, place in PLACES.items()} == dict.fromkeys(PLACES, first)


@pytest.mark.parametrize(
    "text", [text for text in TEXTS if not re.search(r"Mind|mi |Sharp|Agent,|Odds", text)]
)
def test_L2_the_dice_of_a_gmc_are_read_so_too(text: str) -> None:
    kind, found = outcome(_pooled, text)
    made = outcome(_gmc, text)
    if "A boss needs unlabeled dice, all the same size" in str(made[1]):
        return
    if kind == "read":
        assert made[0] == "read", made
        assert isinstance(made[1], list)
        assert isinstance(found, list)
        assert sorted(size for size, _ in made[1]) == sorted(size for size, _ in found)
    else:
        assert made[0] == kind


@pytest.mark.parametrize(
    ("text", "typed"), [("d8 vs 11", "vs 11"), ("3d8 keep 3", "keep 3"), ("d8 tn 12", "vs 12")]
)
def test_L2_what_only_a_roll_has_is_refused_by_name_elsewhere(text: str, typed: str) -> None:
    for place in (_named, _gmc):
        with pytest.raises(RuleError, match=f'"{typed}" doesn\'t belong with these dice'):
            place(text)


@given(strategies.pools())
def test_L3_a_pool_that_is_printed_is_read_back_as_the_same(pool: tuple[Die, ...]) -> None:
    printed = write_pool(pool)
    again = read(printed, None, PRIME, is_written=True).pool
    assert write_dice([die.size for die in again]) == write_dice([die.size for die in pool])
    assert write_pool(again) == printed
