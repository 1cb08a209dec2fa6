"""The settings of each document: those of the editor above those of the document's configuration file."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from pygls.uris import from_fs_path

from ptx_lsp.analysis.module import Checks
from ptx_lsp.config.project import LARGEST, NAMES, Project
from ptx_lsp.config.search import Projects
from ptx_lsp.config.settings import Settings, Values, combined, settings_of
from ptx_lsp.server.diagnostics import diagnostics_json, publication, withdrawal
from ptx_lsp.server.documents import OpenDocument, path_of
from ptx_lsp.server.files import Files
from ptx_lsp.text.lines import Encoding


def is_configuration(uri: str) -> bool:
    """Whether a file has the name of a configuration file."""
    return path_of(uri).rpartition("/")[2] in NAMES


class ProjectSettings:
    """The settings by the configuration file that holds for a document. `editor` are those of the editor."""

    def __init__(self, files: Files, editor: Values) -> None:
        self.editor = editor
        self._files = files
        self._projects = Projects(files.read)
        self._settings: dict[str, Settings] = {}
        self._published: dict[str, str] = {}  # by the path of a configuration file with mistakes, its URI

    def of(self, uri: str) -> Settings:
        """The settings of a document; those of the editor alone if it is not a file."""
        project = self._project(uri)
        path = "" if project is None else project.path
        if path not in self._settings:
            self._settings[path] = settings_of(combined({} if project is None else project.values, self.editor))
        return self._settings[path]

    def forget(self) -> None:
        """Read configuration files and combine settings again when they are next needed, because they have changed."""
        self._projects.forget()
        self._settings.clear()

    def news(self, encoding: Encoding) -> Iterator[tuple[str, str]]:
        """The URI of each configuration file whose diagnostics the client does not have, and their notification.

        Only files that hold for a document whose settings were requested since the last `forget` have diagnostics.
        """
        wrong = {project.path: project for project in self._projects.known() if project.problems}
        for path in [path for path in self._published if path not in wrong]:
            uri = self._published.pop(path)
            yield uri, withdrawal(uri)
        for path, project in wrong.items():
            uri = from_fs_path(path) or ""
            yield uri, self._notification(uri, project, encoding)
            self._published[path] = uri

    def _notification(self, uri: str, project: Project, encoding: Encoding) -> str:
        try:
            data = self._files.read(project.path, LARGEST) or b""
        except OSError:
            data = b""
        document = OpenDocument(uri, None, data.decode("utf-8", "replace"), Checks(), encoding)
        return publication(document, diagnostics_json(document, project.problems, 0))

    def _project(self, uri: str) -> Project | None:
        parts = urlsplit(uri)
        return self._projects.of(_disk_path(path_of(uri))) if parts.scheme == "file" and not parts.netloc else None


def _disk_path(path: str) -> str:
    """The path of a URI as the system takes it: without the `/` before the letter of a drive."""
    return path[1:] if path[2:3] == ":" and path[0] == "/" else path
