// The entry points of the extension: one server, the commands, and the events that restart the server.

import * as vscode from "vscode";
import { evaluateSelection } from "./evaluate";
import { holdsAssembly, needsServer } from "./hosts";
import { watchPythonExtension } from "./python";
import { concernsLaunch, Server } from "./server";
import { languagesSetting } from "./settings";
import { SourceView } from "./source";
import { goToLastWrites } from "./writes";

let server: Server | undefined;

/** Called by VS Code when the first document of PTX, or of a language that can hold it, is opened. */
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
    command("ptx.goToLastWrites", () => goToLastWrites(current.running())),
    command("ptx.showSource", () => source.showSource()),
    command("ptx.fromSource", () => source.fromSource()),
    vscode.workspace.onDidChangeConfiguration((event) => concernsLaunch(event) && current.restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    // A user who has just installed Python returns to this window, and need not reload it.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && current.retryIfLacksPython()),
  );
  startWhenNeeded(current, context);
  void watchPythonExtension(() => current.retryIfLacksPython()).then((watch) => watch && context.subscriptions.push(watch));
}

// Starts the server once an open document needs it: a user of Python or C++ without inline assembly never pays for it.
function startWhenNeeded(current: Server, context: vscode.ExtensionContext): void {
  const watches: vscode.Disposable[] = [];
  const start = (): void => {
    watches.splice(0).forEach((watch) => watch.dispose());
    void current.restart();
  };
  const isNeeded = (document: vscode.TextDocument): boolean =>
    needsServer(document.languageId, () => document.getText(), languagesSetting());
  if (vscode.workspace.textDocuments.some(isNeeded)) {
    start();
    return;
  }
  watches.push(
    vscode.workspace.onDidOpenTextDocument((document) => isNeeded(document) && start()),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const typed = ({ range, text }: vscode.TextDocumentContentChangeEvent): boolean =>
        holdsAssembly(text) || holdsAssembly(document.lineAt(range.start.line).text);
      if (contentChanges.some(typed) && isNeeded(document)) {
        start();
      }
    }),
  );
  context.subscriptions.push(...watches);
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
