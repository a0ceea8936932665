"""The import preview of another program's sheet, with menus for what its trait sets become."""

from collections.abc import Iterable, Iterator, Sequence

from bot.language import say, say_of
from bot.language.line import Text, spoken
from bot.views.card import Menu, Option
from bot.views.files import sheets_preview, who_menus
from bot.views.labels import listed, shortened
from bot.views.question import MOST_IN_MENU
from rules.cortex import pool
from rules.cortex.formats.foundry import is_kept
from rules.cortex.formats.toolkit_form import TAKEN, TraitSetUse
from rules.cortex.formats.toolkit_reader import ReadCharacter, on_a_line
from rules.cortex.formats.toolkit_writer import names_kept
from rules.cortex.model import CORTEX
from rules.cortex.sheet import Sheet
from rules.dice import SIZES
from rules.names import LONGEST, fold
from rules.table import Character, Table


def preview(
    read: Sequence[ReadCharacter], come: Sequence[Character], table: Table, broken: int, count: int = 0
) -> tuple[Text, ...]:
    """Return the characters that a file would bring, how trait sets are read, and what changes.

    `count` is the number of characters in the file, for people who may import them all.
    """
    if len(read) == 1:
        first = say("Import this character? Nothing has changed yet.")
        all_of_them = say(
            "The file has {count} characters. To import them all: /campaign import", count=count
        )
        said = [
            *([all_of_them] if count > 1 else []),
            *_sets(read[0]),
            *notes(read[0], table, broken),
            *_of_foundry(read),
        ]
        return sheets_preview(table, first, said, read[0].character, come)
    lines: list[Text] = [say("Import these characters? Nothing has changed yet.")]
    for each in read:
        lines.append(
            say("{who}: {sets}", who=each.character.name, sets=listed(_taken(each)) or say("no traits"))
        )
        lines += notes(each, table, 0)
    lines += [*([_broken(broken)] if broken else []), *_of_foundry(read)]
    return sheets_preview(table, lines[0], lines[1:])


def blank_lines(first: Sheet, left: Sequence[str]) -> tuple[Text, ...]:
    """Return what new characters start with, and what was left out of a blank sheet."""
    traits = [f"{each.label} {pool.write(each)}" for held in first.traits.values() for each in held]
    named = [*traits, *(each.name for each in first.sfx)]
    lines = [say("New characters start with {traits}", traits=_names(named))] if named else []
    open_names = [each.label for _, each in first.unrated]
    lines += [say("Each player chooses the dice of {names}", names=_names(open_names))] if open_names else []
    return (*lines, *([say("Not used from the file: {names}", names=_names(left))] if left else []))


def left_behind(pools: Iterable[tuple[str, str]]) -> Iterator[Text]:
    """Yield a line about a file's doom pools, which are not imported as characters."""
    for name, dice in pools:
        label = on_a_line(name, LONGEST, "…")
        if dice:
            yield say(
                "{name} is a doom pool, so it isn't imported. Add its dice: /doom add dice:{dice}",
                name=label,
                dice=dice,
            )
        else:
            yield say("{name} is a doom pool, so it isn't imported.", name=label)


def _sets(read: ReadCharacter) -> list[Text]:
    """A line for each trait set, with what it is taken as."""
    return [
        say(
            "{set}: imported as {what}, {count}",
            set=each.name,
            what=spoken(TAKEN[each.taken].said),
            count=_count(each.count),
        )
        for each in read.sets
    ]


def _taken(read: ReadCharacter) -> list[Text]:
    return [say("{set} as {what}", set=each.name, what=spoken(TAKEN[each.taken].said)) for each in read.sets]


def _count(count: int) -> Text:
    return say_of(count, "{count} trait", "{count} traits")


