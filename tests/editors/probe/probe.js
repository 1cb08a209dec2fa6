// Runs inside VS Code's extension host: reads probe-plan.json in the workspace, does each step in order, and writes
// what the steps gave to probe-result.json. A step is {"do": NAME, ...}; the names are those of STEPS.

const fs = require("node:fs/promises");
const path = require("node:path");
const vscode = require("vscode");
const { registerDebugger } = require("./debugger");

const PATIENCE_MS = 30_000;

const STEPS = {
  open: async ({ file }, folder) => {
    const document = await vscode.workspace.openTextDocument(path.join(folder, file));
    await vscode.window.showTextDocument(document);
    return { language: document.languageId };
  },
  new: async ({ text }) => {
    const document = await vscode.workspace.openTextDocument({ language: "ptx", content: text });
    await vscode.window.showTextDocument(document);
    return { scheme: document.uri.scheme };
  },
  replace: async ({ old, text }) => {
    const editor = vscode.window.activeTextEditor;
    const at = editor.document.getText().indexOf(old);
    const range = new vscode.Range(editor.document.positionAt(at), editor.document.positionAt(at + old.length));
    return at >= 0 && (await editor.edit((edit) => edit.replace(range, text)));
  },
  diagnostics: ({ count }) =>
    eventually(
      () => vscode.languages.getDiagnostics(active().uri).map((each) => plainDiagnostic(each)),
      (found) => found.length === count,
    ),
  hover: ({ at, least = 1 }) =>
    eventually(
      async () => {
        const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", active().uri, place(at));
        return hovers.flatMap((hover) => hover.contents.map((part) => part.value ?? part));
      },
      (found) => found.length >= least,
    ),
  hints: ({ least }) =>
    eventually(
      async () => {
        const whole = new vscode.Range(0, 0, active().lineCount, 0);
        const hints = await vscode.commands.executeCommand("vscode.executeInlayHintProvider", active().uri, whole);
        return hints.map(({ position, label }) => ({
          line: active().lineAt(position.line).text.trim(),
          label: typeof label === "string" ? label : label.map((part) => part.value).join(""),
        }));
      },
      (found) => found.length >= least,
    ),
  locations: ({ provider, at, least = 1 }) =>
    eventually(
      async () => {
        const found = await vscode.commands.executeCommand(`vscode.execute${provider}Provider`, active().uri, place(at));
        return found.map((each) => {
          const { line, character } = (each.range ?? each.targetSelectionRange).start;
          return [path.basename((each.uri ?? each.targetUri).fsPath), line, character];
        });
      },
      (found) => found.length >= least,
    ),
  rename: async ({ at, to }) => {
    const edit = await vscode.commands.executeCommand("vscode.executeDocumentRenameProvider", active().uri, place(at), to);
    await vscode.workspace.applyEdit(edit);
    return active().getText();
  },
  symbols: ({ least = 1 }) =>
    eventually(
      async () => {
        const found = await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", active().uri);
        return (found ?? []).map(({ name, children }) => [name, children.map((child) => child.name)]);
      },
      (found) => found.length >= least,
    ),
  lenses: ({ least }) =>
    eventually(
      async () => {
        const found = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", active().uri);
        return found.map(({ range, command }) => [range.start.line, command.title]);
      },
      (found) => found.length >= least,
    ),
  callers: async ({ at }) => {
    const prepared = await vscode.commands.executeCommand("vscode.prepareCallHierarchy", active().uri, place(at));
    const calls = await vscode.commands.executeCommand("vscode.provideIncomingCalls", prepared[0]);
    return calls.map(({ from, fromRanges }) => [from.name, fromRanges.length]);
  },
  cursor: ({ at }) => {
    const { activeTextEditor: editor } = vscode.window;
    editor.selection = new vscode.Selection(place(at), place(at));
    return place(at).line;
  },
  focus: async ({ file }) => {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.path.endsWith(`/${file}`));
    await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn });
    return editor.viewColumn;
  },
  shows: ({ file, line }) =>
    eventually(
      () =>
        vscode.window.visibleTextEditors
          .filter(({ document }) => path.basename(document.uri.fsPath) === file)
          .map(({ visibleRanges }) => [file, visibleRanges.some((range) => range.start.line <= line && line <= range.end.line)]),
      (found) => found.some(([, isShown]) => isShown),
    ),
  complete: ({ at, trigger, label, least = 1 }) =>
    eventually(
      async () => {
        const found = await vscode.commands.executeCommand(
          "vscode.executeCompletionItemProvider",
          active().uri,
          after(at),
          trigger,
          label ? 1000 : 0,
        );
        return found.items // without the words of the document, which VS Code offers where no server does
          .filter((item) => item.kind !== vscode.CompletionItemKind.Text)
          .filter((item) => !label || labelOf(item) === label)
          .map((item) => ({
            label: labelOf(item),
            text: item.insertText?.value ?? item.insertText ?? labelOf(item),
            replaced: active().getText(item.range?.inserting ?? item.range),
            commits: item.commitCharacters ?? [],
            documentation: item.documentation?.value ?? null,
          }));
      },
      (found) => found.length >= least,
    ),
  signatures: ({ at, least = 1 }) =>
    eventually(
      async () => {
        const found = await vscode.commands.executeCommand(
          "vscode.executeSignatureHelpProvider",
          active().uri,
          after(at),
        );
        return {
          forms: (found?.signatures ?? []).map((form) => form.label),
          operand: found?.activeParameter,
        };
      },
      (found) => found.forms.length >= least,
    ),
  highlights: async ({ at }) =>
    (await run("vscode.executeDocumentHighlights", place(at))).map(({ range, kind }) => [...spot(range), kind]),
  folds: async () =>
    (await run("vscode.executeFoldingRangeProvider")).map(({ start, end, kind }) => [start, end, kind ?? null]),
  selections: async ({ at }) => {
    const [found] = await run("vscode.executeSelectionRangeProvider", [place(at)]);
    const texts = [];
    for (let each = found; each; each = each.parent) {
      texts.push(active().getText(each.range));
    }
    return texts;
  },
  links: async () =>
    (await run("vscode.executeLinkProvider", 10)).map(({ range, target }) => [
      active().getText(range),
      target ? path.basename(target.fsPath) : null,
    ]),
  values: async ({ at }) =>
    (await run("vscode.executeInlineValueProvider", everything(), { frameId: 1, stoppedLocation: line(at) })).map(
      ({ range, text }) => [active().getText(range), text],
    ),
  format: async ({ kind, at, typed }) => {
    const options = { tabSize: 8, insertSpaces: false };
    const given = { Document: [], Range: at ? [line(at)] : [], OnType: at ? [after(at), typed] : [] }[kind];
    const edits = await run(`vscode.executeFormat${kind}Provider`, ...given, options);
    const edit = new vscode.WorkspaceEdit();
    edit.set(active().uri, edits ?? []);
    await vscode.workspace.applyEdit(edit);
    return active().getText();
  },
  callees: async ({ at }) => {
    const prepared = await run("vscode.prepareCallHierarchy", place(at));
    const calls = await vscode.commands.executeCommand("vscode.provideOutgoingCalls", prepared[0]);
    return calls.map(({ to, fromRanges }) => [to.name, fromRanges.length]);
  },
  everywhere: async ({ query }) =>
    (await vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", query)).map(({ name, location }) => [
      name,
      path.basename(location.uri.fsPath),
    ]),
  legend: async () => {
    const legend = await run("vscode.provideDocumentSemanticTokensLegend");
    const { data } = await run("vscode.provideDocumentSemanticTokens");
    const partly = await run("vscode.provideDocumentRangeSemanticTokens", everything());
    const types = new Set();
    for (let at = 3; at < data.length; at += 5) {
      types.add(legend.tokenTypes[data[at]]);
    }
    return [[...types].sort(), data.length === partly.data.length];
  },
  actions: async ({ at, kind }) => {
    const found = await run("vscode.executeCodeActionProvider", at ? inside(at) : everything(), kind, 100);
    return found.map(({ title }) => title);
  },
  act: async ({ at, kind, title }) => {
    const found = await run("vscode.executeCodeActionProvider", at ? inside(at) : everything(), kind, 100);
    await vscode.workspace.applyEdit(found.find((each) => each.title.startsWith(title)).edit);
    return active().getText();
  },
  selection: () => spot(vscode.window.activeTextEditor.selection),
  word: ({ at }) => active().getText(active().getWordRangeAtPosition(place(at))),
  command: async ({ name, arguments: given = [] }) => (await vscode.commands.executeCommand(name, ...given)) ?? null,
  commands: async () => (await vscode.commands.getCommands(true)).filter((name) => name.startsWith("ptx.")).sort(),
  neighbour: ({ at }) => neighbour({ pattern: active().uri.fsPath }, at),
  tokens: async () =>
    (await vscode.commands.executeCommand("vscode.provideDocumentSemanticTokensLegend", active().uri))?.tokenTypes ?? [],
  setting: async ({ name, value }) => {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Workspace);
    return vscode.workspace.getConfiguration().get(name);
  },
};

