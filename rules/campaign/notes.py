"""Notes, session titles and quotes that a group keeps."""

from collections.abc import Iterable
from typing import Any

from rules.campaign.rolls import require_teller
from rules.campaign.seats import Actor, is_gm, known_character, require_gm, require_secrets
from rules.errors import NotAllowed, TooLate, Unreadable
from rules.facts import Fact, Noted, NoteDone, Quoted, Redone, RollNoted, Titled, Undone
from rules.game import Step, played
from rules.names import NOTE, Thread, clean, find, key, key_in, without_mention
from rules.table import Rolled, Table
from rules.text import Words
from rules.values import Value, replace

LONGEST_NOTE = 200


LONGEST_TITLE = 60


MOST_OPEN = 50
"""So many notes are open at a table at most, and as many that are the GM's alone."""


def note(
    table: Table,
    actor: Actor,
    text: str = "",
    secret: bool = False,
    is_open: bool = False,
    about: str = "",
    done: str = "",
) -> Step:
    """Add a note for the recap and the log, or a `secret` one for the GM; or mark an open note as `done`.

    Raises NotAllowed if the actor neither plays nor is GM, or a non-GM writes a secret note.
    """
    if done.strip():
        if text.strip() or about.strip() or is_open or secret:
            raise NotAllowed("Use the option done by itself, and write any new note separately.")
        return note_done(table, actor, done)
    if not text.strip():
        raise NotAllowed("Type a note. Example: /note text:The map lies")
    if secret:
        require_secrets(table, actor, Words("write a secret note"))
    require_noter(table, actor)
    whom, is_kept = _about(table, about)
    noted = Noted(clean(text, NOTE, LONGEST_NOTE), secret or is_kept, is_open, whom)
    return Step(_opened(table, noted) if is_open else table, (noted,))


def note_done(table: Table, actor: Actor, done: str) -> Step:
    """Mark an open note as done. Raises Unknown or Ambiguous if it can't be found."""
    require_noter(table, actor)
    found = find(done, (each.text for each in table.threads.values()), Words("open note"))
    thread = table.threads[key(found)]
    left = {k: each for k, each in table.threads.items() if each is not thread}
    return Step(replace(table, threads=left), (NoteDone(thread.text, thread.secret),))


def require_noter(table: Table, actor: Actor) -> None:
    """Check that the actor plays or is GM. Raises NotAllowed otherwise."""
    if not is_gm(table, actor) and table.played_by(actor.id) is None:
        raise NotAllowed(
            "Only the {gm.one} and players with a character can write notes. Example: /character new "
            "name:Nova"
        )


def _about(table: Table, about: str) -> tuple[str, bool]:
    """Who or what a note is about, and whether that is a GMC who waits, so that it is the GM's alone (B2)."""
    if not about.strip():
        return "", False
    name = clean(about)
    who = known_character(table, name)
    known = None if who is None else table.characters[who]
    if known is None:
        return without_mention(name), False
    return known.name, known.gmc and known.away and not table.is_open


def _opened(table: Table, noted: Noted) -> Table:
    """The table with a note that stays until it is done. Raises NotAllowed for one that is open already."""
    found = key_in(table.threads, noted.text)
    if found in table.threads:
        raise NotAllowed(
            'That note is already open: "{note}". To mark it as done: /note done', note=noted.text
        )
    alike = [each for each in table.threads.values() if each.secret is noted.secret]
    if len(alike) >= MOST_OPEN:
        raise NotAllowed(
            "A table can have at most {most} open notes. Mark one as done first: /note done",
            most=MOST_OPEN,
        )
    return replace(table, threads={**table.threads, found: Thread(noted.text, noted.secret, noted.about)})


class PastRoll(Value):
    """A roll as found in the steps: how many sessions had begun, whether one was running, and the roll.

    The roll is None if it isn't from this session.
    """

    session: int
    is_session: bool
    roll: Rolled | None = None


def note_of(table: Table, actor: Actor, number: int, past: PastRoll) -> str:
    """Return the note of a roll, if the actor may change it before its session ends.

    Raises TooLate for a roll that was undone or whose session has ended; NotAllowed for other people.
    """
    return _told(table, actor, number, past).note


