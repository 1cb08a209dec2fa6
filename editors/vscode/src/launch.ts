// How the server is started: the program in the settings, or the bundled server with a Python.

import * as vscode from "vscode";
import { searchPython } from "./python";
import { argumentsSetting, INTERPRETER, pathSetting, SERVER_PATH } from "./settings";
import { bundledStart, chosenStart, resolveProgram, type Python, type Start } from "./start";

/** A program that speaks the Language Server Protocol on its standard input and output. */
export interface Launch extends Start {
  readonly description: string;
}

/** Why there is nothing to start: the interpreter of the settings, if any, and the Pythons that are too old. */
export interface NoPython {
  readonly chosen: string | undefined;
  readonly tooOld: readonly Python[];
}

/** The program to start, or why there is none. */
export async function findLaunch(context: vscode.ExtensionContext): Promise<Launch | NoPython> {
  const extension = context.extensionUri.fsPath;
  const path = programSetting(SERVER_PATH);
  if (path) {
    return { ...chosenStart(path, extension, serverArguments(), process.env), description: path };
  }
  const chosen = programSetting(INTERPRETER);
  const search = await searchPython(chosen, extension);
  if (!search.found) {
    return { chosen, tooOld: search.tooOld };
  }
  const python = search.found;
  const description = `bundled, Python ${python.version} (${python.command.join(" ")})`;
  return { ...bundledStart(python, extension, serverArguments(), process.env), description };
}

/** Whether a launch was found. */
export function isLaunch(result: Launch | NoPython): result is Launch {
  return "program" in result;
}

function serverArguments(): string[] {
  return ["server", "--stdio", ...argumentsSetting()];
}

function programSetting(name: string): string | undefined {
  const program = pathSetting(name);
  const folder = vscode.workspace.isTrusted ? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath : undefined;
  return program && resolveProgram(program, folder);
}
