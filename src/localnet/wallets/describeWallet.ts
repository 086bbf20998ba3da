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

/**
 * The lines of a Blueprint project's `.env` that select this wallet; none for versions that Blueprint does not have.
 */
export function blueprintLines(
  wallet: Wallet,
  words: readonly string[],
  globalId: number,
): readonly string[] | undefined {
  const id = blueprintId(wallet, globalId);
  return id && [`WALLET_MNEMONIC="${words.join(" ")}"`, `WALLET_VERSION=${wallet.version}`, ...id];
}

/** Blueprint derives version 5 for the main network by default, on every network. */
function blueprintId({ version, walletId }: Wallet, globalId: number): readonly string[] | undefined {
  switch (version) {
    case "v2r2":
      return [];
    case "v5r1":
      return [`WALLET_NETWORK_ID=${globalId}`, "SUBWALLET_NUMBER=0"];
    case "highloadV3":
      return undefined;
    default:
      return [`WALLET_ID=${walletId}`];
  }
}
