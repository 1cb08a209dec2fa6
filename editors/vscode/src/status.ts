// The item in the language status menu (the braces in the status bar).

import * as vscode from "vscode";
import { shown, type Health } from "./health";

const ACTIONS: Record<"restart" | "log", vscode.Command> = {
  restart: { title: "Restart Server", command: "ptx.restartServer" },
  log: { title: "Show Log", command: "ptx.showLog" },
};
const SEVERITIES = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};

/** Creates the item, which is shown for PTX documents only. */
export function createStatusItem(): vscode.LanguageStatusItem {
  const item = vscode.languages.createLanguageStatusItem("ptx.server", { language: "ptx" });
  item.name = "PTX";
  return item;
}

/** Writes the server's health into the item. */
export function showHealth(item: vscode.LanguageStatusItem, health: Health): void {
  const { text, detail, busy, severity, action } = shown(health);
  item.text = text;
  item.detail = detail;
  item.busy = busy;
  item.severity = SEVERITIES[severity];
  item.command = ACTIONS[action];
}
