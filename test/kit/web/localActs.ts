import { mnemonicToPrivateKey } from "@ton/crypto";
import { Address, beginCell, type Cell, internal, SendMode, TonClient, toNano, WalletContractV5R1 } from "@ton/ton";
import { vi } from "vitest";
import { localGlobalId } from "../../../src/localnet/genesis/genesisConfig.ts";
import type { StartedService } from "../app/startedService.ts";

/** Uses the first funded wallet of a local network through a real client library. */
export class LocalActs {
  readonly address: Address;
  readonly #service: StartedService;
  readonly #send: (messages: ReturnType<typeof internal>[]) => Promise<void>;

  private constructor(service: StartedService, address: Address, send: LocalActs["send"]) {
    this.#service = service;
    this.address = address;
    this.#send = send;
  }

  static async open(service: StartedService): Promise<LocalActs> {
    const { words } = service.wallet("v5r1");
    const { publicKey, secretKey } = await mnemonicToPrivateKey([...words]);
    const client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
    const wallet = client.open(WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: localGlobalId } }));
    const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS;
    return new LocalActs(service, wallet.address, async (messages) => {
      const seqno = await wallet.getSeqno();
      await wallet.sendTransfer({ seqno, secretKey, messages, sendMode });
      await until(async () => (await wallet.getSeqno()) > seqno);
    });
  }

  /** Sends messages from the wallet and waits until they are sent. */
  send(messages: ReturnType<typeof internal>[]): Promise<void> {
    return this.#send(messages);
  }

  /** The address of a contract of the demo set. */
  async demo(name: string): Promise<Address> {
    const { result } = (await this.ask("/localnet/demo")) as { result: { name: string; address: string }[] };
    const found = result.find((each) => each.name === name);
    if (found === undefined) throw new Error(`the demo set has no ${name}`);
    return Address.parse(found.address);
  }

  /** Sends jettons to a contract that cannot handle the notification: the third message of the trace fails. */
  async sendFailingTransfer(): Promise<void> {
    const body = jettonTransfer(await this.demo("jetton master"), this.address, "does not arrive");
    await this.send([internal({ to: await this.demo("jetton wallet of wallet 1"), value: toNano("0.3"), body })]);
  }

  async ask(path: string): Promise<unknown> {
    return (await fetch(`${this.#service.origin}${path}`)).json();
  }
}

/** Waits with a limit for slow machines; also works in hooks. */
export async function until(isThere: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(isThere, { timeout: 300_000, interval: 200 });
}

function jettonTransfer(to: Address, back: Address, comment: string): Cell {
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(7, 64)
    .storeCoins(5_000_000_000n)
    .storeAddress(to)
    .storeAddress(back)
    .storeBit(false)
    .storeCoins(toNano("0.05"))
    .storeBit(false)
    .storeUint(0, 32)
    .storeStringTail(comment)
    .endCell();
}
