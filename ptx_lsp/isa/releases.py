"""The CUDA release that introduced each version of the PTX ISA."""

from ptx_lsp.isa.versions import Version, version_of

_ROWS = """
1.0 1.0   1.1 1.1   1.2 2.0   1.3 2.1   1.4 2.2   2.0 3.0   2.1 3.1   2.2 3.2   2.3 4.0   3.0 4.1
3.1 5.0   3.2 5.5   4.0 6.0   4.1 6.5   4.2 7.0   4.3 7.5   5.0 8.0   5.1 9.0   6.0 9.0   6.1 9.1   6.2 9.2
6.3 10.0  6.4 10.1  6.5 10.2  7.0 11.0  7.1 11.1  7.2 11.2  7.3 11.3  7.4 11.4  7.5 11.5  7.6 11.6
7.7 11.7  7.8 11.8  8.0 12.0  8.1 12.1  8.2 12.2  8.3 12.3  8.4 12.4  8.5 12.5  8.6 12.7  8.7 12.8
8.8 12.9  9.0 13.0  9.1 13.1  9.2 13.2  9.3 13.3  9.4 13.4  9.5 13.5
"""

_WORDS = _ROWS.split()

RELEASES: dict[Version, str] = dict(zip(map(version_of, _WORDS[::2]), _WORDS[1::2], strict=True))
"""Every PTX ISA version, oldest first, with the CUDA release that introduced it (release notes of the PTX ISA)."""

OLDEST, NEWEST = next(iter(RELEASES)), next(reversed(RELEASES))


def cuda_release(version: Version) -> str:
    """The CUDA release that introduced a PTX ISA version, `12.8`; empty for an unknown version."""
    return RELEASES.get(version, "")


def with_release(version: Version) -> str:
    """A version with the CUDA release that introduced it, `8.7 (CUDA 12.8)`; an unknown version alone."""
    release = cuda_release(version)
    return f"{version} (CUDA {release})" if release else str(version)


def read_version(text: str) -> Version | None:
    """The version that the text `8.7` means, or None if the text is not a version number."""
    major, dot, minor = text.partition(".")
    return Version(int(major), int(minor)) if dot and major.isdecimal() and minor.isdecimal() else None
