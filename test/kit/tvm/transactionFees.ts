import type { Transaction, TransactionDescription } from "../../../src/model/Transaction.ts";

/** What a transaction cost its account, in nanocoins. */
export interface Fees {
  /** For storage, what was due from before included. */
  readonly storage: bigint;
  readonly gas: bigint;
  /** For sending messages, all of it: what stays here and what travels with them to where they are taken in. */
  readonly forward: bigint;
  /** The part of `forward` that stays here. */
  readonly action: bigint;
  /** For taking in a message from outside. */
  readonly import: bigint;
  /** What stays here: storage, gas, action and import. */
  readonly total: bigint;
}

/** Splits the fees of a transaction, exactly, from nothing but the transaction. */
export function fees(transaction: Transaction): Fees {
  const total = transaction.totalFees.coins;
  const { storage, gas, forward, action } = phaseFees(transaction.description);
  // The import fee stands in no phase: it is what is left. Messages from other accounts have paid theirs before.
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
