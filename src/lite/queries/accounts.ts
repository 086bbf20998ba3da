import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { Account, type ShardAccount, ShardAccounts } from "../../model/Account.ts";
import { type Address, accountOf, plainAddress, workchainOf } from "../../model/Address.ts";
import { type BlockIdExt, formatBlockId, shardHolds } from "../../model/block/BlockId.ts";
import type { HeaderFields } from "../../model/block/BlockInfo.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getAccountState } from "../tl/liteQueries.ts";
import type { accountState } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { accountIdToTl, blockIdFromTl, blockIdToTl } from "./ids.ts";
import type { KnownShardProofs } from "./KnownShardProofs.ts";
import { expectBlock, openHeader, openStateOf, proofError, proofPair, proven } from "./proven.ts";
import { checkNoWorkchain, checkShardProof, noWorkchain } from "./shards.ts";

/** An account at a block, fully proved. A workchain that does not exist has no shard and no accounts. */
export interface AccountAt extends AccountLocation {
  /** Undefined when there is no such account. */
  readonly entry: AccountEntry | undefined;
}

/** The location of an account, also of one that does not exist. */
export interface AccountLocation {
  readonly address: Address;
  /** The requested block. */
  readonly block: BlockIdExt;
  /** The block whose state contains the account: the same one, or the shard top it commits to. */
  readonly shard: { readonly block: BlockIdExt; readonly header: HeaderFields } | undefined;
}

export interface AccountEntry {
  readonly shardAccount: ShardAccount;
  readonly cell: Cell;
  /** The decoded cell. */
  readonly account: Account;
}

type Answer = TlValue<typeof accountState>;

export function checkAccountState(
  block: BlockIdExt,
  address: Address,
  answer: Answer,
  known?: KnownShardProofs,
): AccountAt {
  return proven("account", () => {
    const { place, shardAccount } = checkShardAccount(block, address, answer, known);
    if ((shardAccount === undefined) !== (answer.state.length === 0))
      throw proofError(`the answer and its proof disagree whether ${address} exists`);
    if (shardAccount === undefined) return { entry: undefined, ...place };
    const cell = readRoot(answer.state);
    if (cell.levelMask !== 0 || cell.hash() !== shardAccount.account.cell.hash(0))
      throw proofError("the account does not match its proof");
    const account = loadCell(Account, cell);
    checkOwner(account, address);
    // In this order: with the spread first, the engine would make a new hidden class for every object.
    return { entry: { shardAccount, cell, account }, ...place };
  });
}

/** The proved location of an account, and its entry in the state, if it has one. */
export interface FoundAccount {
  readonly place: AccountLocation;
  readonly shardAccount: ShardAccount | undefined;
}

/** Follows the proofs from a block over the shard top to the account's entry, or to its absence. */
export function checkShardAccount(
  block: BlockIdExt,
  address: Address,
  answer: Pick<Answer, "id" | "shardblk" | "shardProof" | "proof">,
  known?: KnownShardProofs,
): FoundAccount {
  expectBlock(answer.id, block);
  if (answer.shardblk.workchain === noWorkchain) {
    checkNoWorkchain(block, workchainOf(address), answer.shardProof);
    return { place: { address, block, shard: undefined }, shardAccount: undefined };
  }
  const shardBlock = blockIdFromTl(answer.shardblk);
  if (!shardHolds(shardBlock, address)) throw proofError(`${formatBlockId(shardBlock)} does not hold ${address}`);
  if (known === undefined) checkShardProof(block, shardBlock, answer.shardProof);
  else known.check(block, shardBlock, answer.shardProof);
  const [blockProof, stateProof] = proofPair(answer.proof);
  const { header, stateHash } =
    known === undefined ? openHeader(blockProof, shardBlock) : known.openHeader(blockProof, shardBlock);
  const state = openStateOf(stateProof, stateHash, shardBlock);
  const shardAccount = loadCell(ShardAccounts, state.accounts).find(accountOf(address));
  return { place: { address, block, shard: { block: shardBlock, header } }, shardAccount };
}

function checkOwner(account: Account, address: Address): void {
  if (account.kind === "account" && plainAddress(account.address) !== address)
    throw proofError(`an account of ${JSON.stringify(account.address)} under ${address}`);
}

/** An account's whole state at a masterchain or shard block; a frequent caller passes the shard proofs it knows. */
export function fetchAccount(
  server: LiteServer,
  block: BlockIdExt,
  address: Address,
  options: TypedAskOptions,
  known?: KnownShardProofs,
): Promise<AccountAt> {
  const args = { id: blockIdToTl(block), account: accountIdToTl(address) };
  const check = (answer: Answer): AccountAt => checkAccountState(block, address, answer, known);
  return askProven(server, getAccountState, args, check, options);
}
