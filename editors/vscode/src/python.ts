// Which Python runs the bundled server.

import { execFile } from "node:child_process";
import * as vscode from "vscode";

/** The oldest Python that the server runs on. */
export const OLDEST: readonly [number, number] = [3, 11];

/** A Python that was asked who it is. */
export interface Python {
  readonly command: readonly string[];
  readonly version: string;
}

/** What a search gave: a Python that will do, or the ones that were found too old. */
export type Search = { readonly found: Python } | { readonly found: undefined; readonly tooOld: readonly Python[] };

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: unknown): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/**
 * The first Python that is new enough: the one in the settings, the one that the Python extension has chosen, then
 * those on PATH. One named in the settings is the only candidate, so that a slip in it does not go unnoticed.
 */
export async function searchPython(chosen: string | undefined): Promise<Search> {
  const candidates = chosen ? [[chosen]] : [...(await fromPythonExtension()), ...onPath()];
  const tooOld: Python[] = [];
  for (const command of candidates) {
    const python = await ask(command);
    if (python && isNewEnough(python.version)) {
      return { found: python };
    }
    if (python) {
      tooOld.push(python);
    }
  }
  return { found: undefined, tooOld };
}

/** Calls `changed` when another environment is chosen in the Python extension, where that is installed. */
export async function watchPythonExtension(changed: () => void): Promise<vscode.Disposable | undefined> {
  const api = await pythonExtension();
  return api?.environments.onDidChangeActiveEnvironmentPath(changed);
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  // In a folder that is not trusted its environment may be a program that came with the folder.
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    return extension.isActive ? extension.exports : await extension.activate();
  } catch {
    return undefined;
  }
}

async function fromPythonExtension(): Promise<string[][]> {
  try {
    const api = await pythonExtension();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const environment = await api?.environments.resolveEnvironment(api.environments.getActiveEnvironmentPath(folder));
    const executable = environment?.executable.uri?.fsPath;
    return executable ? [[executable]] : [];
  } catch {
    return [];
  }
}

function onPath(): string[][] {
  const numbered = [15, 14, 13, 12, 11].map((minor) => [`python3.${minor}`]);
  return process.platform === "win32"
    ? [["py", "-3"], ["python"], ["python3"]]
    : [["python3"], ["python"], ...numbered];
}

function ask(command: readonly string[]): Promise<Python | undefined> {
  const [program, ...first] = command;
  const question = "import sys; print('%d.%d.%d' % sys.version_info[:3])";
  return new Promise((resolve) => {
    execFile(program!, [...first, "-S", "-c", question], { timeout: 10_000, windowsHide: true }, (error, answer) => {
      const version = /^\d+\.\d+\.\d+/.exec(answer)?.[0];
      resolve(error || !version ? undefined : { command, version });
    });
  });
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
