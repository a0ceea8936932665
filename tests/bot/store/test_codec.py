"""Tables as text and blobs, there and back."""

import json
import subprocess
import sys
import zlib
from base64 import b64decode
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games import GAMES, play_games
from bot.store import codec, upgrades
from rules.campaign.dates import LAST
from rules.cortex import outcome
from rules.cortex.facts import PointsChanged
from rules.cortex.game import GAME as CORTEX_GAME
from rules.cortex.kinds import Foe, Rank, Target, Trait, TraitKind
from rules.cortex.model import (
    CORTEX,
    Against,
    Challenge,
    Contest,
    CortexCharacter,
    CortexTable,
    Crisis,
    Hand,
    Recovery,
    Roll,
    RolledDie,
    TurnOrder,
)
from rules.cortex.pool import Source
from rules.cortex.roll_status import rules_of
from rules.cortex.ruleset import EMPIRE, HEROIC, PRIME, ResourceUse, Rest
from rules.cortex.sfx import Act, parts_of, write_parts
from rules.facts import Event, Fact, FactKinds, OldWords, Undone
from rules.names import Coming, Plan, Reply
from rules.ore.model import ORE, OreCharacter, OreHand, OreKind, OreRoll, OreTable
from rules.ore.pool import OrePool, QuickDice
from rules.table import Character, Dice, Pace, Settings, Table
from rules.values import replace
from tests import every_fact, strategies

ROOT = Path(__file__).parents[3]
RELEASED = Path(__file__).parent / "released"
"""What was kept when a version was released: databases by their last migration, facts by the version."""

