"""The files that come with the package: rule pages and rows of the instruction set.

They are read through the loader of the package, from a folder or an archive, as `importlib.resources` does; but its
import takes 10 milliseconds, a tenth of the time to check a short file.
"""

from os.path import dirname, join

from ptx_lsp.light_classes import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:

    class _Loader(Protocol):
        def get_data(self, path: str) -> bytes: ...

    class _Spec(Protocol):
        loader: _Loader


def read_data(*place: str) -> bytes:
    """The bytes of a file by its path in the package. Raises OSError if there is no such file."""
    return cast("_Spec", __spec__).loader.get_data(join(dirname(__file__), *place))


def read_text(*place: str) -> str:
    """The text of a file by its path in the package: `read_text("rules", "undeclared-name.md")`.

    Raises OSError if there is no such file.
    """
    text = read_data(*place).decode("utf-8")
    return text.replace("\r\n", "\n") if "\r" in text else text  # one character is found much faster than two


def read_rows(*place: str) -> list[str]:
    """The lines of a table by its path in the package, without empty lines and those that begin with `//`.

    Raises OSError if there is no such file.
    """
    return [line for line in read_text(*place).split("\n") if line and not line.startswith("//")]
