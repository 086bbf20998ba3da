import { CellKind } from "../../../cell/base/CellKind.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { libraryHash } from "../../../cell/exotic.ts";
import { Lru } from "../../../lib/lru.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import { codeRow } from "../decode/accountRows.ts";
import type { StateMemory } from "./StateMemory.ts";

/** Looks up the library that a code refers to. */
export interface LibraryLookup {
  findLibrary?(hash: Hash, signal: AbortSignal): Promise<Cell | undefined>;
}

/** How many codes with a missing library are remembered, to be checked again. */
const maxUnlinked = 1_000;

/** Memory for rows that are given again, in bytes of codes. */
const keptBytes = 8 << 20;

/** Rows of codes that are new, or whose library was missing. */
export class NewCodes {
  readonly #memory: StateMemory;
  readonly #lookup: LibraryLookup;
  /** Codes whose library was missing: their methods are not known yet. */
  readonly #unlinked = new Set<Hash>();
  /** With a scope a row may be left out although its code is known: then rows are given for every state. */
  readonly #given: Lru<Hash, BatchRows["codes"][number]> | undefined;

  constructor(memory: StateMemory, lookup: LibraryLookup, { isRepeated }: { readonly isRepeated: boolean }) {
    this.#memory = memory;
    this.#lookup = lookup;
    this.#given = isRepeated ? new Lru({ maxBytes: keptBytes, sizeOf: ({ boc }) => boc.length + 300 }) : undefined;
  }

  /** Whether the row of a code is written and not needed again. */
  isWritten(code: Cell): boolean {
    if (this.#given !== undefined) return false;
    const hash = code.hash();
    return this.#memory.findCode(hash) !== undefined && !this.#unlinked.has(hash);
  }

  /** The row of a code, unless it was already written. */
  async read(code: Cell, signal: AbortSignal): Promise<BatchRows["codes"][number] | undefined> {
    const hash = code.hash();
    if (this.#memory.findCode(hash) !== undefined && !this.#unlinked.has(hash)) {
      if (this.#given === undefined) return undefined;
      const given = this.#given.find(hash);
      if (given !== undefined) return given;
    }
    const row = await this.#make(code, hash, signal);
    this.#given?.set(hash, row);
    return row;
  }

  async #make(code: Cell, hash: Hash, signal: AbortSignal): Promise<BatchRows["codes"][number]> {
    if (code.kind !== CellKind.library) return codeRow(code, this.#memory.keepCode(code).boc, undefined);
    const library = await this.#lookup.findLibrary?.(libraryHash(code), signal);
    this.#unlinked.delete(hash);
    if (library === undefined) this.#noteUnlinked(hash);
    return codeRow(code, this.#memory.keepCode(code).boc, library);
  }

  #noteUnlinked(hash: Hash): void {
    this.#unlinked.add(hash);
    const [oldest] = this.#unlinked;
    if (this.#unlinked.size > maxUnlinked && oldest !== undefined) this.#unlinked.delete(oldest);
  }
}
