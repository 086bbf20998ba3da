import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { blockIdFromTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { listBlockTransactions, listBlockTransactionsExt } from "../../lite/tl/liteQueries.ts";
import { Block, type BlockExtra } from "../../model/block/Block.ts";
import { type Hash, hashFromBytes, hashToBytes, zeroHash } from "../../model/Hash.ts";
import { openCell, readWhole } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { type AccountTransactions, walkAccounts } from "./kit/accountBlocks.ts";
import { loadBlock } from "./kit/blockAccess.ts";
import { findInEnvelope, findMetadata } from "./kit/inMessages.ts";

const flags = { proof: 32, reverse: 64, after: 128, metadata: 256 } as const;

/** The largest page of a node. */
const longestPage = 256;

interface PageArgs {
  readonly id: TlBlockId;
  readonly mode: number;
  readonly count: number;
  readonly after?: { readonly account: Uint8Array; readonly lt: bigint } | undefined;
}

interface Item {
  readonly account: Hash;
  readonly lt: bigint;
  readonly cell: Cell;
}

interface Page {
  readonly items: readonly Item[];
  /** Whether the end was reached; a full page does not look further. */
  readonly isEnd: boolean;
}

interface Cursor {
  readonly account: Hash;
  readonly lt: bigint;
  readonly reverse: boolean;
}

const lastHash = "f".repeat(64) as Hash;
const lastLt = 0xffffffffffffffffn;

function readCursor({ mode, after }: PageArgs): Cursor {
  const reverse = (mode & flags.reverse) !== 0;
  if (after !== undefined) return { account: hashFromBytes(after.account), lt: BigInt.asUintN(64, after.lt), reverse };
  return reverse ? { account: lastHash, lt: lastLt, reverse } : { account: zeroHash, lt: 0n, reverse };
}

/** Lists transactions after a cursor by account, then by logical time. */
function listPage(extra: BlockExtra, cursor: Cursor, count: number): Page {
  const items: Item[] = [];
  // A count beyond 2^31 is negative for a node, which then returns nothing.
  const limit = Math.min(count | 0, longestPage);
  if (limit <= 0) return { items, isEnd: false };
  const { account: from, reverse } = cursor;
  walkAccounts(extra, { from, reverse }, (account, transactions) => {
    const lt = account === from ? cursor.lt : reverse ? lastLt : 0n;
    for (const [at, cell] of listBehind(transactions, lt, reverse, limit - items.length))
      items.push({ account, lt: at, cell });
    return items.length < limit;
  });
  return { items, isEnd: items.length < limit };
}

function listBehind(all: AccountTransactions, lt: bigint, reverse: boolean, limit: number): readonly [bigint, Cell][] {
  const found: [bigint, Cell][] = [];
  all.walk(
    (cell, at) => {
      if (at !== lt) found.push([at, cell]);
      return found.length < limit;
    },
    { from: lt, reverse },
  );
  return found;
}

/** Reads a page; `finish` makes the proof of everything read until then, if requested. */
async function readPage(context: AnswerContext, args: PageArgs, withProof: boolean) {
  const root = await context.root(loadBlock(context.ledger, blockIdFromTl(args.id)));
  const reading = withProof ? readWhole(root) : undefined;
  const extra = loadCell(Block, reading?.root ?? root).extra.load();
  const page = listPage(extra, readCursor(args), args.count);
  return { page, extra, finish: () => (reading === undefined ? nothing : writeBoc(reading.proof())) };
}

const nothing = new Uint8Array();

async function answerIds(context: AnswerContext, args: PageArgs) {
  const { page, extra, finish } = await readPage(context, args, (args.mode & flags.proof) !== 0);
  const mode = args.mode & ~flags.metadata;
  const ids = page.items.map(({ account, lt, cell }) => {
    const metadata = args.mode & flags.metadata ? findMetadata(extra, cell) : undefined;
    return {
      mode,
      ...(mode & 1 ? { account: hashToBytes(account) } : {}),
      ...(mode & 2 ? { lt } : {}),
      ...(mode & 4 ? { hash: hashToBytes(cell.hash()) } : {}),
      ...(metadata === undefined ? {} : { metadata }),
    };
  });
  return { id: args.id, reqCount: args.count, incomplete: !page.isEnd, ids, proof: finish() };
}

/** With metadata requested, the proof shows the envelopes of incoming messages. */
async function answerWhole(context: AnswerContext, args: PageArgs) {
  const withMetadata = (args.mode & flags.metadata) !== 0;
  const { page, extra, finish } = await readPage(context, args, withMetadata || (args.mode & flags.proof) !== 0);
  const cells = page.items.map(({ cell }) => cell);
  if (withMetadata) {
    openCell(extra.inMessages.cell);
    for (const cell of cells) openOne(findInEnvelope(extra, cell));
  }
  return {
    id: args.id,
    reqCount: args.count,
    incomplete: !page.isEnd,
    transactions: cells.length === 0 ? nothing : writeBoc(cells),
    proof: finish(),
  };
}

function openOne(cell: Cell | undefined): void {
  if (cell !== undefined) openCell(cell);
}

export const blockTransactionAnswers: readonly QueryHandler[] = [
  queryHandler(listBlockTransactions, answerIds),
  queryHandler(listBlockTransactionsExt, answerWhole),
];
