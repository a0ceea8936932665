"""What a seat does, and what it sees and does not see."""

import pytest

from bot.loopback.driver import Loopback
from bot.loopback.model import Emoji
from bot.loopback.web import acts, views
from tests.bot.loopback.small_bot import HASTY, SmallBot
from tests.bot.loopback.web.conftest import Asker, Json, Listener, Sits


def words(message: Json) -> str:
    """All text of a message, without its markup."""
    return "".join(flat(part) for part in message["parts"])


def flat(thing: object) -> str:
    if isinstance(thing, str):
        return thing
    if isinstance(thing, list):
        return "".join(flat(one) for one in thing)
    if isinstance(thing, dict):
        return "".join(flat(thing.get(key, "")) for key in ("nodes", "in", "inside", "label"))
    return ""


async def newest(who: Asker) -> Json:
    return (await who.shown())[-1]


async def test_a_message_is_data(sits: Sits) -> None:
    alice = await sits("alice")
    assert await alice.do("line", line="/say <b>**bold**</b>") == {}
    message = await newest(alice)
    assert message["parts"] == [
        {
            "kind": "text",
            "nodes": [{"tag": "p", "in": ["<b>", {"tag": "strong", "in": ["bold"]}, "</b>"]}],
        }
    ]
    assert message["author"]["is_bot"]
    assert message["used"]["by"]["name"] == "alice"
    assert message["used"]["what"] == "/say"
    assert not message["is_private"]


async def test_ordinary_words_and_files_are_written(sits: Sits) -> None:
    alice, bob = await sits("alice"), await sits("bob")
    assert (await alice.give("line", {"map.png": b"pixels", "<i>.txt": b"x"}, line="look"))[0] == 200
    message = await newest(bob)
    assert message["author"]["name"] == "alice"
    picture, file = message["parts"][1]["inside"][0], message["parts"][2]
    assert (picture["alt"], file["name"], file["size"]) == ("map.png", "<i>.txt", 1)
    async with bob.web.get(bob.address + picture["src"]) as answer:
        assert (await answer.read(), answer.content_type) == (b"pixels", "image/png")
    async with bob.web.get(bob.address + file["src"]) as answer:
        assert answer.headers["Content-Disposition"] == "attachment"
        assert "sandbox" in answer.headers["Content-Security-Policy"]
    right = file["src"].split("/")
    for wrong in (
        ["files", right[1], "0" * 32, "x"],
        ["files", "12", right[2], "x"],
        ["files", "x", "y", "z"],
    ):
        async with bob.web.get(bob.address + "/".join(wrong)) as answer:
            assert answer.status == 404


async def test_nobody_sees_what_is_for_somebody_else(sits: Sits, discord_: Loopback) -> None:
    alice, bob = await sits("alice"), await sits("bob")
    page = await Listener.open(bob)
    await page.next("all")
    await alice.do("line", line="/roll d6 how:Secretly")
    secret = await newest(alice)
    assert secret["is_private"]
    await alice.do("line", line="/say done")
    assert words((await page.next("message"))["message"]) == "done"
    assert [words(m) for m in await bob.shown()] == ["done"]
    for act in ("press", "choose", "long", "dismiss"):
        status, body = await bob.post(act, message=secret["id"], button="x", menu="x", name="Undo this")
        assert (status, body["refused"]) == (422, "The message is gone.")
    assert [words(m) for m in (await bob.do("earlier"))["messages"]] == ["done"]
    await alice.do("dismiss", message=secret["id"])
    assert [words(m) for m in await alice.shown()] == ["done"]


async def test_a_talk_with_the_bot_is_ones_own(sits: Sits, discord_: Loopback) -> None:
    alice, bob = await sits("alice"), await sits("bob")
    await alice.do("line", line="/tidy")
    talk = str(discord_.dm(discord_.person("alice")).id)
    page = await Listener.open(alice, talk)
    if not (await page.next("all"))["messages"]:
        await page.next("message")
    assert [words(m) for m in await alice.shown(talk)] == ["psst"]
    assert await bob.shown(talk) == await bob.shown()
    assert (await bob.post("line", place=talk, line="hello"))[0] == 422
    assert talk not in str((await Listener.all(bob))["room"]["places"])


async def test_no_file_of_the_machine_is_read(sits: Sits) -> None:
    alice = await sits("alice")
    status, body = await alice.post("line", line="/weigh file:/etc/passwd")
    assert (status, body["refused"]) == (422, "The file /etc/passwd is missing. Choose it again.")
    status, _ = await alice.give("line", {"map.txt": b"words"}, line="/weigh file:map.txt")
    assert status == 200
    assert words(await newest(alice)) == "map.txt, 5, text/plain: words"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("/rol 2d6", "There's no command /rol. Did you mean roll?"),
        ("/roll", "/roll needs dice"),
        ("", "There is nothing to send."),
        ("/setup", "There's no command /setup."),
    ],
)
async def test_what_cannot_be_sent_is_refused(sits: Sits, line: str, sentence: str) -> None:
    status, body = await (await sits("alice")).post("line", line=line)
    assert status == 422
    assert body["refused"].startswith(sentence)


