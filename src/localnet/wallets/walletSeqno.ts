import { sliceOf } from "../../cell/Slice.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { WalletVersion } from "./Wallet.ts";

/** The seqno of a wallet's next message; `undefined` while the wallet has no code, and for versions without seqno. */
export function findSeqno(version: WalletVersion, { account }: ShardAccount): number | undefined {
  const loaded = account.load();
  if (version === "highloadV3" || loaded.kind !== "account" || loaded.storage.state.kind !== "active") return undefined;
  const { data } = loaded.storage.state.init;
  if (data === undefined) return undefined;
  const slice = sliceOf(data);
  // Version 5 begins with whether signatures are allowed.
  if (version === "v5r1") slice.skip(1);
  return slice.loadUint(32);
}
