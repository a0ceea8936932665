"""O7, O8: boxes by place, hits by width and height, healing, crowds."""

from functools import partial

import pytest

from rules.campaign.characters import edited
from rules.campaign.seats import Actor
from rules.errors import NotAllowed, RuleError, TooLate, Unreadable
from rules.ore import company, damage, gmc, gobble, roll, sheet
from rules.ore.damage import filled, read_boxes, read_places, write_boxes, write_places
from rules.ore.game import GAME
from rules.ore.model import (
    ORE,
    PLACES,
    Boxes,
    DamageKind,
    OreGobbled,
    OreHit,
    OreRolled,
    OreThinned,
    parts,
    sets,
)
from rules.ore.pool import OrePool
from rules.table import Character, Table
from rules.values import replace

GM, ALICE = Actor(1, "Greta"), Actor(2, "Alice")
SHOCK, KILLING, BOTH = DamageKind.SHOCK, DamageKind.KILLING, DamageKind.BOTH


def fight(*, armour: int = 0, width: int = 0) -> Table:
    """Alice plays Rook against an ogre, whose body has armour, and nine guards."""
    table = Table(gms={1: "Greta"}, game=ORE.name)
    table = table.with_owner("rook", sheet.put(Character("Rook", player=2), sheet.read_sheet(sheet.EXAMPLE)))
    boxes = f"1-6 Legs 8, 7-9 Body 10 armour {armour}, 10 Head 4"
    table = gmc.new(table, GM, "Ogre", "5d 1h", boxes=boxes).table
    table = gmc.new(table, GM, "Guards", "9d", kind="crowd").table
    return ORE.put(table, replace(ORE.of(table), crowd_width=width))


def rolled(table: Table, *faces: int, actor: Actor = ALICE) -> Table:
    made = roll.full(table, actor, lambda sizes: faces, OrePool(len(faces))).table
    return replace(made, number=table.number + 1)


@pytest.mark.parametrize(
    ("before", "amount", "kind", "after"),
    [
        ((0, 0), 3, SHOCK, (3, 0)),
        ((0, 0), 3, KILLING, (0, 3)),
        ((0, 0), 1, BOTH, (1, 1)),
        ((3, 0), 2, KILLING, (2, 2)),
        ((4, 0), 1, KILLING, (3, 1)),
        ((4, 0), 2, SHOCK, (2, 2)),
        ((3, 0), 2, SHOCK, (3, 1)),
        ((0, 3), 9, BOTH, (0, 4)),
        ((0, 4), 9, SHOCK, (0, 4)),
    ],
)
def test_O7_killing_displaces_shock_and_shock_without_room_kills(
    before: tuple[int, int], amount: int, kind: DamageKind, after: tuple[int, int]
) -> None:
    found = filled(Boxes("Head", 4, shock=before[0], killing=before[1]), amount, kind)
    assert (found.shock, found.killing) == after
    assert found.shock + found.killing <= found.size


def test_O7_full_of_shock_is_out_and_full_of_killing_is_gone() -> None:
    assert [(each.is_out, each.is_gone) for each in (Boxes("A", 2, shock=2), Boxes("A", 2, killing=2))] == [
        (True, False),
        (True, True),
    ]


def test_O7_width_is_how_much_and_height_is_where() -> None:
    table = rolled(fight(), 8, 8, 8, 1)
    step = damage.hit(table, ALICE, max(ORE.of(table).rolls), "0.3×8", "Ogre", KILLING, 1)
    (told,) = step.facts
    assert isinstance(told, OreHit)
    assert (told.amount, told.stopped, told.after.label, told.after.killing) == (4, 0, "Body", 4)
    with pytest.raises(TooLate, match="has been used"):
        damage.hit(step.table, ALICE, told.roll.number, "0.3×8", "Ogre")


def test_O7_a_weapon_adds_0_to_20() -> None:
    table = rolled(fight(), 8, 8)
    with pytest.raises(NotAllowed, match="A weapon adds 0 to 20, not 21"):
        damage.hit(table, ALICE, max(ORE.of(table).rolls), "0.2×8", "Ogre", plus=21)


def test_O7_armour_stops_some_of_it() -> None:
    table = rolled(fight(armour=2), 8, 8, 8)
    (told,) = damage.hit(table, ALICE, max(ORE.of(table).rolls), "0.3×8", "Ogre", SHOCK).facts
    assert isinstance(told, OreHit)
    assert (told.amount, told.stopped, told.after.shock) == (3, 2, 1)


