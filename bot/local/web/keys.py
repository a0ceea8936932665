"""The table's key: what its address and its seats are made of, kept beside the database."""

import base64
import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

SIZE = 32


@dataclass(frozen=True, slots=True)
class Key:
    """One secret, from which others follow that say nothing of it or of each other."""

    secret: bytes = field(repr=False)

    def made(self, *words: str) -> str:
        """The secret that belongs to these words, fit for an address."""
        digest = hmac.new(self.secret, encoded("\0".join(words)), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:24]).decode()

    def is_made(self, mark: str, *words: str) -> bool:
        """The mark is the one that belongs to these words."""
        return hmac.compare_digest(encoded(self.made(*words)), encoded(mark))


def encoded(text: str) -> bytes:
    """Text as bytes, also what no text should hold but a request may."""
    return text.encode(errors="backslashreplace")


def kept_key(path: Path) -> Key:
    """The key in a file that only its owner can read; made where there is none.

    With the same key the address stays the same, and open pages find their seats after a restart.

    Raises:
        OSError: the file cannot be read or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.stat().st_size < SIZE:
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(SIZE))
    return Key(path.read_bytes())
