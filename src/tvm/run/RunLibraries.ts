import type { Cell } from "../../cell/Cell.ts";
import type { Hash } from "../../model/Hash.ts";
import type { FindLibrary } from "../Executor.ts";
import { TvmError } from "../errors.ts";

/** The largest number of libraries that one run may load; real code uses one or two. */
const maxAsked = 256;

/** The libraries of one run: those of the account first, then public ones, each loaded once and checked by its hash. */
export class RunLibraries {
  readonly #findOwn: ((hash: Hash) => Cell | undefined) | undefined;
  readonly #findPublic: FindLibrary | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #known = new Map<Hash, Cell | undefined>();
  readonly #asked = new Map<Hash, Promise<Cell | undefined>>();

  constructor(
    findOwn: ((hash: Hash) => Cell | undefined) | undefined,
    findPublic: FindLibrary | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#findOwn = findOwn;
    this.#findPublic = findPublic;
    this.#signal = signal;
  }

  /** `"unknown"` while the answer is on its way; `load` waits for it. */
  find(hash: Hash): Cell | undefined | "unknown" {
    const own = this.#findOwn?.(hash);
    if (own !== undefined) return own;
    if (this.#known.has(hash)) return this.#known.get(hash);
    if (this.#asked.has(hash)) return "unknown";
    if (this.#known.size >= maxAsked)
      throw new TvmError("tvm/library", `a run asks for more than ${maxAsked} libraries`);
    const answer = this.#findPublic?.(hash, this.#signal);
    if (!(answer instanceof Promise)) return this.#keep(hash, answer);
    this.#asked.set(hash, answer);
    // The caller of the machine waits in `load`, which reports a failure.
    answer.catch(() => {});
    return "unknown";
  }

  async load(hash: Hash): Promise<void> {
    this.#keep(hash, await this.#asked.get(hash));
    this.#asked.delete(hash);
  }

  #keep(hash: Hash, library: Cell | undefined): Cell | undefined {
    if (library !== undefined && library.hash() !== hash)
      throw new TvmError("tvm/library", `library ${hash} was asked for, ${library.hash()} was handed in`);
    this.#known.set(hash, library);
    return library;
  }
}
