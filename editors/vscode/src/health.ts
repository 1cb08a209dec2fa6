// How the server is, and how that is shown. Nothing of VS Code is needed here, so that it can be tested by itself.

/** What the server tells of itself in `experimental/serverStatus`, the notification that rust-analyzer introduced. */
export interface ServerStatus {
  readonly health: "ok" | "warning" | "error";
  readonly quiescent: boolean;
  readonly message?: string;
}

/** How the server is; `status` is what it told last. */
export type Health =
  | { readonly state: "starting" }
  | { readonly state: "running"; readonly version: string; readonly description: string; readonly status: ServerStatus }
  | { readonly state: "stopped"; readonly reason: string };

/** What the item in the status bar shows. */
export interface Shown {
  readonly text: string;
  readonly detail: string;
  readonly busy: boolean;
  readonly severity: "information" | "warning" | "error";
  readonly action: "restart" | "log";
}

/** The method of the server's notification. */
export const STATUS = "experimental/serverStatus";

/** The status of a server that tells nothing. */
export const QUIET: ServerStatus = { health: "ok", quiescent: true };

/** The state before the server has told its status: one that tells any is starting until then. */
export function afterStart(tellsStatus: boolean, version: string, description: string): Health {
  return tellsStatus ? { state: "starting" } : { state: "running", version, description, status: QUIET };
}

/** The item for a state. */
export function shown(health: Health): Shown {
  switch (health.state) {
    case "starting":
      return { text: "ptx-lsp is starting", detail: "", busy: true, severity: "information", action: "restart" };
    case "stopped":
      return { text: "ptx-lsp does not run", detail: health.reason, busy: false, severity: "error", action: "restart" };
    case "running":
      return running(health.version, health.description, health.status);
  }
}

function running(version: string, description: string, status: ServerStatus): Shown {
  const name = `ptx-lsp ${version}`;
  const message = status.message || description;
  if (status.health === "error") {
    return { text: `${name}: an analysis failed`, detail: message, busy: false, severity: "error", action: "log" };
  }
  const text = status.quiescent ? name : `${name} is analysing`;
  const severity = status.health === "warning" ? "warning" : "information";
  return { text, detail: message, busy: !status.quiescent, severity, action: "log" };
}
