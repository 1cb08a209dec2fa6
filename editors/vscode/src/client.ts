// The client of the server: which features it offers in documents of PTX alone, and which also in other languages.

import {
  LanguageClient,
  TextDocumentLanguageFeature,
  type DynamicFeature,
  type ServerCapabilities,
  type StaticFeature,
} from "vscode-languageclient/node";

/** The languages of the documents that the server sees; `others` are those that hold inline PTX. */
export function selector(others: readonly string[]): { language: string; scheme: string }[] {
  return ["ptx", ...others].flatMap((language) => [
    { language, scheme: "file" },
    { language, scheme: "untitled" },
  ]);
}

const INSIDE_OTHER_LANGUAGES: ReadonlySet<string> = new Set([
  "textDocument/codeAction",
  "textDocument/completion",
  "textDocument/declaration",
  "textDocument/definition",
  "textDocument/diagnostic",
  "textDocument/documentHighlight",
  "textDocument/hover",
  "textDocument/inlayHint",
  "textDocument/references",
  "textDocument/rename",
  "textDocument/signatureHelp",
]);

/**
 * A client that answers for other languages only where the server does. A second provider of formatting, symbols or
 * semantic tokens would disturb the one of the language, even if it never has an answer: VS Code asks the user which
 * of two formatters it is to run, and folds by indentation only where no provider of folding is.
 */
export class PtxClient extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (feature instanceof TextDocumentLanguageFeature && !INSIDE_OTHER_LANGUAGES.has(feature.registrationType.method)) {
      const initialize = feature.initialize.bind(feature);
      feature.initialize = (capabilities: ServerCapabilities): void => initialize(capabilities, selector([]));
    }
    super.registerFeature(feature);
  }
}
