"""A scene that plays itself: what `python -m bot play --demo` shows."""

from collections.abc import Sequence

LINES: Sequence[str] = (
    "# A new campaign: the GM begins, the players take their characters.",
    "gm: /campaign new name:Skyfall ruleset:adept",
    "alice: press Join",
    "alice: send Name: Alice",
    "bob: press Join",
    "bob: send Name: Bob",
    "gm: /session start",
    "gm: /scene start name:The burning hangar distinctions:Thick smoke",
    "# Alice makes an asset, then tries the door. The doom pool opposes.",
    "alice: /asset add what:Crowbar",
    "alice: /roll dice:Strong d10, Crowbar, d6, d4 vs:doom note:Force the door",
    "# Her 1 is a hitch: the GM makes it trouble, and Alice gets a PP.",
    "gm: press Hitches",
    "gm: send Name: Singed hands",
    "# The GM spends a doom die on the scene.",
    "gm: /doom spend for:complication name:Falling beams",
    "bob: /roll dice:Quick d8, d8, d6 vs:challenging + Falling beams",
    "bob: /table show",
    "gm: /scene end",
    "gm: /session end",
)
"""The lines, as people would type them."""
FACES = ((10, 1, 4, 3), (4, 6), (5, 7, 2), (6, 3, 2))
"""The faces of the rolls, so that the demo always shows a hitch."""
