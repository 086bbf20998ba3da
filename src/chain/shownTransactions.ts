import { groupBy } from "../contracts/kit/groupBy.ts";
import { inParallel } from "../lib/sharing/inParallel.ts";
import type { HeaderAt } from "../lite/queries/blocks.ts";
import { fetchBlockTransactionsExt } from "../lite/queries/transactions.ts";
import { type Address, accountOf, makeAddress } from "../model/Address.ts";
import { type BlockId, formatBlockId } from "../model/block/BlockId.ts";
import type { Hash } from "../model/Hash.ts";
import type { InCell } from "../model/Message.ts";
import type { Transaction } from "../model/Transaction.ts";
import { lookUp } from "./blocks.ts";
import type { Chain } from "./Chain.ts";
import { ChainError } from "./errors.ts";

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
/** The largest page of servers. */
const largestPage = 256;

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

/**
 * Transactions of one block. They are read in the order of the block, with answers that prove a run of neighbours
 * together: each may be twice as long as the run before it was.
 */
async function readBlock(chain: Chain, rows: readonly ShownTransaction[]): Promise<readonly IncludedTransaction[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { workchain, shard, seqno } = first.block;
  const header = await lookUp(chain, { workchain, shard, by: "seqno", seqno });
  const missing = new Map(rows.map(({ address, lt }) => [keyOf(address, lt), { address, lt }]));
  const inOrder = [...missing.values()].sort(byPlace);
  const included: IncludedTransaction[] = [];
  let count = 1;
  for (const { address, lt } of inOrder) {
    if (!missing.has(keyOf(address, lt))) continue;
    const asked = { count: Math.min(count, missing.size, largestPage), after: beforeOf(accountOf(address), lt) };
    const { items } = await fetchBlockTransactionsExt(chain.server, header.id, asked, chain.asking);
    const [found, ...others] = items;
    if (found === undefined || found.account !== accountOf(address) || found.lt !== lt)
      throw new ChainError("chain/not-found", `no transaction ${lt} of ${address} in ${formatBlockId(header.id)}`);
    let run = 0;
    for (const transaction of [found, ...others]) {
      const own = makeAddress(workchain, transaction.account);
      if (!missing.delete(keyOf(own, transaction.lt))) break;
      included.push({ header, address: own, transaction });
      run += 1;
    }
    count = run * 2;
  }
  return included;
}

interface Place {
  readonly address: Address;
  readonly lt: bigint;
}

function byPlace(a: Place, b: Place): number {
  const [one, other] = [accountOf(a.address), accountOf(b.address)];
  if (one !== other) return one < other ? -1 : 1;
  return a.lt < b.lt ? -1 : 1;
}

/** The place right before a transaction. */
function beforeOf(account: Hash, lt: bigint): { readonly account: Hash; readonly lt: bigint } {
  return { account, lt: lt - 1n };
}
