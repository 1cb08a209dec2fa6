"""VS Code itself, in a browser: installs extensions into a fresh profile, opens folders, drives the window."""

import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

from tests.editors import places
from tests.editors.browser import PLAN_TIME, Step, drive

PATIENCE = 60.0
QUIET = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"]

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="ptx-lsp-probe" Version="0.0.1" Publisher="ptx-lsp"/>
    <DisplayName>probe</DisplayName><Description>probe</Description>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"/></Assets>
</PackageManifest>
"""
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json"
ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default
Extension=".vsixmanifest" ContentType="text/xml"/></Types>
"""


@dataclass(frozen=True, slots=True)
class Editor:
    """A running code-server: its port, and the folder that plans are written to."""

    port: int
    folder: Path

    def perform(self, workspace: Path, steps: list[Step], time: float = PLAN_TIME) -> list[object]:
        """Opens a workspace in a new browser window and performs the steps of browser.mjs; the result of each.

        `time` is how many seconds all of them may take.
        """
        url = f"http://127.0.0.1:{self.port}/?folder={quote(str(workspace))}"
        return drive({"url": url, "steps": steps}, self.folder, time)


@contextmanager
def running(folder: Path, extensions: list[Path]) -> Iterator[Editor]:
    """A code-server with these extensions and a profile of its own in `folder`, until the context ends."""
    port = free_port()
    config = folder / "config.yaml"
    config.write_text("auth: none\ncert: false\n", "utf-8")
    command = [str(places.program("node")), str(places.code_server()), "--config", str(config)]
    command += ["--user-data-dir", str(folder / "user"), "--extensions-dir", str(folder / "extensions")]
    for extension in extensions:
        install = [*command, "--install-extension", str(extension)]
        subprocess.run(install, check=True, capture_output=True, timeout=PATIENCE, env=environment())
    start = [*command, "--bind-addr", f"127.0.0.1:{port}", "--auth", "none", "--disable-workspace-trust", *QUIET]
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(start, stdout=log, stderr=log, start_new_session=True, env=environment())
    try:
        wait_until_healthy(port, folder / "log.txt")
        yield Editor(port, folder)
    finally:
        # Its extension hosts and their servers are in the same session; they would not end with it.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


def environment() -> dict[str, str]:
    """The environment of code-server: the Python that runs the tests comes first."""
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def free_port() -> int:
    """A free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_until_healthy(port: int, log: Path) -> None:
    """Returns when the server answers; raises TimeoutError, with the log, after `PATIENCE` seconds."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(log.read_text("utf-8", "replace"))


def pack_probe(folder: Path) -> Path:
    """The tests' own extension as a .vsix."""
    target = folder / "probe.vsix"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("extension.vsixmanifest", MANIFEST)
        for name in ["package.json", "probe.js", "debugger.js"]:
            archive.write(places.HERE / "probe" / name, f"extension/{name}")
    return target
