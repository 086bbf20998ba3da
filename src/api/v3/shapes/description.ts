import { bool, decimal, int, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  StoragePhase,
  StorageUsed,
} from "../../../model/phases.ts";
import type { TransactionDescription } from "../../../model/Transaction.ts";
import { decimalOf, extraCurrencies, hash, named, word } from "./scalars.ts";

const statusChange = word("unchanged", "frozen", "deleted");

const messageSize = shape<StorageUsed>()({
  cells: decimalOf("Size in cells.", (u) => u.cells),
  bits: decimalOf("Size in bits.", (u) => u.bits),
});

const storagePhase = shape<StoragePhase>()({
  storage_fees_collected: decimal("Fee for storage that was paid, in nanocoins.", (p) => p.feesCollected),
  storage_fees_due: omittable(decimal)("Fee for storage that is still to pay, in nanocoins.", (p) => p.feesDue),
  status_change: statusChange("Whether the account's status changed in this phase.", (p) => p.statusChange),
});

const creditPhase = shape<CreditPhase>()({
  due_fees_collected: omittable(decimal)(
    "Storage fee of earlier times that was paid, in nanocoins.",
    (p) => p.dueFeesCollected,
  ),
  credit: decimal("Coins that the message brought, in nanocoins.", (p) => p.credit.coins),
  credit_extra_currencies: omittable(extraCurrencies)("Other currencies that the message brought, by id.", (p) => {
    const { extra } = p.credit;
    return extra.isEmpty ? undefined : extraTexts(extra.entries());
  }),
});

/** Extra currencies in the form of the API. */
export function extraTexts(entries: Iterable<readonly [number, bigint]>): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(entries, ([id, amount]) => [String(id), String(amount)]));
}

const skipReasons = { noState: "no_state", badState: "bad_state", noGas: "no_gas", suspended: "suspended" } as const;

type RunPhase = Extract<ComputePhase, { readonly kind: "vm" }>;

const ofRun =
  <T>(find: (phase: RunPhase) => T) =>
  (phase: ComputePhase) =>
    phase.kind === "vm" ? find(phase) : undefined;

/** The contract's rule for old rows: of fees and gas the larger number is the fees. */
function feesAndGas({ gasFees, details }: RunPhase): { readonly fees: bigint; readonly gas: bigint } {
  const gas = BigInt(details.gasUsed);
  return gasFees < gas ? { fees: gas, gas: gasFees } : { fees: gasFees, gas };
}

const computePhase = shape<ComputePhase>()({
  skipped: bool("Whether the code did not run.", (p) => p.kind === "skipped"),
  reason: omittable(word(...Object.values(skipReasons)))("Reason why the code did not run; absent when it ran.", (p) =>
    p.kind === "skipped" ? skipReasons[p.reason] : undefined,
  ),
  success: omittable(bool)(
    "Whether the code ended without an error; absent when it did not run.",
    ofRun((p) => p.success),
  ),
  msg_state_used: omittable(bool)(
    "Whether the message brought the code and data.",
    ofRun((p) => p.msgStateUsed),
  ),
  account_activated: omittable(bool)(
    "Whether the action phase activated the account.",
    ofRun((p) => p.accountActivated),
  ),
  gas_fees: omittable(decimal)(
    "Fee for running the code, in nanocoins.",
    ofRun((p) => feesAndGas(p).fees),
  ),
  gas_used: omittable(decimal)(
    "Gas that the run used.",
    ofRun((p) => feesAndGas(p).gas),
  ),
  gas_limit: omittable(decimalOf)(
    "Gas that the run could use.",
    ofRun((p) => p.details.gasLimit),
  ),
  gas_credit: omittable(decimalOf)(
    "Gas that an external message may use before it is accepted.",
    ofRun((p) => p.details.gasCredit),
  ),
  mode: omittable(int)(
    "Mode of the run as a number.",
    ofRun((p) => p.details.mode),
  ),
  exit_code: omittable(int)(
    "Exit code of the virtual machine; 0 and 1 mean success.",
    ofRun((p) => p.details.exitCode),
  ),
  exit_arg: omittable(int)(
    "Value that was thrown with the exit code; absent without one.",
    ofRun((p) => p.details.exitArg),
  ),
  vm_steps: omittable(int)(
    "Number of steps that the machine made.",
    ofRun((p) => p.details.vmSteps),
  ),
  vm_init_state_hash: omittable(hash)(
    "Hash of the machine's state before the run, in base64.",
    ofRun((p) => p.details.vmInitStateHash),
  ),
  vm_final_state_hash: omittable(hash)(
    "Hash of the machine's state after the run, in base64.",
    ofRun((p) => p.details.vmFinalStateHash),
  ),
});

