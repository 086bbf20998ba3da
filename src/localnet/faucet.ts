import type { Address } from "../model/Address.ts";
import { LocalnetError } from "./errors.ts";
import type { Localnet } from "./Localnet.ts";
import { makeComment } from "./wallets/transfer.ts";
import { type SentTransfer, WalletSender } from "./wallets/WalletSender.ts";

export interface FaucetOptions {
  /** The most nanocoins given at once; a million coins when not said. */
  readonly most?: bigint;
}

const defaultMost = 1_000_000_000_000_000n;

/** Gives coins away from the network's giver by real transfers, many in one message when many ask. */
export class Faucet {
  readonly #most: bigint;
  readonly #sender: WalletSender;

  constructor({ most = defaultMost }: FaucetOptions, { net }: { readonly net: Localnet }) {
    this.#most = most;
    this.#sender = new WalletSender(net, net.keys.giver);
  }

  /** Resolves when the giver has sent the coins. The receiver may be anybody, also somebody without code. */
  async give(to: Address, amount: bigint, signal?: AbortSignal): Promise<SentTransfer> {
    if (amount <= 0n || amount > this.#most)
      throw new LocalnetError("localnet/wallet", `the faucet gives from 1 to ${this.#most} nanocoins, not ${amount}`);
    return this.#sender.send({ to, amount, body: makeComment("tongate faucet") }, signal);
  }

  close(): void {
    this.#sender.close();
  }
}
