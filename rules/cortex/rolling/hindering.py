"""Distinctions that hinder: a d4 for a plot point (P1)."""

from rules.cortex.notation.verbs import TypedDice
from rules.cortex.state.kinds import Kind
from rules.cortex.state.pool import SOURCES, Die, Source, Special
from rules.dice import SIZES, shorten
from rules.errors import NotAllowed, Unknown
from rules.kinds import key
from rules.names import find, offer
from rules.values import replace
from rules.words import Words


def with_hindered(reading: TypedDice, known: dict[str, Die], label: str) -> TypedDice:
    """The distinction goes in as d4: in the place of its die, or added."""
    name = hinderable(_distinctions(reading, known), label)
    if key(name) in map(key, reading.hindered):
        return reading
    hindered = Die(SIZES[0], name, SOURCES[Kind.DISTINCTION])
    pool = list(reading.pool)
    place = next((n for n, die in enumerate(pool) if key(die.label) == key(name)), None)
    if place is None:
        pool.append(hindered)
    else:
        pool[place] = hindered
        pool = [die for die in pool if die.source.kind is not Special.FURTHER or key(die.label) != key(name)]
    return replace(reading, pool=tuple(pool), hindered=(*reading.hindered, name))


def check_hindered(reading: TypedDice, known: dict[str, Die]) -> None:
    """Refuse to hinder what is no distinction: a die without a label, an asset (P1)."""
    for label in reading.hindered:
        there = _distinctions(reading, known)
        if key(label) not in map(key, there):
            raise _no_distinction(label, there)
        if key(label) not in (key(die.label) for die in reading.pool):
            raise NotAllowed(
                "{label} can't hinder if the step removes it from the pool. Leave the step out. "
                "Example: hinder {label}",
                label=label,
            )


def _distinctions(reading: TypedDice, known: dict[str, Die]) -> list[str]:
    """What can hinder: distinctions of one's own or of the scene, and dice labelled in the pool (P1)."""
    names = [name for name, die in known.items() if _is_distinction(die.source)]
    typed = [
        die.label for die in reading.pool if die.label and (die.source.is_new or _is_distinction(die.source))
    ]
    return list({key(name): name for name in (*typed, *names)}.values())


def _is_distinction(source: Source) -> bool:
    return source.kind is Kind.DISTINCTION and source.use is None


def hinderable(names: list[str], typed: str) -> str:
    """The distinction that is meant. Raises Unknown or Ambiguous."""
    try:
        return find(typed, names, Words("{distinction.one}"))
    except Unknown:
        raise _no_distinction(typed, names) from None


def _no_distinction(typed: str, names: list[str]) -> Unknown:
    example = names[0] if names else "Reckless d8"
    there_is = offer(typed, names)
    return Unknown(
        "There's no {distinction.one} called {typed} to hinder. {there_is} Example: hinder {example}",
        typed=shorten(typed),
        there_is=there_is,
        example=example,
    )