@HASTY
async def test_a_bot_that_does_not_answer(sits: Sits) -> None:
    assert await (await sits("alice")).do("line", line="/silent") == {"failed": "no answer in 0.01 s"}


async def test_buttons_and_menus(sits: Sits) -> None:
    alice = await sits("alice")
    page = await Listener.open(alice)
    await alice.do("line", line="/panel")
    panel = (await page.next("message"))["message"]
    (row, menus) = (part["inside"] for part in panel["parts"][1:])
    assert [(b["label"], b["disabled"], b["url"]) for b in row[3:]] == [
        ("Off", True, None),
        ("Rules", False, "https://example.com/rules"),
    ]
    menu = menus[0]
    assert (menu["placeholder"], [o["label"] for o in menu["options"]]) == ("Colour", ["Red", "Blue"])
    await alice.do("press", message=panel["id"], button=row[0]["id"])
    assert words((await page.next("message"))["message"]) == "You are alice"
    await alice.do("choose", message=panel["id"], menu=menu["id"], values=["b"])
    edited = await page.next("message", lambda news: news["message"]["id"] == panel["id"])
    assert words(edited["message"]).startswith("chose b")
    assert edited["message"]["is_edited"]
    assert not edited["is_quiet"]
    for button, sentence in ((row[3]["id"], "is disabled"), ("x", "no longer exists")):
        status, body = await alice.post("press", message=panel["id"], button=button)
        assert status == 422
        assert sentence in body["refused"]


async def test_a_form_is_filled_in_by_who_opened_it(sits: Sits) -> None:
    alice, bob = await sits("alice"), await sits("bob")
    form = (await alice.do("line", line="/form"))["form"]
    assert form["title"] == "New asset"
    note, name, die, on = form["fields"]
    assert note["nodes"] == [{"tag": "p", "in": ["Assets help."]}]
    assert (name["kind"], name["most"], name["is_required"]) == ("text", 20, True)
    assert (die["kind"], die["value"], on["value"]) == ("radio", "6", ["Bob"])
    values = {"name": "Rope", "die": "8", "on": ["Alice"]}
    assert (await bob.post("submit", form=form["id"], values=values))[0] == 422
    status, body = await alice.post("submit", form=form["id"], values={**values, "name": ""})
    assert (status, body["refused"]) == (422, "Fill in Name.")
    unfit: list[Json] = [{"on": [{}], "name": 1}, {"die": ["6"]}, {"on": {}}]
    for wrong in unfit:
        assert (await alice.post("submit", form=form["id"], values={**values, **wrong}))[0] == 422
    assert await alice.do("submit", form=form["id"], values=values) == {}
    assert words(await newest(alice)) == "Rope d8 on Alice"
    assert (await alice.post("submit", form=form["id"], values=values))[0] == 422


async def test_a_form_with_people_places_and_ticks(sits: Sits, discord_: Loopback) -> None:
    alice = await sits("alice")
    form = (await alice.do("line", line="/choosers"))["form"]
    kinds = [field["kind"] for field in form["fields"]]
    assert kinds == ["user", "channel", "checkboxes", "checkbox"]
    ids = [field["id"] for field in form["fields"]]
    chosen = [[str(discord_.person("bob").id)], [str(discord_.table.id)], ["Grit"], True]
    await alice.do("submit", form=form["id"], values=dict(zip(ids, chosen, strict=True)))
    assert words(await newest(alice)) == "bob table Grit True"


async def test_commands_for_messages_and_people(sits: Sits, discord_: Loopback) -> None:
    alice = await sits("alice")
    offered = (await Listener.all(alice))["room"]["long_presses"]
    assert offered == {"message": ["Undo this"], "person": ["Give 1 PP"]}
    await alice.do("line", line="/say hello")
    await alice.do("long", name="Undo this", message=(await newest(alice))["id"])
    assert words(await newest(alice)) == "undone: hello"
    await alice.do("long", name="Give 1 PP", person=str(discord_.person("bob").id))
    assert words(await newest(alice)) == "1 PP for bob"
    assert (await alice.post("long", name="Give 1 PP", person="1"))[0] == 422


async def test_the_pictures_of_emojis(sits: Sits, discord_: Loopback) -> None:
    alice = await sits("alice")
    discord_.world.emojis[5] = Emoji(5, "d6_1", b"pixels", "image/png")
    async with alice.web.get(f"{alice.address}emojis/5") as answer:
        assert (await answer.read(), answer.content_type) == (b"pixels", "image/png")
    for number in ("6", "x"):
        async with alice.web.get(f"{alice.address}emojis/{number}") as answer:
            assert answer.status == 404


async def test_pins_are_shown_and_told(sits: Sits) -> None:
    alice = await sits("alice")
    page = await Listener.open(alice)
    await alice.do("line", line="/pin")
    assert (await page.next("room", lambda news: news["room"]["pins"]))["room"]["pins"] == 1
    assert [words(m) for m in (await alice.do("pins"))["messages"]] == ["pinned words, edited"]


