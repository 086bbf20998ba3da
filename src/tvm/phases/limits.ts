import type { Cell } from "../../cell/Cell.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { CellCounter, maxMerkleDepth } from "../../model/CellCounter.ts";
import type { Hash } from "../../model/Hash.ts";
import { SimpleLibrary } from "../../model/StateInit.ts";
import type { AccountCells } from "./AccountData.ts";
import type { Draft } from "./Draft.ts";

/** Whether an account may have this state. Nothing is asked of a state that does not change. */
export function isStateAllowed(draft: Draft, maxPublicLibraries: number): boolean {
  const { account, rules } = draft;
  const { limits, version } = rules;
  if (isSame(account, draft)) return true;
  const stat = countState(draft, rootsOf(draft));
  if (stat.merkleDepth > maxMerkleDepth) return false;
  const isMasterLimit = account.isMasterchain && version >= 12;
  if (stat.cells > (isMasterLimit ? limits.maxMcAccountStateCells : limits.maxAccountStateCells)) return false;
  if (!account.isMasterchain || isSameCell(account.library, draft.library)) return true;
  return countPublic(draft.library) <= maxPublicLibraries;
}

/** The cells below the roots of a state; counted again only when one of them changed. */
export function countState(draft: Draft, roots: readonly Cell[]): CellCounter {
  const { counted } = draft;
  if (counted !== undefined && counted.roots.length === roots.length && counted.roots.every((r, i) => r === roots[i]))
    return counted.stat;
  const stat = CellCounter.ofState(roots);
  draft.counted = { roots, stat };
  return stat;
}

export function rootsOf({ code, data, library }: AccountCells): Cell[] {
  return [code, data, library].filter((cell) => cell !== undefined);
}

function isSame(a: AccountCells, b: AccountCells): boolean {
  return isSameCell(a.code, b.code) && isSameCell(a.data, b.data) && isSameCell(a.library, b.library);
}

export function isSameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}

export function librariesIn(root: Cell | undefined): Dictionary<Hash, SimpleLibrary> {
  return new Dictionary(root, hashKey, SimpleLibrary);
}

function countPublic(root: Cell | undefined): number {
  let count = 0;
  librariesIn(root).forEach((library, hash) => {
    if (library.public && library.root.hash() === hash) count++;
  });
  return count;
}