_text = st.text(max_size=12)
_ids = st.integers(1, 2**63)
_sources = st.builds(partial(Source, TraitKind.TRAIT), _text) | st.sampled_from(every_fact.SOURCES)
_dice = st.builds(
    RolledDie,
    size=st.sampled_from([4, 6, 8, 10, 12]),
    face=st.integers(1, 12),
    label=_text,
    source=_sources,
    beside=st.booleans(),
)
_hands = st.builds(Hand, dice=st.lists(_dice, max_size=4).map(tuple), hero=st.sampled_from([0, 8]))
_pools = st.dictionaries(st.sampled_from([4, 6, 12]), st.integers(1, 9), max_size=2)
_rows = st.lists(_text, max_size=2).map(tuple)
_targets = st.none() | st.builds(Target, st.sampled_from(Foe), _text)
_orders = st.builds(TurnOrder, _text, _rows, _rows, _text, st.integers(1, 9))
_traits = st.dictionaries(_text, st.builds(Trait, label=_text, die=st.integers(4, 12)), max_size=2)
_characters = st.builds(
    CORTEX.give,
    st.builds(Character, name=_text, player=_ids, gmc=st.booleans(), away=st.booleans()),
    st.builds(
        CortexCharacter,
        rank=st.none() | st.sampled_from(Rank),
        sheet=_traits,
        pool=_pools,
        hero=_pools,
        assets=_traits,
        stress=_traits,
    ),
)
_crises = st.builds(Crisis, _text, _pools)
_challenges = st.builds(Challenge, _text, _pools, _orders, st.integers(0, 9), _text)
_contests = st.builds(
    Contest, st.tuples(_text, _text), st.integers(0, 1), _ids, _hands, _text, st.integers(1, 9), _ids
)
_recoveries = st.none() | st.builds(Recovery, owner=_text, kind=st.sampled_from(TraitKind), trait=_text)
_againsts = st.none() | st.builds(
    Against,
    label=_text,
    number=st.integers(0, 40),
    hand=st.none() | _hands,
    target=_targets,
    acts=st.booleans(),
)
_rolls = st.builds(
    Roll,
    number=_ids,
    player=_ids,
    who=_text,
    hand=_hands,
    against=_againsts,
    recovery=_recoveries,
    target=_targets,
    struck=st.lists(st.sampled_from([4, 6]), max_size=2).map(tuple),
    outs=st.integers(0, 2),
    contest=st.integers(0, 9),
    answered=st.booleans(),
    banked=st.booleans(),
)
_faces = st.lists(st.integers(1, 10), max_size=4).map(tuple)
_hands_of_tens = st.builds(
    OreHand,
    pool=st.builds(OrePool, st.integers(0, 10), wiggle=st.integers(0, 2), wiggle_name=_text),
    faces=_faces,
    quick=st.none() | st.builds(QuickDice, st.integers(0, 10), heights=_faces),
    placed=_faces,
    spoiled=_faces,
)
_ore = st.builds(
    OreRoll,
    number=_ids,
    player=_ids,
    who=_text,
    hands=st.lists(_hands_of_tens, max_size=2).map(tuple),
    kind=st.sampled_from(OreKind),
    gm=st.booleans(),
    note=_text,
)
_replies = st.builds(Reply, _text, st.none() | st.sampled_from(Coming), _ids, _ids)
_plans = st.builds(
    Plan,
    _ids,
    st.integers(0, LAST),
    _text,
    st.integers(0, 2),
    st.dictionaries(_ids, _replies, max_size=2),
    st.booleans(),
    moved=_ids,
    minute=st.none() | st.integers(0, 1439),
)
_cortex = st.builds(
    CortexTable,
    ruleset=st.sampled_from([CORTEX.of(Table()).ruleset, HEROIC]),
    doom=st.dictionaries(st.sampled_from([6, 8]), st.integers(1, 9)),
    crises=st.dictionaries(_text, _crises, max_size=2),
    challenges=st.dictionaries(_text, _challenges, max_size=2),
    contests=st.dictionaries(st.integers(1, 99), _contests, max_size=2),
    order=st.none() | _orders,
    split=st.lists(_rows, max_size=2).map(tuple),
    rolls=st.dictionaries(st.integers(1, 99), _rolls, max_size=3),
    last_pools=st.dictionaries(st.integers(1, 99), st.lists(_text).map(tuple), max_size=2),
)
_one_roll = st.builds(OreTable, rolls=st.dictionaries(st.integers(1, 99), _ore, max_size=2))
_bare = st.builds(
    Table,
    number=st.integers(0, 1000),
    name=_text,
    gms=st.dictionaries(st.integers(1, 2**63), _text, max_size=2),
    characters=st.dictionaries(_text, _characters, max_size=3),
    titles=st.dictionaries(st.integers(1, 99), _text, max_size=2),
    plan=st.none() | _plans,
)
tables = st.builds(ORE.put, st.builds(CORTEX.put, _bare, _cortex), _one_roll)


@given(tables | strategies.tables())
def test_every_table_is_read_as_it_was_written(table: Table) -> None:
    assert codec.read(codec.write(table), table.number) == table
    plain = json.loads(codec.joined(codec.write(table)))["table"]
    assert codec.read_form(plain, table.number) == table


def test_only_what_differs_from_a_blank_table_is_written() -> None:
    assert codec.write(Table(number=7)) == b'{"version":8,"table":{}}'
    assert codec.read(b'{"version":1,"table":{}}', 7) == Table(number=7)


def test_a_crowd_of_fifty_pools_is_small_when_written() -> None:
    roll = OreRoll(1, 2, "GM", (OreHand(OrePool(4), quick=QuickDice(5, heights=(6,))),) * 50, OreKind.CROWD)
    assert len(codec.write(ORE.put(Table(), OreTable(rolls={1: roll})))) < 3500


