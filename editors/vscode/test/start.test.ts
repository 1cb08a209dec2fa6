// How processes are started: never with a program that the opened folder may contain.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { bundledStart, chosenStart, questionStart, readAnswer, resolveProgram, type Python } from "../src/start";

const EXTENSION = path.join(path.sep, "extensions", "ptx-lsp");
const PYTHON: Python = { command: ["py", "-3"], executable: "C:\\Python312\\python.exe", version: "3.12.1" };

test("the bundled server runs with the absolute path of the interpreter, in the extension's folder", () => {
  const start = bundledStart(PYTHON, EXTENSION, ["server", "--stdio"], { PATH: "p", PYTHONHOME: "h", PYTHONPATH: "x" });
  assert.equal(start.program, "C:\\Python312\\python.exe");
  assert.deepEqual(start.arguments, ["-P", "-S", "-m", "ptx_lsp", "server", "--stdio"]);
  assert.equal(start.folder, EXTENSION);
  assert.deepEqual(start.environment, { PATH: "p", PYTHONPATH: path.join(EXTENSION, "bundled", "libs"), PYTHONUTF8: "1" });
});

test("an interpreter that does not print its path runs by the command that found it", () => {
  const start = bundledStart({ ...PYTHON, executable: "" }, EXTENSION, [], {});
  assert.deepEqual([start.program, ...start.arguments], ["py", "-3", "-P", "-S", "-m", "ptx_lsp"]);
  assert.equal(start.folder, EXTENSION);
});

test("a Python is asked for its path in the extension's folder", () => {
  const start = questionStart(["py", "-3"], EXTENSION, {});
  assert.equal(start.program, "py");
  assert.deepEqual(start.arguments.slice(0, 3), ["-3", "-S", "-c"]);
  assert.equal(start.folder, EXTENSION);
});

test("a real Python answers with its version and its absolute path", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptx-lsp-"));
  try {
    const command = [process.platform === "win32" ? "python" : "python3"];
    const start = questionStart(command, folder, process.env);
    const answer = execFileSync(start.program, start.arguments, { cwd: start.folder, env: start.environment });
    const python = readAnswer(command, answer.toString());
    assert.match(python?.version ?? "", /^3\.\d+\.\d+$/);
    assert.ok(path.isAbsolute(python?.executable ?? ""));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("only an absolute path is accepted as the interpreter's own", () => {
  assert.equal(readAnswer(["python3"], "3.12.1\npython3\n")?.executable, "");
  assert.equal(readAnswer(["python3"], "3.9.18\n")?.executable, "");
  assert.equal(readAnswer(["py"], "3.12.1\r\nC:\\Python\\python.exe\r\n")?.executable, "C:\\Python\\python.exe");
  assert.equal(readAnswer(["python3"], "Python was not found"), undefined);
});

test("a server of the settings starts in the extension's folder", () => {
  assert.equal(chosenStart("ptx-lsp", EXTENSION, ["server"], {}).folder, EXTENSION);
});

test("a relative path begins in a trusted workspace, and a name without folders is searched along PATH", () => {
  const workspace = path.join(path.sep, "work");
  assert.equal(resolveProgram("ptx-lsp", workspace), "ptx-lsp");
  assert.equal(resolveProgram(".venv/bin/ptx-lsp", workspace), path.join(workspace, ".venv/bin/ptx-lsp"));
  assert.equal(resolveProgram("/usr/bin/ptx-lsp", workspace), "/usr/bin/ptx-lsp");
  assert.equal(resolveProgram("C:\\ptx\\ptx-lsp.exe", workspace), "C:\\ptx\\ptx-lsp.exe");
  assert.equal(resolveProgram(".venv/bin/ptx-lsp", undefined), ".venv/bin/ptx-lsp");
});
