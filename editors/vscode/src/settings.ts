// The settings of this extension itself; all others are sent to the server.

import * as vscode from "vscode";

/** A `ptx-lsp` to run instead of the bundled one. */
export const SERVER_PATH = "ptx.server.path";

/** The Python that runs the bundled server. */
export const INTERPRETER = "ptx.server.interpreter";

/** More arguments for the server's command line. */
export const ARGUMENTS = "ptx.server.arguments";

/** The path in a setting, without blanks at its ends; undefined if it is empty. */
export function pathSetting(name: string): string | undefined {
  const path = vscode.workspace.getConfiguration().get<string>(name, "").trim();
  return path === "" ? undefined : path;
}

/** The arguments that the user adds to the server's command line. */
export function argumentsSetting(): string[] {
  return vscode.workspace.getConfiguration().get<string[]>(ARGUMENTS, []);
}
