// The command that evaluates a constant expression.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { execute } from "./requests";

/** The server's answer; `text` is the value in decimal, `value` its 64 bits in hex. */
interface Answer {
  readonly expr: string;
  readonly ok: boolean;
  readonly type?: string;
  readonly value?: string;
  readonly text?: string;
  readonly error?: string;
}

/** Evaluates the selection, else the expression at the cursor, else one that the user enters; shows the value. */
export async function evaluateSelection(client: LanguageClient): Promise<void> {
  const here = await evaluateHere(client);
  if (here) {
    show(here);
    return;
  }
  const text = await vscode.window.showInputBox({ prompt: "A PTX constant expression", placeHolder: "(1 << 5) - 1" });
  if (text !== undefined) {
    show(await evaluate(client, { text }));
  }
}

// Undefined if nothing is selected and there is no expression at the cursor.
async function evaluateHere(client: LanguageClient): Promise<Answer | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || vscode.languages.match({ language: "ptx" }, editor.document) === 0) {
    return undefined;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const range = client.code2ProtocolConverter.asRange(editor.selection);
  const answer = await evaluate(client, { uri, range });
  return answer.ok || !editor.selection.isEmpty ? answer : undefined;
}

function evaluate(client: LanguageClient, argument: object): Promise<Answer> {
  return execute(client, "ptx.evaluate", argument);
}

function show({ expr, ok, type, value, text, error }: Answer): void {
  if (ok) {
    void vscode.window.showInformationMessage(`${expr} = ${text} (${value}, .${type})`);
  } else {
    void vscode.window.showWarningMessage(`${expr}: ${error}`);
  }
}