def test_O7_a_player_is_hit_where_the_tables_list_says() -> None:
    table = rolled(fight(), 3, 3, actor=GM)
    (told,) = damage.hit(table, GM, max(ORE.of(table).rolls), "0.2×3", "Rook", SHOCK).facts
    assert isinstance(told, OreHit)
    assert told.after.label == "Left arm"
    other = ORE.put(table, replace(ORE.of(table), places=read_places("1-10 shell")))
    with pytest.raises(NotAllowed, match=r"Rook has no boxes for height 3 \(shell\)"):
        damage.hit(other, GM, max(ORE.of(table).rolls), "0.2×3", "Rook")


def test_O8_a_hit_on_a_crowd_takes_as_many_as_the_set_is_wide() -> None:
    table = rolled(fight(), 2, 2, 2)
    (told,) = (step := damage.hit(table, ALICE, max(ORE.of(table).rolls), "0.3×2", "guards")).facts
    assert isinstance(told, OreThinned)
    assert (told.before, told.after) == (9, 6)
    thrown: list[int] = []

    def throw(sizes: list[int]) -> list[int]:
        thrown.append(len(sizes))
        return [1] * len(sizes)

    gmc.roll_gmc(step.table, GM, throw, "Guards")  # type: ignore[arg-type]
    assert thrown == [6]


def test_O8_a_crowds_set_is_no_wider_than_the_table_wants() -> None:
    table = fight(width=3)
    table = gmc.roll_gmc(table, GM, lambda sizes: (7, 7, 7, 7, 2, 2, 2, 2, 2), "Guards").table
    (made,) = ORE.of(table).rolls.values()
    assert [*map(str, sets(made.hands[0]))] == ["3×2", "2×7", "2×7", "2×2"]
    number = made.number
    after = damage.hit(table, GM, number, "0.2×7", "Rook").table
    assert [str(one) for _, one in damage.usable(ORE.of(after).rolls[number])] == ["3×2", "2×7", "2×2"]
    after = damage.hit(after, GM, number, "0.2×2", "Rook").table
    assert [str(one) for _, one in damage.usable(ORE.of(after).rolls[number])] == ["3×2", "2×7"]


@pytest.mark.parametrize("typed", ["1", "2", "99", "wide"])
def test_O8_a_crowds_sets_cannot_be_narrower_than_three_dice(typed: str) -> None:
    with pytest.raises(Unreadable):
        damage.read_crowd_width(typed)


def test_O7_whoever_is_no_longer_there_cannot_be_hit() -> None:
    table = rolled(fight(), 8, 8, 8)
    ogre = replace(table.characters["ogre"], away=True)
    with pytest.raises(TooLate, match="Ogre can't be hit any more"):
        damage.hit(table.with_owner("ogre", ogre), ALICE, max(ORE.of(table).rolls), "0.3×8", "Ogre")


def test_O7_a_set_hits_or_gobbles_but_not_both() -> None:
    table = rolled(rolled(fight(), 3, 3, actor=GM), 8, 8, 8)
    number = max(ORE.of(table).rolls)
    hit = damage.hit(table, ALICE, number, "0.3×8", "Ogre").table
    assert not gobble.can_gobble(ORE.of(hit).rolls[number])
    assert not gobble.preys(hit, ORE.of(hit).rolls[number])
    (prey,) = gobble.preys(table, ORE.of(table).rolls[number])
    gobbled = gobble.gobble(table, ALICE, number, prey.sign).table
    assert not [*damage.usable(ORE.of(gobbled).rolls[number])]


def test_O7_a_set_that_has_hit_cannot_be_gobbled() -> None:
    table = rolled(rolled(fight(), 3, 3, actor=GM), 8, 8, 8)
    first, second = sorted(ORE.of(table).rolls)
    hit = damage.hit(table, GM, first, "0.2×3", "Rook").table
    assert not gobble.preys(hit, ORE.of(hit).rolls[second])


def test_O6_a_set_that_does_not_count_neither_gobbles_nor_is_gobbled() -> None:
    table = rolled(rolled(fight(), 3, 3, actor=GM), 8, 8, 8)
    first, second = sorted(ORE.of(table).rolls)
    for number, height in ((first, 4), (second, 9)):
        least = replace(ORE.of(table).rolls[number], least_height=height)
        other = roll.with_roll(table, least)
        assert not gobble.preys(other, ORE.of(other).rolls[second])


