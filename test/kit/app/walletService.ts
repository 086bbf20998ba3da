import { mnemonicToPrivateKey } from "@ton/crypto";
import { TonClient, WalletContractV4 } from "@ton/ton";
import { expect, vi } from "vitest";
import { startService } from "./startedService.ts";

/** A local network whose index has the demo jetton, with a client of it and one of its wallets, funded. */
export async function startWithWallet() {
  const service = await startService({ flags: ["--block-ms", "1000"] });
  const client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
  const keys = await mnemonicToPrivateKey([...service.wallet("v4r2").words]);
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
  const masters = async () => Object(await (await fetch(`${service.origin}/api/v3/jetton/masters?limit=1`)).json());
  await vi.waitFor(async () => expect((await masters()).jetton_masters).toHaveLength(1), {
    timeout: 500_000,
    interval: 200,
  });
  return { service, client, keys, wallet };
}
