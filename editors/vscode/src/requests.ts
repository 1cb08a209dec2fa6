// The requests that this extension's commands send to the server.

import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";
import type { Server } from "./server";

/** The answer of the server's command `name` to its one argument. */
export async function execute<Answer>(client: LanguageClient, name: string, argument: object): Promise<Answer> {
  return (await client.sendRequest(ExecuteCommandRequest.type, { command: name, arguments: [argument] })) as Answer;
}

/** Runs a command that needs the server; without a running one, shows why there is none, and offers to start one. */
export async function withServer(server: Server, run: (client: LanguageClient) => Promise<void>): Promise<void> {
  const client = server.running();
  if (client) {
    await run(client);
  } else {
    void offerStart(server);
  }
}

async function offerStart(server: Server): Promise<void> {
  const restart = "Restart Server";
  if ((await vscode.window.showWarningMessage(server.describe(), restart)) === restart) {
    await server.restart();
  }
}
