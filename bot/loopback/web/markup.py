"""Discord's Markdown as a tree that the page draws."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.loopback.reply import MARKDOWN_LINK, mentioned
from bot.loopback.world import World

Node = str | dict[str, Any]
"""Text, or an element: `tag`, what is `in` it, and what else that tag needs."""

INSIDE = r"(?:\\.|`[^`]*`|[^\\`])+?"
FENCE = re.compile(r"```(?:[\w+-]*\n)?((?:[^`]|`{1,2}(?!`))*+)```")
HEADING = re.compile(r"^(#{1,3}) ++(.+)$")
SMALL = re.compile(r"^-# ++(.+)$")
QUOTE = re.compile(r"^> ?(.*)$")
ITEM = re.compile(r"^( *)([-*]|\d+\.) ++(.+)$")
INLINE = re.compile(
    rf"""
      \\(?P<escaped>[^A-Za-z0-9\s])
    | ``(?P<codes>.+?)`` | `(?P<code>[^`\n]+)`
    | <t:(?P<time>-?\d{{1,13}})(?::(?P<style>[tTdDfFR]))?>
    | <a?:(?P<emoji>\w+):(?P<emoji_id>\d+)>
    | <(?P<kind>@&|@!?|\#)(?P<id>\d+)>
    | </(?P<command>[^:>]+):\d+>
    | \[(?P<label>[^\]]+)\]\(<?(?P<href>https?://[^)>\s]+)>?\)
    | <(?P<framed>https?://[^>\s]+)>
    | (?P<bare>https?://[^\s<>]*[^\s<>.,:;"')\]*_~|])
    | \*\*(?P<strong>{INSIDE})\*\*(?!\*)
    | __(?P<u>{INSIDE})__(?!_)
    | ~~(?P<s>{INSIDE})~~
    | \|\|(?P<spoiler>{INSIDE})\|\|
    | \*(?=\S)(?P<em>{INSIDE})(?<=\S)\*
    | (?<!\w)_(?=\S)(?P<slanted>{INSIDE})(?<=\S)_(?!\w)
    """,
    re.DOTALL | re.VERBOSE,
)
DIE = re.compile(r"^(d\d+)_(\d+)(?:_thrown|_(fixed|placed))?$")
FACE = re.compile(r"^(d\d+): \d+$")
SIZE = re.compile(r"^d\d+$")
DEEPEST = 20
"""So many quotes, lists and emphases stand inside each other; what is deeper is shown as it was typed."""
LATEST = 8_640_000_000_000
"""Seconds from 1970 to the last moment that a browser's calendar has."""
EMPHASIS = {"strong": "strong", "u": "u", "s": "s", "spoiler": "spoiler", "em": "em", "slanted": "em"}


@dataclass(frozen=True, slots=True)
class MarkupContext:
    """The context of a piece of text: its world and its nesting depth."""

    world: World
    depth: int = 0

    @property
    def is_deepest(self) -> bool:
        """Whether no deeper nesting is drawn."""
        return self.depth >= DEEPEST

    def deeper(self) -> "MarkupContext":
        """Return the context one level deeper."""
        return replace(self, depth=self.depth + 1)


def markup(text: str, world: World) -> list[Node]:
    """Return the blocks of a text.

    >>> markup("### Hi **you**", World())
    [{'tag': 'h3', 'in': ['Hi ', {'tag': 'strong', 'in': ['you']}]}]
    """
    within, found = MarkupContext(world), list[Node]()
    end = 0
    for fence in FENCE.finditer(text):
        found += blocks(text[end : fence.start()].strip("\n"), within)
        found.append({"tag": "pre", "in": [fence[1].removesuffix("\n")]})
        end = fence.end()
    return found + blocks(text[end:].strip("\n"), within)


def blocks(text: str, within: MarkupContext) -> list[Node]:
    """Return headings, subtext, lists, quotes and paragraphs as nodes."""
    if within.is_deepest:
        return [{"tag": "p", "in": [text]}]
    found: list[Node] = []
    plain: list[str] = []
    lines = text.split("\n") if text else []
    while lines:
        special, used = special_block(lines, within)
        if special is None:
            plain.append(lines[0])
        else:
            found += [*paragraphs(plain, within), special]
            plain = []
        del lines[:used]
    return found + list(paragraphs(plain, within))


def special_block(lines: list[str], within: MarkupContext) -> tuple[Node | None, int]:
    """Return the block that starts at the first line and its length in lines; None for plain text."""
    line = lines[0]
    if heading := HEADING.match(line):
        return {"tag": f"h{max(2, len(heading[1]))}", "in": inline(heading[2], within)}, 1
    if small := SMALL.match(line):
        return {"tag": "small", "in": inline(small[1], within)}, 1
    if line.startswith(">>> "):
        quoted = "\n".join([line[4:], *lines[1:]])
        return {"tag": "blockquote", "in": blocks(quoted, within.deeper())}, len(lines)
    for pattern, made in ((QUOTE, quote), (ITEM, items)):
        matches = list(leading(lines, pattern))
        if matches:
            return made(matches, within), len(matches)
    return None, 1


def leading(lines: Iterable[str], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of the lines up to the first that does not match."""
    for line in lines:
        match = pattern.match(line)
        if match is None:
            return
        yield match


def quote(matches: list[re.Match[str]], within: MarkupContext) -> Node:
    """Return a quote."""
    return {"tag": "blockquote", "in": blocks("\n".join(match[1] for match in matches), within.deeper())}


def items(matches: list[re.Match[str]], within: MarkupContext) -> Node:
    """Return a list; indented items form a list inside the item above them."""
    tag = "ol" if matches[0][2][0].isdecimal() else "ul"
    depth, entries = len(matches[0][1]), list[list[re.Match[str]]]()
    for match in matches:
        if entries and len(match[1]) > depth and not within.is_deepest:
            entries[-1].append(match)
        else:
            entries.append([match])
    inside: list[Node] = []
    for first, *deeper in entries:
        more = [items(deeper, within.deeper())] if deeper else []
        inside.append({"tag": "li", "in": [*inline(first[3], within), *more]})
    return {"tag": tag, "in": inside}


def paragraphs(lines: list[str], within: MarkupContext) -> Iterator[Node]:
    """Yield paragraphs of plain lines; an empty line starts a new one."""
    for text in re.split(r"\n(?:[^\S\n]*\n)+", "\n".join(lines)):
        if text.strip():
            yield {"tag": "p", "in": inline(text.strip("\n"), within)}


def inline(text: str, within: MarkupContext) -> list[Node]:
    """Return emphasis, code, links, mentions and times as nodes; line breaks stay in the text."""
    if within.is_deepest:
        return [text]
    found: list[Node] = []
    end = 0
    for match in INLINE.finditer(text):
        add(found, text[end : match.start()])
        add(found, element(match, within))
        end = match.end()
    add(found, text[end:])
    return said_once(found)


def said_once(nodes: list[Node]) -> list[Node]:
    """Return nodes in which a screen reader hears dice once.

    The size after the picture of a rolled die is only seen, since the picture's name has it. Pictures of
    unrolled dice in a row are one node, read as `2d6 d8`.
    """
    found: list[Node] = []
    for node in nodes:
        before = found[-1] if found else None
        name = before.get("name", "") if isinstance(before, dict) and before["tag"] == "emoji" else ""
        if isinstance(node, str) and (size := FACE.match(name)):
            for part in only_seen(node, size[1]):
                add(found, part)
        elif isinstance(node, dict) and node["tag"] == "emoji" and SIZE.match(node["name"]):
            if isinstance(before, dict) and before["tag"] == "dice":
                before["in"].append(node)
            else:
                found.append({"tag": "dice", "in": [node]})
        else:
            found.append(node)
    for node in found:
        if isinstance(node, dict) and node["tag"] == "dice":
            counts = Counter(each["name"] for each in node["in"])
            node["name"] = " ".join(f"{count if count > 1 else ''}{size}" for size, count in counts.items())
    return found


def only_seen(text: str, size: str) -> list[Node]:
    """Return the text behind a rolled die with its size, such as ` d10` after the label, as only seen."""
    behind = re.match(rf"((?: [^\n]*?)?)( {size})\b", text)
    if behind is None:
        return [text]
    return [behind[1], {"tag": "seen", "in": [behind[2]]}, text[behind.end() :]]


def add(found: list[Node], node: Node) -> None:
    """Append a node; adjacent texts are joined."""
    if isinstance(node, str) and found and isinstance(found[-1], str):
        found[-1] += node
    elif node != "":
        found.append(node)


def element(match: re.Match[str], within: MarkupContext) -> Node:
    """Return the node for one match of markup."""
    got = {name: text for name, text in match.groupdict().items() if text is not None}
    if "escaped" in got:
        return got["escaped"]
    if "code" in got or "codes" in got:
        return {"tag": "code", "in": [got.get("code") or got["codes"].strip()]}
    if "time" in got and abs(int(got["time"])) <= LATEST:
        return {"tag": "time", "at": int(got["time"]), "style": got.get("style", "f")}
    if "emoji" in got:
        return emoji(got["emoji"], got["emoji_id"], within.world)
    if "kind" in got:
        return {"tag": "mention", "in": [mentioned(got["kind"], got["id"], within.world)]}
    if "command" in got:
        return {"tag": "command", "in": [f"/{got['command']}"]}
    if "time" in got:
        return match[0]
    for name, tag in EMPHASIS.items():
        if name in got:
            return {"tag": tag, "in": inline(got[name], within.deeper())}
    return link(got, within)


def emoji(name: str, number: str, world: World) -> Node:
    """Return one of the bot's own emojis as an image, any other emoji as its name."""
    return (
        {"tag": "emoji", "name": said_of(name), "id": number} if int(number) in world.emojis else f":{name}:"
    )


def said_of(name: str) -> str:
    """Return the alternative text of an emoji: `d10: 6` for `d10_6`, the name for any other.

    >>> said_of("d10_6"), said_of("d10_6_placed"), said_of("d10_1_thrown")
    ('d10: 6', 'd10: 6 placed', 'd10: 1')
    """
    match = DIE.match(name)
    return " ".join(filter(None, (f"{match[1]}: {match[2]}", match[3]))) if match else name


def link(got: dict[str, str], within: MarkupContext) -> Node:
    """Return a link to a web address, or to a message here."""
    href = got.get("href") or got.get("framed") or got["bare"]
    words = inline(got["label"], within.deeper()) if "label" in got else [href]
    here = MARKDOWN_LINK.fullmatch(href)
    if here is None:
        return {"tag": "a", "href": href, "in": words}
    shown = words if "label" in got else [f"{mentioned('#', here[1], within.world)} › message"]
    return {"tag": "jump", "place": here[1], "message": href.rpartition("/")[2], "in": shown}
