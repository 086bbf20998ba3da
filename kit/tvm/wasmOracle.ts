import { Address, Cell as CoreCell, parseTuple, serializeTuple } from "@ton/core";
import { Executor as Package } from "@ton/sandbox";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { storeCell } from "../../src/cell/codec.ts";
import type { Hash } from "../../src/cell/Hash.ts";
import { ShardAccount } from "../../src/model/Account.ts";
import { formatRawAddress } from "../../src/model/Address.ts";
import type { Config } from "../../src/model/config/ConfigParams.ts";
import { hashToBytes } from "../../src/model/Hash.ts";
import { methodId } from "../../src/model/vm/methodId.ts";
import { VmStack } from "../../src/model/vm/VmStack.ts";
import type { AccountRun, GetMethodRun, TickTockRun, TransactionRun } from "../../src/tvm/Executor.ts";

/** The result of a get-method on either machine. */
export interface MethodEnd {
  readonly exitCode: number;
  readonly gasUsed: bigint;
  readonly stack: Hash;
}

type MethodArgs = Parameters<Package["runGetMethod"]>[0];
type Emulation = Awaited<ReturnType<Package["runTransaction"]>>;

/**
 * The WebAssembly machine of `@ton/sandbox`, an early build of global version 13 that supports all earlier versions.
 */
export class WasmOracle {
  #package: Package;
  readonly #configs = new WeakMap<Cell, string>();

  private constructor(machine: Package) {
    this.#package = machine;
  }

  static async open(): Promise<WasmOracle> {
    return new WasmOracle(await Package.create());
  }

  /** The package's arguments for a get-method; `undefined` if the package cannot represent the stack. */
  methodArgs(run: GetMethodRun, libraries: Cell | undefined): MethodArgs | undefined {
    const stack = readTuple(storeCell(VmStack, run.stack));
    if (stack === undefined) return undefined;
    return {
      ...{ code: toCore(run.code), data: toCore(run.data), stack, config: this.#configText(run.config) },
      ...{ methodId: methodId(run.method), verbosity: "short", debugEnabled: false, unixTime: run.now },
      ...(libraries === undefined ? {} : { libs: toCore(libraries) }),
      address: Address.parse(formatRawAddress(run.address)),
      balance: run.balance.coins,
      randomSeed: hashToBytes(run.randomSeed),
      gasLimit: run.gasLimit,
    };
  }

  /** Runs a get-method with prepared arguments. */
  runArgs(args: MethodArgs): Promise<unknown> {
    return this.#package.runGetMethod(args);
  }

  /** `undefined` if the package cannot represent the input or crashes on it. */
  async runGetMethod(run: GetMethodRun, libraries: Cell | undefined): Promise<MethodEnd | undefined> {
    const args = this.methodArgs(run, libraries);
    const result = args && (await this.#try(() => this.#package.runGetMethod(args), undefined));
    if (result === undefined || !result.output.success) return undefined;
    const { vm_exit_code: exitCode, gas_used: gasUsed, stack } = result.output;
    return { exitCode, gasUsed: BigInt(gasUsed), stack: readRoot(Buffer.from(stack, "base64")).hash() };
  }

  /** The resulting transaction as comparable text; `undefined` if the package crashes. */
  async runTransaction(run: TransactionRun, libraries: Cell | undefined): Promise<string | undefined> {
    const args = { ...this.#accountArgs(run, libraries), message: toCore(run.message) };
    return textOf(await this.#try(() => this.#package.runTransaction(args), libraries));
  }

  async runTickTock(run: TickTockRun, libraries: Cell | undefined): Promise<string | undefined> {
    const args = { ...this.#accountArgs(run, libraries), which: run.which };
    return textOf(await this.#try(() => this.#package.runTickTock(args), libraries));
  }

  /** Opens a new machine after a crash, which corrupts it, and after a run with libraries, which it would keep. */
  async #try<T>(run: () => Promise<T>, libraries: Cell | undefined): Promise<T | undefined> {
    let result: T | undefined;
    try {
      result = await run();
    } catch (error) {
      if (error instanceof TypeError) throw error;
    }
    if (result === undefined || libraries !== undefined) this.#package = await Package.create();
    return result;
  }

  #accountArgs(run: AccountRun, libraries: Cell | undefined) {
    return {
      config: this.#configText(run.config),
      libs: libraries === undefined ? null : toCore(libraries),
      verbosity: "short" as const,
      shardAccount: base64(storeCell(ShardAccount, run.account)),
      ...{ now: run.now, lt: run.lt, ignoreChksig: false, debugEnabled: false },
      randomSeed: hashToBytes(run.randomSeed),
    };
  }

  #configText({ params: { root } }: Config): string {
    if (root === undefined) throw new Error("a configuration without parameters");
    const text = this.#configs.get(root) ?? base64(root);
    this.#configs.set(root, text);
    return text;
  }
}

function textOf(emulation: Emulation | undefined): string | undefined {
  if (emulation === undefined) return undefined;
  const { result } = emulation;
  if (result.success) return `${rootHash(result.transaction)} ${rootHash(result.shardAccount)}`;
  return result.vmResults === undefined ? "rejected" : `not accepted ${result.vmResults.vmExitCode}`;
}

function rootHash(text: string): string {
  return readRoot(Buffer.from(text, "base64")).hash();
}

function base64(cell: Cell): string {
  return Buffer.from(writeBoc([cell])).toString("base64");
}

function toCore(cell: Cell): CoreCell {
  return CoreCell.fromBase64(base64(cell));
}

/** The package cannot represent continuations and slices that are parts of cells. */
function readTuple(stack: Cell): ReturnType<typeof parseTuple> | undefined {
  try {
    const given = toCore(stack);
    const tuple = parseTuple(given);
    return serializeTuple(tuple).equals(given) ? tuple : undefined;
  } catch {
    return undefined;
  }
}
