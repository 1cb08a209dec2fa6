"""The language server for PTX, NVIDIA's GPU virtual assembly, and its checker as a library."""

__version__ = "0.1.0"