async def test_what_the_bot_takes_back_is_gone(sits: Sits) -> None:
    alice = await sits("alice")
    page = await Listener.open(alice)
    await alice.do("line", line="/tidy")
    shown = (await page.next("message"))["message"]
    assert (await page.next("gone"))["id"] == shown["id"]


async def test_thinking_is_shown_until_the_bot_speaks(sits: Sits) -> None:
    alice = await sits("alice")
    page = await Listener.open(alice)
    await alice.do("line", line="/slow")
    first = (await page.next("message"))["message"]
    assert first["is_loading"]
    then = (await page.next("message", lambda news: news["message"]["id"] == first["id"]))["message"]
    assert not then["is_loading"]
    assert words(then) == "thought about it"


async def test_places_and_what_happens_elsewhere(sits: Sits) -> None:
    alice, bob = await sits("alice"), await sits("bob")
    page = await Listener.open(bob)
    alice.place = (await alice.do("channel", name="#Side Quest!"))["place"]
    shown = await page.next("room", lambda news: len(news["room"]["places"]) == 3)
    assert [place["name"] for place in shown["room"]["places"]] == ["#table", "#side-quest", "bot"]
    await alice.do("line", line="psst")
    assert (await page.next("elsewhere"))["place"] == alice.place
    await page.socket.send_json({"place": alice.place})
    assert [words(m) for m in (await page.next("all"))["messages"]] == ["psst"]
    assert (await alice.post("channel", name="!!"))[0] == 422


async def test_only_so_many_messages_are_shown_at_first(sits: Sits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "SHOWN", 3)
    alice = await sits("alice")
    for number in range(5):
        await alice.do("line", line=f"line {number}")
    everything = await Listener.all(alice)
    assert [words(m) for m in everything["messages"]] == ["line 2", "line 3", "line 4"]
    assert not everything["is_all"]
    earlier = await alice.do("earlier", before=everything["messages"][0]["id"])
    assert [words(m) for m in earlier["messages"]] == ["line 0", "line 1"]
    assert earlier["is_all"]


async def test_a_bot_that_is_away_is_waited_for(
    sits: Sits, discord_: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acts, "PATIENCE", 0.05)
    alice = await sits("alice")
    page = await Listener.open(alice)
    await page.next("all")
    discord_.gateway.present(False)
    assert not (await page.next("room", lambda news: not news["room"]["is_bot_here"]))["room"]["is_bot_here"]
    assert await alice.post("line", line="/say hello") == (422, {"refused": acts.AWAY})
    discord_.gateway.present(True)
    await page.next("room", lambda news: news["room"]["is_bot_here"])
    assert await alice.do("line", line="/say hello") == {}


async def test_who_is_here_is_told(sits: Sits) -> None:
    alice, bob = await sits("alice"), await sits("bob")
    page = await Listener.open(alice)
    await page.next("all")
    other = await Listener.open(bob)

    def here(news: Json) -> list[str]:
        return [person["name"] for person in news["room"]["people"] if person["is_here"]]

    await page.next("room", lambda news: here(news) == ["alice", "bob"])
    await other.socket.close()
    await page.next("room", lambda news: here(news) == ["alice"])


async def test_suggestions(sits: Sits, bot: SmallBot) -> None:
    alice = await sits("alice")
    found = await alice.do("offers", line="/asset re")
    assert found["offers"][0] == {
        "words": "/asset remove what:",
        "length": 9,
        "label": "/asset remove",
        "about": "Take an asset away",
    }
    assert [o["label"] for o in (await alice.do("offers", line="/add"))["offers"]] == ["/asset add"]
    values = await alice.do("offers", line="/asset remove what:ro")
    assert [o["words"] for o in values["offers"]] == ["Broken Chair", "Rope", "Rotten Egg"]
    assert (values["path"], values["option"], values["is_whole"]) == ("/asset remove", "what", True)
    roll = await alice.do("offers", line="/roll dice:2d6 ")
    assert [one["name"] for one in roll["missing"]] == ["vs", "how", "hard"]
    assert not (await alice.do("offers", line="/roll dice:"))["is_whole"]
    assert (await alice.do("offers", line="/weigh file:"))["wants_file"]
    assert (await alice.do("offers", line="/asset add what:x who:@b"))["offers"][0]["words"] == "@bob"
    assert (await alice.do("offers", line="/nothing at all"))["offers"] == []


@pytest.mark.parametrize("line", ["> " * 330, "**" * 999, "<t:9999999999999:R>"], ids=lambda line: line[:4])
async def test_no_line_closes_a_channel(sits: Sits, line: str) -> None:
    alice = await sits("alice")
    for said in (f"/say {line}", line, "/say after it"):
        assert await alice.do("line", line=said) == {}
    assert words((await alice.shown())[-1]) == "after it"
