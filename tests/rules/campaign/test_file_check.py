"""What comes from outside is sound, or its first fault is told with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.dates import LAST
from rules.campaign.files import check
from rules.cortex.kinds import KeptPool, Rank, Sfx, Trait, TraitKind
from rules.cortex.model import (
    CORTEX,
    Against,
    Challenge,
    Closes,
    Closing,
    Contest,
    CortexCharacter,
    CortexTable,
    Crisis,
    Hand,
    Roll,
    RolledDie,
    TurnOrder,
)
from rules.cortex.pool import Die, NamedPool
from rules.cortex.ruleset import PRIME, Ruleset
from rules.dice import Throw
from rules.errors import Unreadable
from rules.names import Plan, Reply, Thread, key
from rules.ore import roll
from rules.ore.model import (
    ORE,
    Boxes,
    Company,
    OneRollRating,
    OreCharacter,
    OreHand,
    OreRoll,
    OreSet,
    OreTable,
)
from rules.ore.notation import read
from rules.ore.pool import OrePool, QuickDice
from rules.table import Character, Settings, Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, after


def alice(**more: object) -> Table:
    own = {name: more.pop(name) for name in [*more] if name in CortexCharacter.__struct_fields__}
    ratings = {name: more.pop(name) for name in [*more] if name in OreCharacter.__struct_fields__}
    plain = replace(Character("Alice"), **more)  # type: ignore[arg-type]
    made = CORTEX.give(plain, replace(CortexCharacter(), **own))  # type: ignore[arg-type]
    return Table(characters={"alice": ORE.give(made, replace(OreCharacter(), **ratings))})  # type: ignore[arg-type]


def owing(*closing: Closing) -> Table:
    made = Roll(3, 2, "Alice", Hand((RolledDie(6, 3),), total=(0,)), closing=closing)
    return CORTEX.put(Table(number=3), CortexTable(rolls={3: made}))


def ore(**more: object) -> Table:
    hand = replace(OreHand(OrePool(5)), **more)  # type: ignore[arg-type]
    return ORE.put(Table(), OreTable(rolls={3: OreRoll(3, 2, "Alice", (hand,))}))


def boxed(boxes: Boxes) -> Table:
    """A table with a character who has these boxes."""
    return Table(characters={"alice": ORE.give(Character("Alice"), OreCharacter(boxes={"head": boxes}))})


def company(ratings: tuple[int, ...], used: tuple[int, ...]) -> Table:
    """A table with a company."""
    return ORE.put(Table(), OreTable(companies={"ford": Company("Ford", ratings, used)}))


def rolled(**more: object) -> Table:
    return CORTEX.put(Table(), CortexTable(rolls={3: replace(Roll(3, 2, "Alice", Hand(())), **more)}))  # type: ignore[arg-type]


def contested(at: Table, who: str) -> Table:
    """A table with a contest whose last roll is the one that lies there."""
    contests = {1: Contest((who, "Rex"), 0, 3, Hand(()))}
    return CORTEX.put(at, replace(CORTEX.of(at), contests=contests))


def hand(**more: object) -> Table:
    return rolled(hand=replace(Hand((RolledDie(6, 3),)), **more))  # type: ignore[arg-type]


ROPE = Trait("Rope", 8)


def _held(*traits: Trait) -> Table:
    """Alice with these traits on her sheet."""
    sheet = {key(one.label): one for one in traits}
    return Table(characters={"alice": CORTEX.give(Character("Alice"), CortexCharacter(sheet=sheet))})


FAULTY = [
    (
        alice(assets={"rope": replace(ROPE, die=7)}),
        "characters.alice.games.cortex.assets.rope.die: 7 isn't a die",
    ),
    (
        alice(assets={"rope": replace(ROPE, signature=5)}),
        "characters.alice.games.cortex.assets.rope.signature: 5 isn't a",
    ),
    (alice(assets={"lamp": ROPE}), 'characters.alice.games.cortex.assets.lamp: the key is "lamp'),
    (alice(assets={" rope": replace(ROPE, label=" Rope")}), "label"),
    (alice(assets={"": Trait("", 8)}), "label"),
    (alice(assets={"x" * 101: Trait("x" * 101, 8)}), "1 to 100 characters"),
    (
        alice(complications={f"a{n}": Trait(f"a{n}", 6) for n in range(81)}),
        "that's 81 entries; the limit is 80",
    ),
    (alice(sfx={"burn": Sfx("Blaze", ())}), "characters.alice.games.cortex.sfx.burn: the key is"),
    (alice(kept={"swim": KeptPool("Swim", "d6", ":")}), "characters.alice.games.cortex.kept.swim.dice"),
    (alice(kept={f"a{n}": KeptPool(f"a{n}", "d6") for n in range(21)}), "that's 21 entries; the limit is 20"),
    (
        alice(ratings={"body": OneRollRating("Body", "99999d")}),
        "characters.alice.games.ore.ratings.body.dice",
    ),
    (alice(ratings={"a 2d": OneRollRating("A 2d", "3d")}), "isn't a valid line of a sheet"),
    (CORTEX.put(Table(), CortexTable(gm_pp=1000)), "gm_pp: 1000 is too many; the limit is 999"),
    (alice(pp=-1), "characters.alice.games.cortex.pp: -1 isn't a number"),
    (alice(pp=1000), "characters.alice.games.cortex.pp: 1000 is too many; the limit is 999"),
    (alice(xp=10000), "characters.alice.xp: 10000 is too many"),
    (alice(player=2**63), "characters.alice.player: 9223372036854775808 isn't a number"),
    (alice(pool={7: 1}), "characters.alice.games.cortex.pool.7: 7 isn't a die"),
    (alice(hero={8: 31}), "characters.alice.games.cortex.hero: that's 31 dice; the limit"),
    (alice(hero={8: 0}), "characters.alice.games.cortex.hero.8: leave out sizes with 0 dice"),
    (alice(notes="x" * 2001), "characters.alice.notes: that's 2001 characters"),
    (alice(notes="a\x00b"), "U+0000"),
    (
        alice(pronouns="she\nher"),
        ("characters.alice.pronouns: the text contains the invisible character U+000A"),
    ),
    (alice(player_name="\u202eeve"), "U+202E"),
    (alice(player_name="\ue000"), "U+E000"),
    (alice(assets={"a": Trait("a\u202e", 8)}), 'the key is "a", but the name is "a\\u202e"'),
    (alice(portrait="javascript:x"), "characters.alice.portrait: "),
    (alice(picture="../zoe"), 'characters.alice.picture: "../zoe" isn\'t a digest'),
    (Table(characters={"Alice": Character("Alice")}), "characters.Alice: the key is"),
    (Table(characters={"scene": Character("Scene")}), 'characters.scene.name: "Scene" can\'t be'),
    (Table(characters={"a, b": Character("a, b")}), "can't be a character's name"),
    (
        Table(characters={f"a{n}": Character(f"a{n}") for n in range(61)}),
        "characters: that's 61 entries; the limit",
    ),
    (
        Table(characters={n.lower(): Character(n, player=5) for n in ("Alice", "Bob")}),
        "characters.bob.player: the same person also plays Alice",
    ),
    (CORTEX.put(Table(), CortexTable(doom={4: 1})), "doom.4: 4 isn't a die; use one of 6, 8, 10, 12"),
    (CORTEX.put(Table(), CortexTable(doom={6: 20, 8: 11})), "doom: that's 31 dice; the limit"),
    (
        CORTEX.put(Table(), CortexTable(crises={"fire": Crisis("Fire", {5: 1})})),
        "crises.fire.dice.5: 5 isn't a die",
    ),
    (
        CORTEX.put(Table(), CortexTable(crises={f"a{n}": Crisis(f"a{n}", {6: 1}) for n in range(21)})),
        "crises: that's 21 entries; the limit",
    ),
    (
        CORTEX.put(Table(), CortexTable(pools={"escape": NamedPool("Escape", (Die(9),))})),
        "pools.escape.dice.0.size: 9 isn't a die",
    ),
    (CORTEX.put(Table(), CortexTable(order=TurnOrder(turn="zed"))), 'order: there\'s no character "zed"'),
    (CORTEX.put(Table(), CortexTable(order=TurnOrder(round=0))), "order.round: rounds start at 1"),
    (
        CORTEX.put(Table(), CortexTable(challenges={"storm": Challenge("Storm", {8: 1}, against="zed")})),
        "challenges.storm.order: there",
    ),
    (
        CORTEX.put(Table(), CortexTable(ruleset=replace(PRIME, name="mine"))),
        "ruleset.name: there's no ruleset",
    ),
    (Table(settings=Settings(zone="europe/berlin")), "settings.zone: there's no time zone"),
    (Table(settings=Settings(deadline=721)), "settings.deadline: 721 isn't a number of hours"),
    (Table(plan=Plan(1, LAST + 1)), "plan.at: 4102444801 is after the year 2099"),
    (Table(plan=Plan(1, 0, times={LAST + 1: {}})), "plan.times.4102444801: 4102444801 isn't a time up to"),
    (Table(plan=Plan(1, 0, times={5: {7: " "}})), "plan.times.5"),
    (Table(plan=Plan(1, 0, times={n: {} for n in range(1, 7)})), "plan.times: that's 6 entries; the limit"),
    (Table(plan=Plan(1, 1, least=61)), "plan.least: 61 is too many"),
    (Table(plan=Plan(1, 1, weeks=3)), "plan.weeks: 3 isn't one of 0, 1, 2"),
    (Table(plan=Plan(1, 1, unread="{}")), "plan.unread: there's no such field"),
    (Table(plan=Plan(1, 1, minute=1440)), "plan.minute: 1440 is after the end of a day"),
    (Table(plan=Plan(1, 1, note="x" * 201)), ("plan.note: that's 201 characters; the limit is 200")),
    (Table(plan=Plan(1, 1, replies={7: Reply(" ")})), "plan.replies.7.name"),
    (
        Table(plan=Plan(1, 1, replies={n: Reply("a") for n in range(61)})),
        "plan.replies: that's 61 entries; the limit",
    ),
    (
        CORTEX.put(Table(), CortexTable(ruleset=replace(PRIME, doom_start=(4,)))),
        "ruleset.doom_start: 4 isn't a die",
    ),
    (
        CORTEX.put(Table(), CortexTable(ruleset=replace(PRIME, stress=("a",) * 11))),
        "ruleset.stress: that's 11 entries; the limit",
    ),
    (CORTEX.put(Table(), CortexTable(ruleset=replace(PRIME, starting_pp=1000))), "ruleset.starting_pp"),
    (CORTEX.put(Table(), CortexTable(ruleset=replace(PRIME, assets_in_pool=31))), "ruleset.assets_in_pool"),
    (rolled(number=4), "rolls.3.number: 4 should be 3"),
    (rolled(struck=(7,)), "rolls.3.struck: 7 isn't a die"),
    (hand(dice=(RolledDie(6, 7),)), "rolls.3.hand.dice.0.face: a d6 can't show 7"),
    (hand(dice=(RolledDie(5, 3),)), "rolls.3.hand.dice.0.size: 5 isn't a die"),
    (hand(total=(1,)), "rolls.3.hand.total: these dice don't include die number 1"),
    (hand(effects=(9,)), "rolls.3.hand.effects: these dice don't include die number 9"),
    (hand(hero=5), "rolls.3.hand.hero: 5 isn't a die"),
    *(
        (hand(**{place: 10_000}), f"rolls.3.hand.{place}: 10000 is too many")
        for place in ("keep", "effects_bought")
    ),
    *(
        (rolled(**{place: 2**62}), f"rolls.3.{place}: {2**62} is too many; the limit is 9999")
        for place in ("limits_paid", "rerolls", "outs")
    ),
    (rolled(against=Against("x", number=2**62)), f"rolls.3.against.number: {2**62} is too many"),
    (Table(scenes=2**62), "scenes: "),
    (rolled(on=("x" * 101,)), "rolls.3.on: "),
    (Table(name="x" * 101), "name: "),
    (Table(name="  Sky "), "can't be a name; use 1 to 100 characters, with no extra spaces"),
    (Table(scene="The\u00a0\u00a0docks"), "scene: "),
    (Table(gms={0: "Greta"}), "gms.0: 0 isn't anyone's id"),
    (Table(gms={1: "x" * 101}), "gms.1: "),
    (Table(gms={1: ""}), "gms.1: "),
    (alice(rank=Rank.MINOR), "characters.alice.games.cortex.rank: only a GMC can have this field"),
    (alice(pool={8: 1}), "characters.alice.games.cortex.pool: only a GMC can have this field"),
    *(
        (
            CORTEX.put(Table(), CortexTable(crises={name: Crisis(name, {6: 1})})),
            f"crises.{name}.name: \"{name}\" can't be a pool's name",
        )
        for name in ("doom", "all", "hard", "2d6", "crisis fire")
    ),
    (
        CORTEX.put(Table(), CortexTable(challenges={"gm": Challenge("GM", {8: 1})})),
        'challenges.gm.name: "GM" can\'t be',
    ),
    (
        CORTEX.put(Table(), CortexTable(pools={"a+b": NamedPool("a+b", (Die(8),))})),
        'pools.a+b.name: "a+b" can\'t be',
    ),
    (
        CORTEX.put(Table(), CortexTable(pools={"x" * 81: NamedPool("x" * 81, (Die(8),))})),
        "can't be a pool's name",
    ),
    (
        CORTEX.put(
            Table(),
            CortexTable(
                crises={"fire": Crisis("Fire", {6: 1})}, pools={"fire": NamedPool("Fire", (Die(8),))}
            ),
        ),
        "pools.fire.name: crises.fire already has that name",
    ),
    (
        CORTEX.put(Table(), CortexTable(pools={"escape": NamedPool("Escape", (Die(8),) * 31)})),
        "pools.escape.dice: that's 31 entries; the limit is 30",
    ),
    (
        CORTEX.put(Table(), CortexTable(contests={1: Contest(("Al", "AL"), 0, 0, Hand(()))})),
        "contests.1.sides: a contest needs two",
    ),
    (
        CORTEX.put(Table(), CortexTable(contests={1: Contest(("", "Al"), 0, 0, Hand(()))})),
        "contests.1.sides: ",
    ),
    (
        contested(rolled(), "Alice"),
        "contests.1.roll: roll 3 isn't part of that contest",
    ),
    (alice(player_name="x" * 101), "characters.alice.player_name: that's 101 characters"),
    (CORTEX.put(Table(), CortexTable(crises={"": Crisis("", {6: 1})})), 'crises."".name: '),
    (
        contested(rolled(contest=1), "Bob"),
        'rolls.3.who: "Alice" isn\'t in that contest',
    ),
    (
        CORTEX.put(Table(), CortexTable(crises={"fire": Crisis("Fire", {})})),
        "crises.fire.dice: a pool without dice is over, so add at least one die",
    ),
    (
        alice(gmc=True, rank=Rank.MOB),
        "characters.alice.games.cortex.pool: a mob without dice is defeated, so add at least one die",
    ),
    (ore(faces=(11,)), "games.ore.rolls.3.hands.0.faces: 11 isn't a height"),
    (ore(faces=(5,) * 47), "games.ore.rolls.3.hands.0.faces: that's 47 entries; the limit"),
    (ore(placed=(5,)), "games.ore.rolls.3.hands.0.placed: only 0 wiggle dice"),
    (ore(to=11), "games.ore.rolls.3.hands.0.to: 11 isn't a height"),
    (ore(quick=QuickDice(10)), "games.ore.rolls.3.hands.0.quick.heights: the set has no height"),
    (ore(quick=QuickDice(11, heights=(1,))), ("games.ore.rolls.3.hands.0.quick.width: a d10 can't show 11")),
    (ore(pool=OrePool(16)), "games.ore.rolls.3.hands.0.pool.dice: 16 is too many"),
    (ore(pool=OrePool(11), quick=QuickDice(5)), "games.ore.rolls.3.hands.0.pool.dice: 11 is too many"),
    (ore(pool=OrePool(10, over=201)), "games.ore.rolls.3.hands.0.pool.over: 201 is too many"),
    (ore(pool=OrePool(5, typed="5" * 401)), "games.ore.rolls.3.hands.0.pool.typed: that's 401 characters"),
    (ore(pool=OrePool(called=3)), "games.ore.rolls.3.hands.0.pool.called: a called die needs a normal"),
    (ore(pool=OrePool(5, wiggle_name="")), "games.ore.rolls.3.hands.0.pool.wiggle_name: a name"),
    (
        ORE.put(Table(), OreTable(rolls={3: OreRoll(3, 2, "Alice", ())})),
        "games.ore.rolls.3.hands: a roll needs at least one pool",
    ),
    (ore(struck=(OreSet(2, 11),)), "games.ore.rolls.3.hands.0.struck: 11 isn't a height"),
    (
        ORE.put(Table(), OreTable(places=("body",))),
        "games.ore.places: each height from 1 to 10 needs a place",
    ),
    (ORE.put(Table(), OreTable(crowd_width=2)), "games.ore.crowd_width: 2 isn't a width from 3 to 15"),
    (ORE.put(Table(), OreTable(company_ratings=("a",))), "games.ore.company_ratings: companies have 5"),
    (company((1,) * 4, (0,) * 4), "games.ore.companies.ford.ratings: companies have 5 ratings"),
    (company((7,) * 5, (0,) * 5), "games.ore.companies.ford.ratings: 7 is too many"),
    (company((1,) * 5, (2,) * 5), "games.ore.companies.ford.used: 2 of 1 can't be used"),
    (boxed(Boxes("Head", 0)), "games.ore.boxes.head.size: a place has 1 to 30 boxes"),
    (boxed(Boxes("Head", 4, shock=3, killing=2)), "games.ore.boxes.head.shock: 5 is too many"),
    (boxed(Boxes("Head", 4, (0,))), "games.ore.boxes.head.heights: 0 isn't a height"),
    (
        ORE.put(Table(), OreTable(rolls={3: OreRoll(4, 2, "Alice", (OreHand(OrePool(5)),))})),
        "games.ore.rolls.3.number: 4 should be 3",
    ),
    (hand(keep=0), "rolls.3.hand.keep"),
    (
        alice(sheet={"duty": Trait("Duty", 8, statement="I stand\nand fall")}),
        "sheet.duty.statement: ",
    ),
    (
        alice(sheet={"duty": Trait("Duty", 8, statement="x" * 201)}),
        ("that's 201 characters; the limit is 200"),
    ),
    (alice(sheet={"duty": Trait("Duty", 8, was=7)}), "sheet.duty.was: "),
    (
        alice(sheet={"duty": Trait("Duty", 8, statement="I  stand")}),
        'duty.statement: "I stand" has extra spaces or line breaks',
    ),
    (
        CORTEX.put(Table(), CortexTable(ruleset=Ruleset(sizes=(4, 8)))),
        "ruleset.sizes: ",
    ),
    (owing(Closing(Closes.GOES, "alice", TraitKind.STRESS, "")), "rolls.3.closing: "),
    (
        owing(*31 * [Closing(Closes.GOES, "alice", TraitKind.STRESS, "Cold")]),
        "rolls.3.closing: that's 31 entries; the limit is 30",
    ),
    (_held(Trait("Gang", 6, more=(6,) * 10)), "sheet.gang.more: that's 10 entries; the limit is 9"),
    (_held(Trait("Gang", 6, more=(7,))), "sheet.gang.more: "),
    (_held(Trait("Boys", 6, part_of=" Gang")), "sheet.boys.part_of: "),
    (_held(Trait("Gang", 6, usual=(5,))), "sheet.gang.usual: 5 isn't a die"),
    (
        Table(threads={"wolves": Thread("Who?")}),
        'threads.wolves: the key is "wolves", but the text is "Who?"',
    ),
    (Table(threads={"who?": Thread("Who?", about=" ")}), "threads.who?.about: "),
    (
        Table(threads={"a" * 201: Thread("a" * 201)}),
        ".text: that's 201 characters; the limit is 200",
    ),
    (
        Table(threads={str(n): Thread(str(n)) for n in range(51)}),
        "threads: that's 51 entries; the limit is 50",
    ),
    (Table(day=" frost"), "day: "),
    (
        CORTEX.put(Table(), CortexTable(contests={1: Contest(("A", "B"), 2, 0, Hand(()))})),
        "contests.1.leader: 2 must be",
    ),
]
"""Tables that no play leads to, and the fault that is told first."""


@pytest.mark.parametrize(("at", "fault"), FAULTY, ids=[fault for _, fault in FAULTY])
def test_the_first_fault_is_told_with_its_place(at: Table, fault: str) -> None:
    with pytest.raises(Unreadable) as told:
        check(at)
    assert fault in str(told.value)


def test_what_play_can_lead_to_is_sound() -> None:
    """A person called Fire sits down beside that crisis; a pool is shared; a scene ends under a contest."""
    check(
        CORTEX.put(
            Table(gms={1: "Greta"}, characters={"fire": Character("Fire", player=3)}),
            CortexTable(
                crises={"fire": Crisis("Fire", {6: 1})},
                pools={
                    "gm": NamedPool("GM", (Die(8),), who="gm"),
                    "fire": NamedPool("Fire", (Die(8),), who="fire"),
                },
                contests={4: Contest(("Fire", "Rex"), 0, 4, Hand(()))},
                rolls={5: Roll(5, 3, "Fire", Hand(()), contest=2, on=("Gone",))},
            ),
        )
    )


def test_a_character_alone_is_checked_too() -> None:
    with pytest.raises(Unreadable, match=r"character\.games\.cortex\.assets\.rope\.die: 7 isn't a die"):
        check(
            CORTEX.give(Character("Alice"), CortexCharacter(assets={"rope": Trait("Rope", 7)})), "character"
        )


@given(strategies.tables())
def test_made_up_tables_are_sound(at: Table) -> None:
    check(at)


@given(
    st.sampled_from(["2d", "10d", "5d 2w", "7d e8", "6d 1h c3", "1d 1w", "10d c10", "9d 1w"]),
    strategies.throws(),
)
def test_every_one_roll_roll_is_sound(dice: str, throw: Throw) -> None:
    pool, at = read(dice), Table()
    for step in (roll.full, roll.quick):
        at = after(step(at, ALICE, throw, pool))
    at = after(roll.actions(at, ALICE, throw, ["10d", "9d", "4d"]))
    check(after(roll.crowd(at, ALICE, throw, "2d, 4d, 10d", 3)))


@pytest.mark.parametrize("name", ["O'Neil", 'Rex "the Red"', "Zoë 👩‍🚀", "Дарья", "x" * 80, "شهرزاد"])
def test_names_of_every_script_are_sound(name: str) -> None:
    check(Table(characters={name.casefold(): Character(name)}))
