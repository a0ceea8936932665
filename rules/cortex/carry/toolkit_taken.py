"""What a trait set of another program's file is taken as: by its style, else by its noun or its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.cortex.carry.toolkit_form import Form, ours
from rules.cortex.state.kinds import Kind
from rules.every import every
from rules.kinds import key
from rules.table import Table
from rules.terms import Term
from rules.words import Words


class Taken(StrEnum):
    """What a trait set can be taken as."""

    TRAITS = "trait set"
    DISTINCTIONS = "distinctions"
    ASSETS = "signature assets"
    RESOURCES = "resources"
    STRESS = "stress"
    TRAUMA = "trauma"
    COMPLICATIONS = "complications"
    MILESTONES = "milestones"
    NOTES = "notes"
    XP = "XP"


@dataclass(frozen=True, slots=True)
class TakenAs:
    """What becomes of the traits of such a set."""

    said: Words
    kind: Kind | None
    """The kind of trait that they are; none for what never joins a pool."""
    nouns: tuple[str, ...] = ()
    """By which nouns and names such a set is known, of one trait."""
    term: Term | None = None
    """The term that a table may have its own words for."""
    name: str = ""
    """What a new set of them is called in a file."""


TAKEN = every(
    Taken,
    {
        Taken.TRAITS: TakenAs(Words("trait set"), Kind.TRAIT),
        Taken.DISTINCTIONS: TakenAs(
            Words("{distinction.Many}"), Kind.DISTINCTION, ("distinction",), Term.DISTINCTION, "Distinctions"
        ),
        Taken.ASSETS: TakenAs(
            Words("Signature {asset.many}"),
            Kind.ASSET,
            ("asset", "signature asset"),
            Term.ASSET,
            "Signature assets",
        ),
        Taken.RESOURCES: TakenAs(Words("Resources"), Kind.RESOURCE, ("resource",), None, "Resources"),
        Taken.STRESS: TakenAs(Words("{stress.One}"), Kind.STRESS, ("stress",), Term.STRESS, "Stress"),
        Taken.TRAUMA: TakenAs(Words("{trauma.One}"), Kind.TRAUMA, ("trauma",), Term.TRAUMA, "Trauma"),
        Taken.COMPLICATIONS: TakenAs(
            Words("{complication.Many}"),
            Kind.COMPLICATION,
            ("complication",),
            Term.COMPLICATION,
            "Complications",
        ),
        Taken.MILESTONES: TakenAs(Words("Milestones"), None, ("milestone",), None, "Milestones"),
        Taken.NOTES: TakenAs(Words("Notes"), None),
        Taken.XP: TakenAs(
            Words("XP"), None, ("xp", "experience", "experience point", "experience points"), None, "XP"
        ),
    },
)
BY_KIND: Mapping[Kind, Taken] = {of.kind: taken for taken, of in TAKEN.items() if of.kind is not None}
"""What holds traits of a kind."""
WITH_STATEMENTS = ("value", "values", "relationship", "relationships")
"""Trait sets whose traits usually carry a statement (N7)."""


def taken_as(form: Form, table: Table | None = None) -> Taken:
    """What a trait set is taken as, where nobody has chosen; a table's own words count beside the usual."""
    kept = ours(form)
    chosen = kept.get("taken")
    if isinstance(chosen, str) and chosen in list(Taken):
        return Taken(chosen)
    words = _words(table)
    style = kept.get("style")
    for said in (
        style if isinstance(style, str) else "",
        form["nounSingular"],
        form["nounPlural"],
        form["name"],
    ):
        found = words.get(key(" ".join(said.split())))
        if found is not None:
            return found
    return Taken.TRAITS


def _words(table: Table | None) -> dict[str, Taken]:
    """What each word for such a set means, of one trait and of several."""
    found: dict[str, Taken] = {}
    own = table.settings.words if table is not None else {}
    for taken, of in TAKEN.items():
        for noun in of.nouns:
            found |= {noun: taken, f"{noun}s": taken}
        if of.term is not None and (wording := own.get(of.term)):
            found |= {key(wording.one): taken, key(wording.many): taken}
    return found
