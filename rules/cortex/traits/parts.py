"""Parts of traits, on a sheet in brackets behind the trait that they are of (N23).

Skills: Fight d8 (> Knives d6, Swords d8), Sneak d6
"""

import re
from collections.abc import Iterable, Mapping

from rules.cortex.notation.sheet_lines import is_one_bracket
from rules.cortex.state.kinds import Trait
from rules.errors import NotAllowed
from rules.kinds import key
from rules.names import find
from rules.values import replace
from rules.words import Words

_SQUARE = str.maketrans("()", "[]")
_MARKED, _ESCAPED = re.compile(r"(^|\()(\\*>)"), re.compile(r"(^|\()\\(\\*>)")


def in_order(traits: Iterable[Trait]) -> tuple[Trait, ...]:
    """Traits with each part behind the trait that it is of, and in its set; others are of nothing (N23)."""
    held = tuple(traits)
    if not any(one.part_of for one in held):
        return held
    heads = {key(one.label): one for one in held if not one.part_of}
    found: list[Trait] = []
    for one in held:
        whole = heads.get(key(one.part_of)) if one.part_of else None
        if whole is None:
            alone = replace(one, part_of="")
            of_it = [each for each in held if each.part_of and key(each.part_of) == key(one.label)]
            own = of_it if not one.part_of else []
            found += [alone, *(replace(each, part_of=one.label, set=one.set) for each in own)]
    return tuple(found)


def grouped(traits: Iterable[Trait]) -> list[tuple[Trait, list[Trait]]]:
    """Each trait that is no part, with its parts."""
    found: list[tuple[Trait, list[Trait]]] = []
    for one in in_order(traits):
        if one.part_of:
            found[-1][1].append(one)
        else:
            found.append((one, []))
    return found


def noted(note: str) -> str:
    """A note as it is written, which nobody takes for parts, nor for the end of a note."""
    if not is_one_bracket(f"({note})"):
        note = note.translate(_SQUARE)
    return _MARKED.sub(r"\1\\\2", note) if ">" in note else note


def unnoted(note: str) -> str:
    """A note as it was before it was written."""
    return _ESCAPED.sub(r"\1\2", note) if ">" in note else note


def whole_of(traits: Mapping[str, Trait], label: str, typed: str) -> Trait:
    """The trait that something becomes a part of (N23). Raises Unknown, Ambiguous or NotAllowed."""
    others = [one for one in traits.values() if key(one.label) != key(label)]
    require_whole(traits.values(), typed)
    name = find(typed, [one.label for one in others if not one.part_of], Words("trait"))
    whole = traits[key(name)]
    if own := next((one for one in others if one.part_of and key(one.part_of) == key(label)), None):
        raise NotAllowed(
            "{label} has parts, so it can't be a part. Detach its parts first. Example: /character set "
            "trait:{own} die:d{die} part_of:-",
            label=label,
            own=own.label,
            die=own.die,
        )
    return whole


def require_whole(traits: Iterable[Trait], typed: str) -> None:
    """Refuse a part where the trait is meant that something becomes a part of (N23)."""
    part = next((one for one in traits if one.part_of and key(one.label) == key(typed)), None)
    if part is not None:
        raise NotAllowed(
            "{part} is part of {whole}, so it can't have parts. Detach it first. Example: /character "
            "set trait:{part} die:d{die} part_of:-",
            part=part.label,
            whole=part.part_of,
            die=part.die,
        )
