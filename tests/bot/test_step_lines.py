"""The lines of a log fit into Discord's messages, also where they have grown."""

from bot.client.log_channel import LONGEST, ROOM, LogSteps, fitting_lines, messages
from bot.store import codec
from bot.store.history import NEVER, Author, LogStep
from bot.store.messages import StepLine
from rules.facts import Noted
from rules.values import replace

WHO = Author(1, "_" * 32)


def sheet_of(count: int, note: str) -> LogSteps:
    """Steps that noted something."""
    written = codec.write_facts((Noted(note),))
    steps = {n: LogStep(n, WHO, NEVER, written, n, n - 1, n) for n in range(1, count + 1)}
    return LogSteps(7, steps, {})


def test_lines_that_grow_in_one_message_are_cut_to_fit_and_keep_their_links() -> None:
    sheet = sheet_of(30, "A map")
    first, *_ = messages(sheet, [StepLine(n, 0, 0, 0, 0) for n in sheet.steps], 0.0)
    assert len(first.text) <= ROOM
    linked = [replace(line, answer_place=10**18, answer=10**18) for line in first.lines]
    grown = LogSteps(10**18, sheet_of(30, "*" * 900).steps, {})
    text = fitting_lines(grown, linked)
    assert len(text) <= LONGEST
    assert text.count(f"https://discord.com/channels/{10**18}/{10**18}/{10**18}") == len(linked)


def test_what_is_not_told_twice_has_a_number_of_its_own() -> None:
    sheet = sheet_of(30, "A map" * 30)
    told = messages(sheet, [StepLine(n, 0, 0, 0, 0) for n in sheet.steps], 0.0)
    assert len({message.nonce for message in told}) == len(told) > 1
    assert [line.number for message in told for line in message.lines] == list(sheet.steps)
