// What the item in the status bar shows in each state of the server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { afterStart, shown, type Health, type ServerStatus } from "../src/health";

function running(status: ServerStatus): Health {
  return { state: "running", version: "0.1.0", description: "bundled", status };
}

test("a server is starting until it has sent its status", () => {
  const item = shown(afterStart(true, "0.1.0", "bundled"));
  assert.equal(item.text, "ptx-lsp is starting");
  assert.equal(item.busy, true);
});

test("a server that sends no status is running as soon as it is initialized", () => {
  const item = shown(afterStart(false, "0.1.0", "bundled"));
  assert.deepEqual([item.text, item.detail, item.busy, item.severity], ["ptx-lsp 0.1.0", "bundled", false, "information"]);
});

test("a long analysis is shown while it lasts", () => {
  const item = shown(running({ health: "ok", quiescent: false, message: "" }));
  assert.deepEqual([item.text, item.busy, item.severity], ["ptx-lsp 0.1.0 is analysing", true, "information"]);
  assert.equal(shown(running({ health: "ok", quiescent: true, message: "" })).busy, false);
});

test("an analysis that was started again is a warning with the server's message", () => {
  const item = shown(running({ health: "warning", quiescent: true, message: "started again (once)" }));
  assert.deepEqual([item.text, item.severity, item.detail], ["ptx-lsp 0.1.0", "warning", "started again (once)"]);
});

test("an analysis that failed is an error, and the action shows the log", () => {
  const item = shown(running({ health: "error", quiescent: true, message: "`k.ptx` cannot be analysed" }));
  assert.equal(item.text, "ptx-lsp 0.1.0: an analysis failed");
  assert.deepEqual([item.severity, item.action, item.busy], ["error", "log", false]);
});

test("a server that is not running is an error, and can be started again", () => {
  const item = shown({ state: "stopped", reason: "The server has ended; the log says why." });
  assert.deepEqual([item.text, item.severity, item.action], ["ptx-lsp is not running", "error", "restart"]);
});
