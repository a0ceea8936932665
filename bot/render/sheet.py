"""A character's sheet in words, and the list of all."""

from bot.language import say
from bot.language.line import BREAK, Text, heading, nothing, small, together
from bot.render.at_table import shown
from bot.render.parts import listed
from bot.render.portrait import portrait_of
from bot.render.words import NOBODY
from rules.table import Character, Table


def character_lines(character: Character, table: Table | None = None) -> list[Text]:
    """Everything about a character: what they can roll, then the rest, small.

    At a table, whether they are out for good.
    """
    played = _played(character)
    lines = [heading(_called(character)), small(_or_retired(table, character, played) if table else played)]
    lines += [line for sheet in shown().sheet for line in sheet(character)]
    below = [line for more in shown().below_sheet for line in more(character)]
    below += character.notes.splitlines()
    if character.portrait and not character.picture and portrait_of(character) is None:
        below.append(say("Portrait: {address}", address=character.portrait))
    return [*lines, *([BREAK, *map(small, below)] if below else [])]


def list_lines(table: Table) -> list[Text]:
    """Every character, and who plays them."""
    lines: list[Text] = [_listed(table, each) for each in table.characters.values()]
    return lines or [nothing(say("There are no characters yet. Example: /character new name:Alice"))]


def _listed(table: Table, character: Character) -> Text:
    """A character with who plays them, and whether they are out for good: `Alice: played by Zoe, retired`."""
    return _or_retired(table, character, together(_called(character), ": ", _played(character)))


def _or_retired(table: Table, character: Character, line: Text) -> Text:
    is_retired = any(retired(table, character) for retired in shown().retired)
    return say("{character}, retired", character=line) if is_retired else line


def _called(character: Character) -> str:
    return f"{character.name} ({character.pronouns})" if character.pronouns else character.name


def _played(character: Character) -> Text:
    """Who plays a character."""
    if character.gmc:
        ranks = [said for rank in shown().ranks if (said := rank(character))]
        return say("{gmc.One}, {rank}", rank=listed(ranks)) if ranks else say("{gmc.One}")
    player = character.player_name if character.player else say(NOBODY)
    return say("played by {player}", player=player)
