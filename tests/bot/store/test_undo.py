"""Undo and redo: the whole table back and forward, one old step alone, channels that moved."""

import pytest

from bot.client.refusals import explain
from bot.language.printers import spelled
from bot.store.history import Entry, LogStep, Place
from bot.store.ledger import Ledger
from bot.store.undo import Entangled
from bot.views.facts import summary
from rules.errors import NotAllowed, RuleError, TooLate, Unknown
from rules.table import Table
from rules.values import replace
from tests.bot.store.samples import (
    ANNA,
    BEN,
    HERE,
    THERE,
    THREAD,
    anybody,
    archived,
    gift,
    kept,
    named,
    pp,
    scene,
    spend,
)


def is_bens(step: LogStep) -> bool:
    return step.author == BEN


def play(entry: Entry) -> Table:
    """The table of an entry, to be compared with others: without its number."""
    return replace(entry.table, number=0)


async def look(ledger: Ledger, place: Place = HERE) -> Entry:
    entry = await ledger.look(place)
    assert entry is not None
    return entry


async def test_undo_takes_the_last_step_back_and_redo_puts_it_back(ledger: Ledger) -> None:
    one = await ledger.append(HERE, ANNA, 1, gift())
    two = await ledger.append(HERE, ANNA, 2, spend())
    undone = await ledger.undo(one.campaign, BEN, 3, anybody)
    assert (undone.number, spelled(summary(undone.facts)), undone.author) == (3, "Undone: “Zoe -1 PP”", BEN)
    assert play(undone) == play(one)
    redone = await ledger.redo(one.campaign, BEN, 4, anybody)
    assert spelled(summary(redone.facts)) == "Redone: Zoe -1 PP"
    assert play(redone) == play(two)
    assert await look(ledger) == redone


