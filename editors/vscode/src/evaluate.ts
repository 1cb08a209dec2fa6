// The command that says what the selected constant expression is worth.

import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";

/** Asks the server about the selection of the active editor, or asks for an expression where nothing is selected. */
export async function evaluateSelection(client: LanguageClient | undefined): Promise<void> {
  if (!client) {
    void vscode.window.showWarningMessage("The PTX server does not run.");
    return;
  }
  const argument = await whatToEvaluate(client);
  if (argument === undefined) {
    return;
  }
  const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, {
    command: "ptx.evaluate",
    arguments: [argument],
  });
  void vscode.window.showInformationMessage(text(answer));
}

async function whatToEvaluate(client: LanguageClient): Promise<unknown> {
  const editor = vscode.window.activeTextEditor;
  if (editor && !editor.selection.isEmpty) {
    const range = client.code2ProtocolConverter.asRange(editor.selection);
    return { uri: client.code2ProtocolConverter.asUri(editor.document.uri), range };
  }
  const expression = await vscode.window.showInputBox({ prompt: "A PTX constant expression", placeHolder: "(1 << 5) - 1" });
  return expression === undefined ? undefined : { text: expression };
}

function text(answer: unknown): string {
  if (typeof answer === "string") {
    return answer;
  }
  if (typeof answer === "object" && answer !== null) {
    for (const key of ["message", "text", "error"]) {
      const value = (answer as Record<string, unknown>)[key];
      if (typeof value === "string") {
        return value;
      }
    }
  }
  return JSON.stringify(answer);
}
