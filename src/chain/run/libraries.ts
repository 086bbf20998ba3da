import type { Cell } from "../../cell/Cell.ts";
import { fetchLibrariesWithProof, libraryLimit } from "../../lite/queries/libraries.ts";
import type { Hash } from "../../model/Hash.ts";
import type { FindLibrary } from "../../tvm/Executor.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";

export interface LibraryEntry {
  readonly hash: Hash;
  readonly cell: Cell;
}

/** Public libraries at the newest block by hash, each once; missing ones are absent. */
export async function listLibraries(chain: Chain, hashes: readonly Hash[]): Promise<LibraryEntry[]> {
  const { server, head, asking } = chain;
  const wanted = [...new Set(hashes)].sort();
  if (wanted.length > libraryLimit)
    throw new ChainError("chain/too-many-libraries", `too many libraries requested, ${libraryLimit} maximum`);
  if (wanted.length === 0) return [];
  const libraries = await fetchLibrariesWithProof(server, head.block, wanted, asking);
  return wanted.flatMap((hash) => {
    const cell = libraries.get(hash);
    return cell === undefined ? [] : [{ hash, cell }];
  });
}

/** Loads libraries that running code needs. */
export function libraryFinder({ server, head, asking }: Chain): FindLibrary {
  return async (hash) => (await fetchLibrariesWithProof(server, head.block, [hash], asking)).get(hash);
}
