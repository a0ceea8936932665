"""Things to do by a button: the lines that lead to it, who may press it, and what follows."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deed:
    """Something to do: the lines that lead to its button, who may press it, and what follows.

    `fields` are filled in where a form opens; a button without any acts at once. What `outlives` its scene
    works after its end too. So many of the `faces` are `rolled` before the button is there.
    """

    label: str
    says: tuple[str, ...]
    by: str
    hears: str
    others: tuple[str, ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    is_form: bool = True
    outlives: bool = False
    rolled: int = 1


PLAYERS = ("alice", "bob", "carol")
STRANGERS = ("bob", "carol")
FIRE = "gm: /crisis new name:Fire dice:2d6"
STORM = ("gm: /challenge new name:Storm", "gm: /challenge first who:Alice")
ACTING = (STORM[0], "gm: /challenge skip who:Alice", "gm: /challenge skip who:Bob")
AGAINST_ALICE = (*ACTING, "gm: /challenge act what:target who:Alice")
HERO = (
    "gm: /campaign set setting:heroic success value:hero dice and effect",
    "gm: /hero give who:Alice die:d8",
)
CONTEST = ("bob: /contest start dice:d8 d6 against:Alice note:the map",)

FOE_DEEDS = {
    "hit a crisis": Deed(
        "Apply d10",
        (FIRE, "alice: /roll dice:2d6 d10 vs:Fire"),
        "alice",
        "Crisis Fire: d6 (d6 removed)",
        STRANGERS,
        ((4, 3, 5), (2, 3)),
        is_form=False,
    ),
    "hit one of a crisis's dice": Deed(
        "Apply d8",
        ("gm: /crisis new name:Fire dice:d6 d8", "alice: /roll dice:2d6 d8 vs:Fire"),
        "alice",
        "Crisis Fire: 2d6 (d8 stepped down)",
        STRANGERS,
        ((4, 3, 2), (2, 3)),
        {"Dice": "d8: steps down to d6"},
    ),
    "hit a challenge": Deed(
        "Apply d10",
        (*STORM, "alice: /roll dice:2d6 d10 vs:Storm"),
        "alice",
        "Challenge Storm: d8, round 1 (d8 removed)",
        STRANGERS,
        ((4, 3, 5), (2, 3)),
        is_form=False,
    ),
    "hit a mob": Deed(
        "Apply d6",
        ("gm: /gmc new name:Rats dice:4d6 kind:mob", "alice: /roll dice:3d6 vs:Rats"),
        "alice",
        "Rats: d4 3d6 (d6 stepped down)",
        STRANGERS,
        ((4, 3, 2), (2, 3, 2, 2)),
        is_form=False,
    ),
    "hit a boss": Deed(
        "Apply: remove a boss die",
        ("gm: /gmc new name:Rex dice:3d8 kind:boss", "alice: /roll dice:2d6 d12 vs:Rex"),
        "alice",
        "Rex: 2d8 (d8 knocked off)",
        STRANGERS,
        ((6, 5, 2), (2, 3, 2)),
        is_form=False,
    ),
    "apply as something else than a hit": Deed(
        "Use effect for…",
        ("gm: /gmc new name:Rex dice:3d8 kind:boss", "alice: /roll dice:2d6 d12 vs:Rex"),
        "alice",
        "Alice · Rope d12 (asset)",
        STRANGERS,
        ((6, 5, 2), (2, 3, 2)),
        {"What": "Asset d12", "Name": "Rope", "On": "Alice"},
    ),
    "keep an effect die for a step": Deed(
        "Total 12, effect d8 and d6",
        (*STORM, "alice: /roll dice:2d6 d8 d6 vs:Storm"),
        "alice",
        "effect d8 and d6",
        STRANGERS,
        ((6, 6, 2, 3), (2, 3)),
        is_form=False,
    ),
    "put the number right": Deed(
        "Oppose",
        ("alice: /roll dice:2d6 d8 vs:9",),
        "gm",
        "vs 13: failure",
        PLAYERS,
        ((6, 5, 2),),
        {"Number": "13"},
    ),
    "roll a hero die": Deed(
        "Spend",
        (*HERO, "alice: /roll dice:2d6 vs:10"),
        "alice",
        "Alice, vs 10: success by 2\nTotal 12, effect d4",
        STRANGERS,
        ((3, 4), (5,)),
        {"What": "Hero d8: roll it and add it to the total"},
    ),
    "use an SFX on a die of a roll": Deed(
        "Spend",
        (
            "alice: /sfx add name:Grit benefit:reroll cost:complication d6 Tired",
            "alice: /roll dice:2d6 vs:10",
        ),
        "alice",
        "Alice uses Grit: reroll, for complication d6 Tired; Alice · Tired d6 (complication)",
        STRANGERS,
        ((3, 1), (5,)),
        {"What": "Grit on d6: 1 (hitch)"},
    ),
    "take a hero die as the effect": Deed(
        "Spend",
        (*HERO, "alice: /roll dice:2d6 vs:5"),
        "alice",
        "\nTotal 7, effect d8",
        STRANGERS,
        ((3, 4),),
        {"What": "Hero d8: use it as the effect die"},
    ),
    "spend a crisis die": Deed(
        "Spend",
        (FIRE, "gm: /crisis roll with:Smoke d8"),
        "gm",
        "Crisis Fire: d6 (d6 spent)",
        PLAYERS,
        ((2, 3, 5),),
        {"What": "Another die in the total", "Dice": "d6 from Crisis Fire"},
    ),
    "roll against a challenge": Deed(
        "Roll against",
        STORM,
        "alice",
        "Alice, vs 5: heroic success by 6\nTotal 11, effect d8",
        STRANGERS,
        ((6, 5, 4), (2, 3)),
        {"Dice": "3d6"},
        rolled=0,
    ),
    "roll against a challenge's roll": Deed(
        "Roll against",
        (*STORM, "gm: /challenge roll"),
        "alice",
        "Alice, vs 5: heroic success by 6\nTotal 11, effect d8",
        STRANGERS,
        ((2, 3), (6, 5, 4)),
        {"Dice": "3d6"},
    ),
    "hand a challenge's turn on": Deed(
        "Next: Bob",
        STORM,
        "alice",
        "It's Bob's turn (Challenge Storm, round 1)",
        STRANGERS,
        is_form=False,
    ),
    "hand the turn on": Deed(
        "Next: Bob",
        ("gm: /turn start who:Alice",),
        "alice",
        "It's Bob's turn (round 1)",
        STRANGERS,
        is_form=False,
    ),
    "act for a challenge": Deed(
        "Act", ACTING, "gm", "Challenge Storm: d6 2d8, round 1 (d6 added)", PLAYERS, (), {"What": "Add a d6"}
    ),
    "act for a challenge against somebody": Deed(
        "Act", ACTING, "gm", "Challenge Storm acts against Alice", PLAYERS, (), {"What": "Against Alice"}
    ),
    "react to a challenge": Deed(
        "Roll against",
        AGAINST_ALICE,
        "alice",
        "Alice, vs 5: success by 6\nTotal 11",
        STRANGERS,
        ((6, 5, 4), (2, 3)),
        {"Dice": "3d6"},
        rolled=0,
    ),
    "answer in a contest": Deed(
        "Roll against",
        CONTEST,
        "alice",
        "Bob: beat 11 or give in.",
        STRANGERS,
        ((2, 3), (6, 5, 4)),
        {"Dice": "3d6"},
        outlives=True,
    ),
    "give in in a contest": Deed(
        "Give in",
        CONTEST,
        "alice",
        "Bob: Total 5, effect d4",
        STRANGERS,
        ((2, 3),),
        is_form=False,
        outlives=True,
    ),
}
"""What can be done once with what the GM brings, each by its button."""
FOE_AGAIN = {
    "roll against a crisis": Deed(
        "Roll against",
        (FIRE,),
        "alice",
        "\nTotal 11",
        (),
        ((6, 5, 4), (2, 3)),
        {"Dice": "3d6"},
        rolled=0,
    ),
    "roll against a GMC": Deed(
        "Roll against",
        ("gm: /gmc new name:Rex dice:Fangs d8, Swift d6",),
        "alice",
        "\nTotal 11",
        (),
        ((6, 5, 4), (2, 3)),
        {"Dice": "3d6"},
        rolled=0,
    ),
    "roll against a crisis's roll": Deed(
        "Roll against",
        (FIRE, "gm: /crisis roll on:Alice"),
        "alice",
        "\nTotal 11",
        STRANGERS,
        ((2, 3), (6, 5, 4)),
        {"Dice": "3d6"},
    ),
}
"""What can be done with it any number of times."""

WIGGLE = ("alice: /ore roll dice:3d 1w",)
ORE_DEEDS = {
    "place wiggle dice where they are widest": Deed(
        "Place",
        WIGGLE,
        "alice",
        "Alice: 3×6",
        STRANGERS,
        ((6, 3, 6),),
        {"What": "On 6"},
    ),
    "place wiggle dice as typed": Deed(
        "Place",
        WIGGLE,
        "alice",
        "Alice: 2×6 (widest and highest), 2×3",
        STRANGERS,
        ((6, 3, 6),),
        {"Dice": "3"},
    ),
    "place wiggle dice of a quick roll": Deed(
        "Place",
        ("alice: /ore quick dice:5d 2m",),
        "alice",
        "Alice: 2×9 (widest and highest), 2×6",
        STRANGERS,
        ((5, 6, 3, 2),),
        {"Dice": "9 9"},
    ),
    "change a set of tens": Deed(
        "Height 10 to 7",
        ("alice: /ore quick dice:5d e7",),
        "alice",
        "Alice: 3×7",
        STRANGERS,
        ((4, 10),),
        is_form=False,
    ),
    "gobble": Deed(
        "Gobble",
        ("bob: /ore roll dice:3d", "alice: /ore roll dice:3d note:Dodge"),
        "alice",
        "gobbling 8 8",
        STRANGERS,
        ((6, 6, 6), (8, 8, 8)),
        rolled=2,
    ),
}
"""What can be done once with a One-Roll roll, each by its button."""
