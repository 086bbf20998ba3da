import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Address, Cell as CoreCell } from "@ton/core";
import { Executor as Package } from "@ton/sandbox";
import { readRoot } from "../src/cell/boc.ts";
import type { Cell } from "../src/cell/Cell.ts";
import { CellKind } from "../src/cell/CellKind.ts";
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
import type { Executor, GetMethodRun, TransactionRun } from "../src/tvm/Executor.ts";
import { openExecutor } from "../src/tvm/openExecutor.ts";
import { type BenchContext, type Benchmark, benchmark } from "./kit.ts";

const group = "tvm";
const baselineName = "@ton/sandbox, full config";
const getMethodMark = 60;
/** So many runs are asked for at once. */
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

/** Runs a second on this thread, against the package called directly on this thread with all that a node would have. */
export async function benchmarks({ corpus, leaveOut }: BenchContext): Promise<readonly Benchmark[]> {
  if (corpus === undefined) {
    leaveOut("contracts and accounts are in the corpus");
    return [];
  }
  const executor = await openExecutor({}, { clock: systemClock });
  const direct = await Package.create();
  return [getMethodBenchmark(corpus, executor, direct), ...transactionBenchmarks(corpus, executor, direct)];
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
  return [
    race(`${plain.length} without libraries`, baselineName, plain, null),
    race(`${batch} with libraries`, "@ton/sandbox, all libs", recorded.slice(0, batch), allLibraries),
  ];
}

/** Whether any cell below refers to a library. */
function refersToLibraries(root: Cell): boolean {
  const seen = new Set<Cell>();
  const stack = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.kind === CellKind.library) return true;
    if (!seen.has(next)) stack.push(...next.refs());
    seen.add(next);
  }
  return false;
}

async function runInTurn<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await run(item);
}