def test_an_old_shape_is_lifted_version_by_version() -> None:
    def rename(form: upgrades.Form) -> upgrades.Form:
        return {**form, "place": form["site"]}

    def rename_again(form: upgrades.Form) -> upgrades.Form:
        return {"scene": form["place"], "name": form["name"]}

    old = json.dumps({"version": 1, "table": {"name": "Old", "site": "Bridge"}}).encode()
    lifted = codec.read(old, 3, {1: rename, 2: rename_again}, version=3)
    assert lifted == Table(number=3, name="Old", scene="Bridge")
    with pytest.raises(KeyError):
        codec.read(old, 3, {1: rename}, version=3)


def test_every_tag_ever_released_is_read_as_the_kind_that_it_was() -> None:
    # Never take a line away: databases hold all of these.
    held = {
        tag: kind
        for row in (RELEASED / "tags.txt").read_text().splitlines()
        for tag, kind in [row.split(": ")]
    }
    found = {tag: kind.__name__ for tag, kind in codec.tags().by_tag.items()}
    assert {tag: found.get(tag) for tag in held} == held


@pytest.mark.parametrize("release", sorted(RELEASED.glob("facts-*.jsonl")), ids=lambda path: path.stem)
def test_every_fact_of_every_release_is_read_and_kept_by_its_tag(release: Path) -> None:
    now = set(codec.tags().by_kind.values())
    for text in release.read_text().splitlines():
        facts = codec.read_facts(text)
        assert codec.is_legible(facts), text
        kept = codec.write_facts(facts)
        assert codec.read_facts(kept) == facts
        assert json.loads(kept)["facts"][0]["fact"] in now


def test_what_reads_and_writes_is_made_once_for_the_same_games() -> None:
    known = codec.strict()

    play_games(GAMES)

    assert codec.strict() is known


def leaves(kind: type[Fact]) -> Iterator[type[Fact]]:
    """The classes of facts that can happen: those that no other is made of."""
    # `slots=True` makes each class anew; the first one has no place in its module.
    classes = [each for each in kind.__subclasses__() if _is_in_place(each)]
    for each in classes:
        yield from leaves(each)
    if not classes:
        yield kind


def _is_in_place(kind: type[Fact]) -> bool:
    return getattr(sys.modules[kind.__module__], kind.__name__, None) is kind


def test_every_class_of_facts_is_declared_with_its_tag() -> None:
    of_the_bot = {kind for kind in leaves(Fact) if kind.__module__.startswith("rules.")}
    assert of_the_bot == set(codec.tags().by_kind)


def test_no_two_kinds_of_facts_have_one_tag() -> None:
    kinds = FactKinds()
    kinds.kind(was="PointsChanged")(PointsChanged)
    with pytest.raises(LookupError, match="points"):

        @kinds.kind()
        class Again(Event, tag="points"):
            """Of the same tag."""

    with pytest.raises(LookupError, match="PointsChanged"):
        kinds.kind(was="PointsChanged")(OldWords)
    with pytest.raises(LookupError, match="same tag"):
        codec.Tags((CORTEX_GAME, CORTEX_GAME))


def test_facts_are_lifted_version_by_version_wherever_they_are_kept() -> None:
    def rename(fact: upgrades.Form) -> upgrades.Form:
        return fact | {"who": fact["name"]} if fact["fact"] == "points" else fact

    def recount(fact: upgrades.Form) -> upgrades.Form:
        return fact | {"after": fact["now"]} if "now" in fact else fact

    old = {"fact": "points", "name": "Alice", "before": 0, "now": 2}
    of = {4: rename, 5: recount}
    read = [PointsChanged("Alice", 0, 2)]
    text = json.dumps({"version": 4, "facts": [old, {"fact": "undone", "step": 3, "facts": [old]}]})
    assert codec.read_facts(text, of, version=6) == (*read, Undone(3, tuple(read)))
    roll = {"number": 1, "player": 2, "who": "Alice", "hand": {"dice": []}, "after": {"2": [old]}}
    part = {"cortex": {"rolls": {"1": roll}, "hidden": {}}}
    form = upgrades.lift({"games": part}, 4, 6, {4: dict, 5: dict}, of)
    assert CORTEX.of(codec.read_form(form, 2)).rolls[1].after == {2: tuple(read)}
    damaged = '{"version": 4, "facts": [3, {"fact": "points"'
    assert not codec.is_legible(codec.read_facts(damaged, of, version=6))


