// Starts, stops and restarts the server, and shows a message if there is no Python for it.

import * as vscode from "vscode";
import {
  State,
  type ClientCapabilities,
  type LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import { PtxClient, selector } from "./client";
import { findLaunch, isLaunch, type Launch, type NoPython } from "./launch";
import { OLDEST } from "./python";
import {
  ARGUMENTS,
  chosenSettings,
  INTERPRETER,
  LANGUAGES,
  languagesSetting,
  SERVER_PATH,
} from "./settings";
import { afterStart, shown, STATUS, type Health, type ServerStatus } from "./health";
import { createStatusItem, showHealth } from "./status";

const NEEDED = `Python ${OLDEST[0]}.${OLDEST[1]} or newer`;
const DOWNLOAD = vscode.Uri.parse("https://www.python.org/downloads/");

/** The one server of this window. Overlapping calls run one after the other. */
export class Server implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("PTX", { log: true });
  private readonly trace = vscode.window.createOutputChannel("PTX Trace");
  private readonly status = createStatusItem();
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private health: Health = { state: "stopped", reason: "The PTX server starts when an open document needs it." };
  private started = false;
  private lacksPython = false;

  constructor(private readonly context: vscode.ExtensionContext) {}

  /** Starts the server, after ending a running one. Never rejects: failures are shown and logged. */
  restart(): Promise<void> {
    this.started = true;
    return this.enqueue(async () => {
      await this.end();
      await this.start(true);
    });
  }

  /** Tries to start again, without a message, if there was no Python the last time. */
  retryIfLacksPython(): void {
    if (this.lacksPython) {
      void this.enqueue(async () => {
        if (this.lacksPython) {
          await this.start(false);
        }
      });
    }
  }

  /** Whether the server was started once, also without success. */
  isStarted(): boolean {
    return this.started;
  }

  /** Ends the server. */
  stop(): Promise<void> {
    return this.enqueue(() => this.end());
  }

  /** The running client, or undefined. */
  running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  /** The state of the server, as one line for people. */
  describe(): string {
    switch (this.health.state) {
      case "starting":
        return shown(this.health).text;
      case "running":
        return `${shown(this.health).text}: ${this.health.description}`;
      case "stopped":
        return this.health.reason;
    }
  }

  dispose(): void {
    for (const part of [this.log, this.trace, this.status]) {
      part.dispose();
    }
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(task).catch((error: unknown) => this.fail(String(error)));
    return this.queue;
  }

  private async start(verbose: boolean): Promise<void> {
    this.setHealth({ state: "starting" });
    const launch = await findLaunch(this.context);
    this.lacksPython = !isLaunch(launch);
    if (isLaunch(launch)) {
      await this.run(launch);
      return;
    }
    const reason = lack(launch);
    this.setHealth({ state: "stopped", reason });
    if (verbose) {
      this.log.error(reason);
      void offerPython(reason);
    }
  }

  private async run(launch: Launch): Promise<void> {
    this.log.info(`starting ${launch.program} ${launch.arguments.join(" ")}`);
    const client = new PtxClient("ptx", "PTX", serverOptions(launch), this.clientOptions());
    this.client = client;
    client.registerFeature(SHOWS_STATUS);
    client.onNotification(STATUS, (status: ServerStatus) => this.showStatus(client, launch, status));
    client.onDidChangeState(({ newState }) => this.follow(client, launch, newState));
    await client.start();
  }

  private follow(client: LanguageClient, launch: Launch, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state === State.Running) {
      const sendsStatus = client.initializeResult?.capabilities.experimental?.serverStatusNotification === true;
      // The first status may have arrived already.
      if (this.health.state !== "running") {
        this.setHealth(afterStart(sendsStatus, versionOf(client), launch.description));
      }
    } else if (state === State.Starting) {
      this.setHealth({ state: "starting" });
    } else if (state === State.Stopped) {
      this.setHealth({ state: "stopped", reason: "The server has ended; the log says why." });
    }
  }

  private showStatus(client: LanguageClient, launch: Launch, status: ServerStatus): void {
    if (client === this.client) {
      this.setHealth({ state: "running", version: versionOf(client), description: launch.description, status });
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.stop();
    } catch (error) {
      this.log.warn(`the server did not end properly: ${String(error)}`);
    }
    // It stops the client again, which fails for the reason that is logged above.
    await client?.dispose().catch(() => undefined);
  }

  // vscode-languageclient has shown a message already; a second one would only be noise.
  private fail(reason: string): void {
    this.log.error(reason);
    this.setHealth({ state: "stopped", reason });
  }

  private setHealth(health: Health): void {
    this.health = health;
    showHealth(this.status, health);
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: selector(languagesSetting()),
      synchronize: { configurationSection: "ptx" },
      middleware: { workspace: { configuration: () => [chosenSettings(this.context)] } },
      outputChannel: this.log,
      traceOutputChannel: this.trace,
    };
  }
}

function serverOptions(launch: Launch): ServerOptions {
  return {
    command: launch.program,
    args: [...launch.arguments],
    options: { env: launch.environment, cwd: launch.folder },
  };
}

// Announces to the server that this client shows its status.
const SHOWS_STATUS: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...capabilities.experimental, serverStatusNotification: true };
  },
  initialize(): void {},
  getState: () => ({ kind: "static" }),
  clear(): void {},
};

function versionOf(client: LanguageClient): string {
  return client.initializeResult?.serverInfo?.version ?? "of unknown version";
}

function lack({ chosen, tooOld }: NoPython): string {
  const found = tooOld.map((python) => `${python.version} (${python.command.join(" ")})`).join(", ");
  if (chosen) {
    const problem = found ? `is Python ${tooOld[0]!.version}` : "is not a Python that runs";
    return `The PTX server needs ${NEEDED}, but \`${chosen}\`, chosen in the settings, ${problem}.`;
  }
  return `The PTX server needs ${NEEDED}: please install it. ${found ? `Found only ${found}.` : "No Python was found."}`;
}

async function offerPython(reason: string): Promise<void> {
  const install = "Get Python";
  const choose = "Choose Interpreter";
  const answer = await vscode.window.showErrorMessage(reason, install, choose);
  if (answer === install) {
    await vscode.env.openExternal(DOWNLOAD);
  } else if (answer === choose) {
    await vscode.commands.executeCommand("workbench.action.openSettings", INTERPRETER);
  }
}

/** Whether a change of the settings needs another server process. */
export function concernsLaunch(event: vscode.ConfigurationChangeEvent): boolean {
  return [SERVER_PATH, INTERPRETER, ARGUMENTS, LANGUAGES].some((name) => event.affectsConfiguration(name));
}
