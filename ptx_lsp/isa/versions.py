"""PTX ISA versions and target architectures as values that can be compared."""

from ptx_lsp.light_classes import NamedTuple


class Version(NamedTuple):
    """A PTX ISA version, `9.4`."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def version_of(text: str) -> Version:
    """The version in a row, `8.7`. Raises ValueError for a text that is not one: a row has no such text."""
    major, minor = text.split(".")
    return Version(int(major), int(minor))


class Target(NamedTuple):
    """A target architecture: `sm_90a` is `Target(90, "a")`; the suffix is empty, `a` (this chip) or `f` (family)."""

    number: int
    suffix: str = ""

    def __str__(self) -> str:
        return f"sm_{self.number}{self.suffix}"

    @property
    def capability(self) -> str:
        """The compute capability of its chips, `9.0`."""
        return f"{self.number // 10}.{self.number % 10}"