LINES = st.lists(st.sampled_from([b'{"a":%d}' % n for n in range(9)] + [b"{}", b"c", b"r"]), min_size=1)
TEXTS = LINES.map(b"\n".join)


@given(TEXTS, TEXTS)
def test_every_text_is_unpacked_as_it_was_packed(text: bytes, key: bytes) -> None:
    assert codec.unpack(codec.pack(text)) == text
    assert codec.unpack(codec.pack(text, key), key) == text


@pytest.mark.parametrize("count", [1, 60, 200, 2000])
def test_what_has_changed_is_all_that_is_packed(count: int) -> None:
    lines = [b"r%d:%d" % (n, zlib.crc32(b"%d" % n)) for n in range(count)]
    key = b"\n".join((b"{}", *lines))
    text = b"\n".join((b"{1}", *lines[1:], b"r3000:5"))
    blob = codec.pack(text, key)
    assert codec.unpack(blob, key) == text
    assert len(blob) < 60


def test_states_that_are_packed_by_blocks_are_read_and_built_on() -> None:
    kept = json.loads((Path(__file__).parent / "blocks.json").read_text())
    key = codec.unpack(b64decode(kept["keyframe"]))
    table = codec.read(codec.unpack(b64decode(kept["step"]), key), 41)
    assert table == codec.read(json.dumps({"version": 2, "table": kept["table"]}).encode(), 41)
    assert len(CORTEX.of(table).rolls) == 41
    blob = codec.pack(codec.write(table), key)
    assert codec.read(codec.unpack(blob, key), 41) == table


def test_a_blob_of_another_keyframe_is_refused() -> None:
    blob = codec.pack(b"{}\nc1", b"{}\nc1")
    with pytest.raises(codec.FAULTS):
        codec.unpack(blob, b"xyz" * 100)


def test_a_ruleset_of_the_first_version_has_the_settings_that_its_names_said() -> None:
    heroic = "Affiliations or aptitudes", "Distinctions", "Ability sets", "Tier"
    empire = "Distinctions", "Attributes", "Skills", "Resources or signature assets"
    own = "Skills", "Resources and signature assets"
    cases: tuple[tuple[dict[str, Any], tuple[str, ...], bool, bool], ...] = (
        ({"name": "heroic", "trait_sets": heroic}, HEROIC.trait_sets, True, False),
        ({"name": "empire", "trait_sets": empire}, EMPIRE.trait_sets, False, True),
        ({"trait_sets": own}, own, False, True),
        ({"name": "prime"}, PRIME.trait_sets, False, False),
    )
    for rules, *expected in cases:
        roll = {"number": 1, "player": 2, "who": "Alice", "hand": {"dice": []}, "rules": rules}
        old = json.dumps({"version": 1, "table": {"ruleset": rules, "rolls": {"1": roll}}}).encode()
        table = codec.read(old, 3)
        here = CORTEX.of(table)
        for lifted in (here.ruleset, rules_of(table, here.rolls[1])):
            assert [lifted.trait_sets, lifted.lone_die, lifted.resource_or_signature] == expected


def test_what_bends_no_rule_leaves_the_ruleset_of_the_third_version_and_rolls_keep_theirs() -> None:
    rolls = {
        str(number): {"number": number, "player": 2, "who": "Alice", "hand": {"dice": []}} | had
        for number, had in ((3, {"rules": {}}), (5, {"rules": {"pace": "post", "doom": True}}), (6, {}))
    }
    rules = {"name": "heroic", "pace": "post", "deadline": 24, "zone": "Europe/Berlin", "dice": "words"}
    old = json.dumps({"version": 3, "table": {"ruleset": rules, "rolls": rolls}}).encode()
    table = codec.read(old, 7)
    assert table.settings == Settings(Dice.WORDS, "Europe/Berlin", Pace.POST, 24)
    had = [rules_of(table, roll) for roll in CORTEX.of(table).rolls.values()]
    assert had == [PRIME, replace(PRIME, doom=True), replace(PRIME, name="heroic")]


