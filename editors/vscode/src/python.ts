// Finds the Python that runs the bundled server.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { questionStart, readAnswer, type Python } from "./start";

/** The oldest Python that the server runs on. */
export const OLDEST: readonly [number, number] = [3, 11];

/** The result of a search: a Python that is new enough, or those that are too old. */
export type Search = { readonly found: Python } | { readonly found: undefined; readonly tooOld: readonly Python[] };

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  /** Undefined in versions of the extension before 2023. */
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: unknown): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/**
 * The first Python that is new enough: the one in the settings, the one that the Python extension has chosen, then
 * those on PATH. An interpreter in the settings is the only candidate, so that a mistake in it is noticed. `extension`
 * is the extension's folder.
 */
export async function searchPython(chosen: string | undefined, extension: string): Promise<Search> {
  const candidates = chosen ? [[chosen]] : [...(await fromPythonExtension()), ...onPath()];
  const tooOld: Python[] = [];
  for (const command of candidates) {
    const python = await ask(command, extension);
    if (python && isNewEnough(python.version)) {
      return { found: python };
    }
    if (python) {
      tooOld.push(python);
    }
  }
  return { found: undefined, tooOld };
}

/** Calls `changed` when the user chooses another environment in the Python extension, if that is installed. */
export async function watchPythonExtension(changed: () => void): Promise<vscode.Disposable | undefined> {
  const api = await pythonExtension();
  return api?.environments?.onDidChangeActiveEnvironmentPath(changed);
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  // In a folder that is not trusted, the environment may be a program from the folder itself.
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
    const environments = (await pythonExtension())?.environments;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const environment = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
    const executable = environment?.executable.uri?.fsPath;
    return executable ? [[executable]] : [];
  } catch {
    // What fails in the other extension is not a reason to have no server: PATH may have a Python.
    return [];
  }
}

function onPath(): string[][] {
  const numbered = [15, 14, 13, 12, 11].map((minor) => [`python3.${minor}`]);
  return process.platform === "win32"
    ? [["py", "-3"], ["python"], ["python3"]]
    : [["python3"], ["python"], ...numbered];
}

function ask(command: readonly string[], extension: string): Promise<Python | undefined> {
  const { program, arguments: given, environment, folder } = questionStart(command, extension, process.env);
  const options = { timeout: 10_000, windowsHide: true, cwd: folder, env: environment };
  return new Promise((resolve) => {
    execFile(program, [...given], options, (error, answer) => {
      resolve(error ? undefined : readAnswer(command, answer));
    });
  });
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
