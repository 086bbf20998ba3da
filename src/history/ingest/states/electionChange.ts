import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { type CurrentElection, findElectorStorage } from "../../../contracts/families/elections/electorStorage.ts";
import { type Address, accountOf } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { codeAndData } from "../decode/accountRows.ts";
import { findReadable } from "../decode/elections/validatorSets.ts";
import type { FetchedBlock } from "../source/BlockBatch.ts";
import { openStateUpdate } from "./stateUpdate.ts";

/** A changed election. */
export interface ElectionChange {
  /** As it was before the block, perhaps pruned; `undefined` when there was none, or nothing is known of it. */
  readonly before: CurrentElection | undefined;
}

/** The hash of the open election; of all data where it has another layout. */
export function hashElection(data: Cell): Hash | undefined {
  const storage = findElectorStorage(data);
  return storage === undefined ? data.hash(0) : storage.election?.cell.hash(0);
}

/** Whether data of an elector begins with this election; enough to know that it is unchanged while its code is. */
export function beginsWithElection(data: Cell, election: Hash | undefined): boolean {
  if (data.isExotic || data.bitLength === 0) return false;
  const slice = sliceOf(data);
  // elector$_ elect:(Maybe ^CurrentElection) …
  return slice.loadBit() ? slice.remainingRefs > 0 && slice.loadRef().hash(0) === election : election === undefined;
}

/** How a block changed the election of an elector, by the state update of the block; `undefined` when it did not. */
export function findElectionChange(block: FetchedBlock, elector: Address, data: Cell): ElectionChange | undefined {
  const before = findDataBefore(block, elector);
  if (before === undefined) return { before: undefined };
  if (before.hash(0) === data.hash(0) || hashElection(before) === hashElection(data)) return undefined;
  return { before: findReadable(() => findElectorStorage(before)?.election?.load()) };
}

function findDataBefore(block: FetchedBlock, elector: Address): Cell | undefined {
  const half = openStateUpdate(block).before(accountOf(elector));
  return half.kind === "there" ? findReadable(() => codeAndData(half.cell).data) : undefined;
}