def test_an_effect_die_in_place_of_a_step_is_no_bought_one_any_more() -> None:
    dice = [{"size": 8, "face": 5}] * 4
    hand = {"dice": dice, "effects_bought": 1, "total": [0, 1], "effects": [2, 3]}
    roll = {"number": 1, "player": 2, "who": "Alice", "hand": hand, "traded": 1}
    made = CORTEX.of(
        codec.read(json.dumps({"version": 3, "table": {"rolls": {"1": roll}}}).encode(), 3)
    ).rolls[1]
    assert (made.hand.effects_bought, outcome.traded(made)) == (0, 1)


def test_X1_mere_words_of_an_sfx_that_mean_something_now_stay_words() -> None:
    old = {"name": "Grit", "benefit": ["up", "be brave", "remove all but two"], "cost": ["hitch", "1 PP"]}
    held = {"alice": {"name": "Alice", "sfx": {"grit": old}}, "bob": {"name": "Bob"}}
    text = json.dumps({"version": 3, "table": {"characters": held}}).encode()
    grit = CORTEX.has(codec.read(text, 3).characters["alice"]).sfx["grit"]
    assert [each.act for each in parts_of(grit)] == [Act.WORDS, Act.PP, Act.UP, Act.WORDS, Act.WORDS]
    assert write_parts(grit) == 'up, "be brave", "remove all but two", for "hitch", 1 PP'


def test_what_was_on_or_off_in_the_sixth_version_has_its_values() -> None:
    before, now = {"stress_eases": True, "resources": False}, {"resources": True}
    change = {"before": before, "after": now}
    roll = {"number": 1, "player": 2, "who": "Alice", "hand": {"dice": []}}
    held = {"ruleset": now, "rule_changes": {"2": change}, "rolls": {"1": roll}}
    old = json.dumps({"version": 6, "table": {"games": {"cortex": held}}}).encode()
    here = CORTEX.of(table := codec.read(old, 3))
    assert (here.ruleset.rest, here.ruleset.resources) == (Rest.OFF, ResourceUse.ON)
    then = rules_of(table, here.rolls[1])
    assert (then.rest, then.resources) == (Rest.SCENE_END, ResourceUse.OFF)


def test_xp_of_the_seventh_version_belongs_to_the_character_in_every_game() -> None:
    alice = {"name": "Alice", "games": {"cortex": {"pp": 2, "xp": 5}}}
    people = {"alice": alice, "bob": {"name": "Bob", "games": {"cortex": {"pp": 1}}}, "rex": {"name": "Rex"}}
    old = json.dumps({"version": 7, "table": {"characters": people}}).encode()
    found = codec.read(old, 3).characters
    assert [(each.xp, CORTEX.has(each).pp) for each in found.values()] == [(5, 2), (0, 1), (0, 0)]
    guards = {"name": "Guards", "games": {"ore": {"ratings": {"guards": {"label": "Guards"}}, "members": 3}}}
    old = json.dumps({"version": 7, "table": {"characters": {"guards": guards}}}).encode()
    assert ORE.has(codec.read(old, 3).characters["guards"]) == OreCharacter(members=3)


def test_a_process_that_plays_no_games_fails_and_loses_nothing() -> None:
    reads = "from bot.store.codec import read_facts; print(read_facts('{}'))"
    ended = subprocess.run([sys.executable, "-c", reads], cwd=ROOT, capture_output=True)
    assert (ended.returncode, ended.stdout) == (1, b"")
