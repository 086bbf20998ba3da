import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import { ContractError } from "./errors.ts";

/** The approximate number of output characters of one body, failed attempts included. */
const maxOutput = 4 * 1024 * 1024;
/** Enough for a wallet's list of 255 actions, the deepest real body; JSON writers support three times as much. */
const maxDepth = 300;
/** The nesting limit of bags. */
const maxNesting = 10;

/** Decodes a cell inside a body; `undefined` when it is unknown. */
export type DecodeNested = (cell: Cell, showing: ShowContext) => JsonValue | undefined;
/** Decodes a text that looks like a bag of cells. */
export type DecodeText = (text: string, showing: ShowContext) => JsonValue | undefined;

interface Shown {
  readonly json: JsonValue;
  readonly cost: number;
}

/**
 * One conversion of a body to JSON: its remaining budget, its depth, and how to decode inner cells. The budget is not
 * restored when a layout fails, so that a hostile body cannot make many layouts expensive.
 */
export class ShowContext {
  readonly #decodeCell: DecodeNested;
  readonly #decodeText: DecodeText;
  /** Cells that were shown, by how deep they were. */
  readonly #shown = new Map<Cell, Map<number, Shown>>();
  #left = maxOutput;
  #depth = 0;
  #nesting = 0;

  constructor(decodeCell: DecodeNested, decodeText: DecodeText) {
    this.#decodeCell = decodeCell;
    this.#decodeText = decodeText;
  }

  /** Uses budget; when it is exceeded, the whole run ends with `contracts/too-large`. */
  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new ContractError("contracts/too-large", `more than ${maxOutput} characters of output`);
  }

  /** Enters a level; `leave` returns. `attempt` restores the level after a failure in between. */
  enter(): void {
    if (this.#depth >= maxDepth) throw new ContractError("contracts/too-deep", `more than ${maxDepth} levels`);
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }

  /**
   * Runs a layout that may not fit: then `undefined`. An exhausted budget ends the run. Most layouts do not fit, and
   * taking the stack of an error is most of what that costs: errors have the place where they were thrown, and no more.
   */
  attempt<T>(run: () => T): T | undefined {
    const depth = this.#depth;
    const nesting = this.#nesting;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 1;
    try {
      return run();
    } catch (error) {
      if (!isCoded(error) || this.#left < 0) throw error;
      this.#depth = depth;
      this.#nesting = nesting;
      return undefined;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /**
   * A cell of unknown kind: decoded if possible, otherwise a bag in base64. A shared one is shown once and counted each
   * time.
   */
  cell(cell: Cell): JsonValue {
    const place = this.#depth * (maxNesting + 1) + this.#nesting;
    const known = this.#shown.get(cell)?.get(place);
    if (known !== undefined) {
      this.spend(known.cost);
      return known.json;
    }
    const before = this.#left;
    const json = this.#show(cell);
    const places = this.#shown.get(cell) ?? new Map<number, Shown>();
    this.#shown.set(cell, places.set(place, { json, cost: before - this.#left }));
    return json;
  }

  #show(cell: Cell): JsonValue {
    const decoded = this.#nesting < maxNesting ? this.#nested(this.#decodeCell, cell) : undefined;
    if (decoded !== undefined) return decoded;
    const text = writeBoc(cell).toString("base64");
    this.spend(text.length);
    return text;
  }

  /** A text, decoded if it is a bag. */
  text(text: string): JsonValue {
    this.spend(text.length);
    if (!text.startsWith("te6c") || this.#nesting >= maxNesting) return text;
    return this.#nested(this.#decodeText, text) ?? text;
  }

  #nested<T>(decode: (source: T, showing: ShowContext) => JsonValue | undefined, source: T): JsonValue | undefined {
    this.#nesting++;
    const decoded = decode(source, this);
    this.#nesting--;
    return decoded;
  }
}
