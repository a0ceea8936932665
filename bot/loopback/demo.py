"""A scene that plays itself at the local table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoScene:
    """The lines of a scene, as people would type them, and the results of its dice."""

    lines: Sequence[str]
    faces: Sequence[Sequence[int]]


_BEGIN = (
    "gm: /campaign new name:Skyfall ruleset:adept",
    "alice: press Join",
    "alice: send Name: Alice",
    "bob: press Join",
    "bob: send Name: Bob",
    "gm: /session start",
)
_FIRST = (
    "# A new campaign: the GM begins, the players take their characters.",
    *_BEGIN,
    "gm: /scene start name:The burning hangar distinctions:Thick smoke",
    "# Alice makes an asset, then tries the door. The doom pool opposes.",
    "alice: /asset add what:Crowbar",
    "alice: /roll dice:Body + Climb + Reckless + Crowbar vs:doom note:Force the door",
    "# Her 1 is a hitch: the GM makes it trouble, and Alice gets a PP.",
    "gm: press Hitches",
    "gm: send Name: Singed hands",
    "# The GM spends a doom die on the scene.",
    "gm: /doom spend for:complication name:Falling beams",
    "bob: /roll dice:Body + Sneak + Far From Home vs:challenging + Falling beams",
    "bob: /table show",
    "gm: /scene end",
    "gm: /session end",
)
_CRISIS = (
    *_BEGIN,
    "gm: /scene start name:The engine room",
    "gm: /doom add dice:2d10 d8",
    "# A crisis is made of doom dice, two of them combined.",
    "gm: /crisis new name:Fire from_doom:2d6 d10 into:d8 d10",
    "alice: press Roll against",
    "alice: send Dice: Clever d10, Engineer d8, d8",
    "alice: press Apply",
    "alice: send Dice: 2",
    "bob: /roll dice:Strong d12, d8, d6 vs:Fire",
    "bob: press Apply",
    "# A boss comes for a doom die as large as its highest trait.",
    "gm: /doom spend for:gmc name:Rex: Claws d8, 2d10",
    "bob: press Roll against",
    "bob: send Dice: last",
    "bob: press Apply",
    "alice: /roll dice:last vs:Rex",
    "alice: press Apply",
    "bob: /roll dice:Strong d12, d8, d6 vs:Rex",
    "bob: press Apply",
    "alice: /table show",
)
_CHARACTER = (
    "gm: /campaign new name:Skyfall ruleset:prime",
    "alice: press Join",
    "alice: send Name: Alice",
    "gm: /session start",
    "# The sheet is text: a line for each trait set.",
    "alice: /character edit",
    "alice: send Sheet: Pronouns: she/her\\nDistinctions: Old Sailor d8, Reckless d8\\n"
    "Attributes: Mind d10 (quick), Body d8\\nSkills: Climb d8, Shar",
    "alice: press Try again",
    "alice: send Sheet: Pronouns: she/her\\nDistinctions: Old Sailor d8, Reckless d8\\n"
    "Attributes: Mind d10 (quick), Body d8\\nSkills: Climb d8, Sharp d6\\nSignature assets: Spyglass d6",
    "alice: /character show",
    "# Names stand for dice, as little of them as it takes; a distinction may hinder for a PP.",
    "alice: /roll dice:mi + sh + old vs:challenging note:Find the way",
    "alice: /roll dice:Body + Climb hinder:Reckless vs:easy",
    "# An SFX does by its name what it costs and gives.",
    "alice: /sfx add name:Eagle Eye benefit:double Sharp cost:1 PP when:up high",
    "alice: /roll dice:mi + sh + eagle vs:hard",
    "# The builder has the odds, and all traits in one menu.",
    "alice: /pool build",
    "alice: choose 2 Mind d10, Climb d8",
    "alice: press Change a die",
    "alice: press Step up",
)
_ORE = (
    "gm: /campaign new name:The Long Wall",
    "# Nine guards in one reply, by two dice each, and heights only for those with a set.",
    "gm: /ore crowd dice:4d count:9 note:Guards",
    "# Alice has a wiggle die, which she places after the roll.",
    "alice: /ore roll dice:6d wiggle:1 note:Leap the wall",
    "alice: press Place",
    "alice: send What: 2",
    "# A quick roll with an expert die: a set of tens may count as its value.",
    "bob: /ore quick dice:7d expert:8 note:Parry",
    "bob: press Height",
    "# Two actions at once, by the smaller pool less a die.",
    "alice: /ore actions dice:8d second:6d",
    "# Who acts before whom, and what to expect.",
    "bob: /ore order",
    "bob: /ore odds dice:7d",
)
_STORY = (
    "# A story that is ready: its rules, its words, and people to take.",
    "gm: /campaign new story:Monster hunt",
    "alice: press Join",
    "alice: choose 2 Wren of the Reeds",
    "bob: press Join",
    "bob: choose 2 Garrick Thorn",
    "gm: /session start",
    "gm: /scene start name:The mill at dusk distinctions:Water is rising",
    "# Names of the sheet are dice. Wren's SFX adds a die, and costs a complication.",
    "alice: /character show",
    "alice: /roll dice:Agility + Hunt + Bitten + Old bite vs:doom note:Find the trail",
    "alice: press Apply",
    "alice: send Name: Fresh trail",
    "bob: /roll dice:Might + Fight + Keeps + Fresh trail vs:doom note:Hold the bridge",
    "# His 1 is a hitch: the GM lets the dread grow by it, and makes a peril of dread dice.",
    "gm: press Hitches",
    "gm: send What: 2",
    "gm: /crisis new name:The flood from_doom:2d6",
    "alice: /table show",
)
_FIRST_FACES = ((8, 4, 5, 1), (4, 6), (5, 7, 2), (6, 3, 2))
_CRISIS_FACES = (
    *((3, 7, 5), (6, 3)),
    *((4, 7, 5), (8,)),
    *((3, 6, 8), (4, 1, 6)),
    *((10, 7, 4), (5, 6)),
    *((9, 2, 4), (3, 7)),
)
_CHARACTER_FACES = ((7, 5, 3), (6, 2), (6, 5, 2), (4, 3), (8, 6, 4), (9, 2))
_ORE_FACES = (
    *((3, 6, 8, 1, 10, 5, 2, 9, 4), (7,), (7, 4, 5, 9)),
    (3, 5, 5, 7, 10, 2),
    (8, 10),
    *((6, 3), (4, 8)),
)
_STORY_FACES = ((8, 5, 3, 7), (6, 5), (7, 1, 6, 4), (5, 4))
LIVE = (
    "gale: /campaign new name:The Burning Hangar ruleset:adept",
    "mira: press Join",
    "mira: send Name: Mira",
    "tom: press Join",
    "tom: send Name: Tom",
    "gale: /session start",
    "gale: /scene start name:The hangar distinctions:Thick smoke",
    "mira: /roll dice:Mind + Talk + Reckless Pilot vs:doom note:Calm the crowd",
    "gale: press Hitches",
    "gale: send Name: Angry guard",
    "mira: press Apply",
    "mira: send Name: A way through",
    "gale: /doom spend for:complication name:Falling beams",
    "tom: /asset add what:Rope",
    "tom: /roll dice:Body + Climb + Rope vs:challenging + Falling beams note:Reach the pilot",
    "gale: press Hitches",
    "gale: send Name: Burned hands",
    "mira: /roll dice:Body + Never Gives Up + Lucky Scarf vs:doom note:Hold the door",
    "gale: /scene end",
    "gale: /session end",
)
"""A scene for dice that fall as they like: presses whose button isn't there are left out."""
FIRST = "first"
SCENES: Mapping[str, DemoScene] = {
    FIRST: DemoScene(_FIRST, _FIRST_FACES),
    "crisis": DemoScene(_CRISIS, _CRISIS_FACES),
    "character": DemoScene(_CHARACTER, _CHARACTER_FACES),
    "ore": DemoScene(_ORE, _ORE_FACES),
    "story": DemoScene(_STORY, _STORY_FACES),
}
"""Each scene by its name; its dice always fall the same."""
