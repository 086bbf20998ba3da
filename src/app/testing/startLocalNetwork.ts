import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalClient, type LocalClient } from "../../api/client/localClient.ts";
import { loadConfig } from "../config.ts";
import { openLocal } from "../local/serveLocal.ts";
import { defaultCoin, type LocalPlan } from "../NetworkPlan.ts";
import { localName } from "../networks/planNetworks.ts";
import type { OpenPlanned } from "../service/openHosted.ts";
import { serveNetworks } from "../service/serveNetworks.ts";

export interface LocalNetworkOptions {
  /** Milliseconds from a block to the next; without it a block is made as soon as a message waits. */
  readonly blockMs?: number;
  /** Folder of the chain; by default a temporary one, which `close` removes. */
  readonly data?: string;
  /** Further flags of the command `tongate`, such as `["--shards", "2"]`. */
  readonly flags?: readonly string[];
}

/** A funded wallet, with the words that open it. */
export interface TestWallet {
  /** Name of the wallet, such as `wallet 1`. */
  readonly name: string;
  /** Address in raw form. */
  readonly address: string;
  /** Version of its contract, such as `v4r2`. */
  readonly version: string;
  /** Words of its key. */
  readonly words: readonly string[];
}

export interface LocalNetwork {
  /** Address of the server, such as `http://127.0.0.1:40321`. */
  readonly origin: string;
  /** Address for `TonClient` and other clients of v2. */
  readonly endpoint: string;
  /** Everything that only a local network does: `setBalance`, `impersonate`, `advance`, `faucet` and more. */
  readonly control: LocalClient;
  /** Funded wallets, the same in every network. */
  readonly wallets: readonly TestWallet[];
  /** Saves the chain; the function that it gives goes back to it, as often as it is called. */
  snapshot(): Promise<() => Promise<void>>;
  /** Stops the network and removes its temporary folder. */
  close(): Promise<void>;
}

/** Starts a local network in this process, without index and demo contracts. Several may run side by side. */
export async function startLocalNetwork(options: LocalNetworkOptions = {}): Promise<LocalNetwork> {
  const { blockMs, data = mkdtempSync(join(tmpdir(), "tongate-testing-")), flags = [] } = options;
  const remove = (): void => {
    if (options.data === undefined) rmSync(data, { recursive: true, force: true });
  };
  try {
    const { origin, wallets, close } = await serve(data, ["--block-ms", String(blockMs ?? idleBlockMs), ...flags]);
    const control = createLocalClient(`${origin}/localnet`);
    const begin = async (): Promise<void> => {
      if (blockMs === undefined) await control.automaticBlocks({ mode: "message" });
    };
    await begin();
    let count = 0;
    return {
      origin,
      endpoint: `${origin}/api/v2/jsonRPC`,
      control,
      wallets,
      snapshot: async () => {
        const name = `testing-${++count}`;
        await control.makeSnapshot({ name });
        return async () => {
          await control.restoreSnapshot({ name });
          await begin();
        };
      },
      close: async () => {
        await close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Until blocks are made by message, none is made. */
const idleBlockMs = 3_600_000;

async function serve(data: string, flags: readonly string[]) {
  const fixed = [
    "--port",
    "0",
    "--data",
    data,
    "--no-index",
    "--demo",
    "off",
    "--lite-port",
    "off",
    "--log-level",
    "error",
  ];
  const { config } = loadConfig([...fixed, ...flags], { environment: {}, findFile: () => undefined });
  const listen = { host: config.host, port: config.port, hostNames: [] };
  const plan: LocalPlan = { kind: "local", name: localName, coin: defaultCoin, listen };
  let wallets: readonly TestWallet[] = [];
  const open: OpenPlanned = async (_plan, modules) => {
    const network = await openLocal(plan, modules);
    wallets = (network.local?.wallets ?? []).map(({ name, address, version, words }) => ({
      name,
      address,
      version,
      words,
    }));
    return network;
  };
  const silent = { write: () => {}, writeError: () => {} };
  const service = await serveNetworks(config, [plan], open, silent);
  await service.prepared;
  return { origin: service.origins[0] ?? "", wallets, close: () => service.close() };
}