def test_O8_a_crowd_has_left_what_others_gobbled() -> None:
    table = gmc.roll_gmc(fight(width=3), GM, lambda sizes: (6, 6, 6, 6, 6, 1, 2, 3, 4), "Guards").table
    table = rolled(replace(table, number=table.number + 1), 9, 9, 9)
    first, second = sorted(ORE.of(table).rolls)
    found = {str(prey.target): prey for prey in gobble.preys(table, ORE.of(table).rolls[second])}
    assert [*found] == ["3×6", "2×6"]
    (told,) = (step := gobble.gobble(table, ALICE, second, found["2×6"].sign, 2)).facts
    assert isinstance(told, OreGobbled)
    assert [str(one) for one in sets(ORE.of(step.table).rolls[first].hands[0])] == ["3×6"]


def test_only_the_gm_undoes_one_rolls_settings_and_companies() -> None:
    table = fight()
    changed = company.change(table, GM, "Empire", "might 3").table
    assert GAME.ruled(table) != GAME.ruled(changed)
    used = company.act(changed, ALICE, lambda sizes: [1] * len(sizes), "Empire", "might", "treasure").table
    assert GAME.ruled(used) == GAME.ruled(changed)
    assert GAME.ruled(table) != GAME.ruled(ORE.put(table, replace(ORE.of(table), crowd_width=4)))


@pytest.mark.parametrize("count", range(1, 16))
@pytest.mark.parametrize("widest", range(2, 6))
def test_O8_parts_of_a_wide_set_use_every_die_and_stay_narrow(count: int, widest: int) -> None:
    found = parts(count, widest)
    assert sum(found) == count
    assert max(found) <= max(widest, 1)
    assert len(found) == -(-count // widest)


@pytest.mark.parametrize(
    "typed",
    [
        "Head 4",
        "1/3-4/10 Coils 9, 2 Tail 3",
        "Head 4, 1-3 Tail 6, 10 Crown 2 armour 3",
        "Left arm 5, Right arm 5 armour 1",
    ],
)
def test_O7_boxes_are_read_as_they_are_written(typed: str) -> None:
    assert write_boxes(read_boxes(typed).values()) == typed


def test_O7_places_are_read_as_they_are_written() -> None:
    assert read_places(write_places(PLACES)) == PLACES
    assert write_places(read_places("1-9 body,10 head")) == "1-9 body, 10 head"
    assert write_places(read_places("1/10 tail, 2-9 body")) == "1/10 tail, 2-9 body"


@pytest.mark.parametrize(
    ("read", "typed", "why"),
    [
        (read_boxes, "Head", "isn't a place with its boxes"),
        (read_boxes, "Head 0", "1 to 30 boxes"),
        (read_boxes, "Head 4, head 5", "twice"),
        (read_boxes, "8-11 Head 4", "from 1 to 10"),
        (read_boxes, ", ".join(f"{name} 3" for name in "ABCDEFGHIJKLM"), "at most 12 places"),
        (read_places, "1-9 body", "Height 10 has no place"),
        (read_places, "1-10 body, 3 arm", "Height 3 has two places"),
        (read_places, "body", "isn't a place with its heights"),
    ],
)
def test_O7_what_is_no_list_of_places_is_refused(read: object, typed: str, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        read(typed)  # type: ignore[operator]


def test_O7_healing_takes_shock_first_or_what_is_named() -> None:
    table = fight()
    hurt = partial(damage.hurt, actor=ALICE, place="head", who=None)
    table = hurt(table, amount=1, kind=BOTH).table
    table = hurt(table, amount=1, kind=SHOCK).table
    (told,) = damage.heal(table, ALICE, "Head", 3).facts
    assert (told.after.shock, told.after.killing) == (0, 0)  # type: ignore[attr-defined]
    (told,) = damage.heal(table, ALICE, "Head", 1, KILLING).facts
    assert (told.after.shock, told.after.killing) == (2, 0)  # type: ignore[attr-defined]
    with pytest.raises(NotAllowed, match="Rook's Body stays as it is"):
        damage.heal(table, ALICE, "body", 1)
    with pytest.raises(NotAllowed, match="Choose 1 to 30"):
        damage.hurt(table, ALICE, "Head", 0)


def test_O7_a_sheet_that_is_edited_keeps_what_fills_its_boxes() -> None:
    table = damage.hurt(fight(), ALICE, "Body", 3, KILLING).table
    text = sheet.form_text(table, table.characters["rook"]).replace("Body 10", "Body 2")
    after = edited(table, ALICE, "Rook", text).table
    assert ORE.has(after.characters["rook"]).boxes["body"] == Boxes("Body", 2, killing=2)


@pytest.mark.parametrize(
    ("dice", "kind", "boxes", "why"),
    [
        ("1d", "crowd", None, "2 to 15 members"),
        ("16d", "crowd", None, "2 to 15 members"),
        ("5d 1w", "crowd", None, "2 to 15 members"),
        ("5d", "crowd", "Body 3", "no boxes"),
    ],
)
def test_O8_what_is_no_crowd_is_refused(dice: str, kind: str, boxes: str | None, why: str) -> None:
    with pytest.raises(NotAllowed, match=why):
        gmc.new(fight(), GM, "Mob", dice, kind=kind, boxes=boxes)


def test_a_line_of_boxes_that_cannot_be_read_is_told() -> None:
    with pytest.raises(Unreadable, match="Line 1"):
        sheet.read_sheet("Boxes: Head")


def test_O8_acts_of_companies_count_among_the_open_rolls_of_a_table() -> None:
    table = company.change(fight(), GM, "Empire", "might 3, treasure 3").table
    for _ in range(roll.OPEN_ROLLS):
        table = rolled(table, 7, 7)
    acted = company.act(table, GM, lambda sizes: [1] * len(sizes), "Empire", "might", "treasure").table
    open_now = ORE.of(acted).rolls
    assert len(open_now) == roll.OPEN_ROLLS
    assert open_now[max(open_now)].who == "Empire"


def test_O7_boxes_in_several_lines_are_one_list() -> None:
    typed = sheet.read_sheet("Stats: Body 3d\nBoxes:\nHead 4, Body 10\nBoxes: Tail 2\nPronouns: she\nLegs 5")
    assert list(typed.ratings) == ["body"]
    assert [(each.label, each.size) for each in typed.boxes.values()] == [
        ("Head", 4),
        ("Body", 10),
        ("Tail", 2),
        ("Legs", 5),
    ]


def test_O1_a_line_without_a_head_goes_on_with_the_ratings_above_it() -> None:
    typed = sheet.read_sheet("Skills: Run 1d\nPronouns: she\nFight 2d")
    assert [(each.label, each.set) for each in typed.ratings.values()] == [
        ("Run", "Skills"),
        ("Fight", "Skills"),
    ]


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("Boxes: Head 4\nBoxes: head 5", NotAllowed, "The sheet has head twice"),
        ("Boxes: 1-3 Leg 4, 3-5 Arm 5", Unreadable, "Height 3 has two places"),
        ("Boxes: 1-3 Leg 4\n3-5 Arm 5", Unreadable, "Line 2.*Height 3 has two places"),
        ("Boxes: Head 4\nFight 2d", Unreadable, "Line 2.*isn't a place with its boxes"),
    ],
)
def test_O7_no_box_is_dropped_or_read_as_a_rating(text: str, error: type[RuleError], why: str) -> None:
    with pytest.raises(error, match=why):
        sheet.read_sheet(text)


