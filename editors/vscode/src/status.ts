// The item behind the braces in the status bar.

import * as vscode from "vscode";

/** How the server is. */
export type Health =
  | { readonly state: "starting" }
  | { readonly state: "running"; readonly version: string; readonly description: string }
  | { readonly state: "stopped"; readonly reason: string };

const RESTART: vscode.Command = { title: "Restart Server", command: "ptx.restartServer" };
const SHOW_LOG: vscode.Command = { title: "Show Log", command: "ptx.showLog" };

/** Creates the item; it shows beside PTX documents only. */
export function createStatusItem(): vscode.LanguageStatusItem {
  const item = vscode.languages.createLanguageStatusItem("ptx.server", { language: "ptx" });
  item.name = "PTX";
  return item;
}

/** Writes the server's health into the item. */
export function showHealth(item: vscode.LanguageStatusItem, health: Health): void {
  item.busy = health.state === "starting";
  item.severity =
    health.state === "stopped" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
  item.command = health.state === "running" ? SHOW_LOG : RESTART;
  item.text = text(health);
  item.detail = health.state === "running" ? health.description : health.state === "stopped" ? health.reason : "";
}

function text(health: Health): string {
  switch (health.state) {
    case "starting":
      return "ptx-lsp is starting";
    case "running":
      return `ptx-lsp ${health.version}`;
    case "stopped":
      return "ptx-lsp does not run";
  }
}
