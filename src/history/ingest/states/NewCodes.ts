import type { Cell } from "../../../cell/Cell.ts";
import { CellKind } from "../../../cell/CellKind.ts";
import { libraryHash } from "../../../cell/exotic.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { BatchRows } from "../../store/BatchRows.ts";
import { codeRow } from "../decode/accountRows.ts";
import type { StateMemory } from "./StateMemory.ts";

/** Where the library is looked for that a code refers to. */
export interface LibraryLookup {
  findLibrary?(hash: Hash, signal: AbortSignal): Promise<Cell | undefined>;
}

/** How many codes whose library was not there are looked at again when they are met again. */
const mostUnlinked = 1_000;

/** Rows of codes that are met for the first time, or whose library was not there when they were. */
export class NewCodes {
  readonly #memory: StateMemory;
  readonly #lookup: LibraryLookup;
  /** Codes that refer to a library which was not there when they were last met: their methods are not known yet. */
  readonly #unlinked = new Set<Hash>();

  constructor(memory: StateMemory, lookup: LibraryLookup) {
    this.#memory = memory;
    this.#lookup = lookup;
  }

  /** The row of a code, unless it is remembered to have been written. */
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
