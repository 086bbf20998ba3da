import type { Cell } from "../../cell/Cell.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { CellCounter, maxMerkleDepth } from "../../model/CellCounter.ts";
import { countPublicLibraries } from "../../model/StateInit.ts";
import type { AccountCells } from "./AccountData.ts";
import type { Draft } from "./Draft.ts";

const parts = ["code", "data", "library"] as const;

/** Whether an account may have this state. Nothing is asked of a state that does not change. */
export function* isStateAllowed(draft: Draft, maxPublicLibraries: number): Steps<boolean> {
  const { account, rules } = draft;
  const { limits, version } = rules;
  if (parts.every((part) => isSameCell(account[part], draft[part]))) return true;
  const stat = yield* countState(draft, rootsOf(draft));
  if (stat.merkleDepth > maxMerkleDepth) return false;
  const isMasterLimit = account.isMasterchain && version >= 12;
  if (stat.cells > (isMasterLimit ? limits.maxMcAccountStateCells : limits.maxAccountStateCells)) return false;
  if (!account.isMasterchain || isSameCell(account.library, draft.library)) return true;
  return countPublicLibraries(draft.library) <= maxPublicLibraries;
}

/** The cells below the roots of a state; counted again only when one of them changed. */
export function* countState(draft: Draft, roots: readonly Cell[]): Steps<CellCounter> {
  const { counted } = draft;
  if (counted !== undefined && counted.roots.length === roots.length && counted.roots.every((r, i) => r === roots[i]))
    return counted.stat;
  const stat = yield* CellCounter.ofState(roots);
  draft.counted = { roots, stat };
  return stat;
}

export function rootsOf({ code, data, library }: AccountCells): Cell[] {
  return [code, data, library].filter((cell) => cell !== undefined);
}

export function isSameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}
