import { Address, Cell as CoreCell, parseTuple, serializeTuple } from "@ton/core";
import { Executor as Package } from "@ton/sandbox";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { VmStack } from "../../../src/model/vm/VmStack.ts";
import type { GetMethodRun } from "../../../src/tvm/Executor.ts";
import { methodId } from "../../../src/tvm/methodId.ts";

/** How a get-method ended on either machine. */
export interface MethodEnd {
  readonly exitCode: number;
  readonly gasUsed: bigint;
  readonly stack: Hash;
}

function toCore(cell: Cell): CoreCell {
  return CoreCell.fromBoc(writeBoc(cell))[0] as CoreCell;
}

/** The WebAssembly machine of `@ton/sandbox`, against which versions before 13 are checked. */
export class WasmOracle {
  #package: Package;
  readonly #configs = new WeakMap<Cell, string>();

  private constructor(machine: Package) {
    this.#package = machine;
  }

  static async open(): Promise<WasmOracle> {
    return new WasmOracle(await Package.create());
  }

  /** `undefined` when the package cannot be given the input, or breaks on it. */
  async runGetMethod(run: GetMethodRun, libraries: Cell | undefined): Promise<MethodEnd | undefined> {
    const stack = readTuple(storeCell(VmStack, run.stack));
    if (stack === undefined) return undefined;
    const args: Parameters<Package["runGetMethod"]>[0] = {
      ...{ code: toCore(run.code), data: toCore(run.data), stack, config: this.#configText(run) },
      ...{ methodId: methodId(run.method), verbosity: "short", debugEnabled: false, unixTime: run.now },
      ...(libraries === undefined ? {} : { libs: toCore(libraries) }),
      address: Address.parse(formatRawAddress(run.address)),
      balance: run.balance.coins,
      randomSeed: Buffer.from(run.randomSeed, "hex"),
      gasLimit: run.gasLimit,
    };
    const output = await this.#run(args);
    if (output === undefined || !output.success) return undefined;
    const { vm_exit_code: exitCode, gas_used: gasUsed } = output;
    return { exitCode, gasUsed: BigInt(gasUsed), stack: readRoot(Buffer.from(output.stack, "base64")).hash() };
  }

  /** The machine throws a number on what it breaks on, and must not be used again. */
  async #run(args: Parameters<Package["runGetMethod"]>[0]) {
    try {
      return (await this.#package.runGetMethod(args)).output;
    } catch (error) {
      if (error instanceof TypeError) throw error;
      this.#package = await Package.create();
      return undefined;
    }
  }

  #configText({ config }: GetMethodRun): string {
    const { root } = config.params;
    if (root === undefined) throw new Error("a configuration without parameters");
    const text = this.#configs.get(root) ?? writeBoc(root).toString("base64");
    this.#configs.set(root, text);
    return text;
  }
}

/** Continuations, and slices that are parts of cells, cannot be handed over as they are. */
function readTuple(stack: Cell): ReturnType<typeof parseTuple> | undefined {
  try {
    const given = toCore(stack);
    const tuple = parseTuple(given);
    return serializeTuple(tuple).equals(given) ? tuple : undefined;
  } catch {
    return undefined;
  }
}
