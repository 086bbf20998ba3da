import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type PostgresServer,
  postgresUrl,
  startPostgres,
  stopPostgres,
} from "../../kit/history/postgres/postgresServer.ts";
import { openRoundRobin, type RoundRobin } from "./roundRobin.ts";

const program = join(import.meta.dirname, "..", "..", "src", "app", "cli.js");
const patienceMs = 300_000;

/** A process of the program, by what it does. */
interface Worker {
  readonly name: string;
  readonly process: ChildProcess;
  readonly output: () => string;
}

/** A network, one indexer and two answering processes on one PostgreSQL, behind a proxy. */
export class LoadStage {
  readonly #folder = mkdtempSync(join(tmpdir(), "tongate-load-"));
  /** Not in the folder: the user who runs the server may not enter that. */
  readonly #database = mkdtempSync(join(tmpdir(), "tongate-load-"));
  readonly #workers: Worker[] = [];
  #server: PostgresServer | undefined;
  #proxy: RoundRobin | undefined;

  static async open(): Promise<LoadStage> {
    const stage = new LoadStage();
    try {
      await stage.#open();
      return stage;
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#proxy?.port}`;
  }

  /** Resident bytes of each process of the program. */
  resident(): ReadonlyMap<string, number> {
    return new Map(this.#workers.map(({ name, process: { pid } }) => [name, residentOf(pid)]));
  }

  /** Processes that ended, with their last words. */
  fallen(): readonly string[] {
    return this.#workers
      .filter(({ process: { exitCode, signalCode } }) => exitCode !== null || signalCode !== null)
      .map(({ name, output }) => `${name} ended: ${output().slice(-300)}`);
  }

  async close(): Promise<void> {
    await this.#proxy?.close();
    for (const { process: each } of [...this.#workers].reverse()) {
      if (each.exitCode !== null || each.signalCode !== null) continue;
      each.kill("SIGTERM");
      await Promise.race([once(each, "exit"), setTimeout(10_000).then(() => each.kill("SIGKILL"))]);
    }
    if (this.#server !== undefined) await stopPostgres(this.#server);
    for (const folder of [this.#folder, this.#database]) rmSync(folder, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    this.#server = await startPostgres(this.#database, { settings: ["autovacuum=on"] });
    const url = postgresUrl(this.#server, "postgres");
    const data = join(this.#folder, "chain");
    const litePort = await freePort();
    this.#start("network", "localnet", "--data", data, "--port", `${litePort}`, "--traffic", "5", "--block-ms", "1000");
    const config = join(data, "localnet", "global.config.json");
    await this.#until("the network", async () => existsSync(config) && (await isListening(litePort)));
    const common = ["--network", config, "--database", url, "--log-level", "warn"];
    this.#start("indexer", "index", ...common, "--from", "genesis", "--data", join(this.#folder, "indexer"));
    const ports = [await freePort(), await freePort()];
    for (const [at, port] of ports.entries()) {
      const own = ["--port", `${port}`, "--data", join(this.#folder, `answers-${at}`), "--limits", "off"];
      this.#start(`answers ${at + 1}`, "serve", ...common, "--no-index", ...own);
    }
    for (const port of ports) {
      await this.#until("the index", async () => {
        const response = await fetch(`http://127.0.0.1:${port}/api/v3/masterchainInfo`);
        return response.status === 200 && Number(Object(await response.json()).last?.seqno) > 20;
      });
    }
    this.#proxy = await openRoundRobin(ports);
  }

  /** A process that ends in the meantime is an error at once. */
  async #until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await isTrue().catch(() => false))) {
      const [fallen] = this.fallen();
      if (fallen !== undefined) throw new Error(fallen);
      if (performance.now() > end) throw new Error(`${what} did not start within ${patienceMs / 1000} s`);
      await setTimeout(200);
    }
  }

  #start(name: string, ...args: readonly string[]): void {
    // The program refuses variables of its own name that it does not know.
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("TONGATE_")));
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const take = (piece: Buffer): void => {
      text = (text + piece.toString()).slice(-10_000);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    this.#workers.push({ name, process: child, output: () => text });
  }
}

function residentOf(pid: number | undefined): number {
  const status = `/proc/${pid}/status`;
  const found = existsSync(status) ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1] : undefined;
  return Number(found ?? 0) * 1024;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
