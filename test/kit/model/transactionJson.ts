import type { Cell } from "../../../src/cell/Cell.ts";
import { formatRawAddress, makeAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { loadInCell } from "../../../src/model/Message.ts";
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  StoragePhase,
  StorageUsed,
} from "../../../src/model/phases.ts";
import { Transaction, type TransactionDescription } from "../../../src/model/Transaction.ts";
import { type CellForm, extraJson, messageJson } from "./messageJson.ts";

/** A transaction in the format of the corpus expectations: the v3 fields that its cell determines. */
export type TransactionJson = Readonly<Record<string, unknown>>;

/** Removes absent fields. */
export function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function text(value: bigint | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

export interface TransactionForm {
  readonly cells: CellForm;
  /** The field name for the destination of an outgoing external message. */
  readonly external: string;
}

/** All fields of a transaction. */
export function transactionJson(cell: Cell, workchain: number, form: TransactionForm): TransactionJson {
  const transaction = loadInCell(Transaction, cell);
  const { messages, stateUpdate, totalFees } = transaction;
  return {
    ...headJson(transaction, cell, workchain),
    in_msg: messages.in === undefined ? null : messageJson(messages.in, form.cells, form.external),
    out_msgs: messages.out.values().map((message) => messageJson(message, form.cells, form.external)),
    total_fees_extra_currencies: extraJson(totalFees.extra),
    account_state_hash_before: hashToBase64(stateUpdate.oldHash),
    account_state_hash_after: hashToBase64(stateUpdate.newHash),
    description: descriptionJson(transaction.description),
  };
}

/** The short format that large blocks use for their transactions. */
export function compactJson(cell: Cell, workchain: number): TransactionJson {
  const transaction = loadInCell(Transaction, cell);
  const { messages, description } = transaction;
  const compute = "compute" in description ? description.compute : undefined;
  return {
    ...headJson(transaction, cell, workchain),
    type: typeNames[description.kind],
    aborted: "aborted" in description ? description.aborted : null,
    exit_code: compute?.kind === "vm" ? compute.details.exitCode : null,
    in_msg_hash: messages.in === undefined ? null : hashToBase64(messages.in.cell.hash()),
    out_msg_hashes: messages.out.values().map((message) => hashToBase64(message.cell.hash())),
  };
}

function headJson(transaction: Transaction, cell: Cell, workchain: number): TransactionJson {
  return {
    account: formatRawAddress(makeAddress(workchain, transaction.account)),
    hash: hashToBase64(cell.hash()),
    lt: String(transaction.lt),
    prev_trans_hash: hashToBase64(transaction.prevHash),
    prev_trans_lt: String(transaction.prevLt),
    now: transaction.now,
    orig_status: transaction.origStatus,
    end_status: transaction.endStatus,
    total_fees: String(transaction.totalFees.coins),
  };
}

const typeNames = {
  ordinary: "ord",
  storage: "storage",
  tickTock: "tick_tock",
  splitPrepare: "split_prepare",
  splitInstall: "split_install",
  mergePrepare: "merge_prepare",
  mergeInstall: "merge_install",
} as const;

function descriptionJson(description: TransactionDescription): TransactionJson {
  const type = typeNames[description.kind];
  if (description.kind !== "ordinary" && description.kind !== "tickTock") return { type };
  const { compute, action, aborted, destroyed, storage } = description;
  const own =
    description.kind === "tickTock"
      ? { is_tock: description.isTock }
      : {
          credit_first: description.creditFirst,
          credit_ph: description.credit && creditJson(description.credit),
          bounce: description.bounce && bounceJson(description.bounce),
        };
  return present({
    type,
    aborted,
    destroyed,
    ...own,
    storage_ph: storage && storageJson(storage),
    compute_ph: computeJson(compute),
    action: action && actionJson(action),
  });
}

function storageJson({ feesCollected, feesDue, statusChange }: StoragePhase): TransactionJson {
  return present({
    storage_fees_collected: String(feesCollected),
    storage_fees_due: text(feesDue),
    status_change: statusChange,
  });
}

function creditJson({ dueFeesCollected, credit }: CreditPhase): TransactionJson {
  return present({
    due_fees_collected: text(dueFeesCollected),
    credit: String(credit.coins),
    credit_extra_currencies: credit.extra.isEmpty ? undefined : extraJson(credit.extra),
  });
}

const skipNames = { noState: "no_state", badState: "bad_state", noGas: "no_gas", suspended: "suspended" } as const;

function computeJson(compute: ComputePhase): TransactionJson {
  if (compute.kind === "skipped") return { skipped: true, reason: skipNames[compute.reason] };
  const { details } = compute;
  return present({
    skipped: false,
    success: compute.success,
    msg_state_used: compute.msgStateUsed,
    account_activated: compute.accountActivated,
    gas_fees: String(compute.gasFees),
    gas_used: String(details.gasUsed),
    gas_limit: String(details.gasLimit),
    gas_credit: text(details.gasCredit),
    mode: details.mode,
    exit_code: details.exitCode,
    exit_arg: details.exitArg,
    vm_steps: details.vmSteps,
    vm_init_state_hash: hashToBase64(details.vmInitStateHash),
    vm_final_state_hash: hashToBase64(details.vmFinalStateHash),
  });
}

function actionJson(action: ActionPhase): TransactionJson {
  return present({
    success: action.success,
    valid: action.valid,
    no_funds: action.noFunds,
    status_change: action.statusChange,
    total_fwd_fees: text(action.totalFwdFees),
    total_action_fees: text(action.totalActionFees),
    result_code: action.resultCode,
    result_arg: action.resultArg,
    tot_actions: action.totalActions,
    spec_actions: action.specialActions,
    skipped_actions: action.skippedActions,
    msgs_created: action.messagesCreated,
    action_list_hash: hashToBase64(action.actionListHash),
    tot_msg_size: usedJson(action.totalMessageSize),
  });
}

function bounceJson(bounce: BouncePhase): TransactionJson {
  if (bounce.kind === "negativeFunds") return { type: "negfunds" };
  const msg_size = usedJson(bounce.messageSize);
  if (bounce.kind === "noFunds") return { type: "nofunds", msg_size, req_fwd_fees: String(bounce.requiredFwdFees) };
  return { type: "ok", msg_size, msg_fees: String(bounce.messageFees), fwd_fees: String(bounce.fwdFees) };
}

export function usedJson({ cells, bits }: StorageUsed): TransactionJson {
  return { cells: String(cells), bits: String(bits) };
}
