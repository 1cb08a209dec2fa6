// A program in a terminal that fills a page of the browser. The terminal is xterm.js, which VS Code uses too: its rows
// are elements with text, so that a step can wait for what the program shows, and the keys of steps go to the program.

import { spawn } from "node:child_process";
import path from "node:path";

const LOOK = { fontFamily: "DejaVu Sans Mono", fontSize: 15, cursorBlink: false };

// `xterm` is the folder of its package; `bridge` the command that runs a program in a terminal, to which the number of
// columns and rows and the program are added. What it returns ends the program.
export async function openTerminal(page, { xterm, bridge, columns, rows, program, folder, environment, theme }) {
  await page.setContent(`<body style="margin: 0; background: ${theme.background}"><div id="terminal"></div></body>`);
  await page.addStyleTag({ path: path.join(xterm, "css", "xterm.css") });
  await page.addStyleTag({ content: "#terminal { display: inline-block; padding: 10px }" });
  await page.addScriptTag({ path: path.join(xterm, "lib", "xterm.js") });
  const [command, ...given] = [...bridge, String(columns), String(rows), ...program];
  const running = spawn(command, given, { cwd: folder, env: environment, stdio: ["pipe", "pipe", "inherit"] });
  await page.exposeFunction("typed", (text) => running.stdin.write(text));
  await page.evaluate(open, { cols: columns, rows, theme, ...LOOK });
  let shown = Promise.resolve();
  running.stdout.on("data", (bytes) => {
    shown = shown.then(() => page.evaluate(show, bytes.toString("base64"))).catch(() => {}); // the page may be closed
  });
  return () => running.stdin.end();
}

// These run in the page.
function open(options) {
  window.terminal = new Terminal(options);
  window.terminal.open(document.getElementById("terminal"));
  window.terminal.onData((text) => window.typed(text));
  window.terminal.focus();
}

function show(bytes) {
  window.terminal.write(Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0)));
}
