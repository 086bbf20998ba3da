import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Slice } from "../../cell/Slice.ts";
import { blockIdFromTl, blockIdToTl, type TlAccountId, type TlBlockId } from "../../lite/queries/ids.ts";
import { getAccountState, getAccountStatePrunned } from "../../lite/tl/liteQueries.ts";
import { Account, DepthBalance, ShardAccounts } from "../../model/Account.ts";
import { type BlockIdExt, masterchain, shardContains } from "../../model/block/BlockId.ts";
import { type Hash, hashFromBytes } from "../../model/Hash.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";
import { openAll, readAccounts } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { invalidWorkchain, loadBlock, loadMasterBlock, noBlock } from "./kit/blockAccess.ts";
import { leavesByHash, openMasterState } from "./kit/masterState.ts";
import { badQuery } from "./kit/refusal.ts";
import { leafShard } from "./lookup.ts";
import { proveShardTop } from "./shards.ts";

/** An account after a block, with its proofs. */
export interface ServedAccount {
  /** The requested block. */
  readonly reference: BlockIdExt;
  /** Absent for a workchain or shard that does not exist. */
  readonly block: LedgerBlock | undefined;
  readonly shardProof: Uint8Array;
  readonly proof: Uint8Array;
  readonly cell: Cell | undefined;
}

const nothing = new Uint8Array();
const latest = 0xffffffff;

/** Finds an account at a masterchain block (the newest one for seqno -1), or at a block of its own shard. */
export async function findAccount(context: AnswerContext, id: TlBlockId, account: TlAccountId): Promise<ServedAccount> {
  const { ledger } = context;
  const blockIdExt = blockIdFromTl(id);
  const address = hashFromBytes(account.id);
  checkPlace(blockIdExt, account.workchain, address);
  if (blockIdExt.workchain !== masterchain) {
    const block = loadBlock(ledger, blockIdExt);
    return { reference: blockIdExt, block, shardProof: nothing, ...(await proveAccount(context, block, address)) };
  }
  const master = loadMasterBlock(ledger, blockIdExt.seqno === latest ? ledger.headId : blockIdExt);
  if (account.workchain === masterchain) {
    const proved = await proveAccount(context, master, address);
    return { reference: master.id, block: master, shardProof: nothing, ...proved };
  }
  const shard = leafShard(BigInt(`0x${address.slice(0, 16)}`));
  const { found, proof } = await proveShardTop(context, master, { workchain: account.workchain, shard, exact: false });
  if (found === undefined)
    return { reference: master.id, block: undefined, shardProof: proof, proof: nothing, cell: undefined };
  const block = loadBlock(ledger, found.id);
  return { reference: master.id, block, shardProof: proof, ...(await proveAccount(context, block, address)) };
}

function checkPlace(blockIdExt: BlockIdExt, workchain: number, account: Hash): void {
  if (blockIdExt.workchain !== masterchain && blockIdExt.workchain !== workchain)
    throw badQuery("reference block for a getAccountState() must belong to the masterchain");
  if (blockIdExt.workchain === invalidWorkchain)
    throw badQuery("reference block id for a getAccountState() is invalid");
  if (blockIdExt.workchain === workchain && (blockIdExt.shard === 0n || !shardContains(blockIdExt.shard, account)))
    throw badQuery("requested account id is not contained in the shard of the reference block");
}

async function proveAccount({ state, proofs }: AnswerContext, block: LedgerBlock, account: Hash) {
  const root = await state(block);
  const cell = findShardAccount(root, account)?.preloadRef();
  const reading = readAccounts(root);
  findShardAccount(reading.root, account);
  return { proof: writeBoc([await proofs.header(block), reading.proof()]), cell };
}

/** The entry of an account in a state, after the sum beside it: the account, its last transaction's hash and time. */
export function findShardAccount(state: Cell, account: Hash): Slice | undefined {
  const accounts = loadCell(ShardAccounts, openMasterState(state).accounts.cell);
  const leaf = leavesByHash(accounts.root).find(account);
  if (leaf !== undefined) DepthBalance.load(leaf);
  return leaf;
}

/** The account's own cell and its extra currencies, without code, data and libraries. */
function pruneAccount(root: Cell): Cell {
  const reading = readAccounts(root);
  const account = loadCell(Account, reading.root);
  if (account.kind === "account") openAll(account.storage.balance.extra.root);
  return reading.proof();
}

function answerAccount(servedAccount: ServedAccount, form: (cell: Cell) => Cell) {
  return {
    id: blockIdToTl(servedAccount.reference),
    shardblk: servedAccount.block === undefined ? noBlock : blockIdToTl(servedAccount.block.id),
    shardProof: servedAccount.shardProof,
    proof: servedAccount.proof,
    state: servedAccount.cell === undefined ? nothing : writeBoc(form(servedAccount.cell)),
  };
}

export const accountAnswers: readonly QueryHandler[] = [
  queryHandler(getAccountState, async (context, { id, account }) =>
    answerAccount(await findAccount(context, id, account), (cell) => cell),
  ),
  queryHandler(getAccountStatePrunned, async (context, { id, account }) =>
    answerAccount(await findAccount(context, id, account), pruneAccount),
  ),
];