async def test_undo_goes_back_to_the_blank_table_and_no_further(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    assert play(await ledger.undo(entry.campaign, ANNA, 2, anybody)) == Table()
    with pytest.raises(NotAllowed, match="nothing to undo"):
        await ledger.undo(entry.campaign, ANNA, 3, anybody)
    assert await ledger.servers.campaigns(1) == []
    assert play(await ledger.redo(entry.campaign, ANNA, 4, anybody)) == play(entry)
    with pytest.raises(NotAllowed, match="nothing to redo"):
        await ledger.redo(entry.campaign, ANNA, 5, anybody)


async def test_a_new_step_after_undo_ends_the_way_forward(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    await ledger.append(HERE, ANNA, 2, gift())
    await ledger.undo(entry.campaign, ANNA, 3, anybody)
    await ledger.append(HERE, ANNA, 4, scene("Bridge"))
    with pytest.raises(NotAllowed, match="nothing to redo"):
        await ledger.redo(entry.campaign, ANNA, 5, anybody)
    undone = {step.number for step in await ledger.past.log(entry.campaign) if step.undone}
    assert undone == {2}


async def test_a_repeated_undo_changes_nothing(ledger: Ledger, other: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    await ledger.append(HERE, ANNA, 2, gift())
    await ledger.undo(entry.campaign, ANNA, 3, anybody)
    for which in (ledger, other):
        again = await which.undo(entry.campaign, ANNA, 3, anybody)
        assert (again.repeated, again.number) == (True, 3)


async def test_undo_takes_the_newest_step_that_one_may(ledger: Ledger) -> None:
    await ledger.append(HERE, BEN, 1, gift("Bea"))
    await ledger.append(HERE, BEN, 2, scene("Bridge"))
    entry = await ledger.append(HERE, ANNA, 3, gift("Ada"))
    first = await ledger.undo(entry.campaign, BEN, 4, is_bens)
    assert (spelled(summary(first.facts)), first.table.scene, set(first.table.characters)) == (
        "Undone: “Scene Bridge”",
        "",
        {"Bea", "Ada"},
    )
    second = await ledger.undo(entry.campaign, BEN, 5, is_bens)
    assert set(second.table.characters) == {"Ada"}
    undone = {step.number for step in await ledger.past.log(entry.campaign) if step.undone}
    assert undone == {1, 2}
    with pytest.raises(
        NotAllowed, match=r"None of these steps is yours to undo\. Ask the GM, or Anna for the last step"
    ):
        await ledger.undo(entry.campaign, BEN, 6, is_bens)
    assert set((await ledger.redo(entry.campaign, BEN, 7, is_bens)).table.characters) == {"Ada", "Bea"}
    assert (await ledger.redo(entry.campaign, BEN, 8, is_bens, step=2)).table.scene == "Bridge"


async def test_where_nobody_has_a_name_the_gm_alone_is_asked_to_undo(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    await ledger.people.forget(entry.campaign, ANNA.id)
    with pytest.raises(NotAllowed, match=r"^None of these steps is yours to undo\. Ask the GM\.$"):
        await ledger.undo(entry.campaign, BEN, 2, is_bens)


async def test_what_another_took_back_is_not_ones_own_to_put_back(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    await ledger.undo(entry.campaign, ANNA, 2, anybody)
    with pytest.raises(NotAllowed) as refusal:
        await ledger.redo(entry.campaign, BEN, 3, is_bens)
    said = "The next step to redo isn't yours: step 1 (“Zoe +1 PP”). Ask the GM."
    assert spelled(explain(refusal.value)) == said


async def test_later_steps_on_the_same_thing_are_named(ledger: Ledger) -> None:
    await ledger.append(HERE, BEN, 1, gift("Bea", 2))
    await ledger.append(HERE, BEN, 2, scene("Bridge"))
    await ledger.append(HERE, ANNA, 3, gift("Ada"))
    entry = await ledger.append(HERE, ANNA, 4, spend("Bea"))
    with pytest.raises(Entangled, match=r"step 4 builds on it\. To go step by step: /undo") as refusal:
        await ledger.undo(entry.campaign, ANNA, 5, anybody, step=1)
    assert "step 4 builds on it" in spelled(explain(refusal.value))
    assert refusal.value.step.number == 1
    assert (await look(ledger)).number == 4
    back = await ledger.undo(entry.campaign, ANNA, 5, anybody, step=1, back=True)
    assert play(back) == Table()
    for number in range(6, 10):
        forward = await ledger.redo(entry.campaign, ANNA, number, anybody)
    assert play(forward) == play(entry)


async def test_going_back_over_other_peoples_steps_is_refused(ledger: Ledger) -> None:
    await ledger.append(HERE, BEN, 1, gift())
    entry = await ledger.append(HERE, ANNA, 2, gift())
    with pytest.raises(NotAllowed, match="A later step isn't yours to undo: step 2"):
        await ledger.undo(entry.campaign, BEN, 3, is_bens, step=1, back=True)


async def test_a_step_can_be_put_back_alone(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift("Ada"))
    await ledger.append(HERE, ANNA, 2, scene("Bridge"))
    await ledger.append(HERE, ANNA, 3, gift("Ada"))
    await ledger.undo(entry.campaign, ANNA, 4, anybody)
    await ledger.undo(entry.campaign, ANNA, 5, anybody)
    await ledger.append(HERE, ANNA, 6, gift("Bea"))
    alone = await ledger.redo(entry.campaign, ANNA, 7, anybody, step=2)
    assert (spelled(summary(alone.facts)), alone.table.scene, pp(alone.table, "Ada")) == (
        "Redone: Scene Bridge",
        "Bridge",
        1,
    )
    assert pp((await ledger.redo(entry.campaign, ANNA, 8, anybody, step=3)).table, "Ada") == 2


async def test_what_builds_on_a_step_that_is_undone_is_not_put_back_alone(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift("Ada"))
    await ledger.append(HERE, ANNA, 2, gift("Ada"))
    await ledger.undo(entry.campaign, ANNA, 3, anybody)
    await ledger.undo(entry.campaign, ANNA, 4, anybody)
    await ledger.append(HERE, ANNA, 5, scene("Bridge"))
    with pytest.raises(Entangled) as refusal:
        await ledger.redo(entry.campaign, ANNA, 6, anybody, step=2)
    assert "can't be redone by itself: it builds on other steps" in spelled(explain(refusal.value))


@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        (9, Unknown, "no step 9"),
        (3, NotAllowed, r"Use step 2 instead"),
        (2, NotAllowed, "has already been"),
        (1, NotAllowed, "Step 1 is Anna's, not yours"),
    ],
)
async def test_a_step_that_cannot_be_undone_is_explained(
    ledger: Ledger, step: int, error: type[RuleError], words: str
) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    await ledger.append(HERE, ANNA, 2, gift())
    await ledger.undo(entry.campaign, ANNA, 3, anybody)
    with pytest.raises(error, match=words):
        await ledger.undo(entry.campaign, BEN, 4, is_bens, step=step)


async def test_a_step_that_is_there_cannot_be_put_back(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, ANNA, 1, gift())
    with pytest.raises(NotAllowed, match="isn't undone"):
        await ledger.redo(entry.campaign, ANNA, 2, anybody, step=1)


async def test_states_that_are_kept_no_longer_cannot_be_gone_back_to(ledger: Ledger, few_states: int) -> None:
    for number in range(1, 3 * few_states):
        entry = await ledger.append(HERE, ANNA, number, gift(f"Hero {number % 3}"))
    with pytest.raises(Unknown, match="no step 90"):
        await ledger.undo(entry.campaign, ANNA, 1001, anybody, step=90)
    for is_back in (True, False):
        with pytest.raises(
            NotAllowed, match=r"Step 171 is too old to undo or redo\. Make the change by hand\."
        ):
            await ledger.undo(entry.campaign, ANNA, 1002, anybody, step=entry.number - 128, back=is_back)
    oldest = entry.number - few_states + 2
    back = await ledger.undo(entry.campaign, ANNA, 1003, anybody, step=oldest, back=True)
    assert sum(pp(back.table, name) for name in back.table.characters) == oldest - 1
    assert len(await ledger.past.log(entry.campaign, count=1000)) == 3 * few_states


async def test_half_of_the_kept_states_can_be_undone_one_by_one_and_put_back(
    ledger: Ledger, few_states: int
) -> None:
    for number in range(1, 2 * few_states):
        entry = await ledger.append(HERE, ANNA, number, gift())
    for number in range(1, few_states // 2 + 1):
        undone = await ledger.undo(entry.campaign, ANNA, 1000 + number, anybody)
    assert pp(undone.table) == entry.number - few_states // 2
    anew = await ledger.append(HERE, ANNA, 2000, gift())
    assert pp(anew.table) == pp(undone.table) + 1
    for number in range(1, 4):
        undone = await ledger.undo(entry.campaign, ANNA, 3000 + number, anybody)
    assert pp(undone.table) == pp(anew.table) - 3
    for number in range(1, 4):
        done = await ledger.redo(entry.campaign, ANNA, 4000 + number, anybody)
    assert play(done) == play(anew)


async def test_what_came_before_a_long_way_back_can_be_undone_too(ledger: Ledger) -> None:
    """Between the step that is undone and the one before it lie more entries than are read at first."""
    for number in range(1, 151):
        entry = await ledger.append(HERE, ANNA, number, gift())
    await ledger.undo(entry.campaign, ANNA, 1000, anybody, step=11, back=True)
    for number in range(1001, 1151):
        await ledger.append(HERE, ANNA, number, gift())
    for number in range(2001, 2161):
        undone = await ledger.undo(entry.campaign, ANNA, number, anybody)
    assert undone.number == 461
    with pytest.raises(NotAllowed, match="nothing to undo"):
        await ledger.undo(entry.campaign, ANNA, 3000, anybody)
    for number in range(3001, 3161):
        done = await ledger.redo(entry.campaign, ANNA, number, anybody)
    assert pp(done.table) == 160


async def test_somebodys_last_step_is_found_however_many_others_came_since(ledger: Ledger) -> None:
    entry = await ledger.append(HERE, BEN, 1, gift("Ben"))
    for number in range(2, 400):
        await ledger.append(HERE, ANNA, number, gift("Anna"))
    undone = await ledger.undo(entry.campaign, BEN, 1000, is_bens)
    assert "Ben" not in undone.table.characters
    assert pp(undone.table, "Anna") == 398
    with pytest.raises(NotAllowed, match="these steps is yours to undo"):
        await ledger.undo(entry.campaign, BEN, 1001, is_bens)
    assert pp((await ledger.redo(entry.campaign, BEN, 1002, is_bens)).table, "Ben") == 1


async def test_two_thousand_steps_can_be_undone(ledger: Ledger) -> None:
    for number in range(1, 2001):
        entry = await ledger.append(HERE, ANNA, number, gift())
    with pytest.raises(Entangled, match="steps 3, 4, 5 and later ones build on it"):
        await ledger.undo(entry.campaign, ANNA, 10_000, anybody, step=2)
    back = await ledger.undo(entry.campaign, ANNA, 10_001, anybody, step=2, back=True)
    assert pp(back.table) == 1
    assert not (await ledger.undo(entry.campaign, ANNA, 10_002, anybody)).table.characters
    await ledger.redo(entry.campaign, ANNA, 10_003, anybody)
    assert pp((await ledger.redo(entry.campaign, ANNA, 10_004, anybody)).table) == 2


async def test_a_new_table_taken_back_gives_the_channel_to_the_old_one(ledger: Ledger, other: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, named("Old"))
    new = await ledger.places.found(HERE, ANNA, 2, named("New"))
    assert (await look(other)).campaign == new.campaign != old.campaign
    assert [(line.name, line.archived) for line in await ledger.servers.campaigns(1)] == [
        ("New", False),
        ("Old", True),
    ]
    await other.append(HERE, ANNA, 3, gift())
    await ledger.undo(new.campaign, ANNA, 4, anybody)
    await other.undo(new.campaign, ANNA, 5, anybody)
    seen = await look(ledger)
    assert (seen.campaign, play(seen)) == (old.campaign, play(old))
    assert [(line.name, line.archived) for line in await ledger.servers.campaigns(1)] == [("Old", False)]
    redone = await ledger.redo(old.campaign, ANNA, 6, anybody)
    assert redone.table.archived
    assert play(await look(ledger)) == play(new)
    assert (await ledger.append(HERE, ANNA, 7, gift())).campaign == new.campaign


async def test_a_first_table_taken_back_keeps_its_channel(ledger: Ledger) -> None:
    new = await ledger.places.found(HERE, ANNA, 1, named("New"))
    await ledger.undo(new.campaign, ANNA, 2, anybody)
    assert (await look(ledger)).campaign == new.campaign
    await ledger.redo(new.campaign, ANNA, 3, anybody)
    assert (await look(ledger)).table.name == "New"


async def test_a_table_that_other_channels_show_is_not_archived(ledger: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, named("Old"))
    await ledger.places.bind(THERE, old.campaign, ANNA, 2, kept)
    await ledger.places.found(HERE, ANNA, 3, named("New"))
    there = await look(ledger, THERE)
    assert (there.campaign, there.table.archived) == (old.campaign, False)
    assert (await look(ledger)).table.name == "New"


async def test_joining_wakes_a_table_and_undoing_it_leaves(ledger: Ledger, other: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, named("Old"))
    await ledger.append(HERE, ANNA, 2, archived)
    there = await ledger.append(THERE, ANNA, 3, named("There"))
    assert (await other.look(THERE)) == there
    joined = await ledger.places.bind(THERE, old.campaign, ANNA, 4, kept)
    assert (joined.campaign, joined.table.archived) == (old.campaign, False)
    assert (await other.append(THERE, ANNA, 5, kept)).campaign == old.campaign
    await ledger.undo(old.campaign, ANNA, 6, anybody)
    await ledger.undo(old.campaign, ANNA, 7, anybody)
    assert (await look(other, THERE)).campaign == there.campaign
    assert (await look(other)).table.archived


async def test_joining_again_moves_nothing(ledger: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, named("Old"))
    again = await ledger.places.bind(HERE, old.campaign, ANNA, 2, kept)
    assert (again.number, again.step.moves) == (2, ())
    with pytest.raises(TooLate):
        await ledger.places.bind(HERE, old.campaign + 1, ANNA, 3, kept)


async def test_leaving_can_be_taken_back(ledger: Ledger, other: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, named("Old"))
    assert await other.look(HERE) == old
    left = await ledger.places.unbind(HERE, ANNA, 2, kept)
    assert await ledger.look(HERE) is None
    assert (await other.append(HERE, ANNA, 3, kept)).campaign != old.campaign
    await other.places.unbind(HERE, ANNA, 4, kept)
    await ledger.undo(old.campaign, ANNA, 5, anybody, step=left.number)
    assert (await look(other)).campaign == old.campaign
    with pytest.raises(NotAllowed, match="no table"):
        await ledger.places.unbind(THERE, ANNA, 6, kept)


async def test_a_thread_can_have_a_table_of_its_own(ledger: Ledger, other: Ledger) -> None:
    channel = await ledger.append(HERE, ANNA, 1, named("Channel"))
    assert (await other.append(THREAD, ANNA, 2, kept)).campaign == channel.campaign
    with pytest.raises(NotAllowed, match="thread"):
        await ledger.places.unbind(THREAD, ANNA, 3, kept)
    own = await ledger.places.found(THREAD, ANNA, 4, named("Thread"))
    assert (await other.append(THREAD, ANNA, 5, kept)).campaign == own.campaign
    assert (await other.append(HERE, ANNA, 6, kept)).campaign == channel.campaign
    assert not (await look(ledger)).table.archived
    await ledger.undo(own.campaign, ANNA, 7, anybody)
    await ledger.undo(own.campaign, ANNA, 8, anybody)
    assert (await look(other, THREAD)).campaign == channel.campaign


async def test_the_next_table_of_an_archived_one_taken_back_shows_it_again(ledger: Ledger) -> None:
    old = await ledger.append(HERE, ANNA, 1, named("Old"))
    await ledger.append(HERE, ANNA, 2, archived)
    new = await ledger.append(HERE, ANNA, 3, kept)
    await ledger.undo(new.campaign, ANNA, 4, anybody)
    seen = await look(ledger)
    assert (seen.campaign, seen.table.archived) == (old.campaign, True)
    await ledger.undo(old.campaign, ANNA, 5, anybody)
    assert not (await look(ledger)).table.archived


async def test_a_step_that_moved_a_channel_is_not_taken_back_alone(ledger: Ledger) -> None:
    await ledger.append(THERE, ANNA, 1, kept)
    await ledger.append(HERE, ANNA, 2, kept)
    new = await ledger.places.found(HERE, ANNA, 3, named("New"))
    await ledger.append(HERE, ANNA, 4, gift())
    for back in (False, True):
        with pytest.raises(NotAllowed, match="changed a channel's table"):
            await ledger.undo(new.campaign, ANNA, 5, anybody, step=1, back=back)
