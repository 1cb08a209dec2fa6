// A debugger that runs nothing: it stops at once at the line of its configuration, in one thread with one frame, and
// knows no variables. Then VS Code asks for the inline values of the document.

const vscode = require("vscode");

const STOPS = { reason: "entry", threadId: 1, allThreadsStopped: true };
const ANSWERS = {
  initialize: () => ({ supportsConfigurationDoneRequest: true }),
  threads: () => ({ threads: [{ id: 1, name: "thread" }] }),
  stackTrace: ({ name, program, line }) => ({
    stackFrames: [{ id: 1, name, line, column: 1, source: { path: program } }],
    totalFrames: 1,
  }),
  scopes: () => ({ scopes: [] }),
};
const EVENTS = { initialize: ["initialized"], configurationDone: ["stopped", STOPS], disconnect: ["terminated"] };

class Debugger {
  constructor(configuration) {
    this.configuration = configuration;
    this.sent = new vscode.EventEmitter();
    this.onDidSendMessage = this.sent.event;
  }

  handleMessage({ seq, command }) {
    const body = ANSWERS[command]?.(this.configuration) ?? {};
    this.sent.fire({ type: "response", request_seq: seq, success: true, command, body });
    if (EVENTS[command]) {
      const [event, about] = EVENTS[command];
      this.sent.fire({ type: "event", event, body: about });
    }
  }

  dispose() {
    this.sent.dispose();
  }
}

exports.registerDebugger = () =>
  vscode.debug.registerDebugAdapterDescriptorFactory("probe", {
    createDebugAdapterDescriptor: ({ configuration }) =>
      new vscode.DebugAdapterInlineImplementation(new Debugger(configuration)),
  });
