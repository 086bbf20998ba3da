import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CompiledApp } from "../../../kit/suite/compiledApp.ts";
import { type KillPoint, killVariable } from "../../../kit/suite/killSwitch.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Random } from "../../../src/lib/random.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { getBlock } from "../../../src/lite/tl/liteQueries.ts";
import { decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { formatGlobalConfig } from "../../../src/localnet/network/globalConfig.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { masterchain } from "../../../src/model/block/BlockId.ts";
import { serveChain } from "../lite/serveChain.ts";
import { growSplitChain } from "../localnet/splitChain.ts";

/** The split chain behind a lite server; grows from its first block on request. */
export interface ServedGrowth {
  /** Path of the global config that names the server. */
  readonly config: string;
  readonly head: () => number;
  growTo(seqno: number): void;
  /** Called for every query, with the masterchain block whose data it fetches, if any. */
  onQuery: (block: number | undefined) => void;
  /** Delay of every answer. */
  delayMs: number;
  close(): Promise<void>;
}

/** Serves the chain and writes the config into the folder. */
export async function serveGrowth(folder: string, name: string): Promise<ServedGrowth> {
  const { ledger, grow } = growSplitChain(1);
  const server = new LocalLiteServer({ ledger });
  const watched: LiteServer = {
    ask: async (bytes, options) => {
      growth.onQuery(findMasterBlock(bytes));
      if (growth.delayMs > 0) await systemClock.sleep(growth.delayMs);
      return server.ask(bytes, options);
    },
    close: async () => {},
    destroy: () => {},
  };
  const served = await serveChain(watched);
  const config = join(folder, `${name}.json`);
  writeFileSync(config, formatGlobalConfig({ zeroState: ledger.zero.id, host: "127.0.0.1", ...served }));
  const growth: ServedGrowth = {
    config,
    head: () => ledger.headId.seqno,
    growTo: (seqno) => {
      while (ledger.headId.seqno < seqno) grow();
    },
    onQuery: () => {},
    delayMs: 0,
    close: async () => {
      await served.close();
      await server.close();
    },
  };
  return growth;
}

function findMasterBlock(bytes: Uint8Array): number | undefined {
  const { query, args } = decodeQuery(bytes);
  if (query.id !== getBlock.id) return undefined;
  const { id } = args as { readonly id: { readonly workchain: number; readonly seqno: number } };
  return id.workchain === masterchain ? id.seqno : undefined;
}

/** Options to start the program over a served chain. */
export interface IndexerStart {
  readonly app: CompiledApp;
  readonly chain: ServedGrowth;
  readonly data: string;
  readonly flags: readonly string[];
}

/** Starts the program; its errors are printed with those of the tests. */
export function startIndexer(start: IndexerStart): ChildProcess {
  return spawn(process.execPath, [...argsOf(start), "--log-level", "error"], {
    env: {},
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Starts the program, which kills itself at `point`, if given, and tells what it does. */
function startDoomed(start: IndexerStart, point: KillPoint | undefined): ChildProcess {
  const env = point === undefined ? {} : { [killVariable]: JSON.stringify(point) };
  const before = point === undefined ? [] : ["--import", start.app.killSwitch];
  return spawn(process.execPath, [...before, ...argsOf(start)], { env, stdio: ["ignore", "pipe", "pipe"] });
}

function argsOf({ app, chain, data, flags }: IndexerStart): string[] {
  return [app.cli, "index", "--network", chain.config, "--trust", "--data", data, "--from", "genesis", ...flags];
}

/** When the process is killed, unless it finishes before: at a query, or at a point inside the process. */
export type Ending = { readonly kind: "query"; readonly nth: number } | KillPoint;

/**
 * Runs the program until SIGKILL: at `ending`, or at a random time after it fetched the newest block, when it is about
 * to write it. Resolves with the cause of the end.
 */
export async function runUntilKilled(start: IndexerStart, ending: Ending, random: Random): Promise<KilledRun> {
  const { chain } = start;
  const lastMs = random.int(maxMs);
  const child = startDoomed(start, ending.kind === "query" ? undefined : ending);
  const gone = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  let by: KilledRun["by"] = ending.kind;
  let asked = 0;
  let cancel = () => {};
  chain.onQuery = (block) => {
    asked += 1;
    if (ending.kind === "query" && asked === ending.nth) child.kill("SIGKILL");
    if (block !== chain.head()) return;
    cancel();
    cancel = systemClock.timer(lastMs, () => {
      by = "time";
      child.kill("SIGKILL");
    });
  };
  const output = keepOutput(child);
  const cancelLimit = systemClock.timer(longestMs, () => child.kill("SIGABRT"));
  const [code, signal] = await gone;
  cancelLimit();
  cancel();
  chain.onQuery = () => {};
  if (signal === "SIGABRT") throw new Error(`after ${asked} queries the program still runs; it wrote:\n${output()}`);
  return { by, code, signal };
}

/** Reads everything that the program writes; returns the end of it. */
function keepOutput(child: ChildProcess): () => string {
  let kept = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      kept = `${kept}${text}`.slice(-maxOutput);
    });
  }
  return () => kept;
}

/** How much of a program's output a failure shows. */
const maxOutput = 8_000;
/**
 * A program that is not killed by then does not do its work; one start takes seconds, or a minute on a busy machine.
 */
const longestMs = 600_000;

/** Maximum time between the last query and the kill. */
const maxMs = 150;

export interface KilledRun {
  readonly by: Ending["kind"] | "time";
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
