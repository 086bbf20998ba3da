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

const messageSize = shape<StorageUsed>()({ cells: decimalOf((u) => u.cells), bits: decimalOf((u) => u.bits) });

const storagePhase = shape<StoragePhase>()({
  storage_fees_collected: decimal((p) => p.feesCollected),
  storage_fees_due: omittable(decimal)((p) => p.feesDue),
  status_change: statusChange((p) => p.statusChange),
});

const creditPhase = shape<CreditPhase>()({
  due_fees_collected: omittable(decimal)((p) => p.dueFeesCollected),
  credit: decimal((p) => p.credit.coins),
  credit_extra_currencies: omittable(extraCurrencies)((p) => {
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
  skipped: bool((p) => p.kind === "skipped"),
  reason: omittable(word(...Object.values(skipReasons)))((p) =>
    p.kind === "skipped" ? skipReasons[p.reason] : undefined,
  ),
  success: omittable(bool)(ofRun((p) => p.success)),
  msg_state_used: omittable(bool)(ofRun((p) => p.msgStateUsed)),
  account_activated: omittable(bool)(ofRun((p) => p.accountActivated)),
  gas_fees: omittable(decimal)(ofRun((p) => feesAndGas(p).fees)),
  gas_used: omittable(decimal)(ofRun((p) => feesAndGas(p).gas)),
  gas_limit: omittable(decimalOf)(ofRun((p) => p.details.gasLimit)),
  gas_credit: omittable(decimalOf)(ofRun((p) => p.details.gasCredit)),
  mode: omittable(int)(ofRun((p) => p.details.mode)),
  exit_code: omittable(int)(ofRun((p) => p.details.exitCode)),
  exit_arg: omittable(int)(ofRun((p) => p.details.exitArg)),
  vm_steps: omittable(int)(ofRun((p) => p.details.vmSteps)),
  vm_init_state_hash: omittable(hash)(ofRun((p) => p.details.vmInitStateHash)),
  vm_final_state_hash: omittable(hash)(ofRun((p) => p.details.vmFinalStateHash)),
});

const actionPhase = shape<ActionPhase>()({
  success: bool((p) => p.success),
  valid: bool((p) => p.valid),
  no_funds: bool((p) => p.noFunds),
  status_change: statusChange((p) => p.statusChange),
  total_fwd_fees: omittable(decimal)((p) => p.totalFwdFees),
  total_action_fees: omittable(decimal)((p) => p.totalActionFees),
  result_code: int((p) => p.resultCode),
  result_arg: omittable(int)((p) => p.resultArg),
  tot_actions: int((p) => p.totalActions),
  spec_actions: int((p) => p.specialActions),
  skipped_actions: int((p) => p.skippedActions),
  msgs_created: int((p) => p.messagesCreated),
  action_list_hash: hash((p) => p.actionListHash),
  tot_msg_size: messageSize((p) => p.totalMessageSize),
});

const bounceNames = { negativeFunds: "negfunds", noFunds: "nofunds", ok: "ok" } as const;

const bouncePhase = shape<BouncePhase>()({
  type: word("negfunds", "nofunds", "ok")((p) => bounceNames[p.kind]),
  msg_size: omittable(messageSize)((p) => (p.kind === "negativeFunds" ? undefined : p.messageSize)),
  req_fwd_fees: omittable(decimal)((p) => (p.kind === "noFunds" ? p.requiredFwdFees : undefined)),
  msg_fees: omittable(decimal)((p) => (p.kind === "ok" ? p.messageFees : undefined)),
  fwd_fees: omittable(decimal)((p) => (p.kind === "ok" ? p.fwdFees : undefined)),
});

type Split = Extract<TransactionDescription, { readonly kind: "splitPrepare" }>["split"];

const splitInfo = shape<Split>()({
  cur_shard_pfx_len: int((s) => s.shardPrefixLength),
  acc_split_depth: int((s) => s.accountSplitDepth),
  this_addr: hash((s) => s.thisAddress),
  sibling_addr: hash((s) => s.siblingAddress),
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
    type: text((d) => typeNames[d.kind]),
    aborted: omittable(bool)((d) => ("aborted" in d ? d.aborted : undefined)),
    destroyed: omittable(bool)((d) => ("destroyed" in d ? d.destroyed : undefined)),
    credit_first: omittable(bool)((d) => ("creditFirst" in d ? d.creditFirst : undefined)),
    is_tock: omittable(bool)((d) => ("isTock" in d ? d.isTock : undefined)),
    installed: omittable(bool)((d) => ("installed" in d ? d.installed : undefined)),
    storage_ph: omittable(storagePhase)((d) => ("storage" in d ? d.storage : undefined)),
    credit_ph: omittable(creditPhase)((d) => ("credit" in d ? d.credit : undefined)),
    compute_ph: omittable(computePhase)((d) => ("compute" in d ? d.compute : undefined)),
    action: omittable(actionPhase)((d) => ("action" in d ? d.action : undefined)),
    bounce: omittable(bouncePhase)((d) => ("bounce" in d ? d.bounce : undefined)),
    split_info: omittable(splitInfo)((d) => ("split" in d ? d.split : undefined)),
  }),
);
