"""Run the command of the arguments to its end, from a small process, and print its cost as one line of JSON.

The maximum memory that Linux reports of a process includes the memory of the process that started it. The benchmark
itself is larger than most commands that it measures, so that it does not start them: this process does, and imports
nothing that it does not need.
"""

import json
import os
import sys
import time


def main(command: list[str]) -> None:
    """Print seconds of processor time and of wall time, the maximum memory in KiB, and the exit code."""
    begun = time.perf_counter()
    nowhere = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (1, 2)]
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=nowhere)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - begun
    print(json.dumps([usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss, os.waitstatus_to_exitcode(status)]))


if __name__ == "__main__":
    main(sys.argv[1:])
