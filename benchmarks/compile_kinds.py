"""PTX of NVIDIA's template libraries, for `--corpus`: `python -m benchmarks.compile_kinds FOLDER`.

The compiler and the libraries are installed from PyPI into `FOLDER/packages`, if they are not there, and each row of
`COMPILED` is compiled from `benchmarks/kernels/` into FOLDER. This takes some minutes and needs a C++ compiler for the
host. Then `python -m benchmarks --only kinds --corpus OTHER --corpus FOLDER` measures both folders.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

KERNELS = Path(__file__).resolve().parent / "kernels"
PACKAGES = (
    "nvidia-cuda-nvcc==13.5.37",
    "nvidia-nvvm==13.5.37",
    "nvidia-cuda-crt==13.5.37",
    "nvidia-cuda-runtime==13.5.37",
    "nvidia-cuda-cccl==13.3.5.0.6",
    "nvidia-cutlass==4.2.0.0",
)
TOOLKIT = Path("nvidia") / "cu13"
INCLUDED = (TOOLKIT / "include" / "cccl", Path("cutlass_library") / "source" / "include")
FLAGS = ("-ptx", "-std=c++17", "-w")


class Compiled(NamedTuple):
    """A file to compile: its path in the folder, the source in `KERNELS`, and the flags that differ."""

    path: str
    source: str
    flags: tuple[str, ...]


COMPILED = (
    Compiled("thrust/kernels_lineinfo.ptx", "thrust_kernels.cu", ("-arch=sm_80", "-lineinfo")),
    Compiled("cutlass/gemm_lineinfo.ptx", "cutlass_gemm.cu", ("-arch=sm_80", "-lineinfo")),
    Compiled("cub/kernels.ptx", "cub_kernels.cu", ("-arch=sm_80",)),
    Compiled("cub/sort_G.ptx", "cub_sort.cu", ("-arch=sm_80", "-G")),
)


def install(packages: Path) -> None:
    """Install the compiler and the libraries, unless the compiler is there."""
    if not (packages / TOOLKIT / "bin" / "nvcc").exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(packages)]
        subprocess.run([*pip, *PACKAGES], check=True)


def compile_all(folder: Path, packages: Path) -> None:
    """Compile what the folder does not have yet, and print the length of each file."""
    include = [f"-I{packages / path}" for path in INCLUDED]
    for row in COMPILED:
        target = folder / row.path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            compiler = str(packages / TOOLKIT / "bin" / "nvcc")
            command = [compiler, *FLAGS, *row.flags, *include, str(KERNELS / row.source), "-o", str(target)]
            subprocess.run(command, check=True)
        print(f"{target}: {target.read_bytes().count(10):,} lines")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compile_kinds", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    install(folder / "packages")
    compile_all(folder, folder / "packages")


if __name__ == "__main__":
    main()
