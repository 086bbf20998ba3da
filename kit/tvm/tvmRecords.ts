import { join } from "node:path";
import { readRoot } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell, rest } from "../../src/cell/codec.ts";
import { Dictionary } from "../../src/cell/dictionary.ts";
import { hashKey } from "../../src/cell/keys.ts";
import { parseAddress } from "../../src/model/Address.ts";
import { coinsOnly } from "../../src/model/Currency.ts";
import { type Config, configFromRoot } from "../../src/model/config/ConfigParams.ts";
import { type Hash, parseHash } from "../../src/model/Hash.ts";
import { wholeSlice } from "../../src/model/vm/VmCellSlice.ts";
import { type VmStack, VmStackValue } from "../../src/model/vm/VmStack.ts";
import type { FindLibrary, GetMethodRun } from "../../src/tvm/Executor.ts";
import { readBytes } from "../suite/corpus.ts";
import { asList, asRecord, asText } from "../suite/record.ts";

/** The root of a base64 bag of cells. */
export function cellOf(boc: unknown): Cell {
  return readRoot(Buffer.from(asText(boc), "base64"));
}

/** Configurations of the corpus, cached. */
export class RecordedConfigs {
  readonly #folder: string;
  readonly #known = new Map<string, Config>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get(path: string): Config {
    const known = this.#known.get(path) ?? configFromRoot(readRoot(readBytes(this.#folder, path)));
    this.#known.set(path, known);
    return known;
  }
}

/** Finds libraries in a dictionary by hash. An entry may also contain the publishers. */
export function librariesOf(root: Cell | undefined): FindLibrary {
  const libraries = new Dictionary(root, hashKey, rest);
  return (hash) => libraries.find(hash)?.ref(0);
}

/** Finds libraries in a dictionary file of the corpus; the path is relative to `from`. */
export function readLibraries(folder: string, from: string, path: unknown): FindLibrary {
  return librariesOf(path === null ? undefined : readRoot(readBytes(folder, join(from, asText(path)))));
}

/** Recorded previous blocks: a stack value in a bag of cells, or none. */
export function previousBlocksOf(boc: unknown): { readonly previousBlocks?: VmStackValue } {
  return boc === null ? {} : { previousBlocks: loadCell(VmStackValue, cellOf(boc)) };
}

/** A recorded get-method run with its expected result. */
export interface RecordedRun {
  readonly name: string;
  readonly run: GetMethodRun;
  readonly exitCode: number;
  readonly gasUsed: bigint;
  /** Hash of the result stack as a cell; only for successful runs. */
  readonly stackHash: Hash | undefined;
}

/** The account and environment shared by all runs of one `ton-getmethod-runs/1` file. */
export type RecordedState = Omit<GetMethodRun, "method" | "stack">;

export function readRecordedState(file: unknown, configs: RecordedConfigs): RecordedState {
  const { contract, environment } = asRecord(file);
  const { address, code_boc: code, data_boc: data, libraries } = asRecord(contract);
  const given = asRecord(environment);
  const known = new Map(asList(libraries).map((each) => libraryEntry(asRecord(each))));
  return {
    config: configs.get(asText(given.config)),
    now: Number(given.unixtime),
    randomSeed: parseHash(asText(given.rand_seed_hex)),
    ...(known.size === 0 ? {} : { findLibrary: (hash: Hash) => known.get(hash) }),
    address: parseAddress(asText(address)).address,
    code: cellOf(code),
    data: cellOf(data),
    balance: coinsOnly(BigInt(asText(given.balance))),
    gasLimit: BigInt(Number(given.gas_limit)),
  };
}

/** The runs of one `ton-getmethod-runs/1` file. */
export function readGetMethodRuns(file: unknown, configs: RecordedConfigs): RecordedRun[] {
  const { runs, name } = asRecord(file);
  const common = readRecordedState(file, configs);
  return asList(runs).map((each) => {
    const { method, method_id: id, args, expected } = asRecord(each);
    const { exit_code: exitCode, gas_used: gasUsed, stack_boc: stack } = asRecord(expected);
    return {
      name: `${asText(name)} ${String(method)}`,
      run: { ...common, method: Number(id), stack: asList(args).map(readArgument) },
      exitCode: Number(exitCode),
      gasUsed: BigInt(Number(gasUsed)),
      stackHash: stack === undefined ? undefined : cellOf(stack).hash(),
    };
  });
}

function libraryEntry({ hash, boc }: Readonly<Record<string, unknown>>): [Hash, Cell] {
  return [parseHash(asText(hash)), cellOf(boc)];
}

function readArgument(argument: unknown): VmStack[number] {
  const { type, value } = asRecord(argument);
  if (type === "slice") return { kind: "slice", slice: wholeSlice(cellOf(value)) };
  if (type !== "num") throw new Error(`an argument of type ${String(type)}`);
  const text = asText(value);
  return { kind: "int", value: text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text) };
}
