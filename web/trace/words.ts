import { findKnown } from "../api/book.ts";
import { describeExitOf } from "../api/contract.ts";
import { explainAction, explainSkip } from "../format/exitCodes.ts";
import { nameInterface } from "../format/names.ts";
import type { TransactionNode } from "./model.ts";

/** The contract type of an account. */
export function kindOf(address: string): string {
  const [first] = findKnown(address).interfaces;
  return first === undefined ? "" : nameInterface(first);
}

/** Why a transaction failed; empty if it succeeded. */
export function explainFailure({ transaction, outcome }: Pick<TransactionNode, "transaction" | "outcome">): string {
  if (outcome === "good") return "";
  if (outcome === "set") return "Set by hand: a control of this local network wrote the account.";
  const { compute_ph: compute, action, bounce } = transaction.description;
  const after = bounce?.type === "ok" ? " The coins went back to the sender." : "";
  if (compute?.skipped === true) return `No code ran: ${explainSkip(compute.reason ?? "")}.${after}`;
  if (compute?.success === false)
    return `Exit code ${describeExitOf(transaction.account, compute.exit_code ?? 0)}.${after}`;
  if (action?.success === false) {
    const code = action.result_code ?? 0;
    return `The actions failed with code ${code}: ${explainAction(code)}.${after}`;
  }
  return `The transaction was aborted.${after}`;
}
