"""A browser that performs the steps of a plan, in VS Code or in a terminal."""

import json
import subprocess
from pathlib import Path

from tests.editors import places

PLAN_TIME = 240.0

Step = dict[str, object]


def drive(plan: dict[str, object], folder: Path, time: float = PLAN_TIME) -> list[object]:
    """Performs a plan of browser.mjs, which is written to `folder`; the result of each step.

    `time` is how many seconds all steps may take.
    """
    file = folder / "plan.json"
    file.write_text(json.dumps(plan), "utf-8")
    browser = [places.program("node"), places.HERE / "browser.mjs", places.playwright(), places.program("chromium")]
    done = subprocess.run([*browser, file], capture_output=True, text=True, timeout=time)
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert isinstance(results, list)
    return results
