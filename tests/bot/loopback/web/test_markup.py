"""Discord's markdown becomes a tree of elements and text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.loopback.model import Emoji
from bot.loopback.reply import plain_text
from bot.loopback.web.markup import DEEPEST, markup
from bot.loopback.world import World


def drawn(nodes: list[Any]) -> str:
    """A tree in short: `h3(Hi strong(you))`."""
    return "".join(
        node if isinstance(node, str) else f"{node['tag']}({drawn(node.get('in', []))})" for node in nodes
    )


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("### Alice: **13**", "h3(Alice: strong(13))"),
        ("# One\n## Two", "h2(One)h2(Two)"),
        ("-# small *print*", "small(small em(print))"),
        ("a\nb\n\nc", "p(a\nb)p(c)"),
        ("- a\n  - b\n- c", "ul(li(aul(li(b)))li(c))"),
        ("1. a\n2. b", "ol(li(a)li(b))"),
        ("> q\n> r\ns", "blockquote(p(q\nr))p(s)"),
        (">>> q\nr", "blockquote(p(q\nr))"),
        ("```py\nx **y**\n```", "pre(x **y**)"),
        ("`a *b*` ``c`d``", "p(code(a *b*) code(c`d))"),
        (r"\*no\* \# \<b>", "p(*no* # <b>)"),
        ("***x*** __u__ ~~s~~ _e_ ||h||", "p(strong(em(x)) u(u) s(s) em(e) spoiler(h))"),
        ("snake_case_name 2 * 3 * 4 **", "p(snake_case_name 2 * 3 * 4 **)"),
        ("**a `*` b**", "p(strong(a code(*) b))"),
        ("</doom add:5> <:d10_7:12> <t:0:R>", "p(command(/doom add) :d10_7: time())"),
        (
            "[words](https://a.b/c) <https://d.e> https://f.g/h.",
            "p(a(words) a(https://d.e) a(https://f.g/h).)",
        ),
        ("[x](javascript:alert(1))", "p([x](javascript:alert(1)))"),
        ("<script>alert(1)</script>", "p(<script>alert(1)</script>)"),
        ("-#no #no >no -no", "p(-#no #no >no -no)"),
        ("", ""),
    ],
)
def test_markup(text: str, tree: str) -> None:
    assert drawn(markup(text, World())) == tree


def test_mentions_have_names() -> None:
    world = World()
    alice, table = world.add_user("alice", "Alice <3"), next(iter(world.channels.values()))
    text = f"<@{alice.id}> <#{table.id}> <@1> https://discord.com/channels/1/{table.id}/77"
    (paragraph,) = markup(text, world)
    assert isinstance(paragraph, dict)
    assert drawn([paragraph]) == (
        "p(mention(@Alice <3) mention(#table) mention(@unknown-user) jump(#table › message))"
    )
    assert paragraph["in"][-1] == {
        "tag": "jump",
        "place": str(table.id),
        "message": "77",
        "in": ["#table › message"],
    }


def test_times_and_emojis_keep_what_they_are() -> None:
    world = World()
    world.emojis[12] = Emoji(12, "d10_7", b"", "image/png")
    (paragraph,) = markup("<t:86400:D> <a:d10_7:12> <:d10_8:13>", world)
    assert isinstance(paragraph, dict)
    assert paragraph["in"] == [
        {"tag": "time", "at": 86400, "style": "D"},
        " ",
        {"tag": "emoji", "name": "d10: 7", "id": "12"},
        " :d10_8:",
    ]


def test_the_size_behind_a_rolled_die_is_heard_once() -> None:
    world = World()
    world.emojis[12] = Emoji(12, "d10_7", b"", "image/png")
    (paragraph,) = markup("<:d10_7:12> d10, <:d10_7:12> Mind d10 and d10, <:d10_7:12>", world)
    assert isinstance(paragraph, dict)
    die, size = {"tag": "emoji", "name": "d10: 7", "id": "12"}, {"tag": "seen", "in": [" d10"]}
    assert paragraph["in"] == [die, size, ", ", die, " Mind", size, " and d10, ", die]


def test_unrolled_dice_in_a_row_are_read_as_one() -> None:
    world = World()
    for number, name in ((6, "d6"), (8, "d8")):
        world.emojis[number] = Emoji(number, name, b"", "image/png")
    (paragraph,) = markup("Doom pool: <:d6:6><:d6:6><:d8:8>, <:d8:8>", world)
    assert isinstance(paragraph, dict)
    small, large = ({"tag": "emoji", "name": f"d{number}", "id": f"{number}"} for number in (6, 8))
    assert paragraph["in"] == [
        "Doom pool: ",
        {"tag": "dice", "name": "2d6 d8", "in": [small, small, large]},
        ", ",
        {"tag": "dice", "name": "d8", "in": [large]},
    ]


DEEP = [
    *("> " * 330, "**" * 999, ">>> " * 900, "__~~" * 900),
    "\n".join(" " * deep + "- a" for deep in range(80)),
]
NEVER_CLOSED = ["*a " * 1300, "**_" * 1300, "||**__~~*`" * 400, "[" * 4000, "<" * 4000]


@pytest.mark.parametrize("text", DEEP + NEVER_CLOSED, ids=lambda text: text[:4])
def test_what_is_nested_too_deep_is_shown_as_typed(text: str) -> None:
    nodes = markup(text, World())
    assert depth(nodes) <= 2 * DEEPEST + 2


def depth(nodes: list[Any]) -> int:
    """How many elements stand inside each other."""
    return max((1 + depth(node.get("in", [])) for node in nodes if not isinstance(node, str)), default=0)


@given(st.text(alphabet="*_~|>`-# \n\\[](<t:0>)a", max_size=300))
def test_any_text_can_be_drawn(text: str) -> None:
    assert depth(markup(text, World())) <= 2 * DEEPEST + 2


@pytest.mark.parametrize("at", ["9999999999999", "-9999999999999"])
def test_a_moment_that_no_calendar_has_is_shown_as_typed(at: str) -> None:
    assert drawn(markup(f"at <t:{at}:R>", World())) == f"p(at <t:{at}:R>)"
    assert plain_text(f"at <t:{at}:R>", World()) == f"at <t:{at}:R>"