exports.activate = async () => {
  registerDebugger();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const plan = folder && (await fs.readFile(path.join(folder, "probe-plan.json"), "utf8").catch(() => undefined));
  if (!plan) {
    return;
  }
  const results = [];
  for (const step of JSON.parse(plan)) {
    try {
      results.push({ value: await STEPS[step.do](step, folder) });
    } catch (error) {
      results.push({ error: String(error?.stack ?? error) });
    }
  }
  const result = path.join(folder, "probe-result.json");
  await fs.writeFile(result + ".part", JSON.stringify(results));
  await fs.rename(result + ".part", result);
};

function active() {
  return vscode.window.activeTextEditor.document;
}

/** What a command of VS Code gives for the document. */
function run(command, ...given) {
  return vscode.commands.executeCommand(command, active().uri, ...given);
}

function everything() {
  return new vscode.Range(0, 0, active().lineCount, 0);
}

/** An empty range inside of a text. */
function inside(text) {
  return new vscode.Range(place(text), place(text));
}

/** The range of the line with a text. */
function line(text) {
  return active().lineAt(place(text).line).range;
}

function spot({ start }) {
  return [start.line, start.character];
}

/** A second language service for these documents: it answers at every place, and has a finding at a text. */
function neighbour(selector, text) {
  const { languages } = vscode;
  const finding = new vscode.Diagnostic(new vscode.Range(place(text), after(text)), "a finding of the neighbour");
  languages.createDiagnosticCollection("neighbour").set(active().uri, [finding]);
  languages.registerHoverProvider(selector, { provideHover: () => new vscode.Hover("a hover of the neighbour") });
  languages.registerCompletionItemProvider(selector, {
    provideCompletionItems: () => [new vscode.CompletionItem("neighbour_item", vscode.CompletionItemKind.Function)],
  });
  const legend = new vscode.SemanticTokensLegend(["neighbour"]);
  const tokens = { provideDocumentSemanticTokens: () => new vscode.SemanticTokensBuilder(legend).build() };
  languages.registerDocumentSemanticTokensProvider(selector, tokens, legend);
}

/** The first position inside the first occurrence of a text. */
function place(text) {
  return active().positionAt(offsetOf(text) + Math.min(1, text.length - 1));
}

/** The position after the first occurrence of a text. */
function after(text) {
  return active().positionAt(offsetOf(text) + text.length);
}

function offsetOf(text) {
  const at = active().getText().indexOf(text);
  if (at < 0) {
    throw new Error(`the document has no ${JSON.stringify(text)}`);
  }
  return at;
}

function labelOf({ label }) {
  return typeof label === "string" ? label : label.label;
}

function plainDiagnostic({ message, severity, code, source, range }) {
  return {
    message,
    severity: vscode.DiagnosticSeverity[severity],
    code: typeof code === "object" ? code.value : code,
    page: typeof code === "object" ? code.target.toString(true) : null,
    source,
    text: active().getText(range),
  };
}

/** What `look` gives as soon as it is good; what it gave last when patience ends. */
async function eventually(look, good) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (good(seen) || Date.now() > end) {
      return seen;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
