"""Traits that come, step and go."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.seats import Actor
from rules.cortex import trait_lookup, traits
from rules.cortex.facts import BackIn, TakenOut, TraitChanged
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import BASES, HEROIC, PRIME, Ruleset
from rules.dice import up
from rules.errors import Ambiguous, NotAllowed, RuleError, SettingOff, Unknown
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, die, having, pp, table, tried

OPEN = replace(table(), gms={})
HARMS = [TraitKind.COMPLICATION, TraitKind.STRESS, TraitKind.TRAUMA]


@pytest.mark.parametrize(
    ("kind", "size"), [(TraitKind.COMPLICATION, 6), (TraitKind.DISTINCTION, 8), (TraitKind.STRESS, 6)]
)
def test_C3_a_trait_has_its_usual_die_unless_told_otherwise(kind: TraitKind, size: int) -> None:
    label = "Physical" if kind is TraitKind.STRESS else "Mud"
    assert die(traits.add(table(HEROIC), ALICE, kind, label).table, "alice", kind, label) == size
    assert die(traits.add(table(HEROIC), ALICE, kind, label, die="d10").table, "alice", kind, label) == 10


@pytest.mark.parametrize(
    ("there", "new", "size"), [(6, 8, 8), (6, 12, 12), (8, 8, 10), (8, 6, 10), (10, 4, 12), (12, 4, 12)]
)
@pytest.mark.parametrize("kind", [TraitKind.COMPLICATION, TraitKind.STRESS])
def test_C3_a_larger_one_replaces_and_another_steps_up(
    kind: TraitKind, there: int, new: int, size: int
) -> None:
    at = having(table(HEROIC), "alice", kind, Trait("Physical", there))
    step = traits.add(at, ALICE, kind, "physical", die=f"d{new}")
    assert die(step.table, "alice", kind, "Physical") == size
    assert len(CORTEX.has(step.table.characters["alice"]).traits(kind)) == 1


@pytest.mark.parametrize("kind", HARMS)
@pytest.mark.parametrize(
    ("size", "steps", "is_out"), [(10, 1, False), (10, 2, True), (12, 1, True), (4, 5, True)]
)
def test_C4_stepped_up_past_d12_takes_out(kind: TraitKind, size: int, steps: int, is_out: bool) -> None:
    at = having(table(HEROIC), "alice", kind, Trait("Physical", size))
    step = traits.step_up(at, ALICE, kind, "Physical", steps)
    assert die(step.table, "alice", kind, "Physical") == 12
    assert CORTEX.has(step.table.characters["alice"]).is_taken_out is is_out
    assert (TakenOut("Alice", "Physical", kind) in step.facts) is is_out


@pytest.mark.parametrize("kind", [TraitKind.ASSET, TraitKind.DISTINCTION])
def test_C1_nothing_else_takes_out(kind: TraitKind) -> None:
    at = having(table(), "alice", kind, Trait("Rope", 12))
    step = traits.step_up(at, ALICE, kind, "Rope")
    assert (
        die(step.table, "alice", kind, "Rope"),
        CORTEX.has(step.table.characters["alice"]).is_taken_out,
    ) == (
        12,
        False,
    )


def test_C4_the_scenes_own_just_stays_d12() -> None:
    at = having(table(), "scene", TraitKind.COMPLICATION, Trait("Fire", 12))
    step = traits.step_up(at, GRETA, TraitKind.COMPLICATION, "Fire")
    assert (
        die(step.table, "scene", TraitKind.COMPLICATION, "Fire"),
        CORTEX.has(step.table.scenery).is_taken_out,
    ) == (
        12,
        False,
    )


@pytest.mark.parametrize(("scar", "size"), [(0, 6), (4, 6), (6, 8), (10, 12)])
def test_C5_stress_that_takes_out_leaves_trauma_of_its_track(scar: int, size: int) -> None:
    at = having(table(HEROIC), "alice", TraitKind.STRESS, Trait("Physical", 12))
    at = having(at, "alice", TraitKind.TRAUMA, Trait("Physical", scar)) if scar else at
    step = traits.step_up(at, ALICE, TraitKind.STRESS, "Physical")
    assert die(step.table, "alice", TraitKind.TRAUMA, "Physical") == size


def out(kind: TraitKind = TraitKind.COMPLICATION, rules: Ruleset = PRIME, points: int = 1) -> Table:
    at = having(table(rules, pp=points), "alice", kind, Trait("Physical", 12))
    return traits.step_up(at, ALICE, kind, "Physical").table


@pytest.mark.parametrize("how", [traits.step_down, traits.remove])
def test_C4_it_lasts_until_the_trait_steps_down_or_goes(how: type) -> None:
    step = how(out(), ALICE, TraitKind.COMPLICATION, "Physical")
    assert not CORTEX.has(step.table.characters["alice"]).is_taken_out
    assert BackIn("Alice") in step.facts


def test_C4_a_pp_avoids_it_for_another_complication_beside_what_was_there() -> None:
    step = traits.stay_in(out(), ALICE, None, "Limp")
    alice = step.table.characters["alice"]
    own = CORTEX.has(alice)
    assert (own.is_taken_out, own.pp) == (False, 0)
    assert {trait.label: trait.die for trait in own.complications.values()} == {"Physical": 12, "Limp": 6}


def test_C4_another_complication_of_the_same_label_stands_beside_it() -> None:
    step = traits.stay_in(out(), ALICE, None, "physical")
    alice = step.table.characters["alice"]
    own = CORTEX.has(alice)
    assert not own.is_taken_out
    assert {trait.label: trait.die for trait in own.complications.values()} == {
        "Physical": 12,
        "physical 2": 6,
    }


@pytest.mark.parametrize("scar", [0, 6, 8, 10])
def test_C5_staying_in_takes_the_new_trauma_back(scar: int) -> None:
    at = having(table(HEROIC), "alice", TraitKind.STRESS, Trait("Physical", 12))
    at = having(at, "alice", TraitKind.TRAUMA, Trait("Physical", scar)) if scar else at
    at = traits.step_up(at, ALICE, TraitKind.STRESS, "Physical").table
    at = traits.stay_in(at, ALICE, None, "Limp").table
    assert die(at, "alice", TraitKind.TRAUMA, "Physical") == scar
    assert not CORTEX.has(at.characters["alice"]).is_taken_out


def test_C4_staying_in_costs_a_pp_that_only_the_gm_waives() -> None:
    broke = out(points=0)
    with pytest.raises(NotAllowed, match=r"Alice has none\. The GM can give some: /pp"):
        traits.stay_in(broke, ALICE, None, "Limp")
    with pytest.raises(NotAllowed, match="Only the GM can let a character stay in"):
        traits.stay_in(broke, ALICE, None, "Limp", free=True)
    assert not CORTEX.has(
        traits.stay_in(broke, GRETA, "Alice", "Limp", free=True).table.characters["alice"]
    ).is_taken_out


def test_C4_who_is_not_taken_out_need_not_stay_in() -> None:
    with pytest.raises(NotAllowed, match="Bob isn't taken out, so they don't need to stay in"):
        traits.stay_in(out(), BOB, None, "Limp")


@pytest.mark.parametrize("kind", [TraitKind.ASSET, TraitKind.COMPLICATION])
@pytest.mark.parametrize(("size", "steps", "left"), [(8, 1, 6), (8, 2, 4), (8, 3, 0), (4, 1, 0), (12, 5, 0)])
def test_C1_C3_stepped_down_under_d4_it_is_gone(kind: TraitKind, size: int, steps: int, left: int) -> None:
    at = having(table(), "alice", kind, Trait("Rope", size))
    step = traits.step_down(at, ALICE, kind, "Rope", steps)
    assert die(step.table, "alice", kind, "Rope") == left
    assert isinstance(step.facts[0], TraitChanged)
    assert (step.facts[0].after is None) is (left == 0)


@pytest.mark.parametrize("steps", [0, -1, 6, 99])
def test_steps_go_from_one_to_five(steps: int) -> None:
    at = having(table(), "alice", TraitKind.ASSET, Trait("Rope", 8))
    for change in (traits.step_up, traits.step_down):
        with pytest.raises(NotAllowed, match=r"You can't step by .*\. Choose 1 to 5"):
            change(at, ALICE, TraitKind.ASSET, "Rope", steps)


ROLES = [(ALICE, True), (GRETA, True), (BOB, False), (ZOE, False)]


@pytest.mark.parametrize(("who", "may"), ROLES)
@pytest.mark.parametrize("kind", [TraitKind.ASSET, TraitKind.COMPLICATION, TraitKind.DISTINCTION])
def test_a_trait_is_changed_by_its_owners_player_and_the_gm(kind: TraitKind, who: Actor, may: bool) -> None:
    at = having(table(), "alice", kind, Trait("Rope", 8))
    for change in (traits.step_up, traits.step_down):
        assert (tried(partial(change, at, who, kind, "Rope")) is not None) is may
    assert (tried(lambda: traits.remove(at, who, kind, "Rope")) is not None) is may
    assert (tried(lambda: traits.add(at, who, kind, "Map", "Alice")) is not None) is may


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (TraitKind.TRAIT, "a trait"),
        (TraitKind.DISTINCTION, "a distinction"),
        (TraitKind.ASSET, "an asset"),
        (TraitKind.RESOURCE, "a resource"),
        (TraitKind.COMPLICATION, "a complication"),
        (TraitKind.STRESS, "stress"),
        (TraitKind.TRAUMA, "trauma"),
    ],
)
def test_a_refusal_says_of_which_kind_it_is(kind: TraitKind, says: str) -> None:
    at = having(table(HEROIC), "alice", kind, Trait("Physical", 8))
    with pytest.raises(NotAllowed, match=f"Only the player or the GM can step up {says} for Alice"):
        traits.step_up(at, BOB, kind, "Physical", who="Alice")


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
@pytest.mark.parametrize("owner", ["scene", "Rex"])
def test_what_the_scene_and_gmcs_have_is_the_gms(owner: str, who: Actor, may: bool) -> None:
    assert (tried(lambda: traits.add(table(), who, TraitKind.COMPLICATION, "Fire", owner)) is not None) is may


@pytest.mark.parametrize(("who", "may"), ROLES)
def test_C5_stress_is_cleared_by_the_player_and_the_gm(who: Actor, may: bool) -> None:
    at = having(table(HEROIC), "alice", TraitKind.STRESS, Trait("Physical", 8), Trait("Mental", 6))
    done = tried(lambda: traits.clear_stress(at, who, "Alice"))
    assert (done is not None) is may
    assert done is None or CORTEX.has(done.table.characters["alice"]).stress == {}


def test_C5_clearing_no_stress_is_refused() -> None:
    with pytest.raises(NotAllowed, match="Alice has no stress"):
        traits.clear_stress(table(HEROIC), ALICE)


@pytest.mark.parametrize(
    ("typed", "label"),
    [("physical", "Physical"), ("PHYS", "Physical"), ("Mental stress", "Mental"), ("e", "Emotional")],
)
def test_C5_stress_comes_in_the_tracks_of_the_profile(typed: str, label: str) -> None:
    assert (
        die(
            traits.add(table(HEROIC), ALICE, TraitKind.STRESS, typed).table,
            "alice",
            TraitKind.STRESS,
            label,
        )
        == 6
    )


@pytest.mark.parametrize("kind", [TraitKind.STRESS, TraitKind.TRAUMA])
def test_C5_a_track_that_is_not_there_is_refused(kind: TraitKind) -> None:
    with pytest.raises(Unknown, match="Try Physical, Mental or Emotional"):
        traits.add(table(HEROIC), ALICE, kind, "Zzz")


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_C5_stress_that_is_off_names_the_setting(rules: Ruleset) -> None:
    done = tried(lambda: traits.add(table(rules), ALICE, TraitKind.STRESS, "Physical"))
    assert (done is not None) is bool(rules.stress)
    if not rules.stress:
        with pytest.raises(SettingOff, match="Stress tracks are off in this campaign") as refused:
            traits.add(table(rules), ALICE, TraitKind.STRESS, "Physical")
        assert (refused.value.setting, refused.value.value) == ("stress tracks", "Physical, Mental")


@pytest.mark.parametrize("kind", [TraitKind.STRESS, TraitKind.TRAUMA])
def test_C3_the_scene_has_no_stress(kind: TraitKind) -> None:
    with pytest.raises(NotAllowed, match="The scene can't have that"):
        traits.add(table(HEROIC), GRETA, kind, "Physical", "scene")


@pytest.mark.parametrize(
    ("who", "size", "pay", "expected", "left"),
    [
        (ALICE, None, None, 6, 0),
        (ALICE, "d8", None, 8, 0),
        (ALICE, "d8", True, 8, 0),
        (ALICE, None, False, 6, 1),
        (GRETA, None, None, 6, 1),
        (GRETA, None, True, 6, 0),
    ],
)
def test_C1_a_player_pays_a_pp_for_an_asset_unless_something_else_paid(
    who: Actor, size: str | None, pay: bool | None, expected: int, left: int
) -> None:
    step = traits.add_asset(table(), who, "Rope", "Alice", size, pay)
    assert (die(step.table, "alice", TraitKind.ASSET, "Rope"), pp(step.table, "alice")) == (expected, left)


def test_C1_an_asset_for_somebody_else_is_paid_by_who_makes_it() -> None:
    at = traits.add_asset(table(), ALICE, "Rope", "Bob").table
    assert (die(at, "bob", TraitKind.ASSET, "Rope"), pp(at, "alice"), pp(at, "bob")) == (6, 0, 1)
    at = traits.add_asset(table(), ALICE, "Cover", "scene").table
    assert (die(at, "scene", TraitKind.ASSET, "Cover"), pp(at, "alice")) == (6, 0)


def test_C1_without_a_pp_there_is_no_asset() -> None:
    with pytest.raises(NotAllowed, match=r"Alice has none\. The GM can give some: /pp"):
        traits.add_asset(table(pp=0), ALICE, "Rope")


def test_C1_at_an_open_table_an_asset_is_free() -> None:
    assert die(traits.add_asset(Table(), ZOE, "Rope").table, "zoe", TraitKind.ASSET, "Rope") == 6


def test_C1_a_free_asset_of_the_scene_is_the_gms() -> None:
    with pytest.raises(NotAllowed, match="Only the GM"):
        traits.add_asset(table(), ALICE, "Cover", "scene", pay=False)


@pytest.mark.parametrize("size", [None, "d4", "d12"])
@pytest.mark.parametrize("who", [None, "scene", "Bob"])
def test_P2_an_asset_that_is_there_already_is_refused(who: str | None, size: str | None) -> None:
    at = having(table(), who.lower() if who else "alice", TraitKind.ASSET, Trait("Rope", 6))
    with pytest.raises(
        NotAllowed, match=r"already has Rope d6\. Step it up instead. Example: /asset stepup what:Rope"
    ):
        traits.add_asset(at, ALICE, "rope", who, size, pay=True)


def test_C1_a_distinction_that_is_there_already_is_refused() -> None:
    at = having(table(), "alice", TraitKind.DISTINCTION, Trait("Pirate", 8))
    with pytest.raises(
        NotAllowed,
        match=r"Alice already has Pirate d8\. Remove that one first. Example: /dist remove what:Pirate",
    ):
        traits.add(at, ALICE, TraitKind.DISTINCTION, "PIRATE", die="d10")


def test_what_no_command_makes_larger_needs_another_label() -> None:
    at = having(table(), "alice", TraitKind.TRAIT, Trait("Mind", 8))
    with pytest.raises(NotAllowed, match=r"Alice already has Mind d8\. Type another label\."):
        traits.add(at, ALICE, TraitKind.TRAIT, "mind")


def test_forty_traits_of_a_kind_are_the_most() -> None:
    full = having(table(), "alice", TraitKind.ASSET, *(Trait(f"Rope {n}", 6) for n in range(40)))
    with pytest.raises(NotAllowed, match="Alice already has 40 traits of that kind, which is the limit"):
        traits.add(full, ALICE, TraitKind.ASSET, "Map")
    assert (
        die(
            traits.gained(full, "alice", TraitKind.ASSET, "Rope 7", 6).table,
            "alice",
            TraitKind.ASSET,
            "Rope 7",
        )
        == 8
    )


HELD = having(
    having(table(HEROIC), "alice", TraitKind.ASSET, Trait("Rope bridge", 8), Trait("Map", 6)),
    "bob",
    TraitKind.ASSET,
    Trait("Rope", 10),
    Trait("Map", 4),
)
HELD = having(HELD, "alice", TraitKind.STRESS, Trait("Physical", 6))


@pytest.mark.parametrize(
    ("what", "who", "found"),
    [
        ("Map", None, ("alice", "map")),
        ("Map", "Bob", ("bob", "map")),
        ("Bob · Map d4", None, ("bob", "map")),
        ("bob · map", None, ("bob", "map")),
        ("Rope", None, ("alice", "rope bridge")),
        ("Rope", "Bob", ("bob", "rope")),
        ("rope b", None, ("alice", "rope bridge")),
        ("Alice · Physical stress d6", None, ("alice", "physical")),
        ("physical stress", None, ("alice", "physical")),
        ("phys", None, ("alice", "physical")),
    ],
)
def test_a_trait_is_found_as_it_is_written_and_by_its_label(
    what: str, who: str | None, found: tuple[str, str]
) -> None:
    assert trait_lookup.find_trait(HELD, ALICE, (TraitKind.ASSET, TraitKind.STRESS), what, who)[:2] == found


def test_a_label_of_two_owners_is_refused_with_both() -> None:
    with pytest.raises(Ambiguous, match="Alice · Map d6 or Bob · Map d4"):
        trait_lookup.find_trait(HELD, ZOE, (TraitKind.ASSET,), "Map")


def test_an_unknown_trait_is_refused_with_what_there_is() -> None:
    with pytest.raises(Unknown, match='There\'s no asset called "Wings"\\. Try Alice · Rope bridge d8'):
        trait_lookup.find_trait(HELD, ALICE, (TraitKind.ASSET,), "Wings")
    with pytest.raises(Unknown, match=r'There\'s no asset called "Wings"\.'):
        trait_lookup.find_trait(table(), ALICE, (TraitKind.ASSET,), "Wings")


@given(strategies.set_tables(), strategies.typed(), st.none() | strategies.typed())
def test_any_text_finds_a_trait_or_is_refused(at: Table, what: str, who: str | None) -> None:
    found = tried(lambda: trait_lookup.find_trait(at, ALICE, tuple(TraitKind), what, who))
    if found is not None:
        assert found[1] in CORTEX.has(at.owner(found[0])).traits(found[2])


@given(strategies.tables(), st.sampled_from(TraitKind), st.data())
def test_every_trait_is_found_as_it_is_written(at: Table, kind: TraitKind, data: st.DataObject) -> None:
    held = [
        (owner, trait)
        for _, owner in trait_lookup.owners(at)
        for trait in CORTEX.has(owner).traits(kind).values()
    ]
    if held:
        owner, trait = data.draw(st.sampled_from(held))
        written = trait_lookup.wording(owner.name, kind, trait)
        found = trait_lookup.find_trait(at, ZOE, (kind,), written)
        assert (
            trait_lookup.wording(
                at.owner(found[0]).name, kind, CORTEX.has(at.owner(found[0])).traits(kind)[found[1]]
            )
            == written
        )


@given(strategies.sizes(), st.lists(strategies.sizes(), max_size=5))
def test_C3_a_trait_never_shrinks_by_more_of_the_same(first: int, more: list[int]) -> None:
    at, size = having(table(), "alice", TraitKind.COMPLICATION, Trait("Mud", first)), first
    for new in more:
        at = traits.gained(at, "alice", TraitKind.COMPLICATION, "mud", new).table
        size = new if new > size else up(size)
        assert die(at, "alice", TraitKind.COMPLICATION, "Mud") == size


@given(
    strategies.set_tables(),
    strategies.typed(),
    st.none() | strategies.typed(),
    st.none() | strategies.typed(),
)
def test_any_text_makes_a_trait_or_is_refused(
    at: Table, what: str, who: str | None, size: str | None
) -> None:
    for kind in TraitKind:
        try:
            step = traits.add(at, GRETA, kind, what, who, size)
        except RuleError:
            continue
        assert isinstance(step.facts[0], TraitChanged)


@pytest.mark.parametrize(("doom", "left"), [((6, 10), {10: 1}), ((8,), {})])
def test_C4_P1_a_gmc_stays_in_for_a_doom_die(doom: tuple[int, ...], left: dict[int, int]) -> None:
    at = having(table(HEROIC, doom=doom), "rex", TraitKind.COMPLICATION, Trait("Leg", 12, out=True))
    step = traits.stay_in(at, GRETA, "Rex", "Limp")
    assert (CORTEX.has(step.table.characters["rex"]).is_taken_out, CORTEX.of(step.table).doom) == (
        False,
        left,
    )


def test_C4_P1_a_gmc_without_doom_dice_stays_in_as_the_gm_says() -> None:
    at = having(table(HEROIC), "rex", TraitKind.COMPLICATION, Trait("Leg", 12, out=True))
    with pytest.raises(NotAllowed, match=r"the doom pool has too few\. Example: free:true"):
        traits.stay_in(at, GRETA, "Rex", "Limp")
    for other in (
        traits.stay_in(at, GRETA, "Rex", "Limp", free=True),
        traits.stay_in(CORTEX.put(at, replace(CORTEX.of(at), ruleset=PRIME)), GRETA, "Rex", "Limp"),
    ):
        assert not CORTEX.has(other.table.characters["rex"]).is_taken_out
