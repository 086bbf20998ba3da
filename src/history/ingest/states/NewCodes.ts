import type { Cell } from "../../../cell/Cell.ts";
import { CellKind } from "../../../cell/CellKind.ts";
import { libraryHash } from "../../../cell/exotic.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { BatchRows } from "../../store/BatchRows.ts";
import { codeRow } from "../decode/accountRows.ts";
import type { StateMemory } from "./StateMemory.ts";

/** Looks up the library that a code refers to. */
export interface LibraryLookup {
  findLibrary?(hash: Hash, signal: AbortSignal): Promise<Cell | undefined>;
}

/** How many codes with a missing library are remembered, to be checked again. */
const mostUnlinked = 1_000;

/** Rows of codes that are new, or whose library was missing. */
export class NewCodes {
  readonly #memory: StateMemory;
  readonly #lookup: LibraryLookup;
  /** Codes whose library was missing: their methods are not known yet. */
  readonly #unlinked = new Set<Hash>();

  constructor(memory: StateMemory, lookup: LibraryLookup) {
    this.#memory = memory;
    this.#lookup = lookup;
  }

  /** The row of a code, unless it was already written. */
  async read(code: Cell, signal: AbortSignal): Promise<BatchRows["codes"][number] | undefined> {
    const hash = code.hash();
    if (this.#memory.findCode(hash) !== undefined && !this.#unlinked.has(hash)) return undefined;
    if (code.kind !== CellKind.library) return codeRow(code, this.#memory.keepCode(code).boc, undefined);
    const library = await this.#lookup.findLibrary?.(libraryHash(code), signal);
    this.#unlinked.delete(hash);
    if (library === undefined) this.#noteUnlinked(hash);
    return codeRow(code, this.#memory.keepCode(code).boc, library);
  }

  #noteUnlinked(hash: Hash): void {
    this.#unlinked.add(hash);
    const [oldest] = this.#unlinked;
    if (this.#unlinked.size > mostUnlinked && oldest !== undefined) this.#unlinked.delete(oldest);
  }
}