@pytest.mark.parametrize("group", ["Notes", "boxes", "Rank 2", "A/B", "Pronouns", "Ratings"])
def test_O1_a_group_that_a_sheet_cannot_say_is_refused(group: str) -> None:
    with pytest.raises(NotAllowed, match="can't be the name of a group"):
        sheet.put_rating(fight(), ALICE, "Luck", "2d", group)


def test_O7_armour_beyond_what_a_file_takes_is_refused() -> None:
    with pytest.raises(NotAllowed, match="at most 30 armour, not 99"):
        read_boxes("Head 4 armour 99")


def test_O4_nobody_opposes_their_own_roll() -> None:
    table = rolled(fight(), 8, 8, 8)
    throw = lambda sizes: [1] * len(sizes)  # noqa: E731
    with pytest.raises(NotAllowed, match="Rook's own roll"):
        roll.typed(table, ALICE, roll.full, throw, "3d", against=max(ORE.of(table).rolls))


def test_O8_a_crowd_opposes_a_roll() -> None:
    table = rolled(fight(), 8, 8, 8)
    number, crowd = max(ORE.of(table).rolls), table.characters["guards"]
    (told,) = gmc.roll_crowd(table, GM, lambda sizes: [1] * len(sizes), crowd, number).facts
    assert isinstance(told, OreRolled)
    assert told.roll.against == number


@pytest.mark.parametrize(
    "dice",
    ["0d", "Claw 3d, Tail 0d"],
)
def test_a_creature_has_dice_to_roll(dice: str) -> None:
    with pytest.raises(NotAllowed, match="at least 1 die"):
        gmc.new(fight(), GM, "Wolf", dice)


def test_O8_a_crowd_that_fell_rolls_nothing() -> None:
    table = rolled(fight(), *[2] * 10)
    fallen = damage.hit(table, ALICE, max(ORE.of(table).rolls), "0.10×2", "Guards").table
    with pytest.raises(NotAllowed, match="Guards isn't in the"):
        gmc.roll_gmc(fallen, GM, lambda sizes: [1] * len(sizes), "Guards")
