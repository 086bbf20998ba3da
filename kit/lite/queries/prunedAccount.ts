import { loadCell } from "../../../src/cell/codec.ts";
import { openMerkleProof } from "../../../src/cell/merkle/merkleProof.ts";
import { type AccountAt, checkShardAccount } from "../../../src/lite/queries/accounts.ts";
import { accountIdToTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { proofError, proofRoot, proven } from "../../../src/lite/queries/proven.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../../../src/lite/server/LiteServer.ts";
import { getAccountStatePrunned } from "../../../src/lite/tl/liteQueries.ts";
import type { accountState } from "../../../src/lite/tl/liteRecords.ts";
import type { TlValue } from "../../../src/lite/tl/types.ts";
import { Account } from "../../../src/model/Account.ts";
import { type Address, plainAddress } from "../../../src/model/Address.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";

type Answer = TlValue<typeof accountState>;

/** Fetches an account without its code and data. */
export async function fetchPrunedAccount(
  server: LiteServer,
  block: BlockIdExt,
  address: Address,
  options: TypedAskOptions,
): Promise<AccountAt> {
  const args = { id: blockIdToTl(block), account: accountIdToTl(address) };
  const check = (answer: Answer): AccountAt => checkPrunedAccountState(block, address, answer);
  return askProven(server, getAccountStatePrunned, args, check, options);
}

/** Checks an account without its code and data: its state is a Merkle proof of the account. */
export function checkPrunedAccountState(block: BlockIdExt, address: Address, answer: Answer): AccountAt {
  return proven("account", () => {
    const { place, shardAccount } = checkShardAccount(block, address, answer);
    if ((shardAccount === undefined) !== (answer.state.length === 0))
      throw proofError(`the answer and its proof disagree whether ${address} exists`);
    if (shardAccount === undefined) return { entry: undefined, ...place };
    const cell = openMerkleProof(proofRoot(answer.state), shardAccount.account.cell.hash(0));
    const account = loadCell(Account, cell);
    if (account.kind === "account" && plainAddress(account.address) !== address)
      throw proofError(`an account of ${JSON.stringify(account.address)} under ${address}`);
    return { entry: { shardAccount, cell, account }, ...place };
  });
}
