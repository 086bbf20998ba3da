import { expect, vi } from "vitest";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";
import { signTransfers, type Transfer } from "../../../src/localnet/wallets/transfer.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { findSeqno } from "../../../src/localnet/wallets/Wallet.ts";
import { freshUrl } from "../history/database.ts";
import { eagerServer } from "../lite/eagerServer.ts";
import { RemoteStage, type TestService } from "./remoteStage.ts";

const patience = { timeout: 300_000, interval: 50 };

/**
 * Services over one database and one chain. Their lite server accepts every message but forwards none, so that the test
 * decides what the chain takes and when.
 */
export class UnsentStage {
  readonly net: Localnet;
  readonly #stage: RemoteStage;
  readonly #flags: readonly string[];

  private constructor(stage: RemoteStage, net: Localnet, flags: readonly string[]) {
    this.#stage = stage;
    this.net = net;
    this.#flags = flags;
  }

  static async open(): Promise<UnsentStage> {
    const stage = await RemoteStage.open();
    const net = await stage.openNet();
    const config = stage.writeGlobalConfig("net.json", net, [await stage.openServer(eagerServer(net.lite))]);
    const place = ["--network", config, "--trust", "--from", "genesis", "--database", await freshUrl()];
    return new UnsentStage(stage, net, place);
  }

  /** Starts a service that writes the index or only answers, and waits until it has all blocks. */
  async serve(role: "--index" | "--no-index"): Promise<TestService> {
    const service = await this.#stage.serve([...this.#flags, role]);
    await vi.waitFor(async () => {
      const { body } = await service.ask("/api/v3/masterchainInfo");
      expect(Object(body.last).seqno).toBe(this.net.ledger.headId.seqno);
    }, patience);
    return service;
  }

  walletAt(at: number): Wallet {
    const wallet = this.net.keys.wallets[at]?.wallet;
    if (wallet === undefined) throw new Error("there is no such wallet");
    return wallet;
  }

  /** The next message of a wallet; `seqno` is the query id of a highload wallet. */
  sign(
    wallet: Wallet,
    transfers: readonly Transfer[],
    { validForSeconds = 3_600, seqno = findSeqno(wallet.version, this.net.account(wallet.address)) ?? 0 } = {},
  ): Cell {
    return signTransfers(wallet, transfers, {
      ...{ seqno, now: this.net.clock.seconds, validForSeconds },
      deploy: !this.#isActive(wallet),
    });
  }

  #isActive({ address }: Wallet): boolean {
    const account = this.net.account(address).account.load();
    return account.kind === "account" && account.storage.state.kind === "active";
  }

  async close(): Promise<void> {
    await this.#stage.close();
  }
}

export function bocOf(message: Cell): string {
  return Buffer.from(writeBoc(message, crcForm)).toString("base64");
}

/** Sends a message to the service but not to the chain; returns its normalized hash. */
export async function postMessage(service: TestService, message: Cell): Promise<string> {
  const { body } = await service.ask("/api/v3/message", { body: { boc: bocOf(message) } });
  return String(body.message_hash_norm);
}
