// Which documents need the server: PTX, and documents of other languages that hold inline assembly.

/** The languages whose inline PTX the server can check, by the identifiers of VS Code. */
export const HOSTS = ["cuda-cpp", "cpp", "c", "opencl", "python", "rust", "llvm", "mlir", "julia"] as const;

const ALWAYS = ["ptx", "cuda-cpp"];
const ASSEMBLY = /asm|Asm|inline_ptx/;

/** Whether a text may hold inline assembly. */
export function holdsAssembly(text: string): boolean {
  return ASSEMBLY.test(text);
}

/** Whether a document needs the server; `languages` are those that the settings switch on. */
export function needsServer(language: string, text: () => string, languages: readonly string[]): boolean {
  if (language === "ptx") {
    return true;
  }
  return languages.includes(language) && (ALWAYS.includes(language) || holdsAssembly(text()));
}
