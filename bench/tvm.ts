import { fork } from "node:child_process";
import { once as onceEmitted } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Address, Cell as CoreCell } from "@ton/core";
import { Executor as Package } from "@ton/sandbox";
import { listFiles, readJson } from "../kit/suite/corpus.ts";
import { RecordedConfigs, type RecordedRun, readGetMethodRuns } from "../kit/tvm/tvmRecords.ts";
import { WasmOracle } from "../kit/tvm/wasmOracle.ts";
import { beginCell } from "../src/cell/Builder.ts";
import { CellKind } from "../src/cell/base/CellKind.ts";
import { readRoot, writeBoc } from "../src/cell/boc.ts";
import type { Cell } from "../src/cell/Cell.ts";
import { loadCell, rest } from "../src/cell/codec.ts";
import { Dictionary } from "../src/cell/dictionary.ts";
import { hashKey } from "../src/cell/keys.ts";
import { fromBase64 } from "../src/lib/bytes.ts";
import { systemClock } from "../src/lib/clock.ts";
import { ShardAccount } from "../src/model/Account.ts";
import { parseAddress } from "../src/model/Address.ts";
import { coinsOnly } from "../src/model/Currency.ts";
import { configFromRoot } from "../src/model/config/ConfigParams.ts";
import { parseHash, zeroHash } from "../src/model/Hash.ts";
import { methodId } from "../src/model/vm/methodId.ts";
import type { Executor, GetMethodRun, TransactionRun } from "../src/tvm/Executor.ts";
import { openMachine } from "../src/tvm/machine/interpreter/Machine.ts";
import { openExecutor } from "../src/tvm/run/openExecutor.ts";
import { type BenchContext, type Benchmark, benchmark, type Measured, median } from "./kit/benchmark.ts";
import { cpuSeconds } from "./kit/cpuSeconds.ts";
import { once } from "./kit/databases.ts";
import { Timings } from "./kit/timings.ts";
import { programs } from "./tvm/programs.ts";

const group = "tvm";
const baselineName = "@ton/sandbox, full config";
const getMethodMark = 60;
const transactionsWanted = 2_000;
/** Number of concurrent runs. */
const batch = 24;

interface RecordedRuns {
  readonly environment: { readonly config: string; readonly unixtime: number };
  readonly contract: {
    readonly address: string;
    readonly code_boc: string;
    readonly data_boc: string;
    readonly libraries: readonly unknown[];
  };
  readonly runs: readonly {
    readonly method_id: number;
    readonly args: readonly unknown[];
    readonly expected: { readonly exit_code: number };
  }[];
}

interface RecordedTransaction {
  readonly account: string;
  readonly transaction: { readonly lt: string; readonly now: number; readonly in_msg_boc: string };
}

interface BlockReplay {
  readonly config: string;
  readonly libraries: string;
  readonly block_rand_seed_hex: string;
  readonly accounts: readonly {
    readonly shard_account_before: string;
    readonly transactions: readonly {
      readonly lt: string;
      readonly now: number;
      readonly in_msg_boc: string;
      readonly compute_skipped?: boolean;
    }[];
  }[];
}

/**
 * Runs per second on this thread, compared with direct calls of the package on this thread with the full environment of
 * a node.
 */
export async function benchmarks({ corpus, leaveOut }: BenchContext): Promise<readonly Benchmark[]> {
  if (corpus === undefined) {
    leaveOut("contracts and accounts are in the corpus");
    return [];
  }
  const executor = await openExecutor({}, { clock: systemClock });
  const direct = await Package.create();
  const known = readMethods(corpus);
  return [
    getMethodBenchmark(corpus, executor, direct),
    ...percentileBenchmarks(known, executor),
    ...rateBenchmarks(known, direct),
    ...firstAnswerBenchmarks(known),
    ...transactionBenchmarks(corpus, executor, direct),
    holdBenchmark(executor, known),
  ];
}

function readMethods(corpus: string): readonly RecordedRun[] {
  const configs = new RecordedConfigs(corpus);
  return listFiles(corpus, "getmethods", ".json").flatMap((path) => readGetMethodRuns(readJson(corpus, path), configs));
}

