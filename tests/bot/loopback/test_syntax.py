"""How typed lines are read."""

import pytest

from bot.loopback import orders
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.keyboard import read
from bot.loopback.model import Json
from bot.loopback.orders import Instruction


def option(name: str, *, required: bool = False, kind: int = 3) -> Json:
    return {"name": name, "type": kind, "required": required, "description": name}


COMMANDS: list[Json] = [
    {
        "name": "roll",
        "type": 1,
        "options": [option("dice", required=True), option("vs", kind=4), option("for")],
    },
    {
        "name": "asset",
        "type": 1,
        "options": [
            {
                "name": "add",
                "type": 1,
                "options": [option("who", required=True), option("what", required=True)],
            },
            {
                "name": "deck",
                "type": 2,
                "options": [{"name": "draw", "type": 1, "options": [option("n", kind=4)]}],
            },
        ],
    },
    {"name": "doom", "type": 1},
    {"name": "Undo this", "type": 3},
]


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        ("/roll dice:2d6 d8", "roll", {"dice": "2d6 d8"}),
        ("/roll 2d6 d8", "roll", {"dice": "2d6 d8"}),
        ("/roll 2d6 d8 vs:11", "roll", {"dice": "2d6 d8", "vs": "11"}),
        ("/roll vs:11 dice: 2d6", "roll", {"vs": "11", "dice": "2d6"}),
        ("/ROLL Dice:2d6", "roll", {"dice": "2d6"}),
        ("roll 2d6", "roll", {"dice": "2d6"}),
        ('/roll "2d6" for:"the door"', "roll", {"dice": '"2d6"', "for": '"the door"'}),
        ("/roll 2d6 for:a fight: the end", "roll", {"dice": "2d6", "for": "a fight: the end"}),
        ("/roll 2d6 for:xvs:3", "roll", {"dice": "2d6", "for": "xvs:3"}),
        ("/roll Chapter: One", "roll", {"dice": "Chapter: One"}),
        ("/roll dice:", "roll", {"dice": ""}),
        (
            "/asset add who:Alice what:Broken Chair d8",
            "asset add",
            {"who": "Alice", "what": "Broken Chair d8"},
        ),
        ("/asset  ADD Alice what:Rope", "asset add", {"who": "Alice", "what": "Rope"}),
        ("/asset deck draw n:3", "asset deck draw", {"n": "3"}),
        ("/asset deck draw", "asset deck draw", {}),
        ("/doom", "doom", {}),
    ],
)
def test_a_command_is_read(line: str, name: str, values: dict[str, str]) -> None:
    typed = read(line, COMMANDS)
    assert typed.name == name
    assert typed.values == values


@pytest.mark.parametrize(
    ("line", "focused"),
    [
        ("/roll vs:1 dice:2", "dice"),
        ("/roll 2d", "dice"),
        ("/roll", None),
        ("/asset add what:a who:b", "who"),
    ],
)
def test_the_option_typed_last_is_focused(line: str, focused: str | None) -> None:
    assert read(line, COMMANDS).focused == focused


@pytest.mark.parametrize(
    ("line", "kind", "sentence"),
    [
        ("/rol", UnknownCommand, "There's no command /rol. Did you mean roll?"),
        ("/xyzzy", UnknownCommand, "There's no command /xyzzy."),
        ("/Undo this", UnknownCommand, "There's no command /Undo."),
        ("/asset ad x", UnknownCommand, "There's no subcommand /asset ad. Did you mean add?"),
        ("/asset", InputRefused, "/asset needs one of: add, deck."),
        ("/asset deck", InputRefused, "/asset deck needs one of: draw."),
        ("/roll dcie:2d6", UnknownCommand, "/roll has no option dcie. Did you mean dice?"),
        ("/roll 2d6 dice:d8", InputRefused, "dice is given twice."),
        ("/doom 3", UnknownCommand, "/doom doesn't take “3”. It has no options."),
        ("/asset deck draw 3", UnknownCommand, "/asset deck draw doesn't take “3”. Its options: n."),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_hint(
    line: str, kind: type[InputRefused], sentence: str
) -> None:
    with pytest.raises(InputRefused) as refusal:
        read(line, COMMANDS)
    assert type(refusal.value) is kind
    assert str(refusal.value) == sentence


KNOWN = orders.Known(["Undo this"], {"roll"}, {"Join"}, {"bob"})


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("/roll 2d6", Instruction("slash", "/roll 2d6")),
        ("/as bob", Instruction("as", "bob")),
        ("/asset add x", Instruction("slash", "/asset add x")),
        ("2", Instruction("press", "2")),
        ("2 in 4", Instruction("press", "2", 4)),
        ("press 2 in #4", Instruction("press", "2", 4)),
        ("press Jump in", Instruction("press", "Jump in")),
        ("choose 3 b, c in 2", Instruction("choose", "3 b, c", 2)),
        ("undo this 4", Instruction("long", '"Undo this" 4')),
        ('menu "Undo this" 4', Instruction("long", '"Undo this" 4')),
        ("send Name: x", Instruction("send", "Name: x")),
        ("HELP", Instruction("help")),
        ("?", Instruction("help")),
        ("2d6 d8", Instruction("slash", "/roll 2d6 d8")),
        ("D12", Instruction("slash", "/roll D12")),
        ("roll 2d6", Instruction("slash", "/roll 2d6")),
        ("join", Instruction("press", "join")),
        ("dance", None),
        ("d6gree", None),
    ],
)
def test_an_order_is_read(text: str, order: Instruction | None) -> None:
    assert orders.read(text, KNOWN) == order


@pytest.mark.parametrize(
    ("line", "seat", "rest"),
    [
        ("@bob /roll 2d6", "bob", "/roll 2d6"),
        ("@bob: 2", "bob", "2"),
        ("bob: /roll 2d6", "bob", "/roll 2d6"),
        ("bob:2", "bob", "2"),
        ("bob: undo this", "bob", "undo this"),
        ("Name: Broken Leg", None, "Name: Broken Leg"),
        ("/roll dice:2", None, "/roll dice:2"),
        ("Bob: 2d6 d8", "Bob", "2d6 d8"),
        ("bob: join", "bob", "join"),
        ("Die: d8", None, "Die: d8"),
        ("Name: roll 2d6", None, "Name: roll 2d6"),
        ("carol: 2", "carol", "2"),
    ],
)
def test_a_line_may_name_its_seat(line: str, seat: str | None, rest: str) -> None:
    assert orders.split_seat(line, KNOWN) == (seat, rest)


def test_several_fields_stand_in_one_line() -> None:
    assert orders.named_values("Name: a; b; Die=d8") == [("Name", "a; b"), ("Die", "d8")]
