import type { Transaction, TransactionDescription } from "../../../src/model/Transaction.ts";

/** The fees of a transaction, in nanocoins. */
export interface Fees {
  /** For storage, including earlier debt. */
  readonly storage: bigint;
  readonly gas: bigint;
  /** For sending messages: the part collected here and the part that travels with them. */
  readonly forward: bigint;
  /** The part of `forward` that is collected here. */
  readonly action: bigint;
  /** For importing an external message. */
  readonly import: bigint;
  /** All fees collected here: storage, gas, action and import. */
  readonly total: bigint;
}

/** Splits the fees of a transaction exactly, from the transaction alone. */
export function fees(transaction: Transaction): Fees {
  const total = transaction.totalFees.coins;
  const { storage, gas, forward, action } = phaseFees(transaction.description);
  // No phase contains the import fee; it is the rest. Senders of internal messages have paid it before.
  return { storage, gas, forward, action, import: total - storage - gas - action, total };
}

type PhaseFees = Pick<Fees, "storage" | "gas" | "forward" | "action">;

function phaseFees(description: TransactionDescription): PhaseFees {
  const storage = "storage" in description ? (description.storage?.feesCollected ?? 0n) : 0n;
  const due = "credit" in description ? (description.credit?.dueFeesCollected ?? 0n) : 0n;
  const compute = "compute" in description ? description.compute : undefined;
  const action = "action" in description ? description.action : undefined;
  const bounce = description.kind === "ordinary" && description.bounce?.kind === "ok" ? description.bounce : undefined;
  const collected = (action?.totalActionFees ?? 0n) + (bounce?.messageFees ?? 0n);
  const travelling = (bounce?.fwdFees ?? 0n) + (bounce?.messageFees ?? 0n);
  return {
    storage: storage + due,
    gas: compute?.kind === "vm" ? compute.gasFees : 0n,
    forward: (action?.totalFwdFees ?? 0n) + travelling,
    action: collected,
  };
}
