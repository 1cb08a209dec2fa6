"""A program in a terminal of its own, whose screen is another program's: `python terminal.py COLUMNS ROWS PROGRAM ...`.

What arrives on standard input is typed, and what the program writes goes to standard output. The program ends when
standard input ends.
"""

import os
import pty
import selectors
import signal
import struct
import sys
import termios
from fcntl import ioctl

AT_ONCE = 65_536  # bytes


def main() -> int:
    """Runs the program until it or standard input ends."""
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    process, terminal = pty.fork()
    if process == 0:
        ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.execvp(sys.argv[3], sys.argv[3:])
    with selectors.DefaultSelector() as inputs:
        for source, target in ((terminal, 1), (0, terminal)):
            inputs.register(source, selectors.EVENT_READ, target)
        while all(copied(key.fd, key.data) for key, _ in inputs.select()):
            pass
    os.kill(process, signal.SIGHUP)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def copied(source: int, target: int) -> bool:
    """Copies what can be read without waiting; false at the end of the source."""
    try:
        data = os.read(source, AT_ONCE)
    except OSError:  # the program in the terminal has ended
        return False
    while data:
        data = data[os.write(target, data) :]
        if not data:
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
