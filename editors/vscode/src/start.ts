// The program, arguments, environment and folder that a process is started with. Nothing here needs VS Code, so that it
// can be tested alone.
//
// An opened folder may contain a program with the name of ours. Windows searches the current folder before PATH, and
// vscode-languageclient starts a server in the workspace. So every process starts in the extension's own folder, and
// the server's interpreter is the absolute path that the interpreter itself has printed.

import * as path from "node:path";

/** A Python and its version; `executable` is its absolute path, empty if it did not print one. */
export interface Python {
  readonly command: readonly string[];
  readonly executable: string;
  readonly version: string;
}

/** What a process is started with. */
export interface Start {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
}

/** A program that prints the version and, on a second line, the path of a Python. */
export const QUESTION = "import sys; print('%d.%d.%d' % sys.version_info[:3]); print(sys.executable)";

/** How a Python is asked for its version and path; `extension` is the extension's folder. */
export function questionStart(command: readonly string[], extension: string, environment: NodeJS.ProcessEnv): Start {
  const [program, ...first] = command;
  return { program: program!, arguments: [...first, "-S", "-c", QUESTION], environment, folder: extension };
}

/** The Python that printed this answer; undefined if the answer is not one of a Python. */
export function readAnswer(command: readonly string[], answer: string): Python | undefined {
  const [version = "", executable = ""] = answer.split(/\r?\n/);
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    return undefined;
  }
  return { command, version, executable: isAbsolute(executable) ? executable : "" };
}

/**
 * The bundled server with a Python. -S and PYTHONPATH keep the user's packages out, -P keeps the modules of the current
 * folder out.
 */
export function bundledStart(
  python: Python,
  extension: string,
  serverArguments: readonly string[],
  inherited: NodeJS.ProcessEnv,
): Start {
  const libs = path.join(extension, "bundled", "libs");
  const environment: NodeJS.ProcessEnv = { ...inherited, PYTHONPATH: libs, PYTHONUTF8: "1" };
  delete environment["PYTHONHOME"];
  const [program, ...first] = python.executable ? [python.executable] : python.command;
  return {
    program: program!,
    arguments: [...first, "-P", "-S", "-m", "ptx_lsp", ...serverArguments],
    environment,
    folder: extension,
  };
}

/** The server that the settings name. */
export function chosenStart(
  program: string,
  extension: string,
  serverArguments: readonly string[],
  environment: NodeJS.ProcessEnv,
): Start {
  return { program, arguments: serverArguments, environment, folder: extension };
}

/**
 * A program of the settings as it is started: a relative path with folders in it begins in the workspace, if that is
 * trusted (else `workspace` is undefined); a name without folders is searched along PATH.
 */
export function resolveProgram(program: string, workspace: string | undefined): string {
  const relative = /[\\/]/.test(program) && !isAbsolute(program);
  return relative && workspace !== undefined ? path.join(workspace, program) : program;
}

function isAbsolute(program: string): boolean {
  return path.posix.isAbsolute(program) || path.win32.isAbsolute(program);
}
