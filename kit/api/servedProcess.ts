import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { CompiledApp } from "../suite/compiledApp.ts";

/** The program, serving in its own process. */
export interface ServedProcess {
  readonly origin: string;
  /** Log lines so far. */
  readonly logged: readonly string[];
  /** Sends a signal, SIGTERM by default; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Kills it without a shutdown, like a power cut. */
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
  const logged: string[] = [];
  const errors = collect(child.stderr, logged);
  const origin = await findOrigin(child, logged);
  if (origin === undefined) {
    await errors;
    throw new Error(`the program ended: ${logged.join("\n")}`);
  }
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    const gone = once(child, "exit") as Promise<[number | null]>;
    child.kill(signal);
    return (await gone)[0];
  };
  const kill = async () => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
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
