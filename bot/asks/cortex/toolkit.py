"""What can be chosen in the preview of another program's sheet: who comes, and what its sets are taken as."""

from collections.abc import Sequence

from bot.asks.question import MOST_IN_MENU
from bot.language import say
from bot.language.line import spoken
from bot.render.card import Menu, Option
from rules.cortex.formats.toolkit_form import TAKEN, TraitSetUse
from rules.cortex.formats.toolkit_reader import ReadCharacter
from rules.names import key


def menus(
    read: Sequence[ReadCharacter], names: Sequence[str], who: str, opened: str, verb: str, number: int
) -> tuple[Menu, ...]:
    """The menus of a preview: which of several characters, which trait set, and what that is taken as."""
    found: list[Menu] = []
    if len(names) > 1:
        for first in range(0, len(names), MOST_IN_MENU):
            some = enumerate(names[first : first + MOST_IN_MENU], first)
            options = tuple(Option(name, str(place)) for place, name in some)
            chosen = tuple(each.value for each in options if each.value == who)
            label = say("Which character") if not first else say("Which character (more)")
            found.append(Menu(label, f"{verb}who", f"{number}.{first}", options, chosen))
    sets = {key(each.name): each for one in read for each in one.sets}
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
