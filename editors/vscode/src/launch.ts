// How the server is started: the program in the settings, or the bundled one under a Python.

import * as vscode from "vscode";
import { searchPython, type Python } from "./python";
import { argumentsSetting, INTERPRETER, pathSetting, SERVER_PATH } from "./settings";

/** A program that speaks the Language Server Protocol on its standard input and output. */
export interface Launch {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly description: string;
}

/** Why there is nothing to start. */
export interface NoPython {
  readonly chosen: string | undefined;
  readonly tooOld: readonly Python[];
}

/** What to start, or why nothing can be. */
export async function findLaunch(context: vscode.ExtensionContext): Promise<Launch | NoPython> {
  const path = pathSetting(SERVER_PATH);
  if (path) {
    return { program: path, arguments: serverArguments(), environment: process.env, description: path };
  }
  const chosen = pathSetting(INTERPRETER);
  const search = await searchPython(chosen);
  return search.found ? bundled(context, search.found) : { chosen, tooOld: search.tooOld };
}

/** Whether a launch was found. */
export function isLaunch(result: Launch | NoPython): result is Launch {
  return "program" in result;
}

function serverArguments(): string[] {
  return ["server", "--stdio", ...argumentsSetting()];
}

// -S and PYTHONPATH keep the user's packages out, -P keeps the modules of the working folder out.
function bundled(context: vscode.ExtensionContext, python: Python): Launch {
  const [program, ...first] = python.command;
  const libs = vscode.Uri.joinPath(context.extensionUri, "bundled", "libs").fsPath;
  const environment: NodeJS.ProcessEnv = { ...process.env, PYTHONPATH: libs, PYTHONUTF8: "1" };
  delete environment["PYTHONHOME"];
  return {
    program: program!,
    arguments: [...first, "-P", "-S", "-m", "ptx_lsp", ...serverArguments()],
    environment,
    description: `bundled, Python ${python.version} (${python.command.join(" ")})`,
  };
}
