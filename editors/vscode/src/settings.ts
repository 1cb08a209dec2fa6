// The settings of this extension itself; all others are sent to the server.

import * as vscode from "vscode";
import { HOSTS } from "./hosts";

/** A `ptx-lsp` to run instead of the bundled one. */
export const SERVER_PATH = "ptx.server.path";

/** The Python that runs the bundled server. */
export const INTERPRETER = "ptx.server.interpreter";

/** More arguments for the server's command line. */
export const ARGUMENTS = "ptx.server.arguments";

/** The languages whose inline PTX is checked. */
export const LANGUAGES = "ptx.embedded.languages";

/** The languages whose inline PTX the user wants to be checked. */
export function languagesSetting(): string[] {
  const chosen = vscode.workspace.getConfiguration().get<string[]>(LANGUAGES, []);
  return chosen.filter((language) => (HOSTS as readonly string[]).includes(language));
}

/** The path in a setting, without blanks at its ends; undefined if it is empty. */
export function pathSetting(name: string): string | undefined {
  const path = vscode.workspace.getConfiguration().get<string>(name, "").trim();
  return path === "" ? undefined : path;
}

/** The arguments that the user adds to the server's command line. */
export function argumentsSetting(): string[] {
  return vscode.workspace.getConfiguration().get<string[]>(ARGUMENTS, []);
}

/**
 * The settings of the section `ptx` that the user has set somewhere, by their names without the section. Those with
 * their defaults are left out: they would have priority over the project's configuration file.
 */
export function chosenSettings(context: vscode.ExtensionContext): Record<string, unknown> {
  const properties: Record<string, unknown> = context.extension.packageJSON.contributes.configuration.properties;
  const settings = vscode.workspace.getConfiguration();
  const chosen: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    const { key: _key, defaultValue: _default, languageIds: _ids, ...places } = settings.inspect(name) ?? { key: name };
    if (Object.values(places).some((value) => value !== undefined)) {
      chosen[name.replace(/^ptx\./, "")] = settings.get(name);
    }
  }
  return chosen;
}