/** A benchmark with its own limit instead of a baseline. */
function bounded(name: string, unit: string, baseline: string, measure: () => Promise<Measured>): Benchmark {
  return { name, group, unit, baseline, mark: 1, measure };
}

/** The duration of every recorded get-method, ours and the package's, each the median of several runs. */
function percentileBenchmarks(known: readonly RecordedRun[], executor: Executor): Benchmark[] {
  const timings = once(async () => {
    const oracle = await WasmOracle.open();
    const [ours, theirs] = [new Timings(), new Timings()];
    for (const { run, exitCode } of known) {
      const args = exitCode === 0 && run.findLibrary === undefined ? oracle.methodArgs(run, undefined) : undefined;
      if (args === undefined) continue;
      theirs.add(await medianMs(3, () => oracle.runArgs(args)));
      ours.add(await medianMs(15, () => executor.runGetMethod(run)));
    }
    return { ours, theirs };
  });
  return ([50, 90] as const).map((share) => ({
    ...{ name: `get-methods, all recorded, p${share}`, group, unit: "µs", baseline: baselineName },
    mark: share === 50 ? 100 : 60,
    measure: async () => {
      const { ours, theirs } = await timings();
      const value = ours.percentile(share) * 1000;
      return { value, ratio: (theirs.percentile(share) * 1000) / value };
    },
  }));
}

