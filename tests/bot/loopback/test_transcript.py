"""How messages look as plain text."""

import pytest

from bot.loopback import reply
from bot.loopback.world import World


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**bold** and __under__ and *it* and _it_", "bold and under and it and it"),
        (r"Broken\_Chair \*d6\* \[1\]", "Broken_Chair *d6* [1]"),
        ("snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"),
        ("`**code**` and ```py\nx\n```", "**code** and x\n"),
        ("# Head\n-# small\n- item", "Head\nsmall\n- item"),
        ("[rules](https://x.example/a_b_c)", "rules (https://x.example/a_b_c)"),
        ("</asset add:12> <#7> <@9> <@&9> <:d6:5>", "/asset add #unknown @unknown-user @role :d6:"),
        ("at <t:86400:R>", "at 1970-01-02 00:00 UTC"),
    ],
)
def test_markup_is_shown_as_discord_shows_it(text: str, shown: str) -> None:
    assert reply.plain_text(text, World()) == shown


def test_mentions_become_names() -> None:
    world = World()
    alice = world.add_user("alice")
    assert reply.plain_text(f"<@{alice.id}>", world) == "@alice"
