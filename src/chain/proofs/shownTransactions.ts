import { groupBy } from "../../contracts/kit/groupBy.ts";
import { inParallel } from "../../lib/sharing/inParallel.ts";
import type { HeaderAt } from "../../lite/queries/blockHeader.ts";
import { type BlockPart, fetchBlockPart, type PlaceInBlock } from "../../lite/queries/blockPart.ts";
import { fetchBlockTransactionsExt } from "../../lite/queries/transactions.ts";
import { type Address, accountOf, makeAddress } from "../../model/Address.ts";
import { type BlockId, type BlockIdExt, formatBlockId } from "../../model/block/BlockId.ts";
import type { InCell } from "../../model/Message.ts";
import type { Transaction } from "../../model/Transaction.ts";
import { lookUp } from "../blocks.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";
import { recordBlockPart } from "./recordBlockPart.ts";

/** A transaction that somebody says is on the chain. */
export interface ShownTransaction {
  readonly block: BlockId;
  readonly address: Address;
  readonly lt: bigint;
}

/** A transaction in a block of the chain. */
export interface IncludedTransaction {
  readonly header: HeaderAt;
  readonly address: Address;
  readonly transaction: InCell<Transaction>;
}

/** How many blocks are read at a time. */
const blocksAtOnce = 16;

/** The transactions at these places, in the same order; throws "chain/not-found" for one that is not there. */
export async function getShownTransactions(
  chain: Chain,
  shown: readonly ShownTransaction[],
): Promise<readonly IncludedTransaction[]> {
  const blocks = [...groupBy(shown, ({ block }) => formatBlockId(block)).values()];
  const read = (await inParallel(blocks, blocksAtOnce, (rows) => readBlock(chain, rows))).flat();
  const found = new Map(read.map((included) => [keyOf(included.address, included.transaction.lt), included]));
  return shown.map(({ address, lt, block }) => {
    const included = found.get(keyOf(address, lt));
    if (included === undefined)
      throw new ChainError("chain/not-found", `no transaction ${lt} of ${address} in ${formatBlockId(block)}`);
    return included;
  });
}

function keyOf(address: Address, lt: bigint): string {
  return `${address} ${lt}`;
}

/** Transactions of one block: one alone by an answer of its own, several by one answer with the part of the block. */
async function readBlock(chain: Chain, rows: readonly ShownTransaction[]): Promise<readonly IncludedTransaction[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { workchain, shard, seqno } = first.block;
  const header = await lookUp(chain, { workchain, shard, by: "seqno", seqno });
  const places = [...new Map(rows.map((row) => [keyOf(row.address, row.lt), row])).values()].sort(byPlace);
  const found = await (places.length === 1 ? readOne : readPart)(chain, header.id, places.map(placeOf));
  return found.flatMap((transaction) =>
    transaction === undefined ? [] : [{ header, address: makeAddress(workchain, transaction.account), transaction }],
  );
}

async function readOne(
  { server, asking }: Chain,
  id: BlockIdExt,
  [place]: readonly PlaceInBlock[],
): Promise<BlockPart> {
  if (place === undefined) return [];
  const after = { account: place.account, lt: place.lt - 1n };
  const { items } = await fetchBlockTransactionsExt(server, id, { count: 1, after }, asking);
  return items.filter(({ account, lt }) => account === place.account && lt === place.lt);
}

async function readPart(chain: Chain, id: BlockIdExt, places: readonly PlaceInBlock[]): Promise<BlockPart> {
  const { server, recorder, asking } = chain;
  return recorder === undefined
    ? fetchBlockPart(server, id, places, asking)
    : recordBlockPart(chain, recorder, id, places);
}

function placeOf({ address, lt }: ShownTransaction): PlaceInBlock {
  return { account: accountOf(address), lt };
}

/** Sorted, so that the same rows make the same proof in any order. */
function byPlace(a: ShownTransaction, b: ShownTransaction): number {
  const [one, other] = [accountOf(a.address), accountOf(b.address)];
  if (one !== other) return one < other ? -1 : 1;
  return a.lt < b.lt ? -1 : 1;
}
