"""Work in a process of its own, for what would be felt even where a thread takes turns with the event loop.

In a thread each piece that counts keeps the loop from its own for half a millisecond, and a reply takes many:
who was answered while 30 dice were counted waited 60 ms more. A process takes a fifth of a second to begin.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from bot.side_lane import Lane

_LANE = Lane("apart")
_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")


async def apart(
    person: int, work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
) -> _Result:
    """What some work of a person's gives; one such process at a time, as in `side_lane`.

    The work has neither language nor faults of its own. Raises TooLate for who has too much waiting, and
    subprocess.CalledProcessError where the process fails, which says why among the faults.
    """
    done: _Result = await _LANE.work(person, _done, (work, args, options))
    return done


def _done(what: object) -> Any:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.run(
        [sys.executable, "-m", __name__],
        input=pickle.dumps(what),
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )
    return pickle.loads(process.stdout)


if __name__ == "__main__":
    work_, args_, options_ = pickle.load(sys.stdin.buffer)
    pickle.dump(work_(*args_, **options_), sys.stdout.buffer)
