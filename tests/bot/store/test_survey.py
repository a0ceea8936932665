"""What `doctor` says of states that share lines, and of a campaign's row that is damaged."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing

import pytest

from bot.store import codec
from bot.store.campaign_check import Checkup, Diagnosis, check_steps
from bot.store.ledger import Ledger
from bot.store.maintenance import examine
from tests.bot.store.samples import ANNA, HERE, gift, told

HEAD = codec.CURRENT + b'"table":{"name":"Skyfall"}}'
ZOE, ORE = b'c"zoe":{"name":"Zoe"}', b'g"ore":{}'
SOUND = [HEAD, ZOE, b'c"a\\"b":{"name":"Bo"}', b'g"cortex":{}', ORE]


def charted(texts: Sequence[bytes]) -> Diagnosis:
    """The chart of a campaign whose states have these texts, the first of them the keyframe."""
    facts = codec.write_facts(told("Something"))
    blobs = [codec.pack(text, texts[0] if place else None) for place, text in enumerate(texts)]
    steps = [{"number": n, "base": 1, "facts": facts, "state": blob} for n, blob in enumerate(blobs, 1)]
    chart = Diagnosis(1, "Campaign 1")
    check_steps(chart, steps)
    return chart


@pytest.mark.parametrize(
    "lines",
    [
        [codec.CURRENT + b'"table":{"name":7}}', ZOE],
        [HEAD, b'c"zoe":{"name":7}'],
        [HEAD, b'c"zoe:{}'],
        [HEAD, ORE, b'r"7":{}'],
        [HEAD, ORE, b'r"seven":{}'],
        [HEAD, b'g"ore":{"rolls":7}'],
        [HEAD, b"x"],
        [b"no"],
    ],
    ids=lambda lines: b" ".join(lines).decode(),
)
def test_a_damaged_line_is_found_in_whatever_state_it_is(lines: list[bytes]) -> None:
    sound, damaged = b"\n".join(SOUND), b"\n".join(lines)
    assert charted([sound, sound]).damaged == []
    chart = charted([sound, damaged, sound, damaged])
    assert (chart.damaged, chart.newest) == ([2, 4], 4)
    assert chart.last == (3, codec.read(sound, 3))
    assert charted([damaged, sound]).damaged == [1, 2]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_campaign_whose_kind_is_damaged_keeps_its_steps(url: str) -> None:
    ledger = await Ledger.open(url)
    await ledger.append(HERE, ANNA, 0, gift())
    await ledger.close()
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("UPDATE campaign SET rolls_only = 'rubbish'")
        database.commit()
    said = [each.sentence async for each in examine(url, Checkup(), repairs=True)]
    assert any("campaign.rolls_only cannot be read" in each for each in said)
    ledger = await Ledger.open(url)
    entry = await ledger.look(HERE)
    await ledger.close()
    assert entry is not None
    assert entry.number == 1
