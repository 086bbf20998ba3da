import { sliceOf } from "../../cell/Slice.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { WalletVersion } from "./Wallet.ts";

/** The counter that the next message of a wallet must carry; `undefined` while the wallet has no code, and for those that do not count. */
export function findSeqno(version: WalletVersion, { account }: ShardAccount): number | undefined {
  const loaded = account.load();
  if (version === "highloadV3" || loaded.kind !== "account" || loaded.storage.state.kind !== "active") return undefined;
  const { data } = loaded.storage.state.init;
  if (data === undefined) return undefined;
  const slice = sliceOf(data);
  // The fifth version begins with whether signatures are taken at all.
  if (version === "v5r1") slice.skip(1);
  return slice.loadUint(32);
}