def notes(read: ReadCharacter, table: Table, broken: int) -> Iterator[Text]:
    """Yield a line for each thing that an import changes or leaves out."""
    for trait, size, has in read.resized:
        yield say("{trait} becomes d{has}: this table doesn't use d{size}.", trait=trait, has=has, size=size)
    if read.renamed:
        yield say(
            "Several traits share a name, so the name of the trait set is added to each: {names}",
            names=_names(read.renamed),
        )
    if read.bare:
        yield say(
            "These traits have no die, so only their names are imported: {names}", names=_names(read.bare)
        )
    if read.is_cut:
        yield say("The notes are too long for the sheet, so they're cut short. Exports include them in full.")
    if read.character.portrait:
        yield say("The portrait's address is imported as text; the picture isn't downloaded.")
    if broken:
        yield _broken(broken)
    yield from _hidden(read, table)
    # Anything may be the name of a member.
    if kept := list(dict.fromkeys(on_a_line(each, LONGEST, "…") for each in names_kept(read.form))):
        yield say("The bot can't use these entries, but exports keep them: {names}", names=_names(kept))


def _of_foundry(read: Sequence[ReadCharacter]) -> Iterator[Text]:
    """That what is nothing to anybody but Foundry is not lost either."""
    if any(is_kept(each.form) for each in read):
        yield say("Exports also keep everything that only Foundry needs.")


def _broken(count: int) -> Text:
    return say_of(
        count,
        "The bot can't read the portrait, so it isn't shown. Exports keep it unchanged.",
        "The bot can't read {count} portraits, so they aren't shown. Exports keep them unchanged.",
    )


def _names(names: Iterable[str]) -> Text:
    return listed(shortened(list(names)))


def _hidden(read: ReadCharacter, table: Table) -> Iterator[Text]:
    """What comes although a setting of the table hides it."""
    own, rules = CORTEX.has(read.character), CORTEX.of(table).ruleset
    if (own.stress or own.trauma) and not rules.stress:
        yield say("{stress.One} is off in this campaign. Turn it on: /campaign set setting:stress tracks")
    known = set(map(fold, rules.stress))
    odd = [
        each.label
        for held in (own.stress, own.trauma)
        for each in held.values()
        if fold(each.label) not in known
    ]
    if rules.stress and odd:
        yield say("This table has no {stress.one} track for {names}", names=_names(odd))
    if own.resources and not rules.has_resources:
        yield say(
            "Resources are off in this campaign. Turn them on: /campaign set setting:resources value:on"
        )
    traits = [*own.sheet.values(), *own.distinctions.values(), *own.assets.values()]
    if any(each.statement for each in traits) and not rules.statements:
        yield say(
            "Statements are off in this campaign. Turn them on: /campaign set setting:statements value:on"
        )
    if read.resized and rules.sizes == SIZES:
        yield say("To use more dice sizes: /campaign set setting:sizes")


def menus(
    read: Sequence[ReadCharacter], names: Sequence[str], who: str, opened: str, verb: str, number: int
) -> tuple[Menu, ...]:
    """Return the menus of a preview: which character, which trait set, and what that set becomes."""
    found = who_menus(names, who, verb, number)
    sets = {fold(each.name): each for one in read for each in one.sets}
    shown = list(sets.items())[:MOST_IN_MENU]
    if shown:
        options = tuple(Option(each.name, name[:100], spoken(TAKEN[each.taken].said)) for name, each in shown)
        chosen = (opened,) if opened in dict(shown) else ()
        found.append(
            Menu(say("Change how a trait set is imported"), f"{verb}set", str(number), options, chosen)
        )
    if opened in sets:
        own = sets[opened]
        kinds = [each for each in TraitSetUse if each is not TraitSetUse.XP or own.taken is TraitSetUse.XP]
        options = tuple(Option(spoken(TAKEN[each].said), each) for each in kinds)
        label = say("Import {set} as", set=own.name)
        found.append(Menu(label, f"{verb}as", str(number), options, (own.taken,)))
    return tuple(found)
