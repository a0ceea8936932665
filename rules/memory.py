"""What a group notes itself: notes of the evening, and titles of sessions."""

from rules.errors import NotAllowed
from rules.facts import Noted, Titled
from rules.names import NOTE, clean
from rules.result import Step
from rules.seats import Actor, is_gm, require_gm, require_secrets
from rules.table import Table
from rules.values import replace
from rules.words import Words

LONGEST_NOTE = 200
LONGEST_TITLE = 60
MOST_OPEN = 50
"""So many notes are open at a table at most."""


def note(table: Table, actor: Actor, text: str, secret: bool = False) -> Step:
    """Something is noted for the recap and the log, or `secret` for the GM alone.

    Raises NotAllowed for who neither plays nor is GM, and of what is secret for all but a GM.
    """
    if secret:
        require_secrets(table, actor, Words("note something in secret"))
    if not is_gm(table, actor) and table.played_by(actor.id) is None:
        raise NotAllowed(
            "Only the GM and who plays a character may note something. Example: /character new name:Nova"
        )
    return Step(table, (Noted(clean(text, NOTE, LONGEST_NOTE), secret),))


def title(table: Table, actor: Actor, title: str, number: int = 0) -> Step:
    """A session has a title: the one with that number, or the one that runs or ran last."""
    require_gm(table, actor, Words("give a session its title"))
    which = number or table.session
    if not 1 <= which <= table.session:
        raise NotAllowed("No session has begun yet. Example: /session start")
    said = clean(title, Words("title"), LONGEST_TITLE)
    return Step(replace(table, titles={**table.titles, which: said}), (Titled(which, said),))
