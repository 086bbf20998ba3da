import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { ShardAccount } from "../../model/Account.ts";
import { type Address, plainAddress } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { Message } from "../../model/Message.ts";
import type { TraceLimits } from "../../tvm/run/trace.ts";
import { getAccount } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import type { ChainAccess } from "../LiveChains.ts";
import { type Emulation, emulateMessage } from "../run/emulation.ts";
import type { SentMessage } from "../SentMessage.ts";
import { listTransactions } from "../transactions.ts";
import type { AppliedTrace, PendingStates, StateBasis } from "./PendingStates.ts";

/** A message that was sent, at its place among all of them. */
export interface PendingMessage {
  readonly place: number;
  readonly message: Cell;
  readonly sent: SentMessage;
  readonly access: ChainAccess;
  readonly destination: Address;
}

/** What came of a run: nothing when the account does not take the message. */
export interface PendingRun {
  readonly emulation: Emulation | undefined;
  readonly footings: ReadonlyMap<Address, StateBasis>;
  /** Traces before it of which was seen that the chain has gone on since, or that they were run long ago. */
  readonly outdated: ReadonlySet<AppliedTrace>;
  /** Traces before it that had changed accounts it looked at. */
  readonly met: ReadonlySet<AppliedTrace>;
  /** Those of them on which it stands. */
  readonly bases: ReadonlySet<AppliedTrace>;
}

export interface PendingContext {
  readonly states: PendingStates;
  /** Traces that were run before this moment are looked at again before others stand on them. */
  readonly freshSinceMs: number;
}

/** A trace of whoever gets so many transactions while one waits is looked for no further. */
const mostSearched = 64;

/** Where a message goes; to the outside is nowhere. */
export function findDestination(message: Cell): Address | undefined {
  const { info } = loadCell(Message, message);
  return info.kind === "externalOut" ? undefined : plainAddress(info.dest);
}

/**
 * Runs a message on the accounts as the traces before it leave them. What such a trace made of an account counts as
 * long as the chain has the account as the trace found it; afterwards the chain's word is the better one.
 */
export async function runPending(
  chain: Chain,
  { message, sent, destination, place }: PendingMessage,
  limits: TraceLimits,
  { states, freshSinceMs }: PendingContext,
): Promise<PendingRun> {
  const footings = new Map<Address, StateBasis>();
  const outdated = new Set<AppliedTrace>();
  const [met, bases] = [new Set<AppliedTrace>(), new Set<AppliedTrace>()];
  const findState = (address: Address, { lt: chainLt }: { readonly lt: bigint }): ShardAccount | undefined => {
    const seen = states.findBefore(place, address);
    const isTaken = seen !== undefined && seen.footings.get(address)?.chainLt === chainLt;
    footings.set(address, { chainLt, seen: seen && { place: seen.place, run: seen.run }, isTaken });
    if (seen === undefined) return undefined;
    met.add(seen);
    if (!isTaken || seen.ranAtMs < freshSinceMs) outdated.add(seen);
    if (!isTaken) return undefined;
    bases.add(seen);
    return seen.after.get(address);
  };
  const emulation = await emulateMessage(chain, message, sent, destination, { ...limits, findState });
  return { emulation, footings, outdated, met, bases };
}

/** Whether the chain has taken a message since it was run. */
export function hasLanded(
  chain: Chain,
  { destination, sent }: PendingMessage,
  { footings }: AppliedTrace,
): Promise<boolean> {
  return wasTaken(chain, destination, sent.hash, footings.get(destination)?.chainLt ?? 0n);
}

/** Whether an account has taken a message after this of its transactions. */
export async function wasTaken(chain: Chain, account: Address, message: Hash, toLt: bigint): Promise<boolean> {
  const { lastTransaction: from } = await getAccount(chain, account);
  if (from.lt <= toLt) return false;
  const { items } = await listTransactions(chain, account, { from, toLt, limit: mostSearched });
  return items.some(({ transaction }) => transaction.messages.in?.cell.hash() === message);
}
