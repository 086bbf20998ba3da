import { beginCell } from "../../src/cell/Builder.ts";
import { readRoot } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { type Codec, loadCell, storeCell, varUint } from "../../src/cell/codec.ts";
import { Dictionary, makeDictionary } from "../../src/cell/dictionary.ts";
import type { Hash } from "../../src/cell/Hash.ts";
import { uintKey } from "../../src/cell/keys.ts";
import { VmStack, VmStackValue } from "../../src/model/vm/VmStack.ts";
import { callHeavy } from "../../src/tvm/crypto/heavyFunctions.ts";
import type { FindLibrary } from "../../src/tvm/Executor.ts";
import { CellSlice, cellSlice } from "../../src/tvm/machine/CellSlice.ts";
import { openMachine } from "../../src/tvm/machine/interpreter/Machine.ts";
import type { MachineEnd, MachineInput } from "../../src/tvm/machine/MachineRun.ts";
import type { StackValue, Tuple } from "../../src/tvm/machine/StackValue.ts";
import { fromVmStack, toVmStack } from "../../src/tvm/machine/vmStack.ts";
import { readBytes, readJson } from "../suite/corpus.ts";
import { asRecord, asText } from "../suite/record.ts";
import { cellOf, librariesOf } from "./tvmRecords.ts";

export const vectorVersions = [13, 14, 15] as const;

/** A dictionary leaf as a slice in its place. */
const leaf: Codec<CellSlice> = {
  load(slice) {
    const { bits, refs } = slice.position;
    const { cell, at, end, refEnd } = cellSlice(slice.cell);
    slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs);
    return new CellSlice(cell, at + bits, end, refs, refEnd);
  },
  store: refuse,
};

function refuse(): never {
  throw new Error("read only");
}

/** The environment that all vectors share, from `environment.json` and its README. */
export class VectorEnvironment {
  readonly sweep: Readonly<Record<string, unknown>>;
  readonly defaultGasLimit: number;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #data: Cell;
  readonly #configs: ReadonlyMap<number, Cell>;
  readonly #unpacked: ReadonlyMap<number, Tuple>;
  readonly #fixed: { readonly balance: Tuple; readonly address: CellSlice; readonly blocks: StackValue };
  readonly #libraries: ReadonlyMap<string, FindLibrary>;

  constructor(folder: string) {
    const given = asRecord(readJson(folder, "tvm/environment.json"));
    this.#given = given;
    this.sweep = asRecord(given.opcode_sweep);
    this.defaultGasLimit = Number(given.default_gas_limit);
    this.#data = cellOf(given.data);
    this.#configs = new Map(vectorVersions.map((v) => [v, readRoot(readBytes(folder, `tvm/config-v${v}.boc`))]));
    this.#unpacked = new Map([...this.#configs].map(([v, root]) => [v, unpack(root, Number(given.unixtime))]));
    const [blocks = null] = fromVmStack([loadCell(VmStackValue, cellOf(given.prev_blocks_info))]);
    this.#fixed = { balance: balanceOf(given), address: addressOf(asText(given.address)), blocks };
    this.#libraries = new Map(
      Object.entries(asRecord(given.libraries)).map(([name, boc]) => [name, librariesOf(cellOf(boc))]),
    );
  }

  /** The input of a run; the stack does not include the method id. */
  input(code: Cell, stack: readonly StackValue[], version: number, gasLimit: number, libraries?: string): MachineInput {
    const find = libraries === undefined ? undefined : this.#libraries.get(libraries);
    return {
      ...{ code, data: this.#data, c7: this.#context(code, version), globalVersion: version },
      ...{ maxLibraryLoads: 8, libraryCode: "load" },
      stack: [...stack, 0],
      gas: { limit: gasLimit, max: gasLimit, credit: 0 },
      findLibrary: (hash: Hash) => find?.(hash) as Cell | undefined,
    };
  }

  #context(code: Cell, version: number): Tuple {
    const { unixtime, rand_seed_hex: seed } = this.#given;
    const { balance, address, blocks } = this.#fixed;
    const noAddress = cellSlice(beginCell().storeUint(0, 2).cell());
    const noMessage: Tuple = [0, 0, noAddress, 0, 0, 0, 0, 0, null, null];
    const config = this.#configs.get(version) ?? null;
    const head: Tuple = [
      0x076ef1ea,
      0,
      0,
      Number(unixtime),
      0,
      0,
      BigInt(`0x${asText(seed)}`),
      balance,
      address,
      config,
    ];
    return [[...head, code, [0, null], 0, blocks, this.#unpacked.get(version) ?? null, 0, null, noMessage]];
  }
}

function unpack(root: Cell, now: number): Tuple {
  const config = new Dictionary(root, uintKey(32), { load: (s) => s.loadRef(), store: refuse });
  const find = (id: number): StackValue => {
    const cell = config.find(id);
    return cell === undefined ? null : cellSlice(cell);
  };
  const prices = new Dictionary(config.find(18), uintKey(32), leaf).entries().filter(([since]) => since <= now);
  return [prices.at(-1)?.[1] ?? null, ...[19, 20, 21, 24, 25, 43].map(find)];
}

function balanceOf(properties: Readonly<Record<string, unknown>>): Tuple {
  const extra = Object.entries(asRecord(properties.extra_currencies)).map(([id, amount]): [number, bigint] => [
    Number(id),
    BigInt(asText(amount)),
  ]);
  return [Number(properties.balance), makeDictionary(uintKey(32), varUint(32), extra).root ?? null];
}

function addressOf(text: string): CellSlice {
  const [workchain, account = ""] = text.split(":");
  return cellSlice(beginCell().storeUint(4, 3).storeInt(Number(workchain), 8).storeHex(account).cell());
}

export function runToEnd(input: MachineInput): MachineEnd {
  const progress = openMachine({ heavy: callHeavy, ...input }).run(Number.MAX_SAFE_INTEGER);
  if (progress.kind !== "ended") throw new Error(`the run stopped: ${progress.kind}`);
  return progress;
}

export function stackHash(stack: readonly StackValue[]): Hash {
  return storeCell(VmStack, toVmStack(stack)).hash();
}

export function stackOf(boc: unknown): StackValue[] {
  return fromVmStack(loadCell(VmStack, cellOf(boc)));
}
