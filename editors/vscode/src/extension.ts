// The entry points of the extension: one server, the commands, and the events that restart the server.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { evaluateSelection } from "./evaluate";
import { holdsAssembly, needsServer } from "./hosts";
import { watchPythonExtension } from "./python";
import { withServer } from "./requests";
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
  const request = (name: string, run: (client: LanguageClient) => Promise<void>): vscode.Disposable =>
    command(name, () => withServer(current, run));
  const startIfNeeded = startWhenNeeded(current, context);
  const startAgain = (): void => (current.isStarted() ? void current.restart() : startIfNeeded());
  context.subscriptions.push(
    current,
    source,
    command("ptx.restartServer", () => current.restart()),
    command("ptx.showLog", () => current.log.show()),
    command("ptx.showServerVersion", () => showVersion(current)),
    request("ptx.evaluateSelection", evaluateSelection),
    request("ptx.goToLastWrites", goToLastWrites),
    request("ptx.showSource", (client) => source.showSource(client)),
    request("ptx.fromSource", (client) => source.fromSource(client)),
    vscode.workspace.onDidChangeConfiguration((event) => concernsLaunch(event) && startAgain()),
    vscode.workspace.onDidGrantWorkspaceTrust(startAgain),
    // A user who has just installed Python returns to this window, and need not reload it.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && current.retryIfLacksPython()),
  );
  void watchPythonExtension(() => current.retryIfLacksPython()).then((watch) => watch && context.subscriptions.push(watch));
}

// Starts the server once an open document needs it: a user of Python or C++ without inline assembly never pays for it.
// Returns a function that looks at all open documents again, for the case that the settings have changed.
function startWhenNeeded(current: Server, context: vscode.ExtensionContext): () => void {
  const watches: vscode.Disposable[] = [];
  const start = (): void => {
    watches.splice(0).forEach((watch) => watch.dispose());
    if (!current.isStarted()) {
      void current.restart();
    }
  };
  const isNeeded = (document: vscode.TextDocument): boolean =>
    needsServer(document.languageId, () => document.getText(), languagesSetting());
  const startIfNeeded = (): void => {
    if (vscode.workspace.textDocuments.some(isNeeded)) {
      start();
    }
  };
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
  startIfNeeded();
  return startIfNeeded;
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
