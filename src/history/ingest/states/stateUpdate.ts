import { CellKind } from "../../../cell/base/CellKind.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { openProvedUpdate } from "../../../cell/merkle/merkleUpdate.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { ShardAccounts } from "../../../model/Account.ts";
import { ShardState, type ShardStateUnsplit } from "../../../model/block/ShardState.ts";
import type { Hash } from "../../../model/Hash.ts";
import { type FetchedBlock, readFetched } from "../source/BlockBatch.ts";

/** An account's cell in one half of a state update, or why it is absent. */
export type HalfAccount =
  | { readonly kind: "there"; readonly cell: Cell }
  | { readonly kind: "none" }
  /** The update does not show the account's place. */
  | { readonly kind: "hidden" };

/** The state change of a block: changed cells, with the rest pruned. */
export interface StateUpdate {
  before(account: Hash): HalfAccount;
  after(account: Hash): HalfAccount;
}

/**
 * Opens the state update of a verified block; states derived from it are compared with the hashes in the transactions.
 */
export function openStateUpdate(fetched: FetchedBlock): StateUpdate {
  const { from, to } = openProvedUpdate(readFetched(fetched).block.stateUpdate);
  const old = accountsOf(from);
  const now = accountsOf(to);
  return { before: (account) => findAccount(old, account), after: (account) => findAccount(now, account) };
}

/** The accounts of one half, as far as it shows them. */
interface HalfAccounts {
  readonly parts: readonly ShardAccounts[];
  /** Whether an account that is in no part is certainly absent. */
  readonly isWhole: boolean;
}

/** The accounts of a state, or of two states that a merge joins; each may be pruned. */
function accountsOf(half: Cell): HalfAccounts {
  const states = half.kind === CellKind.pruned ? [] : statesOf(loadCell(ShardState, half));
  const shown = states.filter((state) => state !== undefined && state.accounts.cell.kind !== CellKind.pruned);
  const parts = shown.flatMap((state) => (state === undefined ? [] : [state.accounts.load()]));
  return { parts, isWhole: states.length > 0 && parts.length === states.length };
}

function statesOf(state: ShardState): readonly (Pick<ShardStateUnsplit, "accounts"> | undefined)[] {
  if (state.kind === "unsplit") return [state];
  return [state.left, state.right].map((part) => (part.cell.kind === CellKind.pruned ? undefined : part.load()));
}

function findAccount({ parts, isWhole }: HalfAccounts, account: Hash): HalfAccount {
  let isHidden = !isWhole;
  for (const accounts of parts) {
    const halfAccount = findIn(accounts, account);
    if (halfAccount.kind === "there") return halfAccount;
    isHidden ||= halfAccount.kind === "hidden";
  }
  return { kind: isHidden ? "hidden" : "none" };
}

function findIn(accounts: ShardAccounts, account: Hash): HalfAccount {
  try {
    const found = accounts.find(account);
    return found === undefined ? { kind: "none" } : { kind: "there", cell: found.account.cell };
  } catch (error) {
    if (isCoded(error, "cell/pruned")) return { kind: "hidden" };
    throw error;
  }
}

/**
 * Collects the cells of a whole tree that the update prunes, by hash. `half` is the same tree in the old half of the
 * update.
 */
export function noteLeftOut(tree: Cell, half: Cell, into: Map<Hash, Cell>): void {
  const seen: Set<Cell>[] = [];
  const stack = [{ tree, half, merkles: 0 }];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { half: along, merkles } = place;
    seen[merkles] ??= new Set();
    if (seen[merkles].has(along)) continue;
    seen[merkles].add(along);
    into.set(along.hash(merkles), place.tree);
    if (along.kind === CellKind.pruned) continue;
    const below = along.kind >= CellKind.merkleProof ? merkles + 1 : merkles;
    for (let i = 0; i < along.refCount; i++)
      stack.push({ tree: place.tree.ref(i), half: along.ref(i), merkles: below });
  }
}