def note_roll(table: Table, actor: Actor, number: int, note: str, past: PastRoll) -> Step:
    """Add or change the note of a roll later; its roller and the GM may.

    Raises NotAllowed for others or an unchanged note, and what `note_of` raises.
    """
    roll, said = _told(table, actor, number, past), clean(note, NOTE, LONGEST_NOTE)
    if roll.note == said:
        raise NotAllowed('The roll already has that note: "{note}"', note=said)
    is_hidden = any(number in game.part.hidden_of(table) for game in played())
    for game in played():
        table = game.with_note(table, number, said)
    return Step(table, (RollNoted(number, roll.who, said, is_hidden),))


def _told(table: Table, actor: Actor, number: int, past: PastRoll) -> Rolled:
    """The roll that somebody says something of, as it lies on the table, or as it was when it was closed."""
    is_same = (table.session, table.is_session) == (past.session, past.is_session)
    if past.roll is None or not is_same:
        raise TooLate(
            "That roll was undone, or its {session.one} has ended. Write a note instead: /note text:The "
            "map lies"
        )
    open_now = {each.number: each for game in played() for each in game.all_rolls(table)}
    roll = open_now.get(number, past.roll)
    require_teller(table, actor, roll)
    return roll


def title(table: Table, actor: Actor, title: str, number: int = 0) -> Step:
    """Set a session's title (GM): the one with that number, or the current or last one.

    Raises NotAllowed if there is no such session.
    """
    require_gm(table, actor, Words("give {session.a} a title"))
    which = number or table.session
    if not 1 <= which <= table.session:
        raise NotAllowed("No {session.one} has started yet. Example: /session start")
    said = clean(title, Words("title"), LONGEST_TITLE)
    return Step(replace(table, titles={**table.titles, which: said}), (Titled(which, said),))


LONGEST_QUOTE = 1000
"""A message of more characters is kept no more."""


def quotable(text: str) -> str:
    """Return a message's text on one line, as a quote is stored. Raises NotAllowed if empty or too long."""
    try:
        line = clean(text, NOTE, len(text))
    except Unreadable:
        raise NotAllowed("That message has no text to keep.") from None
    if len(line) > LONGEST_QUOTE:
        raise NotAllowed(
            "That message has {count} characters; the limit is {most}. Write what matters as a note. "
            "Example: /note text:The map lies",
            count=len(line),
            most=LONGEST_QUOTE,
        )
    return line


def quote(table: Table, actor: Actor, quoted: Quoted) -> Step:
    """Store a quote. Raises NotAllowed if its text is empty or too long."""
    return Step(table, (replace(quoted, text=quotable(quoted.text)),))


def may_take_out(table: Table, actor: Actor, quoted: Quoted) -> bool:
    """Return whether the actor may delete a quote: its author and the GM may."""
    return actor.id == quoted.player or is_gm(table, actor)


def require_own(table: Table, actor: Actor, quoted: Quoted) -> None:
    """Check that the actor may delete a quote. Raises NotAllowed for all but its author and the GM."""
    if not may_take_out(table, actor, quoted):
        raise NotAllowed(
            "Only {who} and the {gm.one} can take that message out.", who=quoted.by or quoted.who
        )


def quotes_in(facts: Iterable[Fact], message: int) -> list[Quoted]:
    """Return the quotes of a message in facts, including deleted ones and those in undone steps."""
    found = list[Quoted]()
    for fact in facts:
        if isinstance(fact, Undone | Redone):
            found += quotes_in(fact.facts, message)
        elif isinstance(fact, Quoted) and fact.message == message:
            found.append(fact)
    return found


def without_quote(facts: tuple[Any, ...], message: int) -> tuple[Any, ...]:
    """Return the facts with the text of a quoted message removed."""

    def taken_out(fact: Any) -> Any:
        if isinstance(fact, Undone | Redone):
            return replace(fact, facts=without_quote(fact.facts, message))
        is_it = isinstance(fact, Quoted) and fact.message == message
        return replace(fact, text="") if is_it else fact

    return tuple(map(taken_out, facts))
