import { emptyCell } from "../../cell/Builder.ts";
import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { cell, storeCell } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { toBase64 } from "../../lib/bytes.ts";
import { ShardAccount } from "../../model/Account.ts";
import type { ExtraCurrencies } from "../../model/Currency.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import { VmStack } from "../../model/vm/VmStack.ts";
import type { AccountRun, GetMethodRun, TickTockRun, TransactionRun, VmLogDetail } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import { methodId } from "../methodId.ts";
import type { GetMethodJob, NamedText, TransactionJob } from "./protocol.ts";

export type Libraries = ReadonlyMap<Hash, Cell>;

/** What a run shares with others, written before. */
export interface SharedTexts {
  readonly config: NamedText;
  readonly previousBlocks: NamedText | undefined;
}

/** The machine always logs instructions; 4 adds their places and the stack. */
const verbosity: Readonly<Record<VmLogDetail, number>> = { none: 0, instructions: 0, stack: 4 };

export function makeGetMethodJob(run: GetMethodRun, shared: SharedTexts, libraries: Libraries): GetMethodJob {
  const { log = "none" } = run;
  const parameters = {
    code: bocText(run.code),
    data: bocText(run.data),
    verbosity: verbosity[log],
    libs: libraries.size === 0 ? "" : librariesText(libraries),
    address: run.address,
    unixtime: checkedUint(run.now, 32, "time"),
    // 64 bits would fit, but the machine takes them for a number with sign.
    balance: String(checkedUint(run.balance.coins, 63, "balance")),
    ...(run.balance.extra.isEmpty ? {} : { extra_currencies: extraText(run.balance.extra) }),
    rand_seed: run.randomSeed,
    gas_limit: String(checkedGas(run.gasLimit)),
    method_id: checkedMethod(methodId(run.method)),
    debug_enabled: false,
  };
  return {
    kind: "getMethod",
    ...shared,
    parameters: JSON.stringify(parameters),
    wantsLog: log !== "none",
    stack: bocText(storeCell(VmStack, run.stack)),
  };
}

export function makeTransactionJob(run: TransactionRun, shared: SharedTexts, libraries: Libraries): TransactionJob {
  return makeAccountJob(run, shared, libraries, bocText(run.message), {});
}

export function makeTickTockJob(run: TickTockRun, shared: SharedTexts, libraries: Libraries): TransactionJob {
  return makeAccountJob(run, shared, libraries, "", { is_tick_tock: true, is_tock: run.which === "tock" });
}

/** What code finds that is told of no blocks: null. */
const noPreviousBlocks: NamedText = { key: "null", boc: "te6ccgEBAQEAAwAAAgA=" };

function makeAccountJob(
  run: AccountRun,
  shared: SharedTexts,
  libraries: Libraries,
  message: string,
  kind: object,
): TransactionJob {
  const { log = "none", signatures = "check" } = run;
  // All are given every time, even where the machine would do without: it keeps what a run before has set.
  const parameters = {
    utime: checkedUint(run.now, 32, "time"),
    lt: String(checkedUint(run.lt, 64, "lt")),
    rand_seed: run.randomSeed,
    ignore_chksig: signatures === "ignore",
    debug_enabled: false,
    ...kind,
  };
  return {
    kind: "transaction",
    config: shared.config,
    previousBlocks: shared.previousBlocks ?? noPreviousBlocks,
    parameters: JSON.stringify(parameters),
    wantsLog: log !== "none",
    verbosity: verbosity[log],
    libraries: librariesText(libraries),
    account: bocText(storeCell(ShardAccount, run.account)),
    message,
  };
}

function bocText(root: Cell): string {
  return toBase64(writeBoc(root));
}

/** The text below of no libraries, which most runs have. */
const noLibraries = "te6ccgEBAgEABwABA9AIAQAA";

/**
 * A dictionary by hash. There is no text for an empty one, so one entry is always there that no lookup takes: the
 * machine compares the hash of what it finds with the hash it looks for, and nothing has the hash zero.
 */
function librariesText(libraries: Libraries): string {
  if (libraries.size === 0) return noLibraries;
  const { root = emptyCell } = makeDictionary(hashKey, cell, new Map([...libraries, [zeroHash, emptyCell]]));
  return bocText(root);
}

/**
 * The machine's glue joins the currencies to `id=amount id=amount …` but forgets the spaces, so all go in as the one
 * amount of the first. To be undone when the package is mended, which a test with two currencies tells.
 */
function extraText(extra: ExtraCurrencies): Readonly<Record<string, string>> {
  const [first, ...others] = extra.entries();
  if (first === undefined) return {};
  return { [first[0]]: [first[1], ...others.map(([id, amount]) => `${id}=${amount}`)].join(" ") };
}

function checkedUint<T extends number | bigint>(value: T, bits: number, name: string): T {
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value);
  if (!isWhole || value < 0 || BigInt(value) >> BigInt(bits) !== 0n)
    throw new TvmError("tvm/input", `${name} ${value} is no number of ${bits} bits without sign`);
  return value;
}

/** The machine takes zero for "no limit"; one is as good a zero, because no instruction costs so little. */
function checkedGas(limit: bigint): bigint {
  return checkedUint(limit, 63, "gas limit") || 1n;
}

function checkedMethod(id: number): number {
  if (id !== (id | 0)) throw new TvmError("tvm/input", `method ${id} is no number of 32 bits`);
  return id;
}
