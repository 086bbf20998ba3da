import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

/** `npx tongate` in a folder, as in the README. */
export interface NpxService {
  readonly origin: string;
  /** Everything printed so far. */
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Starts it on a free port and waits until it is ready. */
export async function startByNpx(cwd: string, environment: Readonly<Record<string, string>>): Promise<NpxService> {
  const env = { ...environment, TONGATE_PORT: "0" };
  // Own process group: npx starts a shell, which starts the program.
  const child = spawn("npx", ["tongate"], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (output += more));
  const ended = once(child, "exit").then(() => {
    throw new Error(`npx tongate ended:\n${output}`);
  });
  const stop = async () => {
    ended.catch(() => undefined);
    const group = -(child.pid ?? 0);
    if (isAlive(group)) process.kill(group, "SIGTERM");
    while (isAlive(group)) await setTimeout(50);
  };
  const origin = await Promise.race([ended, findOrigin(() => output)]);
  while ((await fetch(`${origin}/readyz`)).status !== 200) await setTimeout(100);
  return { origin, output: () => output, stop };
}

async function findOrigin(output: () => string): Promise<string> {
  for (;;) {
    const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/api\/v2\//.exec(output()) ?? [];
    if (origin !== undefined) return origin;
    await setTimeout(50);
  }
}

function isAlive(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}
