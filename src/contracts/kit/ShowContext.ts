import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import { ContractError } from "../errors.ts";

/** Characters of output, near enough, that one body may give, failed attempts included. */
const maxOutput = 4 * 1024 * 1024;
/** A wallet's list of 255 actions, the deepest thing sent in earnest, fits; JSON writers bear three times as much. */
const maxDepth = 300;
/** How many bags may stand in one another. */
const maxNesting = 10;

/** Decodes a cell found inside a body; `undefined` when nothing is known of it. */
export type DecodeNested = (cell: Cell, showing: ShowContext) => JsonValue | undefined;
/** Decodes a text that looks like a bag of cells. */
export type DecodeText = (text: string, showing: ShowContext) => JsonValue | undefined;

/**
 * One run of turning a body into JSON: what is left of its budget, how deep it is, and the way to decode the cells it
 * meets. What is spent stays spent when a layout fails, so a hostile body cannot make many layouts cost much.
 */
export class ShowContext {
  readonly #decodeCell: DecodeNested;
  readonly #decodeText: DecodeText;
  #left = maxOutput;
  #depth = 0;
  #nesting = 0;

  constructor(decodeCell: DecodeNested, decodeText: DecodeText) {
    this.#decodeCell = decodeCell;
    this.#decodeText = decodeText;
  }

  /** Takes from the budget; what exceeds it ends the whole run with `contracts/too-large`. */
  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new ContractError("contracts/too-large", `more than ${maxOutput} characters of output`);
  }

  /** Goes one level deeper; `leave` comes back. What fails in between is put right by `attempt`. */
  enter(): void {
    if (this.#depth >= maxDepth) throw new ContractError("contracts/too-deep", `more than ${maxDepth} levels`);
    this.#depth++;
  }

  leave(): void {
    this.#depth--;
  }

  /** Runs what may not fit: `undefined` then. A spent budget is no misfit, but ends the run. */
  attempt<T>(run: () => T): T | undefined {
    const depth = this.#depth;
    const nesting = this.#nesting;
    try {
      return run();
    } catch (error) {
      if (!isCoded(error) || this.#left < 0) throw error;
      this.#depth = depth;
      this.#nesting = nesting;
      return undefined;
    }
  }

  /** A cell of unknown kind: decoded where possible, otherwise a bag in base64. */
  cell(cell: Cell): JsonValue {
    const decoded = this.#nesting < maxNesting ? this.#nested(this.#decodeCell, cell) : undefined;
    if (decoded !== undefined) return decoded;
    const text = writeBoc(cell).toString("base64");
    this.spend(text.length);
    return text;
  }

  /** A text, decoded where it is a bag itself. */
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