const actionPhase = shape<ActionPhase>()({
  success: bool("Whether all actions were carried out.", (p) => p.success),
  valid: bool("Whether the list of actions could be read.", (p) => p.valid),
  no_funds: bool("Whether the balance was too small for the actions.", (p) => p.noFunds),
  status_change: statusChange("Whether the account's status changed in this phase.", (p) => p.statusChange),
  total_fwd_fees: omittable(decimal)("Forwarding fees of all sent messages, in nanocoins.", (p) => p.totalFwdFees),
  total_action_fees: omittable(decimal)("Fees of the action phase, in nanocoins.", (p) => p.totalActionFees),
  result_code: int("Result of the action phase; 0 means success.", (p) => p.resultCode),
  result_arg: omittable(int)("Number of the action that failed.", (p) => p.resultArg),
  tot_actions: int("Number of actions in the list that the code made.", (p) => p.totalActions),
  spec_actions: int("Number of actions that are not messages.", (p) => p.specialActions),
  skipped_actions: int("Number of skipped actions.", (p) => p.skippedActions),
  msgs_created: int("Number of messages sent.", (p) => p.messagesCreated),
  action_list_hash: hash("Hash of the cell with the list of actions, in base64.", (p) => p.actionListHash),
  tot_msg_size: messageSize("Size of all sent messages.", (p) => p.totalMessageSize),
});

const bounceNames = { negativeFunds: "negfunds", noFunds: "nofunds", ok: "ok" } as const;

const bouncePhase = shape<BouncePhase>()({
  type: word(...Object.values(bounceNames))(
    "Whether the message returned: `ok`, or not for lack of funds.",
    (p) => bounceNames[p.kind],
  ),
  msg_size: omittable(messageSize)("Size of the returned message.", (p) =>
    p.kind === "negativeFunds" ? undefined : p.messageSize,
  ),
  req_fwd_fees: omittable(decimal)("Forwarding fees that could not be paid, in nanocoins.", (p) =>
    p.kind === "noFunds" ? p.requiredFwdFees : undefined,
  ),
  msg_fees: omittable(decimal)("Fee for returning the message, in nanocoins.", (p) =>
    p.kind === "ok" ? p.messageFees : undefined,
  ),
  fwd_fees: omittable(decimal)("Fees for forwarding, in nanocoins.", (p) => (p.kind === "ok" ? p.fwdFees : undefined)),
});

type Split = Extract<TransactionDescription, { readonly kind: "splitPrepare" }>["split"];

const splitInfo = shape<Split>()({
  cur_shard_pfx_len: int("Length of the shard's prefix, in bits.", (s) => s.shardPrefixLength),
  acc_split_depth: int("Depth to which the account's shard is split, in bits.", (s) => s.accountSplitDepth),
  this_addr: hash("Address of this half without its workchain, in base64.", (s) => s.thisAddress),
  sibling_addr: hash("Address of the other half without its workchain, in base64.", (s) => s.siblingAddress),
});

const typeNames = {
  ordinary: "ord",
  storage: "storage",
  tickTock: "tick_tock",
  splitPrepare: "split_prepare",
  splitInstall: "split_install",
  mergePrepare: "merge_prepare",
  mergeInstall: "merge_install",
} as const;

/** The phases of a transaction. */
export const description = named(
  "TransactionDescr",
  shape<TransactionDescription>()({
    type: text("Kind of transaction, such as `ord` or `tick_tock`.", (d) => typeNames[d.kind]),
    aborted: omittable(bool)("Whether the transaction failed, so that the account kept its state.", (d) =>
      "aborted" in d ? d.aborted : undefined,
    ),
    destroyed: omittable(bool)("Whether the account was deleted.", (d) => ("destroyed" in d ? d.destroyed : undefined)),
    credit_first: omittable(bool)("Whether the value was credited before storage was paid.", (d) =>
      "creditFirst" in d ? d.creditFirst : undefined,
    ),
    is_tock: omittable(bool)("Whether it ran at the end of a block; otherwise at the beginning.", (d) =>
      "isTock" in d ? d.isTock : undefined,
    ),
    installed: omittable(bool)("Whether the split or merge was carried out.", (d) =>
      "installed" in d ? d.installed : undefined,
    ),
    storage_ph: omittable(storagePhase)("Storage phase: what was paid for storage.", (d) =>
      "storage" in d ? d.storage : undefined,
    ),
    credit_ph: omittable(creditPhase)("Credit phase: what the message brought.", (d) =>
      "credit" in d ? d.credit : undefined,
    ),
    compute_ph: omittable(computePhase)("Compute phase: how the code ran.", (d) =>
      "compute" in d ? d.compute : undefined,
    ),
    action: omittable(actionPhase)("Action phase: what the contract sent and reserved.", (d) =>
      "action" in d ? d.action : undefined,
    ),
    bounce: omittable(bouncePhase)("Bounce phase: how a failed message returned.", (d) =>
      "bounce" in d ? d.bounce : undefined,
    ),
    split_info: omittable(splitInfo)("Split or merge of the shard; absent in other transactions.", (d) =>
      "split" in d ? d.split : undefined,
    ),
  }),
);
