// The state of the server, and how it is shown. Nothing here needs VS Code, so that it can be tested alone.

/** The parameters of `experimental/serverStatus`, the notification that rust-analyzer introduced. */
export interface ServerStatus {
  readonly health: "ok" | "warning" | "error";
  readonly quiescent: boolean;
  readonly message?: string;
}

/** The state of the server; `status` is the one that it sent last. */
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

/** The status of a server that sends none. */
export const QUIET: ServerStatus = { health: "ok", quiescent: true };

/** The state before the first status of the server: starting if it sends one (`sendsStatus`), else running. */
export function afterStart(sendsStatus: boolean, version: string, description: string): Health {
  return sendsStatus ? { state: "starting" } : { state: "running", version, description, status: QUIET };
}

/** The item for a state. */
export function shown(health: Health): Shown {
  switch (health.state) {
    case "starting":
      return { text: "ptx-lsp is starting", detail: "", busy: true, severity: "information", action: "restart" };
    case "stopped":
      return {
        text: "ptx-lsp is not running",
        detail: health.reason,
        busy: false,
        severity: "error",
        action: "restart",
      };
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
