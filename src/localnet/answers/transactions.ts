import { plainForm, writeBoc, writeBocInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { blockIdFromTl, blockIdToTl, type TlAccountId, type TlBlockId } from "../../lite/queries/ids.ts";
import { getOneTransaction, getTransactions } from "../../lite/tl/liteQueries.ts";
import { shardContains } from "../../model/block/BlockId.ts";
import { type Hash, hashFromBytes } from "../../model/Hash.ts";
import { Transaction } from "../../model/Transaction.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";
import { readWhole } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { findTransaction } from "./kit/accountBlocks.ts";
import { invalidWorkchain, isFullId, loadBlock } from "./kit/blockAccess.ts";
import { badQuery } from "./kit/refusal.ts";
import { findByLt } from "./lookup.ts";

const nothing = new Uint8Array();

interface OneArgs {
  readonly id: TlBlockId;
  readonly account: TlAccountId;
  readonly lt: bigint;
}

async function answerOne({ ledger, root }: AnswerContext, { id, account, lt }: OneArgs) {
  const blockIdExt = blockIdFromTl(id);
  if (!isFullId(blockIdExt)) throw badQuery("block id in getOneTransaction() is invalid");
  const address = hashFromBytes(account.id);
  if (blockIdExt.workchain !== account.workchain || !shardContains(blockIdExt.shard, address))
    throw badQuery("requested account id is not contained in the shard of the specified block");
  const block = loadBlock(ledger, blockIdExt);
  const at = BigInt.asUintN(64, lt);
  const whole = await root(block);
  const reading = readWhole(whole);
  findTransaction(reading.root, block, address, at);
  const cell = findTransaction(whole, block, address, at);
  return { id, proof: writeBoc(reading.proof()), transaction: cell === undefined ? nothing : writeBoc(cell) };
}

/** The longest history that a node returns at once. */
const longestHistory = 16;

interface HistoryArgs {
  readonly count: number;
  readonly account: TlAccountId;
  readonly lt: bigint;
  readonly hash: Uint8Array;
}

interface Found {
  readonly block: LedgerBlock;
  readonly root: Cell;
  readonly cell: Cell;
}

async function answerHistory(context: AnswerContext, args: HistoryArgs) {
  const { workchain } = args.account;
  if (workchain === invalidWorkchain) throw badQuery("invalid workchain specified");
  const account = hashFromBytes(args.account.id);
  const found: Found[] = [];
  let lt = BigInt.asUintN(64, args.lt);
  let hash = hashFromBytes(args.hash);
  while (found.length < Math.min(args.count, longestHistory) && lt > 0n) {
    const next = await findAt(context, workchain, account, lt, found.at(-1));
    if (next === undefined) {
      if (found.length > 0) break;
      throw badQuery("cannot locate transaction in block with specified logical time");
    }
    if (next.cell.hash() !== hash) throw badQuery("transaction hash mismatch");
    found.push(next);
    const transaction = loadCell(Transaction, next.cell);
    lt = transaction.prevLt;
    hash = transaction.prevHash;
  }
  return {
    ids: found.map(({ block }) => blockIdToTl(block.id)),
    transactions: found.length === 0 ? nothing : await runInTurns(writeTransactions(found), context.pause),
  };
}

/** Sixteen transactions may have some thousand messages. */
function writeTransactions(found: readonly Found[]): Steps<Uint8Array> {
  return writeBocInSteps(
    found.map(({ cell }) => cell),
    plainForm,
  );
}

/** A transaction by its time, in the block of the next one or in the block of that time. */
async function findAt(
  { ledger, root: readBlock }: AnswerContext,
  workchain: number,
  account: Hash,
  lt: bigint,
  near: Found | undefined,
): Promise<Found | undefined> {
  if (near !== undefined) {
    const cell = findTransaction(near.root, near.block, account, lt);
    if (cell !== undefined) return { ...near, cell };
  }
  const block = findByLt(ledger, workchain, BigInt(`0x${account.slice(0, 16)}`), lt);
  if (block === undefined || block.masterSeqno === 0) {
    if (near !== undefined) return undefined;
    throw badQuery(`cannot compute block with specified transaction: ${missingBlock(workchain, account, lt)}`);
  }
  const root = await readBlock(block);
  const cell = findTransaction(root, block, account, lt);
  return cell === undefined ? undefined : { block, root, cell };
}

function missingBlock(workchain: number, account: Hash, lt: bigint): string {
  return `cannot find block (${workchain},${account.slice(0, 16)}) lt=${lt}: ltdb: block not found`;
}

export const transactionAnswers: readonly QueryHandler[] = [
  queryHandler(getOneTransaction, answerOne),
  queryHandler(getTransactions, answerHistory),
];
