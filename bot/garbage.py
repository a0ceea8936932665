"""Looking for garbage seldom: a look at everything that a bot remembers keeps everybody waiting.

What is done with goes by itself in Python; the collector finds only what points at itself. Little of ours
does, and a thousand remembered tables took it 200 ms at a time.
"""

import ctypes
import gc
from contextlib import suppress

YOUNG = 2_000
"""So many new things are looked through at once, in a millisecond or two."""
OLDER = 10
"""After so many such looks all that came since is looked through again, in some 10 ms."""
OLD = 50
"""After so many of those, everything since the start, if it has grown by a quarter."""
LARGE = 1024 * 1024
"""A block of so many bytes goes back to the system as soon as it is free."""
ARENAS = 2
"""So many heaps there are; glibc makes one for each thread, and each keeps what its busiest moment took."""
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # of <malloc.h>


def settle() -> None:
    """Leave alone whatever is there by now, and look seldom at what comes."""
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, OLD)
    gc.enable()


def give_back() -> None:
    """Let large blocks go back to the system when they are free; glibc keeps them for the next time.

    What a picture took would stay with the process for good: up to 32 MB a block, in each thread.
    """
    with suppress(OSError, AttributeError, TypeError):  # other systems do so by themselves
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, LARGE)
        mallopt(_ARENA_MAX, ARENAS)
