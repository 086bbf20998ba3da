import type { Cell } from "../../cell/Cell.ts";
import type { Hash } from "../../model/Hash.ts";
import type { FindLibrary } from "../Executor.ts";
import { TvmError } from "../errors.ts";

/** The largest number of libraries that one run may load; real code uses one or two. */
const maxAsked = 256;

/** The libraries of one run: those of the account first, then public ones, each loaded once and checked by its hash. */
export interface RunLibraries {
  /** `"unknown"` while the answer is on its way; `load` waits for it. */
  find(hash: Hash): Cell | undefined | "unknown";
  load(hash: Hash): Promise<void>;
}

export function openLibraries(
  findOwn: ((hash: Hash) => Cell | undefined) | undefined,
  findPublic: FindLibrary | undefined,
  signal: AbortSignal | undefined,
): RunLibraries {
  const known = new Map<Hash, Cell | undefined>();
  const asked = new Map<Hash, Promise<Cell | undefined>>();
  const keep = (hash: Hash, library: Cell | undefined): Cell | undefined => {
    if (library !== undefined && library.hash() !== hash)
      throw new TvmError("tvm/library", `library ${library.hash()} was provided instead of ${hash}`);
    known.set(hash, library);
    return library;
  };
  return {
    find(hash) {
      const own = findOwn?.(hash);
      if (own !== undefined) return own;
      if (known.has(hash)) return known.get(hash);
      if (asked.has(hash)) return "unknown";
      if (known.size >= maxAsked) throw new TvmError("tvm/library", `a run asks for more than ${maxAsked} libraries`);
      const answer = findPublic?.(hash, signal);
      if (!(answer instanceof Promise)) return keep(hash, answer);
      asked.set(hash, answer);
      // The caller of the machine waits in `load`, which reports a failure.
      answer.catch(() => {});
      return "unknown";
    },
    async load(hash) {
      keep(hash, await asked.get(hash));
      asked.delete(hash);
    },
  };
}
