"""The addresses of NVIDIA's manual of the PTX ISA."""

MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/"


def page_url(anchor: str) -> str:
    """The address of a section of the manual, by its anchor without `#`."""
    return f"{MANUAL}#{anchor}"
