"""Modules with and without findings, and a run of the command line on files."""

import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE

RIGHT = """.version 9.4
.target sm_90
.address_size 64
.visible .entry kernel()
{
    .reg .b32 %r<4>;
    mov.b32 %r2, 1;
    mov.b32 %r3, 2;
    add.s32 %r1, %r2, %r3;
    ret;
}
"""

WRONG = RIGHT.replace("add.s32 %r1, %r2, %r3;", "add.s32 %r1, %r2, 1.0;")

WARNED = RIGHT.replace("add.s32 %r1, %r2, %r3;", "add.s32 %r1, %r2, 0x1ffffffff;")


def run(*arguments: str | Path, text: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the command line with these arguments, and with a text as its standard input."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run(
        [sys.executable, "-m", "ptx_lsp", *map(str, arguments)], input=data, capture_output=True, timeout=PATIENCE
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode().replace("\r\n", "\n"), done.stderr.decode()
    )
