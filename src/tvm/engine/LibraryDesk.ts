import type { Cell } from "../../cell/Cell.ts";
import { CellKind } from "../../cell/CellKind.ts";
import { libraryHash } from "../../cell/exotic.ts";
import type { Hash } from "../../model/Hash.ts";
import type { FindLibrary } from "../Executor.ts";
import { TvmError } from "../errors.ts";

/** The most libraries one run may ask for; real code uses one or two. */
const maxAsked = 16;

/** Cells searched for library cells; real code and data have some thousands. */
const maxSearched = 1 << 16;

/** The libraries of one run: each is asked for once, checked by its hash, and handed to the machine. */
export class LibraryDesk {
  readonly #findLibrary: FindLibrary | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #asked = new Set<Hash>();
  readonly #found = new Map<Hash, Cell>();

  constructor(findLibrary: FindLibrary | undefined, signal: AbortSignal | undefined) {
    this.#findLibrary = findLibrary;
    this.#signal = signal;
  }

  get found(): ReadonlyMap<Hash, Cell> {
    return this.#found;
  }

  /** Asks for a library not asked for before; tells whether there is now one more. */
  async ask(hash: Hash): Promise<boolean> {
    if (this.#findLibrary === undefined || this.#asked.has(hash) || this.#asked.size >= maxAsked) return false;
    this.#asked.add(hash);
    const library = await this.#findLibrary(hash, this.#signal);
    if (library === undefined) return false;
    if (library.hash() !== hash)
      throw new TvmError("tvm/library", `library ${hash} was asked for, ${library.hash()} was handed in`);
    this.#found.set(hash, library);
    return true;
  }

  async askAll(hashes: Iterable<Hash>): Promise<boolean> {
    let isMore = false;
    for (const hash of hashes) isMore = (await this.ask(hash)) || isMore;
    return isMore;
  }
}

/** The libraries that cells anywhere beneath these refer to. */
export function librariesIn(roots: Iterable<Cell>): ReadonlySet<Hash> {
  const hashes = new Set<Hash>();
  const seen = new Set<Cell>();
  const stack = [...roots];
  for (let next = stack.pop(); next !== undefined && seen.size < maxSearched; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === CellKind.library) hashes.add(libraryHash(next));
    stack.push(...next.refs());
  }
  return hashes;
}
