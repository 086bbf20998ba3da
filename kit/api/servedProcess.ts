import { type ChildProcess, spawn } from "node:child_process";
import type { CompiledApp } from "../suite/compiledApp.ts";

/** The program, serving in its own process. */
export interface ServedProcess {
  readonly origin: string;
  /** Log lines so far. */
  readonly logged: readonly string[];
  /** Sends a signal, SIGTERM by default; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Kills it without a shutdown, like a power cut, and waits for its end; also of one that has ended. */
  kill(): Promise<void>;
}

export interface ServedProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Limit on open files and sockets. */
  readonly openFiles?: number;
}

/** Starts `serve` on a free port and waits until it prints its address. */
export async function serveProcess(
  { cli }: Pick<CompiledApp, "cli">,
  flags: readonly string[],
  { environment = {}, openFiles }: ServedProcessOptions = {},
): Promise<ServedProcess> {
  const args = [process.execPath, cli, "serve", "--port", "0", ...flags];
  const limit = openFiles === undefined ? "" : `ulimit -n ${openFiles} && `;
  const child = spawn("/bin/sh", ["-c", `${limit}exec "$0" "$@"`, ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const logged: string[] = [];
  const errors = collect(child.stderr, logged);
  const origin = await findOrigin(child, logged);
  if (origin === undefined) {
    await Promise.all([errors, gone]);
    throw new Error(`the program ended: ${logged.join("\n")}`);
  }
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return gone;
  };
  const kill = async () => {
    await stop("SIGKILL");
  };
  return { origin, logged, stop, kill };
}

/** Reads the printed address; later output goes to the log. */
async function findOrigin({ stdout }: ChildProcess, logged: string[]): Promise<string | undefined> {
  if (stdout === null) return undefined;
  let output = "";
  for await (const more of stdout.iterator({ destroyOnReturn: false })) {
    output += more;
    const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/api\/v2\//.exec(output) ?? [];
    if (origin === undefined) continue;
    void collect(stdout, logged);
    return origin;
  }
  return undefined;
}

async function collect(stream: ChildProcess["stdout"], lines: string[]): Promise<void> {
  let rest = "";
  for await (const more of stream ?? []) {
    const parts = `${rest}${more}`.split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  }
}
