import { crcForm } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { storeCell } from "../../../cell/codec.ts";
import type { PendingTrace } from "../../../chain/pending/PendingTrace.ts";
import type { EmulatedState, EmulatedTransaction } from "../../../chain/run/emulationRun.ts";
import type { AbiLibrary } from "../../../contracts/AbiLibrary.ts";
import type { Action } from "../../../contracts/engine/Action.ts";
import { isVisible } from "../../../contracts/visibility.ts";
import { contentOf, messageRow, storedExtra, transactionRow } from "../../../history/ingest/decode/decodeRows.ts";
import { describeByAbis } from "../../../history/queries/fill/bodyMeaning.ts";
import type { AccountStateRow, FullMessage, FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import { joinTransactions, makeMessage } from "../../../history/queries/fill/fillTransactions.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { runInTurns, type Steps } from "../../../lib/sharing/steps.ts";
import { TurnBudget } from "../../../lib/TurnBudget.ts";
import { type Address, workchainOf } from "../../../model/Address.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import { type Hash, zeroHash } from "../../../model/Hash.ts";
import type { InCell, Message } from "../../../model/Message.ts";
import { StateInit } from "../../../model/StateInit.ts";
import type { TraceMessage } from "../../../model/Trace.ts";
import { writeBagInSteps } from "../../declare/encodeBag.ts";
import { tooLarge } from "../../http/answers/AnswerWriter.ts";
import type { TraceHead } from "../shapes/traces.ts";
import type { TransactionInContext } from "../shapes/transactions.ts";
import type { PendingAction } from "./PendingView.ts";

type Meant = Pick<PendingTrace, "trace" | "classification">;
type ShownTrace = Pick<PendingTrace, "transactions" | "sent" | "globalVersion">;

/** Predicted transactions, in the form of indexed ones. */
export function emulatedTransactions(
  told: ShownTrace,
  traceId?: Hash,
  abis?: AbiLibrary,
): Promise<TransactionInContext[]> {
  const turns = new TurnBudget(systemClock);
  return runInTurns(describeEmulated(told, traceId, { abis }), () => turns.yieldIfDue());
}

export interface DescribeOptions {
  readonly placeOf?: (traceTransaction: EmulatedTransaction["seen"]) => BlockIdExt;
  /** The limit of the bags of all messages together, each as often as it is shown. */
  readonly maxBagBytes?: number;
  /** ABIs of one's own, which describe bodies. */
  readonly abis?: AbiLibrary | undefined;
}

/** The same in steps: a message may have hundreds of transactions with hundreds of messages each. */
export function* describeEmulated(
  { transactions, sent, globalVersion }: ShownTrace,
  traceId?: Hash,
  { placeOf = wholeWorkchain, maxBagBytes = Number.POSITIVE_INFINITY, abis }: DescribeOptions = {},
): Steps<TransactionInContext[]> {
  const context = {
    emulated: true,
    finality: "pending" as const,
    traceExternalHash: sent.normalizedHash,
    traceId,
  };
  const described: FullTransaction[] = [];
  const bags = new MessageBags(maxBagBytes);
  for (const emulated of transactions) {
    const { seen, transaction } = emulated;
    const id = placeOf(seen);
    const row = { ...transactionRow(transaction, seen, { id, root: transaction.cell }), traceId: zeroHash };
    const states = [stateRow(seen.account, emulated.before), stateRow(seen.account, emulated.after)];
    const messages = yield* messagesOf(emulated, globalVersion, bags);
    described.push(...joinTransactions([row], messages, states));
    yield;
  }
  return (yield* describeByAbis(described, abis)).map((transaction) => ({ context, ...transaction }));
}

/** It is in no block: only its workchain is known, shown as one shard. */
function wholeWorkchain({ account }: EmulatedTransaction["seen"]): BlockIdExt {
  return { workchain: workchainOf(account), shard: 1n << 63n, seqno: 0, rootHash: zeroHash, fileHash: zeroHash };
}

/** How many messages are described without a pause. */
const messagesInStep = 32;

/** The bags of one answer: many of its messages may have the same body. */
class MessageBags {
  readonly #maxBytes: number;
  readonly #bags = new Map<Hash, Uint8Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Writes what a message has in steps: a contract may send hundreds of large bodies. */
  *prepare({ body, init }: Message): Steps<void> {
    for (const cell of init === undefined ? [body] : [body, storeCell(StateInit, init)]) {
      const bag = this.#bags.get(cell.hash()) ?? (yield* writeBagInSteps([cell], crcForm));
      this.#bags.set(cell.hash(), bag);
      this.#bytes += bag.length;
      if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
    }
  }

  readonly write = (cell: Cell): Uint8Array => this.#bags.get(cell.hash()) ?? contentOf(cell);
}

function* messagesOf(
  { transaction, seen }: EmulatedTransaction,
  globalVersion: number,
  bags: MessageBags,
): Steps<readonly FullMessage[]> {
  const make = function* (message: InCell<Message>, own: TraceMessage): Steps<FullMessage> {
    yield* bags.prepare(message);
    return makeMessage(messageRow(message, own, globalVersion, 0n, bags.write));
  };
  const { in: received, out } = transaction.messages;
  const all: FullMessage[] = [];
  if (received !== undefined && seen.inMessage !== undefined) all.push(yield* make(received, seen.inMessage));
  for (const [outIndex, message] of out.values().entries()) {
    const own = seen.outMessages[outIndex];
    if (own === undefined) continue;
    const made = yield* make(message, own);
    all.push({ ...made, row: { ...made.row, outTxHash: seen.hash, outIndex } });
    if (outIndex % messagesInStep === 0) yield;
  }
  return all;
}

function stateRow(account: Address, { balance, ...state }: EmulatedState): AccountStateRow {
  return { account, ...state, balance: balance.coins, balanceExtra: storedExtra(balance.extra) };
}

/** The actions of a predicted trace, for a caller that supports these types. */
export function emulatedActions(pending: Meant, supported: ReadonlySet<string>): PendingAction[] {
  const hashes = new Set<Hash>();
  return (pending.classification?.actions ?? [])
    .filter((action) => isVisible(action, supported))
    .filter(({ id }) => !hashes.has(id) && hashes.add(id))
    .map((action) => actionHead(pending, action));
}

/** A predicted action, in the form of indexed ones. */
export function actionHead({ trace }: Meant, action: Action): PendingAction {
  return {
    traceId: undefined,
    actionId: action.id,
    type: action.type,
    ancestorTypes: action.ancestors,
    shownType: action.shownType,
    startLt: action.startLt,
    endLt: action.endLt,
    startUtime: action.startAt,
    endUtime: action.endAt,
    traceEndLt: trace.endLt,
    traceEndUtime: trace.endAt,
    traceMcSeqnoEnd: trace.mcSeqnoEnd,
    traceExternalHash: trace.externalHash,
    traceExternalHashNorm: trace.externalHashNormalized,
    success: action.success,
    transactions: action.transactions,
    accounts: action.accounts,
    // Shapes encode to JSON.
    details: action.details as { readonly [key: string]: JsonValue },
  };
}

/** A trace of which nothing is on the chain yet: all its messages are pending. */
export function emulatedHead({ trace, transactions, sent, classification }: PendingTrace): TraceHead {
  const [root] = transactions;
  const messages = transactions.reduce((count, { seen }) => count + seen.outMessages.length, 1);
  return {
    traceId: undefined,
    externalHash: sent.normalizedHash,
    mcSeqnoStart: 0,
    mcSeqnoEnd: 0,
    startLt: root?.seen.lt ?? trace.endLt,
    startUtime: root?.seen.now ?? trace.endAt,
    endLt: trace.endLt,
    endUtime: trace.endAt,
    state: "pending",
    edges: messages,
    nodes: transactions.length,
    pendingEdges: messages,
    classificationState: classification === undefined ? "unclassified" : "ok",
  };
}
