import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { Account, type ShardAccount } from "../../../src/model/Account.ts";
import { makeAddress, plainAddress } from "../../../src/model/Address.ts";
import { Block, forEachTransaction } from "../../../src/model/block/Block.ts";
import { signedShard } from "../../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { type InCell, loadInCell, type Message } from "../../../src/model/Message.ts";
import { Transaction, type TransactionDescription } from "../../../src/model/Transaction.ts";
import { extraJson } from "./messageJson.ts";
import { present } from "./transactionJson.ts";

/** The JSON format of blocks, transactions and accounts in recorded chains (`realnet/README.md` of the corpus). */
type Json = Readonly<Record<string, unknown>>;

/** A block in the format of a recording's index; flags only if true. */
export function recordedBlockJson(root: Cell): Json {
  const block = loadCell(Block, root);
  const info = block.info.load();
  let count = 0;
  forEachTransaction(block, () => void count++);
  const flag = (value: boolean): true | undefined => (value ? true : undefined);
  return present({
    workchain: info.shard.workchain,
    shard: String(signedShard(info.shard.shard)),
    seqno: info.seqno,
    root_hash: root.hash(),
    gen_utime: info.genUtime,
    start_lt: String(info.startLt),
    end_lt: String(info.endLt),
    tx_count: count,
    key_block: flag(info.keyBlock),
    after_split: flag(info.afterSplit),
    after_merge: flag(info.afterMerge),
    before_split: flag(info.beforeSplit),
    want_split: flag(info.wantSplit),
    want_merge: flag(info.wantMerge),
    master_ref_seqno: info.masterRef?.seqno,
    prev: prevBlockIds(info).map(({ shard, seqno }) => [String(signedShard(shard)), seqno]),
  });
}

const statusNames = { uninit: "uninitialized", frozen: "frozen", active: "active", nonexist: "non-existing" } as const;

export function recordedTransactionJson(cell: Cell, workchain: number): Json {
  const transaction = loadInCell(Transaction, cell);
  const { messages } = transaction;
  return {
    hash: cell.hash(),
    account: makeAddress(workchain, transaction.account),
    lt: String(transaction.lt),
    now: transaction.now,
    prev_trans_hash: transaction.prevHash,
    prev_trans_lt: String(transaction.prevLt),
    orig_status: statusNames[transaction.origStatus],
    end_status: statusNames[transaction.endStatus],
    total_fees: String(transaction.totalFees.coins),
    ...descriptionJson(transaction.description),
    in_msg: messages.in === undefined ? null : messageJson(messages.in),
    out_msgs: messages.out.values().map((message) => message.cell.hash()),
  };
}

const skipNames = { noState: "no-state", badState: "bad-state", noGas: "no-gas", suspended: "suspended" } as const;
const bounceNames = { negativeFunds: "negative-funds", noFunds: "no-funds", ok: "ok" } as const;

function descriptionJson(description: TransactionDescription): Json {
  if (description.kind !== "ordinary" && description.kind !== "tickTock")
    throw new Error(`unexpected transaction kind ${description.kind}`);
  const { compute, action, aborted, destroyed } = description;
  const tick = description.kind === "tickTock" ? (description.isTock ? "tick-tock:tock" : "tick-tock:tick") : undefined;
  const bounce = description.kind === "ordinary" ? description.bounce : undefined;
  return {
    type: tick ?? "generic",
    aborted,
    destroyed,
    compute:
      compute.kind === "skipped"
        ? { skipped: skipNames[compute.reason] }
        : {
            exit_code: compute.details.exitCode,
            gas_used: String(compute.details.gasUsed),
            success: compute.success,
          },
    action:
      action === undefined
        ? null
        : {
            result_code: action.resultCode,
            success: action.success,
            skipped_actions: action.skippedActions,
            msgs_created: action.messagesCreated,
          },
    bounce: bounce === undefined ? null : bounceNames[bounce.kind],
  };
}

function messageJson({ info, cell }: InCell<Message>): Json {
  const hash = cell.hash();
  if (info.kind !== "internal") return { hash, type: "external-in" };
  return {
    hash,
    type: "internal",
    value: String(info.value.coins),
    bounced: info.bounced,
    created_lt: String(info.createdLt),
    source: plainAddress(info.src),
  };
}

/** An account of a state, without its name and transaction count, which are not in the state. */
export function recordedAccountJson({ account, lastTransactionHash, lastTransactionLt }: ShardAccount): Json {
  const value = loadCell(Account, account.cell);
  const last_transaction = { hash: lastTransactionHash, lt: String(lastTransactionLt) };
  if (value.kind === "none") return { status: "nonexist", balance: "0", last_transaction };
  const { address, storage, storageInfo } = value;
  const { state, balance } = storage;
  return present({
    address: plainAddress(address),
    status: state.kind,
    balance: String(balance.coins),
    account_state_hash: account.cell.hash(),
    extra_currencies: balance.extra.isEmpty ? undefined : extraJson(balance.extra),
    code_hash: state.kind === "active" ? state.init.code?.hash() : undefined,
    data_hash: state.kind === "active" ? state.init.data?.hash() : undefined,
    frozen_hash: state.kind === "frozen" ? state.stateHash : undefined,
    due_payment: storageInfo.duePayment === undefined ? undefined : String(storageInfo.duePayment),
    storage_last_paid: storageInfo.lastPaid,
    last_transaction,
  });
}
