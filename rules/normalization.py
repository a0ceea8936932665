"""Text as people type it, in plain characters: no full-width letters, keycaps, odd spaces or markdown."""

import re
import unicodedata

from rules.names import is_seen

# Pictures of keys: 10 is one, every other number is its digits.
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
_TEN = re.compile("\U0001f51f\ufe0f?")
_MARKED = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|\|\||`{1,3})(?=[^\s*_|`])(.{1,200}?)(?<=\S)\1(?!\w)", re.DOTALL)
"""Text between two equal marks of markdown."""
_FOLDED = str.maketrans("“”„«»’‘−–—×", '"""""\'\'---x')
_KEPT = ("<super>", "<sub>", "<fraction>")
"""Characters with these decompositions are no plain digits: `5d²` is not `5d2`."""


def normalized(text: str) -> str:
    """Return the text in plain characters, with straight quotation marks and without marks of markdown.

    >>> normalized("**５ｄ**\u00a0− 2️⃣d")
    '5d - 2d'
    """
    if text.isascii():
        plain = text
    else:
        digits = _TEN.sub("10", _KEYCAP.sub(r"\1", text))
        folded = "".join(map(_folded, digits)).translate(_FOLDED)
        plain = "".join(c for c in folded if is_seen(c) or c.isspace())
    for _ in range(4):  # marks stand in marks: `||**5d**||`
        bare = _MARKED.sub(r"\2", plain)
        if bare == plain:
            break
        plain = bare
    return plain


def _folded(character: str) -> str:
    kind = unicodedata.decomposition(character).partition(" ")[0]
    return character if kind in _KEPT else unicodedata.normalize("NFKC", character)
