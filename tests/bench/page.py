"""The guide's page of figures, which the bench writes: each part between two lines that name it."""

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

PAGE = Path(__file__).parents[2] / "bot" / "guide" / "build" / "measure.md"


class _Both(io.StringIO):
    """What is printed, which is shown meanwhile, too."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]
        return super().write(text)


@contextmanager
def kept(part: str) -> Iterator[None]:
    """What is printed meanwhile stands on the page as that part, if it has a place there."""
    printed = _Both()
    with redirect_stdout(printed):
        yield
    PAGE.write_text(with_part(PAGE.read_text(encoding="utf-8"), part, printed.getvalue()), encoding="utf-8")


def with_part(page: str, part: str, printed: str) -> str:
    """A page with what was printed in the place of that part."""
    place = re.compile(rf"(<!-- {part} -->\n).*?(<!-- end of {part} -->)", re.DOTALL)
    return place.sub(lambda found: f"{found[1]}```text\n{printed.rstrip()}\n```\n{found[2]}", page)
