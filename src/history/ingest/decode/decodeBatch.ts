import { type Cell, hashAll } from "../../../cell/Cell.ts";
import { runAtOnce, type Steps } from "../../../lib/sharing/steps.ts";
import { makeAddress, workchainOf } from "../../../model/Address.ts";
import { forEachTransaction } from "../../../model/block/Block.ts";
import type { Hash } from "../../../model/Hash.ts";
import { type InCell, loadInCell, type Message } from "../../../model/Message.ts";
import { type TraceMessage, traceTransaction } from "../../../model/Trace.ts";
import { Transaction } from "../../../model/Transaction.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import { type BlockBatch, type FetchedBlock, readFetched } from "../source/BlockBatch.ts";
import type { ChangedAccount, DecodedBatch, DecodedTransaction } from "./DecodedBatch.ts";
import {
  type BatchBlockRow,
  type BatchMessageRow,
  blockRow,
  messageRow,
  transactionRow,
  withSender,
} from "./decodeRows.ts";

/** Decodes everything that the blocks of a batch contain. */
export function decodeBatch(batch: BlockBatch): DecodedBatch {
  return runAtOnce(decodeInSteps(batch));
}

/**
 * The same in steps: a transaction has up to 255 messages, and a block is full with five of those or with a thousand
 * others.
 */
export function* decodeInSteps(batch: BlockBatch): Steps<DecodedBatch> {
  const decoding = new Decoding(batch);
  // Parents first, so that the later state of an account comes later.
  for (const block of batch.shardBlocks) yield* decoding.add(block);
  yield* decoding.add(batch.master);
  return decoding.finish();
}

function byTime({ row: a }: DecodedTransaction, { row: b }: DecodedTransaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  const workchains = workchainOf(a.account) - workchainOf(b.account);
  if (workchains !== 0) return workchains;
  return a.account < b.account ? -1 : a.account > b.account ? 1 : 0;
}

class Decoding {
  readonly #batch: BlockBatch;
  readonly #blocks: BatchBlockRow[] = [];
  readonly #messages = new Map<Hash, BatchMessageRow>();
  readonly #transactions: DecodedTransaction[] = [];
  readonly #changed: ChangedAccount[] = [];

  constructor(batch: BlockBatch) {
    this.#batch = batch;
  }

  *add(fetched: FetchedBlock): Steps<void> {
    const { block, info } = readFetched(fetched);
    const cells: Cell[] = [];
    forEachTransaction(block, (cell) => void cells.push(cell));
    hashAll(cells);
    let last: ChangedAccount | undefined;
    for (const cell of cells) {
      yield;
      const changed = this.#addTransaction(loadInCell(Transaction, cell), fetched);
      // Transactions are ordered by account, then lt: only the last of each account counts.
      if (last !== undefined && last.address !== changed.address) this.#changed.push(last);
      last = changed;
    }
    if (last !== undefined) this.#changed.push(last);
    const place = { mcSeqno: this.#batch.mcSeqno, txCount: cells.length };
    this.#blocks.push(blockRow(fetched, block, info, place));
  }

  finish(): DecodedBatch {
    return {
      batch: this.#batch,
      rows: {
        blocks: this.#blocks,
        shardState: shardStateRows(this.#batch),
        messages: [...this.#messages.values()],
      },
      transactions: this.#transactions.sort(byTime),
      changed: this.#changed,
    };
  }

  #addTransaction(transaction: InCell<Transaction>, fetched: FetchedBlock): ChangedAccount {
    const { id } = fetched;
    const outs = transaction.messages.out.values();
    const place = { workchain: id.workchain, mcSeqno: this.#batch.mcSeqno, emulated: false };
    const seen = traceTransaction(transaction, place, outs);
    const { in: received } = transaction.messages;
    if (received !== undefined && seen.inMessage !== undefined) this.#addMessage(received, seen.inMessage, seen.lt);
    outs.forEach((sent, outIndex) => {
      const row = this.#addMessage(sent, seen.outMessages[outIndex] as TraceMessage, seen.lt);
      this.#messages.set(row.hash, withSender(row, seen.hash, outIndex));
    });
    this.#transactions.push({ seen, row: transactionRow(transaction, seen, fetched) });
    return {
      address: makeAddress(id.workchain, transaction.account),
      block: id,
      stateHash: transaction.stateUpdate.newHash,
      lastTransHash: seen.hash,
      lastTransLt: seen.lt,
      now: seen.now,
    };
  }

  /** A message that is sent and received within the batch appears twice, an external one perhaps more often. */
  #addMessage(message: InCell<Message>, traceMessage: TraceMessage, lt: bigint): BatchMessageRow {
    const known = this.#messages.get(traceMessage.hash);
    if (known !== undefined) return known;
    const row = messageRow(message, traceMessage, this.#batch.globalVersion, lt);
    this.#messages.set(row.hash, row);
    return row;
  }
}

function shardStateRows({ mcSeqno, master, tops }: BlockBatch): BatchRows["shardState"] {
  return [master.id, ...tops].map(({ workchain, shard, seqno }) => ({ mcSeqno, workchain, shard, seqno }));
}