async function medianMs(count: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Instructions per second of one core, also compared with the package on the same programs. */
function rateBenchmarks([first]: readonly RecordedRun[], direct: Package): Benchmark[] {
  if (first === undefined) return [];
  return programs.flatMap(({ name, code, data, wanted }) => {
    const limit = 1_000_000_000;
    const input = { code, data, stack: [0], c7: [], gas: { limit, max: limit, credit: 0 }, globalVersion: 13 };
    const runOwn = () => {
      const progress = openMachine(input).run(Number.POSITIVE_INFINITY);
      if (progress.kind !== "ended" || progress.exitCode !== 0) throw new Error(`${name} does not end`);
      return progress.steps;
    };
    const steps = runOwn();
    const { root } = first.run.config.params;
    const args = {
      ...{ config: root === undefined ? "" : writeBoc(root).toString("base64"), unixTime: 1_780_000_000, methodId: 0 },
      ...{ randomSeed: Buffer.alloc(32), address: Address.parse(`0:${"00".repeat(32)}`), balance: 0n, stack: [] },
      ...{ code: CoreCell.fromBoc(writeBoc(code))[0] as CoreCell, data: CoreCell.EMPTY, gasLimit: BigInt(limit) },
      ...{ verbosity: "short" as const, debugEnabled: false },
    };
    return [
      bounded(`instructions of one core: ${name}`, "M/s", `${wanted} M/s wanted`, async () => {
        for (let i = 0; i < 5; i++) runOwn();
        const rounds = 20;
        const { seconds } = await cpuSeconds(async () => {
          for (let i = 0; i < rounds; i++) runOwn();
        });
        const value = (rounds * steps) / seconds / 1e6;
        return { value, ratio: value / wanted };
      }),
      benchmark({
        ...{ name: `instructions: ${name}`, group, unit: "/s", amount: steps },
        baseline: { name: baselineName, run: () => direct.runGetMethod(args) },
        subject: { run: runOwn },
      }),
    ];
  });
}

const firstAnswerMs = 40;
const maxMegabytes = 10;

/** CPU and memory of a new process, bundled like the program, from loading the executor to the first answer. */
function firstAnswerBenchmarks(known: readonly RecordedRun[]): Benchmark[] {
  const measured = once(async () => {
    const recordedRun = known.find(({ run, exitCode }) => exitCode === 0 && run.stack.length === 0 && !run.findLibrary);
    const root = recordedRun?.run.config.params.root;
    if (recordedRun === undefined || root === undefined) throw new Error("no get-method to run");
    const { address, code, data, method } = recordedRun.run;
    const bags = [root, code, data].map((cell) => writeBoc(cell).toString("base64"));
    const answers: { readonly cpuMs: number; readonly megabytes: number }[] = [];
    for (let i = 0; i < 5; i++) {
      const args = [bags[0] as string, address, bags[1] as string, bags[2] as string, String(methodId(method))];
      const child = fork(join(import.meta.dirname, "tvm", "firstAnswer.js"), args, { execArgv: ["--expose-gc"] });
      const [answer] = (await onceEmitted(child, "message")) as [(typeof answers)[number]];
      answers.push(answer);
    }
    return { cpuMs: median(answers.map((a) => a.cpuMs)), megabytes: median(answers.map((a) => a.megabytes)) };
  });
  return [
    bounded("first answer of a bundled process, CPU", "ms", `at most ${firstAnswerMs}`, async () => {
      const { cpuMs } = await measured();
      return { value: cpuMs, ratio: firstAnswerMs / cpuMs };
    }),
    bounded("memory added by the first answer", "MB", `at most ${maxMegabytes}`, async () => {
      const { megabytes } = await measured();
      return { value: megabytes, ratio: maxMegabytes / megabytes };
    }),
  ];
}

const longestHoldMs = 5;
const holdRounds = 5;

/**
 * The longest block of the event loop, while many callers run endless code, BLS included. What another process took is
 * not the machine's own, so the best of several rounds counts; the first one, which starts the thread for BLS, is not
 * measured.
 */
function holdBenchmark(executor: Executor, [first]: readonly RecordedRun[]): Benchmark {
  const codes = ["3090ea", "30c8c9f90030", "30f93015f93015f9301030"].map((hex) =>
    beginCell().storeBytes(Buffer.from(hex, "hex")).cell(),
  );
  const measure = async (run: GetMethodRun): Promise<number> => {
    let [value, seenAt, isOver] = [0, performance.now(), false];
    const watch = () => {
      value = Math.max(value, performance.now() - seenAt);
      seenAt = performance.now();
      if (!isOver) setImmediate(watch);
    };
    watch();
    const runs = Array.from({ length: 30 }, (_, i) =>
      executor.runGetMethod({
        ...run,
        ...{ code: codes[i % codes.length] ?? run.code, stack: [], method: 0, caller: `caller ${i % 7}` },
      }),
    );
    await Promise.all(runs);
    isOver = true;
    return value;
  };
  return bounded("longest hold of the event loop", "ms", `at most ${longestHoldMs}`, async () => {
    if (first === undefined) throw new Error("no get-method to run");
    await measure(first.run);
    const values: number[] = [];
    for (let i = 0; i < holdRounds; i++) values.push(await measure(first.run));
    const value = Math.min(...values);
    return { value, ratio: longestHoldMs / value };
  });
}

function readText<T>(folder: string, path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8"));
}

function getMethodBenchmark(corpus: string, executor: Executor, direct: Package): Benchmark {
  const recorded = readdirSync(join(corpus, "getmethods"))
    .map((name) => readText<RecordedRuns>(corpus, join("getmethods", name)))
    .flatMap(({ environment, contract, runs }) => {
      const run = runs.find(({ args, expected }) => args.length === 0 && expected.exit_code === 0);
      return run === undefined || contract.libraries.length > 0 ? [] : [{ environment, contract, run }];
    })
    .slice(0, batch);
  const [first] = recorded;
  if (first === undefined) throw new Error("no get-method to run");
  const config = readFileSync(join(corpus, first.environment.config));
  const ours = recorded.map(
    ({ environment, contract, run }): GetMethodRun => ({
      config: configFromRoot(readRoot(config)),
      now: environment.unixtime,
      randomSeed: zeroHash,
      address: parseAddress(contract.address).address,
      code: readRoot(fromBase64(contract.code_boc)),
      data: readRoot(fromBase64(contract.data_boc)),
      balance: coinsOnly(1_000_000_000n),
      method: run.method_id,
      stack: [],
      gasLimit: 1_000_000n,
    }),
  );
  const theirs = recorded.map(({ environment, contract, run }) => ({
    config: config.toString("base64"),
    unixTime: environment.unixtime,
    randomSeed: Buffer.alloc(32),
    address: Address.parse(contract.address),
    code: CoreCell.fromBase64(contract.code_boc),
    data: CoreCell.fromBase64(contract.data_boc),
    balance: 1_000_000_000n,
    methodId: run.method_id,
    stack: [],
    gasLimit: 1_000_000n,
    verbosity: "short" as const,
    debugEnabled: false,
  }));
  return benchmark({
    name: `get-methods, ${ours.length} contracts`,
    group,
    unit: "runs/s",
    amount: ours.length,
    baseline: { name: baselineName, run: () => runInTurn(theirs, (args) => direct.runGetMethod(args)) },
    subject: { run: () => Promise.all(ours.map((run) => executor.runGetMethod(run))) },
    mark: getMethodMark,
  });
}

function transactionBenchmarks(corpus: string, executor: Executor, direct: Package): Benchmark[] {
  const folder = join(corpus, "replays", "block-71398501");
  const block = readText<BlockReplay>(folder, "replay.json");
  const config = readFileSync(join(folder, block.config));
  const libraries = readFileSync(join(folder, block.libraries));
  const known = new Dictionary(readRoot(libraries), hashKey, rest);
  const recorded = block.accounts.flatMap(({ shard_account_before: account, transactions: [transaction] }) =>
    transaction === undefined || transaction.compute_skipped ? [] : [{ account, transaction }],
  );
  const toOurs = ({ account, transaction }: RecordedTransaction): TransactionRun => ({
    config: configFromRoot(readRoot(config)),
    now: transaction.now,
    lt: BigInt(transaction.lt),
    randomSeed: parseHash(block.block_rand_seed_hex),
    account: loadCell(ShardAccount, readRoot(fromBase64(account))),
    message: readRoot(fromBase64(transaction.in_msg_boc)),
    findLibrary: (hash) => known.find(hash)?.ref(0),
  });
  const toTheirs = ({ account, transaction }: RecordedTransaction, libs: CoreCell | null) => ({
    config: config.toString("base64"),
    now: transaction.now,
    lt: BigInt(transaction.lt),
    randomSeed: Buffer.from(block.block_rand_seed_hex, "hex"),
    shardAccount: account,
    message: CoreCell.fromBase64(transaction.in_msg_boc),
    libs,
    ignoreChksig: false,
    verbosity: "short" as const,
    debugEnabled: false,
  });
  const race = (name: string, against: string, chosen: readonly RecordedTransaction[], libs: CoreCell | null) => {
    const ours = chosen.map(toOurs);
    const theirs = chosen.map((each) => toTheirs(each, libs));
    return benchmark({
      name: `transactions, ${name}`,
      group,
      unit: "runs/s",
      amount: chosen.length,
      baseline: { name: against, run: () => runInTurn(theirs, (each) => direct.runTransaction(each)) },
      subject: { run: () => Promise.all(ours.map((run) => executor.runTransaction(run))) },
    });
  };
  const isPlain = ({ account }: RecordedTransaction) => !refersToLibraries(readRoot(fromBase64(account)));
  const plain = recorded.filter(isPlain).slice(0, batch);
  const [allLibraries = null] = CoreCell.fromBoc(libraries);
  const all = plain.map(toOurs);
  return [
    bounded("transactions of one core", "/s", `${transactionsWanted} wanted`, () => measureOneCore(all, executor)),
    race(`${plain.length} without libraries`, baselineName, plain, null),
    race(`${batch} with libraries`, "@ton/sandbox, all libs", recorded.slice(0, batch), allLibraries),
  ];
}

async function measureOneCore(all: readonly TransactionRun[], executor: Executor): Promise<Measured> {
  const runAll = () => Promise.all(all.map((run) => executor.runTransaction(run)));
  // A service has run thousands of transactions before; compiling them is not their cost.
  for (let i = 0; i < 300; i++) await runAll();
  const { seconds } = await cpuSeconds(async () => {
    for (let i = 0; i < 50; i++) await runAll();
  });
  const value = (50 * all.length) / seconds;
  return { value, ratio: value / transactionsWanted };
}

/** Whether any cell below refers to a library. */
function refersToLibraries(root: Cell): boolean {
  const cells = new Set<Cell>();
  const stack = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.kind === CellKind.library) return true;
    if (!cells.has(next)) stack.push(...next.refs());
    cells.add(next);
  }
  return false;
}

async function runInTurn<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await run(item);
}
