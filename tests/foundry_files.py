"""Made-up actors of Foundry, for laws: in the shapes that its system cortexprime has had, and odd ones."""

from typing import Any

from hypothesis import strategies as st

from tests.toolkit_files import NAME, SAID, SETS, optional

SIZES = st.sampled_from(("4", "6", "8", "10", "12", "d20", 8, 7))
ODD = st.sampled_from((None, True, False, 3, "", "odd one", [], {}, ["one", {"two": "three"}], {"0": "four"}))


def numbered(each: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Any]:
    """Several, by numbers or as a list."""
    listed = st.lists(each, max_size=most)
    return st.one_of(listed.map(lambda some: {str(at): one for at, one in enumerate(some)}), listed)


DICE = st.fixed_dictionaries(
    {"value": numbered(SIZES, 3)}, optional={"id": st.just("_21"), "consumable": st.booleans()}
)
SFX = st.fixed_dictionaries(
    {"label": NAME, "description": st.one_of(SAID, st.none())}, optional={"unlocked": st.booleans()}
)
DESCRIPTOR = optional(label=NAME, value=SAID, id=st.just("_9"))
PART = optional(label=NAME, dice=DICE, hidden=st.booleans(), odd=ODD)
TRAIT = optional(
    id=st.just("_1"),
    label=NAME,
    name=st.one_of(NAME, st.just("Distinction 1")),
    dice=DICE,
    description=st.one_of(SAID, st.none(), ODD),
    sfx=numbered(SFX, 2),
    subTraits=numbered(PART, 2),
    descriptors=numbered(DESCRIPTOR, 2),
    shutdown=st.booleans(),
    hidden=st.booleans(),
    edit=st.booleans(),
    odd=ODD,
)
SETTINGS = optional(
    **{
        name: st.booleans()
        for name in (
            *("hasLabel", "hasDice", "hasDescription", "hasDescriptors", "hasSfx", "hasSubTraits"),
            "subTraitsHaveDice",
        )
    }
)
SET = optional(
    label=st.sampled_from(SETS),
    description=st.one_of(SAID, st.none()),
    settings=st.one_of(SETTINGS, ODD),
    traits=st.one_of(numbered(TRAIT, 3), numbered(ODD, 2)),
    customTraits=numbered(TRAIT, 2),
    hasDescription=st.booleans(),
    shutdown=st.booleans(),
    odd=ODD,
)
_SIMPLE = st.fixed_dictionaries(
    {},
    optional={
        "label": st.one_of(NAME, st.just("XP")),
        "dice": DICE,
        "number": optional(value=st.sampled_from((3, "12", None, "many")), max=st.sampled_from((10, None))),
        "text": optional(value=SAID, odd=ODD),
        "description": SAID,
        "settings": optional(valueType=st.sampled_from(("dice", "number", "text", "odd way"))),
    },
)
KIND = optional(
    id=st.just("_1"),
    name=st.sampled_from(("Character", "Scene", "Boss")),
    hasAssets=st.booleans(),
    hasPlotPoints=st.booleans(),
    traitSets=numbered(SET, 3),
    simpleTraits=numbered(_SIMPLE, 3),
    assets=numbered(PART, 2),
    complications=numbered(PART, 2),
    notes=numbered(optional(label=NAME, value=SAID, odd=ODD), 2),
    additionalTabs=numbered(
        optional(
            id=st.just("_7"),
            name=st.one_of(NAME, st.just("Notes")),
            description=SAID,
            notes=numbered(optional(label=NAME, value=SAID, odd=ODD), 2),
            odd=ODD,
        ),
        2,
    ),
    traitSetEdit=st.just("1"),
    odd=ODD,
)
IMAGES = st.sampled_from(
    (
        "icons/svg/mystery-man.svg",
        "worlds/ours/zoe.webp",
        "https://example.org/a b.png",
        "data:image/png,x",
        5,
    )
)
_SYSTEM = st.fixed_dictionaries(
    {"actorType": st.one_of(KIND, st.none())},
    optional={"pp": optional(value=st.sampled_from((3, "2", None, "odd")), most=st.just(9)), "odd": ODD},
)
_WRAPPED: dict[str, st.SearchStrategy[Any]] = {
    "img": IMAGES,
    "items": st.sampled_from(([], [{"name": "Rope", "type": "asset"}])),
    "prototypeToken": st.just({"name": "Token name", "texture": {"src": "a.webp", "scaleX": 0.5}}),
    "flags": st.just({"exportSource": {"world": "ours", "system": "cortexprime"}}),
}


@st.composite
def actors(draw: st.DrawFn) -> dict[str, Any]:
    """Actors as `system`, or as `data` of Foundry 9 and before."""
    wrapped = draw(st.fixed_dictionaries({"name": NAME, "type": st.just("character")}, optional=_WRAPPED))
    where = draw(st.sampled_from(("system", "data")))
    stats = {"_stats": {"systemId": "cortexprime", "systemVersion": "0.2.16"}}
    return {**wrapped, where: draw(_SYSTEM), **(stats if where == "system" else {"flags": {}})}
