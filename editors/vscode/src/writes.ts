// The command that goes from a register to the instructions that wrote its value.

import * as vscode from "vscode";
import type { LanguageClient, Location } from "vscode-languageclient/node";
import { execute } from "./requests";

/** Goes to the last write of the register at the cursor; shows them all in a peek window if there are several. */
export async function goToLastWrites(client: LanguageClient): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const here = editor.selection.active;
  const { asUri, asPosition } = client.code2ProtocolConverter;
  const argument = { uri: asUri(editor.document.uri), position: asPosition(here) };
  const found = await execute<Location[] | null>(client, "ptx.lastWrites", argument);
  const places = (found ?? []).map((each) => client.protocol2CodeConverter.asLocation(each));
  const none = "No write of a register leads to this place.";
  await vscode.commands.executeCommand(
    "editor.action.goToLocations",
    editor.document.uri,
    here,
    places,
    "gotoAndPeek",
    none,
  );
}
