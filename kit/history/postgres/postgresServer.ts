import { spawn, spawnSync } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Binaries, copyBinaries } from "./postgresBinaries.ts";

/** PostgreSQL refuses to run as root; for root, an unprivileged user runs it. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const user = "tongate";

/** A PostgreSQL server for tests, with its files in one folder. */
export interface PostgresServer {
  readonly folder: string;
  readonly port: number;
}

/** The URL of a database on the server; `postgres` always exists. */
export function postgresUrl({ port }: Pick<PostgresServer, "port">, database: string): string {
  return `postgres://${user}@127.0.0.1:${port}/${database}`;
}

export interface PostgresPlan {
  /** Additional settings. */
  readonly settings?: readonly string[];
  /** Folder of the write-ahead log; defaults to the data folder. */
  readonly walFolder?: string;
}

/** Creates the files in an existing folder and starts the server, which outlives this process. */
export async function startPostgres(
  folder: string,
  { settings = [], walFolder }: PostgresPlan = {},
): Promise<PostgresServer> {
  const binaries = await copyBinaries(programsFolder(folder));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const wal = walFolder === undefined ? [] : [walFolder];
  if (nobody.uid !== undefined) for (const path of [folder, data, ...wal]) chownSync(path, nobody.uid, nobody.gid);
  const options = ["-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const walOptions = wal.map((path) => `--waldir=${path}/wal`);
  const made = spawnSync(binaries.initdb, [...options, ...walOptions], nobody);
  if (made.status !== 0)
    throw new Error(`the test PostgreSQL cannot be made: initdb: ${made.error?.message ?? made.stderr}`);
  for (let attempt = 1; ; attempt++) {
    const server = { folder, port: await freePort() };
    try {
      await launch(binaries, server, settings);
      return server;
    } catch (error) {
      // Another process may take the free port before the server does.
      if (attempt === 5 || !String(error).includes("could not bind")) throw error;
    }
  }
}

/** Starts the server on existing files and waits until it accepts connections. */
export async function launchPostgres(server: PostgresServer, settings: readonly string[] = []): Promise<void> {
  await launch(await copyBinaries(programsFolder(server.folder)), server, settings);
}

/**
 * Starts a streaming replica of a server, in a folder that exists; the server is stopped while its files are copied.
 */
export async function startReplica(
  primary: PostgresServer,
  folder: string,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  await stopPostgres(primary);
  const data = join(folder, "data");
  cpSync(join(primary.folder, "data"), data, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(data, "standby.signal"), "");
  if (nobody.uid !== undefined) spawnSync("chown", ["-R", `${nobody.uid}:${nobody.gid}`, folder]);
  await launchPostgres(primary);
  const server = { folder, port: await freePort() };
  const source = `primary_conninfo=host=127.0.0.1 port=${primary.port} user=${user}`;
  await launchPostgres(server, [source, ...settings]);
  return server;
}

/** Test files of one run share one copy of the programs. */
function programsFolder(own: string): string {
  const shared = findAnnounced();
  return shared === undefined ? own : dirname(shared);
}

/** Starts the server; throws at once if it cannot start. */
export async function launch(
  binaries: Binaries,
  { folder, port }: PostgresServer,
  settings: readonly string[],
): Promise<void> {
  const always = ["fsync=off", "full_page_writes=off", "listen_addresses=127.0.0.1", "unix_socket_directories="];
  const more = ["max_connections=200", "shared_buffers=64MB", "max_wal_size=1GB", "autovacuum=off"];
  const options = ["-D", join(folder, "data"), "-p", String(port)];
  const output = openSync(join(folder, "log"), "a");
  // For duplicate settings the last value wins.
  const all = [...always, ...more, ...settings].flatMap((each) => ["-c", each]);
  const child = spawn(binaries.postgres, [...options, ...all], {
    ...nobody,
    detached: true,
    stdio: ["ignore", output, output],
  });
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  child.unref();
  for (;;) {
    if (failure !== undefined) throw new Error(`the test PostgreSQL cannot be started: ${failure.message}`);
    if (/^ready\s*$/m.test(findPidFile(folder))) return;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`postgres ended: ${readFileSync(join(folder, "log"), "utf8")}`);
    await wait(20);
  }
}

/** Stops the server at once, even with connected clients; resolves when it has stopped. */
export async function stopPostgres({ folder }: Pick<PostgresServer, "folder">): Promise<void> {
  const pid = Number.parseInt(findPidFile(folder), 10);
  if (Number.isNaN(pid)) return;
  process.kill(pid, "SIGINT");
  while (existsSync(pidFile(folder))) await wait(20);
}

/** Kills the server without waiting; for files that are removed anyway. */
export function abandonPostgres(server: Pick<PostgresServer, "folder">): void {
  if (isRunning(server)) process.kill(Number.parseInt(findPidFile(server.folder), 10), "SIGQUIT");
}

/** Whether the server process runs; a crashed one may leave its pid file behind. */
export function isRunning({ folder }: Pick<PostgresServer, "folder">): boolean {
  const pid = Number.parseInt(findPidFile(folder), 10);
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process.
    return false;
  }
}

function pidFile(folder: string): string {
  return join(folder, "data", "postmaster.pid");
}

function findPidFile(folder: string): string {
  return existsSync(pidFile(folder)) ? readFileSync(pidFile(folder), "utf8") : "";
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

const sharedVariable = "TONGATE_TEST_POSTGRES";

/** Tells all test files of a run where the shared server is; called before they start. */
export function announcePostgres(folder: string): void {
  process.env[sharedVariable] = folder;
}

/** The folder of the shared server, if announced. */
export function findAnnounced(): string | undefined {
  return process.env[sharedVariable];
}

/** The server that all test files of a run share; the first caller starts it. */
export async function sharedPostgres(): Promise<PostgresServer> {
  const folder = findAnnounced();
  if (folder === undefined) throw new Error(`${sharedVariable} is not set: the setup of vitest.config.ts did not run`);
  const [portFile, failureFile] = [join(folder, "port"), join(folder, "failure")];
  if (isFirst(folder)) await startShared(folder, portFile, failureFile);
  for (;;) {
    if (existsSync(failureFile)) throw new Error(readFileSync(failureFile, "utf8"));
    const port = existsSync(portFile) ? readFileSync(portFile, "utf8") : "";
    if (port !== "") return { folder, port: Number(port) };
    await wait(20);
  }
}

/** Reports a failed start to the test files that wait for the server. */
async function startShared(folder: string, portFile: string, failureFile: string): Promise<void> {
  try {
    const { port } = await startPostgres(folder);
    writeFileSync(portFile, String(port));
  } catch (error) {
    writeFileSync(failureFile, error instanceof Error ? error.message : String(error));
  }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, "starting"));
    return true;
  } catch {
    // Another test file was first.
    return false;
  }
}
