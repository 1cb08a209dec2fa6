"""The files that a `.file` directive names, on this machine."""

from pygls.uris import from_fs_path, to_fs_path

from ptx_lsp.features.document_link import spellings
from ptx_lsp.server.server import Server

_OTHER_MACHINE = ("//", "\\\\", "\\/", "/\\")


def source_file(server: Server, uri: str, written: str) -> str | None:
    """The URI of the regular file that a path in the document `uri` names; None without one. It is not opened.

    The setting `ptx.source.paths` replaces the beginnings of paths. A relative path is relative to the folder of the
    document. Paths on other machines (`//host/...`) name no file: to look at one would log in there.
    """
    folder = (to_fs_path(uri) or "").rpartition("/")[0]
    for spelling in spellings(written):
        path = _mapped(server, spelling)
        if path.startswith(_OTHER_MACHINE) or "\0" in path:
            continue
        absolute = path if path.startswith("/") or path[1:2] == ":" else f"{folder}/{path}"
        if server.files.is_file(absolute):
            found: str | None = from_fs_path(absolute)
            return found
    return None


def _mapped(server: Server, path: str) -> str:
    """A path with its beginning replaced: of all beginnings in the setting that fit, the longest."""
    fitting = [(old, new) for old, new in server.settings.source_paths if path.startswith(old)]
    if not fitting:
        return path
    old, new = max(fitting, key=lambda pair: len(pair[0]))
    return new + path.removeprefix(old)
