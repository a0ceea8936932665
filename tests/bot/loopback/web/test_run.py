"""Opening the page from the command line, and closing it."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from bot.loopback.web.server import PORT
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[4]


def play(folder: Path, *arguments: str, typed: int | None = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """Start the program with its data in a folder and `typed` as its standard input."""
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "play", "--web", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with play(tmp_path, "--port", "0") as process:
        yield process
        process.kill()


def test_the_page_is_open_until_told_to_stop(table: subprocess.Popen[str], tmp_path: Path) -> None:
    assert table.stdout is not None
    found = re.fullmatch(
        r"The table is open at (http://127\.0\.0\.1:\d+/[\w-]{32}/)\n", table.stdout.readline()
    )
    assert found is not None
    with urlopen(found[1]) as page:
        assert b'role="log"' in page.read()
    assert (tmp_path / "data" / "web.key").stat().st_mode & 0o777 == 0o600
    table.send_signal(signal.SIGTERM)
    _, complaints = table.communicate(timeout=PATIENCE)
    assert (table.returncode, complaints) == (0, "")


def test_a_line_that_says_quit_closes_the_page(tmp_path: Path) -> None:
    with play(tmp_path, "--port", "0", typed=subprocess.PIPE) as process:
        said, complaints = process.communicate("help\nquit\n", timeout=PATIENCE)
    assert (process.returncode, complaints) == (0, "")
    assert said.startswith("The table is open at ")


def test_without_a_port_another_one_is_taken_if_the_usual_is_not_free(tmp_path: Path) -> None:
    # The port may be in use by another program, or is now in use by this server.
    with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", PORT)):
        with play(tmp_path, typed=subprocess.PIPE) as process:
            said, complaints = process.communicate("quit\n", timeout=PATIENCE)
        assert (process.returncode, complaints) == (0, "")
        assert "The table is open at http://127.0.0.1:" in said
        assert f":{PORT}/" not in said


def test_a_port_that_is_taken_is_said_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with play(tmp_path, "--port", str(port)) as process:
            _, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == 78
    assert complaints.startswith(f"Cannot open the page at 127.0.0.1:{port}: ")
