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
import type { SendingProcess, SentMessage } from "../SentMessage.ts";
import { listTransactions } from "../transactions.ts";
import type { AppliedTrace, PendingStates, StateBasis } from "./PendingStates.ts";

/** A sent message with its place. */
export interface PendingMessage {
  readonly place: number;
  readonly message: Cell;
  readonly sent: SentMessage;
  readonly access: ChainAccess;
  readonly sentBy: SendingProcess;
  readonly destination: Address;
}

/** The result of a run: no emulation when the account does not accept the message. */
export interface PendingRun {
  readonly emulation: Emulation | undefined;
  /** Of the account that does not take the message. */
  readonly exitCode: number | undefined;
  readonly stateBases: ReadonlyMap<Address, StateBasis>;
  /** Earlier traces that are outdated: the chain has advanced since, or they were run long ago. */
  readonly outdated: ReadonlySet<AppliedTrace>;
  /** Earlier traces that had changed accounts it used. */
  readonly met: ReadonlySet<AppliedTrace>;
  /** Earlier traces that it depends on. */
  readonly bases: ReadonlySet<AppliedTrace>;
}

export interface PendingContext {
  readonly states: PendingStates;
  /** Traces that were run before this moment are checked again before others depend on them. */
  readonly freshSinceMs: number;
}

/** If an account gets this many transactions while a message waits, the search ends. */
const maxSearched = 64;

/** The destination of a message; undefined for external outgoing messages. */
export function findDestination(message: Cell): Address | undefined {
  const { info } = loadCell(Message, message);
  return info.kind === "externalOut" ? undefined : plainAddress(info.dest);
}

/**
 * Runs a message on the accounts after the traces before it. An account after such a trace is used while the chain
 * still has the state that the trace was run on; afterwards the state of the chain is used.
 */
export async function runPending(
  chain: Chain,
  { message, sent, destination, place }: PendingMessage,
  limits: TraceLimits,
  { states, freshSinceMs }: PendingContext,
): Promise<PendingRun> {
  const stateBases = new Map<Address, StateBasis>();
  const outdated = new Set<AppliedTrace>();
  const [met, bases] = [new Set<AppliedTrace>(), new Set<AppliedTrace>()];
  const findState = (address: Address, { lt: chainLt }: { readonly lt: bigint }): ShardAccount | undefined => {
    const appliedTrace = states.findBefore(place, address);
    const isTaken = appliedTrace !== undefined && appliedTrace.stateBases.get(address)?.chainLt === chainLt;
    stateBases.set(address, {
      chainLt,
      seen: appliedTrace && { place: appliedTrace.place, run: appliedTrace.run },
      isTaken,
    });
    if (appliedTrace === undefined) return undefined;
    met.add(appliedTrace);
    if (!isTaken || appliedTrace.ranAtMs < freshSinceMs) outdated.add(appliedTrace);
    if (!isTaken) return undefined;
    bases.add(appliedTrace);
    return appliedTrace.after.get(address);
  };
  const outcome = await emulateMessage(chain, message, sent, destination, { ...limits, findState });
  const parts = { stateBases, outdated, met, bases };
  return outcome.kind === "done"
    ? { ...parts, emulation: outcome.emulation, exitCode: undefined }
    : { ...parts, emulation: undefined, exitCode: outcome.exitCode };
}

/** Whether the chain has accepted a message since it was run. */
export function hasLanded(
  chain: Chain,
  { destination, sent }: PendingMessage,
  { stateBases }: AppliedTrace,
): Promise<boolean> {
  return wasTaken(chain, destination, sent.hash, stateBases.get(destination)?.chainLt ?? 0n);
}

/** Whether an account has received a message after this transaction. */
export async function wasTaken(chain: Chain, account: Address, message: Hash, toLt: bigint): Promise<boolean> {
  const { lastTransaction: from } = await getAccount(chain, account);
  if (from.lt <= toLt) return false;
  const { items } = await listTransactions(chain, account, { from, toLt, limit: maxSearched });
  return items.some(({ transaction }) => transaction.messages.in?.cell.hash() === message);
}
