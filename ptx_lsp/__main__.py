"""`python -m ptx_lsp` is `ptx-lsp`."""

import sys

from ptx_lsp.cli.main import program

if __name__ == "__main__":
    sys.exit(program())
