import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import { rawSliceOf } from "../../../cell/Slice.ts";
import type { AccountNow } from "../../../chain/accounts.ts";
import { ChainError } from "../../../chain/errors.ts";
import type { MethodOutcome } from "../../../chain/run/getMethod.ts";
import { toBase64 } from "../../../lib/bytes.ts";
import { field, int } from "../../../lib/kit/shape.ts";
import { sliceCell } from "../../../model/vm/VmCellSlice.ts";
import type { VmStack, VmStackValue } from "../../../model/vm/VmStack.ts";
import { ApiError } from "../../declare/errors.ts";
import { mostEntries, tooManyEntries } from "../stackLimits.ts";
import { blockIdExt, boc, transactionId } from "./ids.ts";
import { typed } from "./typed.ts";

/** The nesting limits of an answer: the two forms have different ones. */
const typedLimit = 256;
const legacyLimit = 100;

function tooDeep(limit: number): ChainError {
  return new ChainError("chain/stack-depth", `Result stack depth >= ${limit}`, { data: { limit } });
}

/** Counts the entries of one stack. */
class Budget {
  readonly limit: number;
  #left = mostEntries;

  constructor(limit: number) {
    this.limit = limit;
  }

  spend(depth: number): void {
    if (depth >= this.limit) throw tooDeep(this.limit);
    if (--this.#left < 0) throw new ApiError("api/stack-value", tooManyEntries);
  }
}

/** The elements of a chain of pairs that ends with null; `undefined` for anything else. */
function findList(value: VmStackValue): readonly VmStackValue[] | undefined {
  const items: VmStackValue[] = [];
  let at: VmStackValue | undefined = value;
  while (at?.kind === "tuple" && at.items.length === 2) {
    const [first, rest]: readonly (VmStackValue | undefined)[] = at.items;
    if (first === undefined) return undefined;
    items.push(first);
    at = rest;
  }
  return at?.kind === "null" ? items : undefined;
}

/** An entry as an object; `depth` is its nesting depth. */
function encodeEntry(value: VmStackValue, depth: number, budget: Budget): object {
  budget.spend(depth);
  const encodeAll = (items: readonly VmStackValue[]) => items.map((item) => encodeEntry(item, depth + 1, budget));
  const list = findList(value);
  if (list !== undefined)
    return { "@type": "tvm.stackEntryList", list: { "@type": "tvm.list", elements: encodeAll(list) } };
  switch (value.kind) {
    case "int":
      return numberEntry(value.value.toString());
    case "nan":
      return numberEntry("NaN");
    case "cell":
      return { "@type": "tvm.stackEntryCell", cell: { "@type": "tvm.cell", bytes: boc.encode(value.cell) } };
    case "slice": {
      const bytes = boc.encode(sliceCell(value.slice));
      return { "@type": "tvm.stackEntrySlice", slice: { "@type": "tvm.slice", bytes } };
    }
    case "tuple":
      return { "@type": "tvm.stackEntryTuple", tuple: { "@type": "tvm.tuple", elements: encodeAll(value.items) } };
    default:
      return { "@type": "tvm.stackEntryUnsupported" };
  }
}

function numberEntry(number: string): object {
  return { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number } };
}

/** The largest number of cells shown as a tree: shared cells are repeated in it, without bound. */
const maxTreeCells = 1 << 16;

interface CellTree {
  readonly data: { readonly b64: string; readonly len: number };
  readonly refs: readonly CellTree[];
  readonly special: boolean;
}

/** The cell and all below it; `undefined` when that is too large. */
function findTree(root: Cell): CellTree | undefined {
  let left = maxTreeCells;
  const treeOf = (cell: Cell): CellTree | undefined => {
    if (--left < 0) return undefined;
    const refs: CellTree[] = [];
    for (const child of cell.refs()) {
      const tree = treeOf(child);
      if (tree === undefined) return undefined;
      refs.push(tree);
    }
    const b64 = toBase64(rawSliceOf(cell).loadBits(cell.bitLength));
    return { data: { b64, len: cell.bitLength }, refs, special: cell.isExotic };
  };
  return treeOf(root);
}

function cellPair(cell: Cell): readonly unknown[] {
  return ["cell", { bytes: boc.encode(cell), object: findTree(cell) }];
}

/** An entry as a pair of a type and a value. */
function encodePair(value: VmStackValue, budget: Budget): readonly unknown[] {
  budget.spend(0);
  const list = findList(value);
  const encodeAll = (items: readonly VmStackValue[]) => items.map((item) => encodeEntry(item, 1, budget));
  if (list !== undefined) return ["list", { "@type": "tvm.list", elements: encodeAll(list) }];
  switch (value.kind) {
    case "int":
      return ["num", value.value < 0n ? `-0x${(-value.value).toString(16)}` : `0x${value.value.toString(16)}`];
    case "nan":
      return ["num", "NaN"];
    case "cell":
      return cellPair(value.cell);
    case "slice":
      return cellPair(sliceCell(value.slice));
    case "tuple":
      return ["tuple", { "@type": "tvm.tuple", elements: encodeAll(value.items) }];
    default:
      return ["unsupported", ""];
  }
}

const entryList = field({
  schema: Type.Array(Type.Object({ "@type": Type.String() })),
  encode: (stack: VmStack) => {
    const budget = new Budget(typedLimit);
    return stack.map((value) => encodeEntry(value, 1, budget));
  },
});

const pairList = field({
  schema: Type.Array(Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2, examples: [["num", "0x1a"]] })),
  encode: (stack: VmStack) => {
    const budget = new Budget(legacyLimit);
    return stack.map((value) => encodePair(value, budget));
  },
});

/** The result of a run with its stack as typed entries. */
export const typedRunResult = typed<MethodOutcome>()("smc.runResult", {
  gas_used: int((outcome) => Number(outcome.gasUsed)),
  stack: entryList((outcome) => outcome.stack),
  exit_code: int((outcome) => outcome.exitCode),
});

export interface RunOnAccount {
  readonly account: AccountNow;
  readonly outcome: MethodOutcome;
}

const legacyFields = typed<RunOnAccount>()("smc.runResult", {
  gas_used: int(({ outcome }) => Number(outcome.gasUsed)),
  stack: pairList(({ outcome }) => outcome.stack),
  exit_code: int(({ outcome }) => outcome.exitCode),
  block_id: blockIdExt(({ account }) => account.block),
  last_transaction_id: transactionId(({ account }) => account.lastTransaction),
});

/** The result of a run with its stack as pairs; the same type by name, so it gets another in the documentation. */
export const legacyRunResult = field({
  schema: { ...legacyFields.schema, $id: "smc.runResult.legacy" },
  encode: legacyFields.encode,
});
