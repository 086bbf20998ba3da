import { codeAndData } from "../../history/ingest/decode/accountRows.ts";
import type { ArrivedAccounts } from "../../history/ingest/states/ArrivedAccounts.ts";
import { fetchAccount } from "../../lite/queries/accounts.ts";
import type { Fork } from "../../localnet/fork/Fork.ts";
import type { Localnet } from "../../localnet/network/Localnet.ts";

/** The accounts that a fork has of its origin, for its index. */
export function arrivedAccounts(fork: Fork, { ledger, lite }: Pick<Localnet, "ledger" | "lite">): ArrivedAccounts {
  const { id } = fork.base.master;
  // Every block of the fork begins later.
  const { endLt, genUtime } = ledger.getBlock(id).info;
  return {
    list: (from) => fork.listArrived(from),
    find: async (address, signal) => {
      const { entry } = await fetchAccount(lite, ledger.headId, address, { signal });
      if (entry === undefined || entry.account.kind === "none") return undefined;
      const { lastTransactionHash, lastTransactionLt } = entry.shardAccount;
      if (lastTransactionLt >= endLt) return undefined;
      const { cell, account } = entry;
      return {
        address,
        block: id,
        stateHash: cell.hash(),
        lastTransHash: lastTransactionHash,
        lastTransLt: lastTransactionLt,
        // Accounts without fees for storage do not have the time of their last transaction.
        now: account.storageInfo.lastPaid || genUtime,
        cell,
        ...codeAndData(cell),
      };
    },
  };
}
