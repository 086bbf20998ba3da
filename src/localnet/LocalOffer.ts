import type { Address } from "../model/Address.ts";
import type { Demo } from "./demo/Demo.ts";
import type { Faucet } from "./faucet.ts";
import type { WalletVersion } from "./wallets/Wallet.ts";

/** A funded wallet, with its keys. */
export interface OfferedWallet {
  readonly name: string;
  readonly address: Address;
  readonly version: WalletVersion;
  readonly words: readonly string[];
  /** What a library needs besides words and version to find the same address. */
  readonly derivedWith: string | undefined;
}

/** The features that only a local network has. */
export interface LocalOffer {
  readonly faucet: Pick<Faucet, "post">;
  /** Advances the time of the chain by seconds; returns the new time in Unix seconds. */
  readonly advanceTime: (seconds: number) => number;
  readonly wallets: readonly OfferedWallet[];
  /** Absent when it was not requested. */
  readonly demo: Demo | undefined;
}
