"""What tables ask for beside the profiles: each is off unless a setting turns it on."""

import pytest

from rules.campaign import scenes
from rules.cortex import hitches, points, traits
from rules.cortex.facts import Cause, PointsChanged, TraitChanged, Why
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import PRIME, Rest, Ruleset
from rules.errors import NotAllowed, SettingOff
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, after, having, pp, rolled, table


def playing(**on: object) -> Table:
    """A table in a scene of a session, with these switches on."""
    rules: Ruleset = replace(PRIME, **on)  # type: ignore[arg-type]
    begun = after(scenes.start_session(table(rules, pp=3), GRETA))
    return after(scenes.start_scene(begun, GRETA, "The docks"))


def test_P3_players_give_their_own_pp_freely_where_the_setting_says_so() -> None:
    with pytest.raises(NotAllowed, match="Only the GM"):
        points.move_points(playing(), ALICE, "Bob")
    at = after(points.move_points(playing(players_give_pp=True), ALICE, "Bob", 2))
    assert (pp(at, "alice"), pp(at, "bob")) == (1, 5)
    with pytest.raises(NotAllowed, match="give away PP"):
        points.move_points(at, ALICE, "Alice", who="Bob")
    assert pp(after(points.move_points(at, GRETA, "Alice", who="Bob")), "alice") == 2
    with pytest.raises(NotAllowed, match="To give away yours: /pp move"):
        points.give_points(at, ALICE, "Bob")


def test_C1_two_pp_buy_an_asset_that_lasts_the_session() -> None:
    with pytest.raises(SettingOff, match="Assets only last a scene in this campaign") as refused:
        traits.add_asset(playing(), ALICE, "Rope", session=True)
    assert refused.value.setting == "session assets"
    at = playing(session_assets=True)
    step = traits.add_asset(at, ALICE, "Rope", session=True)
    assert step.facts == (
        PointsChanged("Alice", 3, 1, Why(Cause.ASSET, "Rope")),
        TraitChanged("Alice", TraitKind.ASSET, None, Trait("Rope", 6, lasts=True)),
    )
    at = after(traits.add_asset(after(step), BOB, "Lamp"))
    at = after(scenes.start_scene(after(scenes.end_scene(at, GRETA)), GRETA))
    assert [list(CORTEX.has(one).assets) for one in at.characters.values()] == [["rope"], [], []]
    grown = after(traits.step_up(at, ALICE, TraitKind.ASSET, "Rope"))
    next_one = replace(GRETA, agreed=("session 2",))
    for ended in (after(scenes.end_session(grown, GRETA)), after(scenes.start_session(grown, next_one))):
        assert not CORTEX.has(ended.characters["alice"]).assets
    with pytest.raises(NotAllowed, match="costs 2"):
        traits.add_asset(after(step), ALICE, "Crane", session=True)


def test_C5_stress_steps_down_when_a_scene_ends() -> None:
    stressed = having(
        playing(rest=Rest.SCENE_END), "alice", TraitKind.STRESS, Trait("Mental", 8), Trait("Fear", 4)
    )
    calm = after(scenes.end_scene(stressed, GRETA))
    assert {each.label: each.die for each in CORTEX.has(calm.characters["alice"]).stress.values()} == {
        "Mental": 6
    }
    plain = CORTEX.put(stressed, replace(CORTEX.of(stressed), ruleset=PRIME))
    assert len(CORTEX.has(after(scenes.end_scene(plain, GRETA)).characters["alice"]).stress) == 2


def test_P1_the_gm_has_pp_one_a_player_each_session() -> None:
    at = playing(gm_pp=True)
    assert CORTEX.of(at).gm_pp == 2
    at = after(points.give_points(at, GRETA, "gm", 3))
    at = after(points.spend_points(at, GRETA, 4, who="GM"))
    assert CORTEX.of(at).gm_pp == 1
    with pytest.raises(NotAllowed, match=r"the GM has 1\. Example: /pp give who:GM"):
        points.spend_points(at, GRETA, 2, who="GM")
    with pytest.raises(NotAllowed, match="Only the GM"):
        points.spend_points(at, ALICE, who="GM")
    assert CORTEX.of(after(points.set_points(at, GRETA, "GM", 7))).gm_pp == 7
    assert CORTEX.of(after(scenes.start_session(after(scenes.end_session(at, GRETA)), GRETA))).gm_pp == 2
    with pytest.raises(SettingOff, match="The GM has no PP in this campaign") as refused:
        points.give_points(playing(), GRETA, "GM")
    assert refused.value.setting == "GM's PP"


def test_C4_a_gmc_stays_in_for_a_pp_of_the_gm() -> None:
    at = playing(gm_pp=True)
    at = having(at, "rex", TraitKind.COMPLICATION, Trait("Hurt", 12, out=True))
    at = after(traits.stay_in(at, GRETA, "Rex", "Shaken"))
    assert CORTEX.of(at).gm_pp == 1
    poor = having(
        CORTEX.put(at, replace(CORTEX.of(at), gm_pp=0)),
        "rex",
        TraitKind.COMPLICATION,
        Trait("Hurt", 12, out=True),
    )
    with pytest.raises(NotAllowed, match=r"the GM has 0\. Example: /pp"):
        traits.stay_in(poor, GRETA, "Rex", "Shaken")


def test_H2_what_an_opportunity_costs_goes_to_the_gm() -> None:
    at = having(playing(gm_pp=True), "alice", TraitKind.COMPLICATION, Trait("Lost", 8))
    at = rolled(at, GRETA, "3d6", 1, 5, 4)
    step = hitches.seize(at, ALICE, max(CORTEX.of(at).rolls), "Lost")
    assert PointsChanged("GM", 2, 3, Why(Cause.OPPORTUNITY)) in step.facts
