"""Files that are opened in editors, and the server for them."""

import os
import shutil
import sys
from pathlib import Path

from tests.editors import places

SAMPLE = places.ROOT / "examples" / "gaussian.ptx"

SUM = "%r8, %r7, %r6;"

MISTAKEN_SUM = "%r8, %r7, %f9;"


def server(folder: Path) -> Path:
    """A folder that contains `ptx-lsp`: that of the Python that runs the tests."""
    if "PTX_LSP_TEST_SERVER" in os.environ:
        shutil.copy(os.environ["PTX_LSP_TEST_SERVER"], folder / "ptx-lsp")
        return folder
    return Path(sys.executable).parent


CUDA = """__device__ float f(float x, float y) {
  float r; /* \N{PEACH} */ asm("fma.rn.f32 %0, %1, 0f3FB8AA3B, %2;" : "=f"(r) : "f"(x), "f"(y));
  return r;
}
"""
