import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Slice } from "../../cell/Slice.ts";
import { CellCounter, maxMerkleDepth } from "../../model/CellCounter.ts";
import type { Hash } from "../../model/Hash.ts";
import { librariesIn } from "../../model/StateInit.ts";
import type { Actions, Draft } from "./Draft.ts";
import { ResultCode } from "./Draft.ts";

const { invalid, libraryNotFound, brokenLibraries, libraryTooLarge, libraryNotAllowed } = ResultCode;
const removes = 0;
const addsPrivate = 1;
const addsPublic = 2;

/** Adds, removes or publishes a library of the account: 0, or the result code with which the phase fails. */
export function changeLibrary(draft: Draft, actions: Actions, mode: number, library: Slice): number {
  if (mode > addsPublic) return invalid;
  if (draft.rules.version >= 15 && (mode === addsPrivate || !draft.account.isSpecial)) return libraryNotAllowed;
  const cell = library.loadBit() ? library.loadRef() : undefined;
  const hash = cell?.hash() ?? library.loadHash();
  const result = change(draft, mode, hash, cell);
  if (result === 0) actions.specialActions++;
  return result;
}

function change(draft: Draft, mode: number, hash: Hash, cell: Cell | undefined): number {
  try {
    const libraries = librariesIn(draft.library);
    if (mode === removes) {
      draft.library = libraries.delete(hash).root;
      return 0;
    }
    const library = libraries.find(hash);
    const isFound = library?.root.hash() === hash;
    if (isFound && library?.public === (mode === addsPublic)) return 0;
    const root = isFound ? library?.root : cell;
    if (root === undefined) return libraryNotFound;
    const size = new CellCounter(draft.rules.limits.maxLibraryCells);
    if (!size.add(root) || size.merkleDepth > maxMerkleDepth) return libraryTooLarge;
    draft.library = libraries.set(hash, { public: mode === addsPublic, root }).root;
    return 0;
  } catch (error) {
    if (error instanceof CellError) return brokenLibraries;
    throw error;
  }
}
