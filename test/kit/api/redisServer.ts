import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function hasRedis(): boolean {
  return spawnSync("redis-server", ["--version"]).status === 0;
}

/** A Redis process on a free port that stores nothing on disk. */
export class RedisServer {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "tongate-redis-"));
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async open(): Promise<RedisServer> {
    for (let attempt = 1; ; attempt++) {
      const server = new RedisServer(await freePort());
      try {
        await server.start();
        return server;
      } catch (error) {
        await server.close();
        // Another process may take the free port before the server does.
        if (attempt === 5 || !String(error).includes("Address already in use")) throw error;
      }
    }
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it; resolves when it accepts connections. */
  async start(): Promise<void> {
    const options = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const child = spawn("redis-server", [...options, "--dir", this.#folder], { stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    let output = "";
    for await (const more of child.stdout.iterator({ destroyOnReturn: false })) {
      output += more;
      if (output.includes("Ready to accept connections")) break;
    }
    child.stdout.resume();
    if (!output.includes("Ready to accept connections")) throw new Error(`redis-server ended: ${output}`);
  }

  /** Kills it; resolves when the process has exited. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Keeps connections open but answers nothing. */
  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
