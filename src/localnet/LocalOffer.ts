import type { Address } from "../model/Address.ts";
import type { Demo } from "./demo/Demo.ts";
import type { Faucet } from "./faucet.ts";
import type { WalletVersion } from "./wallets/Wallet.ts";

/** A funded wallet, with everything that opens it. */
export interface OfferedWallet {
  readonly name: string;
  readonly address: Address;
  readonly version: WalletVersion;
  readonly words: readonly string[];
  /** What a library must be given besides words and version to find the same address. */
  readonly derivedWith: string | undefined;
}

/** What a local network has for people that no other network has. */
export interface LocalOffer {
  readonly faucet: Pick<Faucet, "post">;
  /** Lets so many seconds pass on the chain; gives its time afterwards, in Unix seconds. */
  readonly advanceTime: (seconds: number) => number;
  readonly wallets: readonly OfferedWallet[];
  /** Absent where it was not wanted. */
  readonly demo: Demo | undefined;
}
