import { writeBoc } from "../../cell/boc.ts";
import { onAbort } from "../../lib/abort.ts";
import type { Hash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import { maxTransfers, signTransfers, type Transfer } from "../wallets/transfer.ts";
import type { Wallet } from "../wallets/Wallet.ts";
import { findSeqno } from "../wallets/Wallet.ts";
import type { Localnet } from "./Localnet.ts";

/** The part of a chain that a sender needs. */
export type SenderNet = Pick<Localnet, "account" | "clock" | "isPending" | "ledger" | "refuseStalled" | "submit">;

/** The masterchain block by which a transfer was certainly sent, and the external message that sent it. */
export interface SentTransfer {
  readonly masterSeqno: number;
  readonly messageHash: Hash;
}

/** A transfer that the chain has accepted and not executed yet. */
export interface PostedTransfer {
  readonly messageHash: Hash;
  readonly sent: Promise<SentTransfer>;
}

interface Waiting {
  readonly transfer: Transfer;
  readonly posted: (messageHash: Hash) => void;
  readonly resolve: (sent: SentTransfer) => void;
  readonly reject: (reason: Error) => void;
}

const validForSeconds = 60;

/**
 * Sends from one wallet with a seqno: one message at a time, with as many transfers as it holds. Transfers requested
 * while a message is in flight go into the next one.
 */
export class WalletSender {
  readonly #net: SenderNet;
  readonly #wallet: Wallet;
  readonly #end = new AbortController();
  #waiting: Waiting[] = [];
  #isSending = false;

  constructor(net: SenderNet, wallet: Wallet) {
    this.#net = net;
    this.#wallet = wallet;
  }

  /** Resolves when the wallet has sent it; whether it arrived is not checked. */
  send(transfer: Transfer, signal?: AbortSignal): Promise<SentTransfer> {
    return this.#enqueue(transfer, () => {}, signal);
  }

  /** Resolves when the message is accepted, without waiting for the block. */
  post(transfer: Transfer, signal?: AbortSignal): Promise<PostedTransfer> {
    return new Promise((resolve, reject) => {
      const sent = this.#enqueue(transfer, (messageHash) => resolve({ messageHash, sent }), signal);
      // A failure before the message is accepted rejects this call; a later one rejects `sent`.
      sent.catch(reject);
    });
  }

  #enqueue(transfer: Transfer, posted: Waiting["posted"], signal: AbortSignal | undefined): Promise<SentTransfer> {
    return new Promise((resolve, reject) => {
      if (this.#end.signal.aborted) {
        reject(this.#end.signal.reason);
        return;
      }
      // Behind a message in flight it would wait as long as no block can be written.
      this.#net.refuseStalled();
      const waiting: Waiting = { transfer, posted, resolve, reject };
      // A transfer in flight is not stopped; only the caller stops waiting.
      onAbort(signal, (reason) => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(reason);
      });
      this.#waiting.push(waiting);
      void this.#sendAll();
    });
  }

  /** Sends no more; waiting transfers fail. */
  close(): void {
    this.#end.abort(new LocalnetError("localnet/closed", "the sender is closed"));
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end.signal.reason);
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#waiting.length > 0) await this.#sendBatch();
    this.#isSending = false;
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#waiting.splice(0, maxTransfers[this.#wallet.version]);
    try {
      const sent = await this.#sendNow(batch);
      for (const { resolve } of batch) resolve(sent);
    } catch (error) {
      const reason = error instanceof Error ? error : new LocalnetError("localnet/wallet", String(error));
      for (const { reject } of batch) reject(reason);
    }
  }

  async #sendNow(batch: readonly Waiting[]): Promise<SentTransfer> {
    const { clock, ledger, submit } = this.#net;
    const before = this.#seqno();
    const now = clock.seconds;
    const options = { seqno: before ?? 0, now, validForSeconds, deploy: before === undefined };
    const transfers = batch.map(({ transfer }) => transfer);
    const message = signTransfers(this.#wallet, transfers, options);
    await submit.call(this.#net, writeBoc(message), this.#end.signal);
    const messageHash = message.hash();
    for (const { posted } of batch) posted(messageHash);
    while ((this.#seqno() ?? 0) <= (before ?? 0)) {
      const isLate = (ledger.head?.info.genUtime ?? 0) > now + validForSeconds;
      // One that no block holds and that does not wait any more was dropped.
      if (isLate || !this.#net.isPending(messageHash)) {
        const text = `no block included the message of ${this.#wallet.address}; send it again`;
        throw new LocalnetError("localnet/wallet", text);
      }
      await ledger.reach(ledger.headId.seqno + 1, this.#end.signal);
    }
    return { masterSeqno: ledger.headId.seqno, messageHash };
  }

  #seqno(): number | undefined {
    const { version, address } = this.#wallet;
    return findSeqno(version, this.#net.account(address));
  }
}
