// The entry points of the extension: one server, the commands, and the events that restart the server.

import * as vscode from "vscode";
import { evaluateSelection } from "./evaluate";
import { watchPythonExtension } from "./python";
import { concernsLaunch, Server } from "./server";
import { SourceView } from "./source";

let server: Server | undefined;

/** Called by VS Code when the first PTX document is opened. */
export function activate(context: vscode.ExtensionContext): void {
  const current = new Server(context);
  server = current;
  const source = new SourceView(() => current.running());
  const command = (name: string, run: () => unknown): vscode.Disposable => vscode.commands.registerCommand(name, run);
  context.subscriptions.push(
    current,
    source,
    command("ptx.restartServer", () => current.restart()),
    command("ptx.showLog", () => current.log.show()),
    command("ptx.showServerVersion", () => showVersion(current)),
    command("ptx.evaluateSelection", () => evaluateSelection(current.running())),
    command("ptx.showSource", () => source.showSource()),
    command("ptx.fromSource", () => source.fromSource()),
    vscode.workspace.onDidChangeConfiguration((event) => concernsLaunch(event) && current.restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    // A user who has just installed Python returns to this window, and need not reload it.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && current.retryIfLacksPython()),
  );
  void current.restart();
  void watchPythonExtension(() => current.retryIfLacksPython()).then((watch) => watch && context.subscriptions.push(watch));
}

/** Called by VS Code when the window closes. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}

function showVersion(current: Server): string {
  const version = current.describe();
  void vscode.window.showInformationMessage(version);
  return version;
}
