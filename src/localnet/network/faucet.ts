import type { Address } from "../../model/Address.ts";
import { formatCoins } from "../../model/coins.ts";
import { LocalnetError } from "../errors.ts";
import { makeComment, type Transfer } from "../wallets/transfer.ts";
import type { Localnet } from "./Localnet.ts";
import { type PostedTransfer, type SentTransfer, WalletSender } from "./WalletSender.ts";

export interface FaucetOptions {
  /** The largest amount in nanocoins; a million coins by default. */
  readonly max?: bigint;
}

const defaultMax = 1_000_000_000_000_000n;

/** Sends coins from the network's giver by real transfers; concurrent requests share one message. */
export class Faucet {
  readonly #max: bigint;
  readonly #sender: WalletSender;

  constructor({ max = defaultMax }: FaucetOptions, { net }: { readonly net: Localnet }) {
    this.#max = max;
    this.#sender = new WalletSender(net, net.keys.giver);
  }

  /** Resolves when the giver has sent the coins. The receiver may be any account, also one without code. */
  async give(to: Address, amount: bigint, signal?: AbortSignal): Promise<SentTransfer> {
    return this.#sender.send(this.#gift(to, amount), signal);
  }

  /** Resolves when the message is accepted, without waiting for a block. */
  async post(to: Address, amount: bigint, signal?: AbortSignal): Promise<PostedTransfer> {
    return this.#sender.post(this.#gift(to, amount), signal);
  }

  close(): void {
    this.#sender.close();
  }

  #gift(to: Address, amount: bigint): Transfer {
    const [max, given] = [formatCoins(this.#max), formatCoins(amount)];
    if (amount <= 0n || amount > this.#max) {
      const message = `the faucet gives up to ${max} coins at once, not ${given}; amounts are in coins, not in nanocoins`;
      throw new LocalnetError("localnet/amount", message);
    }
    return { to, amount, body: makeComment("tongate faucet") };
  }
}
