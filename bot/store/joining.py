"""The lines of a stored state as one JSON text again."""


def joined(text: bytes) -> bytes:
    """All lines of a text as one JSON object; older texts are one line."""
    head, *lines = text.split(b"\n")
    if not lines:
        return head
    characters, rolls, games = list[bytes](), list[bytes](), list[tuple[bytes, list[bytes]]]()
    for line in lines:
        match line[:1]:
            case b"c":
                characters.append(line[1:])
            case b"g":
                games.append((line[1:], []))
            case b"r" if games:
                games[-1][1].append(line[1:])
            case b"r":  # before version 6 they were the table's own
                rolls.append(line[1:])
            case other:
                raise KeyError(other)
    found = {b"characters": characters, b"rolls": rolls, b"games": [_with_rolls(*each) for each in games]}
    mappings = (b'"%s":{%s}' % (name, b",".join(items)) for name, items in found.items() if items)
    return _with_more(head[:-1], b",".join(mappings)) + b"}"


def _with_rolls(game: bytes, rolls: list[bytes]) -> bytes:
    """What a game has on the table, its rolls put back."""
    return _with_more(game, b'"rolls":{%s}' % b",".join(rolls)) if rolls else game


def _with_more(form: bytes, more: bytes) -> bytes:
    """The JSON of an object with more in it."""
    # One in which everything has its default ends so.
    comma = b"" if form.endswith(b"{}") else b","
    return b"%s%s%s}" % (form[:-1], comma, more)
