import type { BocForm } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { rawSliceOf } from "../../../cell/Slice.ts";
import { ChainError } from "../../../chain/errors.ts";
import { toBase64 } from "../../../lib/bytes.ts";
import type { JsonSink } from "../../../lib/kit/deferredJson.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import { sliceCell, type VmCellSlice } from "../../../model/vm/VmCellSlice.ts";
import type { VmStackValue } from "../../../model/vm/VmStack.ts";
import { encodeBagInSteps } from "../../declare/encodeBag.ts";
import { ApiError } from "../../declare/errors.ts";

/** Maximum number of stack entries in requests and answers, including those in tuples and lists. */
export const maxEntries = 8000;

/** The error text for a larger stack. */
export const tooManyEntries = "TVM stack size exceeds limit";

const treeLimits = {
  /** Cells that one tree shows: shared cells are repeated in it, without bound. */
  cells: 1 << 16,
  /** Cells that are looked at to find out how large the trees of one stack are. */
  visits: 1 << 19,
} as const;

export interface StackLimits {
  /** How deep tuples may be nested. */
  readonly maxDepth: number;
  /** The form of bags. */
  readonly form: BocForm;
}

/**
 * Writes one stack as JSON. A value may be in many places of a stack at no cost for the contract that made it, so every
 * place counts against the limits of entries and bytes, while each bag is encoded once.
 */
export class StackWriter {
  readonly #sink: JsonSink;
  readonly #limits: StackLimits;
  #entries = maxEntries;
  #bytes: number;
  #visits: number = treeLimits.visits;
  /** Tuples that are known to be no lists. */
  readonly #notLists = new Set<VmStackValue>();
  readonly #trees = new Map<Cell, boolean>();

  constructor(sink: JsonSink, limits: StackLimits) {
    this.#sink = sink;
    this.#limits = limits;
    this.#bytes = sink.maxPartBytes;
  }

  /** Counts an entry at this depth. */
  enter(depth: number): void {
    const { maxDepth } = this.#limits;
    if (depth >= maxDepth)
      throw new ChainError("chain/stack-depth", `Result stack depth >= ${maxDepth}`, { data: { limit: maxDepth } });
    if (--this.#entries < 0) throw new ApiError("api/stack-value", tooManyEntries);
  }

  /** Adds text in ASCII. */
  add(text: string): void {
    this.#bytes -= text.length;
    if (this.#bytes < 0) {
      const { maxPartBytes: maxBytes } = this.#sink;
      throw new ApiError("api/answer-size", `the stack of the get-method has more than ${maxBytes} bytes`, {
        data: { maxBytes },
      });
    }
    this.#sink.add(text);
  }

  /** Adds a cell as a bag, in quotes. */
  *addBag(cell: Cell): Steps<void> {
    const { texts } = this.#sink;
    const key = `${this.#limits.form.crc === true ? "crc" : "plain"} ${cell.hash()}`;
    const known = texts.get(key);
    const pieces = known ?? (yield* encodeBagInSteps([cell], this.#limits.form));
    if (known === undefined) texts.set(key, pieces);
    this.add('"');
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) yield;
      this.add(piece);
    }
    this.add('"');
  }

  addSlice(slice: VmCellSlice): Steps<void> {
    return this.addBag(sliceCell(slice));
  }

  /** Adds values as a list, each by `write`. */
  *addAll<V>(values: readonly V[], write: (value: V) => Steps<void>): Steps<void> {
    let before = "[";
    for (const value of values) {
      this.add(before);
      yield* write(value);
      yield;
      before = ",";
    }
    this.add(before === "[" ? "[]" : "]");
  }

  /** The elements of a chain of pairs that ends with null; `undefined` for anything else. */
  findList(value: VmStackValue): readonly VmStackValue[] | undefined {
    const items: VmStackValue[] = [];
    const chain: VmStackValue[] = [];
    let at: VmStackValue | undefined = value;
    while (at?.kind === "tuple" && at.items.length === 2 && !this.#notLists.has(at)) {
      chain.push(at);
      const [first, rest]: readonly (VmStackValue | undefined)[] = at.items;
      if (first === undefined) break;
      items.push(first);
      at = rest;
    }
    if (at?.kind === "null") return items;
    // The rest of such a chain is none either: otherwise a long chain would be walked again at each of its pairs.
    for (const each of chain) this.#notLists.add(each);
    return undefined;
  }

  /** Whether a cell is shown as a tree, too: not when that is too large. */
  hasTree(cell: Cell): boolean {
    const known = this.#trees.get(cell);
    if (known !== undefined) return known;
    const isSmall = this.#isSmallTree(cell);
    this.#trees.set(cell, isSmall);
    return isSmall;
  }

  #isSmallTree(root: Cell): boolean {
    const waiting = [root];
    let left: number = treeLimits.cells;
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
      if (--left < 0 || --this.#visits < 0) return false;
      for (const child of cell.refs()) waiting.push(child);
    }
    return true;
  }

  /** Adds the cell and all below it. */
  *addTree(root: Cell): Steps<void> {
    const open: { readonly cell: Cell; readonly refs: readonly Cell[]; at: number }[] = [];
    const begin = (cell: Cell) => {
      const b64 = toBase64(rawSliceOf(cell).loadBits(cell.bitLength));
      this.add(`{"data":{"b64":"${b64}","len":${cell.bitLength}},"refs":[`);
      open.push({ cell, refs: cell.refs(), at: 0 });
    };
    begin(root);
    for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
      const child = level.refs[level.at];
      if (child === undefined) {
        this.add(`],"special":${level.cell.isExotic}}`);
        open.pop();
      } else {
        if (level.at++ > 0) this.add(",");
        begin(child);
      }
      yield;
    }
  }
}
