// PTX beside the source that it was compiled from: two commands, and highlighted lines that follow the cursor.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { execute } from "./requests";

/** A place in the source; `uri` is null if the file does not exist. Lines and columns count from 0. */
interface SourcePlace {
  readonly uri: string | null;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The lines of a PTX document, in pairs of the first and the last one, that come from one line of the source. */
interface PtxLines {
  readonly uri: string;
  readonly lines: readonly (readonly [number, number])[];
}

const SETTLED_MS = 80;

/** Shows the source beside PTX, and the PTX of a line of the source. */
export class SourceView implements vscode.Disposable {
  private readonly linked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.rangeHighlightForeground"),
  });
  private readonly sources = new Set<string>();
  private readonly cursor: vscode.Disposable;
  private pending: NodeJS.Timeout | undefined;

  constructor(private readonly running: () => LanguageClient | undefined) {
    this.cursor = vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor));
  }

  /** Opens the source of the statement at the cursor beside the PTX. */
  async showSource(client: LanguageClient): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !isPtx(editor.document)) {
      return;
    }
    const places = await placesOf(client, editor);
    const place = places.find(({ uri }) => uri !== null);
    if (place?.uri) {
      this.sources.add(vscode.Uri.parse(place.uri).toString());
      await this.link(client, editor, place, true);
    } else {
      void vscode.window.showInformationMessage(lack(places));
    }
  }

  /** Shows the PTX that comes from the line at the cursor. */
  async fromSource(client: LanguageClient): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const found = editor ? await ptxOf(client, editor.document.uri, editor.selection.active.line) : [];
    if (!editor || !found[0]) {
      void vscode.window.showInformationMessage("No open PTX document has code from this line.");
      return;
    }
    this.sources.add(editor.document.uri.toString());
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(found[0].uri));
    if (!editorOf(document.uri)) {
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    }
    this.highlight(editor, [[editor.selection.active.line, editor.selection.active.line]]);
    this.showLines(found);
  }

  dispose(): void {
    clearTimeout(this.pending);
    this.cursor.dispose();
    this.linked.dispose();
  }

  // The other side follows the cursor as long as both are visible.
  private follow(editor: vscode.TextEditor): void {
    if (this.sources.size === 0) {
      return;
    }
    clearTimeout(this.pending);
    this.pending = setTimeout(() => {
      const client = this.running();
      if (client) {
        const move = isPtx(editor.document) ? this.followPtx(client, editor) : this.followSource(client, editor);
        // The server may end, or the document may close, before the answer: the next move of the cursor asks again.
        move.catch(() => undefined);
      }
    }, SETTLED_MS);
  }

  private async followPtx(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
    const place = (await placesOf(client, editor)).find(({ uri }) => uri !== null && editorOf(vscode.Uri.parse(uri)));
    if (place) {
      await this.link(client, editor, place, false);
    }
  }

  private async followSource(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
    if (this.sources.has(editor.document.uri.toString())) {
      const { line } = editor.selection.active;
      this.highlight(editor, [[line, line]]);
      this.showLines(await ptxOf(client, editor.document.uri, line));
    }
  }

  private async link(
    client: LanguageClient,
    editor: vscode.TextEditor,
    place: SourcePlace,
    open: boolean,
  ): Promise<void> {
    const uri = vscode.Uri.parse(place.uri ?? "");
    if (open) {
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), beside);
    }
    const source = editorOf(uri);
    if (source) {
      this.highlight(source, [[place.line, place.line]]);
      reveal(source, place.line);
    }
    const all = await ptxOf(client, uri, place.line);
    const same = all.find((each) => vscode.Uri.parse(each.uri).toString() === editor.document.uri.toString());
    this.highlight(editor, same?.lines ?? []);
  }

  private showLines(found: readonly PtxLines[]): void {
    for (const editor of vscode.window.visibleTextEditors.filter(({ document }) => isPtx(document))) {
      const own = found.find((each) => vscode.Uri.parse(each.uri).toString() === editor.document.uri.toString());
      this.highlight(editor, own?.lines ?? []);
      if (own?.lines[0]) {
        reveal(editor, own.lines[0][0]);
      }
    }
  }

  private highlight(editor: vscode.TextEditor, lines: readonly (readonly [number, number])[]): void {
    editor.setDecorations(
      this.linked,
      lines.map(([first, last]) => new vscode.Range(first, 0, last, 0)),
    );
  }
}

function placesOf(client: LanguageClient, editor: vscode.TextEditor): Promise<readonly SourcePlace[]> {
  const { asUri, asPosition } = client.code2ProtocolConverter;
  const argument = { uri: asUri(editor.document.uri), position: asPosition(editor.selection.active) };
  return execute(client, "ptx.sourceOf", argument);
}

function ptxOf(client: LanguageClient, uri: vscode.Uri, line: number): Promise<readonly PtxLines[]> {
  return execute(client, "ptx.ptxOf", { uri: client.code2ProtocolConverter.asUri(uri), line });
}

function isPtx(document: vscode.TextDocument): boolean {
  return vscode.languages.match({ language: "ptx" }, document) > 0;
}

function editorOf(uri: vscode.Uri): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
}

function reveal(editor: vscode.TextEditor, line: number): void {
  editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function lack(places: readonly SourcePlace[]): string {
  return places[0]
    ? `The source ${places[0].path} is not here. The setting ptx.source.paths says where other paths are.`
    : "No .loc names the source of this statement: compile with -lineinfo.";
}
