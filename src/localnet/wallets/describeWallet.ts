import { highloadTimeout, type Wallet } from "./Wallet.ts";

/** What a client library needs to find the same wallet from its words, besides the version. */
export function describeWalletId({ version, walletId }: Wallet, globalId: number): string | undefined {
  switch (version) {
    case "v2r2":
      return undefined;
    case "v5r1":
      return `network id ${globalId}, wallet id ${walletId}`;
    case "highloadV3":
      return `subwallet id ${walletId}, timeout ${highloadTimeout} s`;
    default:
      return `subwallet id ${walletId}`;
  }
}
