"""Resources: one die each, used once a scene, then spent until the scene ends or the GM refreshes it (C2)."""

from collections.abc import Iterable

from rules.cortex.state.facts import ResourceUsed
from rules.cortex.state.kinds import Kind, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.traits.finding import find_trait, owners, worded
from rules.errors import NotAllowed, SettingOff
from rules.fact import Fact
from rules.kinds import key
from rules.result import Step
from rules.seats import Actor, require_character, require_gm, several
from rules.table import Table
from rules.values import replace
from rules.words import Words


def require_on(table: Table) -> None:
    """Refuse where the campaign plays without resources."""
    if not CORTEX.of(table).ruleset.has_resources:
        raise SettingOff("Resources are off in this campaign.", setting="resources")


def use(table: Table, actor: Actor, what: str, who: str | None = None) -> Step:
    """Use a resource outside a roll; it is spent until the scene ends (C2)."""
    require_on(table)
    owner, label, _ = find_trait(table, actor, (Kind.RESOURCE,), what, who)
    require_character(table, actor, table.characters[owner], Words("use a resource"))
    return spent(table, owner, (label,))


def spent(table: Table, who: str, labels: Iterable[str]) -> Step:
    """Resources of somebody that are used now. Raises NotAllowed for one that is spent already (C2)."""
    character = table.characters[who]
    own = CORTEX.has(character)
    held, facts = dict(own.resources), list[Fact]()
    for label in labels:
        resource = held[key(label)]
        if resource.spent:
            said = worded(character.name, Kind.RESOURCE, resource)
            raise NotAllowed(
                "{said} is spent until the {scene.one} ends. The {gm.one} can refresh it: /resource refresh",
                said=said,
            )
        held[key(label)] = replace(resource, spent=True)
        facts.append(ResourceUsed(character.name, resource.label, resource.die, True, resource.more))
    return Step(table.with_owner(who, CORTEX.give(character, replace(own, resources=held))), tuple(facts))


def refresh(table: Table, actor: Actor, who: str | None = None) -> Step:
    """The GM gives spent resources back, of one character, several or all (C2)."""
    require_gm(table, actor, Words("refresh resources"))
    require_on(table)
    table, keys = several(table, actor, who or "all")
    step = refreshed(table, keys)
    if not step.facts:
        raise NotAllowed("None of those resources is spent.")
    return step


def refreshed(table: Table, keys: Iterable[str] | None = None) -> Step:
    """Spent resources are there again, of these characters or of all."""
    facts: list[Fact] = []
    wanted = None if keys is None else set(keys)
    for who, owner in list(owners(table)):
        own = CORTEX.has(owner)
        again = [one for one in own.resources.values() if one.spent]
        if not again or (wanted is not None and who not in wanted):
            continue
        held: dict[str, Trait] = {k: replace(one, spent=False) for k, one in own.resources.items()}
        table = table.with_owner(who, CORTEX.give(owner, replace(own, resources=held)))
        facts += [ResourceUsed(owner.name, one.label, one.die, False, one.more) for one in again]
    return Step(table, tuple(facts))
