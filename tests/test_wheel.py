"""The program as a wheel: what is in it, and that it plays where nothing else is installed."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from bot import VERSION

pytestmark = [pytest.mark.slow, pytest.mark.needs("uv")]

ROOT = Path(__file__).parents[1]
UV = os.environ.get("UV", "uv")
MOST = 3_000_000
"""A wheel has at most so many bytes."""


def run(*command: object, folder: Path = ROOT, typed: str = "", **more: str) -> str:
    """What a command says; only this clone's loopback can hold bodies against Discord's description."""
    kept = {name: value for name, value in os.environ.items() if name != "DISCORD_OPENAPI"}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**kept, **more},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of this clone, made by the build backend that is locked."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder)
    return folder


def wheel_of(folder: Path) -> Path:
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.needs("git", ".git")
def test_the_wheel_holds_three_packages_and_nothing_else(built: Path) -> None:
    wheel = wheel_of(built)
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert {name.partition("/")[0] for name in names} == {
        "bot",
        "rules",
        "migrations",
        f"doomkeeper-{VERSION}.dist-info",
    }
    tracked = run("git", "ls-files", "bot", "rules", "migrations").splitlines()
    assert set(tracked) == {name for name in names if not name.startswith("doomkeeper-")}
    assert wheel.stat().st_size < MOST


def test_the_sdist_makes_the_same_wheel(built: Path, tmp_path: Path) -> None:
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as packed:
        packed.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again", folder=unpacked)
    with (
        zipfile.ZipFile(wheel_of(built)) as first,
        zipfile.ZipFile(wheel_of(tmp_path / "again")) as second,
    ):
        assert {one.filename: one.CRC for one in first.infolist()} == {
            one.filename: one.CRC for one in second.infolist()
        }


def test_the_wheel_alone_migrates_and_plays(built: Path, tmp_path: Path) -> None:
    empty, home, elsewhere = tmp_path / "empty", tmp_path / "home", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".env").write_text("DATABASE_URL=sqlite:///of-another-program.db\n", encoding="utf-8")
    locked = tmp_path / "locked.txt"
    locked.write_text(run(UV, "export", "--frozen", "--no-dev", "--no-emit-project", "-q"), encoding="utf-8")
    run(UV, "venv", "-q", "--python", sys.executable, empty)
    run(UV, "pip", "install", "-q", "--python", empty, "-r", locked)
    run(UV, "pip", "install", "-q", "--python", empty, "--no-deps", wheel_of(built))
    program = empty / "bin" / "doomkeeper"
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PYTHONPATH": ""}

    assert run(program, "--version", folder=elsewhere, **own).strip() == VERSION
    shown = run(program, "play", "--demo", folder=elsewhere, **own)
    assert "(hitch)" in shown
    assert not home.exists()
    said = run(program, "play", folder=elsewhere, typed="gm: /campaign new name:Skyfall\n", **own)
    assert f"Settings and tables are stored in {home / 'data' / 'doomkeeper'}" in said
    again = run(program, "play", folder=elsewhere, typed="gm: /table show\n@gm /help topic:start\n", **own)
    assert "Skyfall" in again
    assert "python -m bot" not in again
    assert sorted(path.name for path in elsewhere.iterdir()) == [".env"]
    assert (home / "data" / "doomkeeper" / "local.db").is_file()
