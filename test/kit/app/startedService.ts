import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { copyTemplate } from "../../../kit/history/databaseTemplate.ts";
import { loadConfig } from "../../../src/app/config.ts";
import { openLocal } from "../../../src/app/local/serveLocal.ts";
import { defaultCoin, type LocalPlan } from "../../../src/app/NetworkPlan.ts";
import { localName } from "../../../src/app/networks/planNetworks.ts";
import type { OpenPlanned } from "../../../src/app/service/openHosted.ts";
import { serveNetworks } from "../../../src/app/service/serveNetworks.ts";
import type { OfferedWallet } from "../../../src/localnet/offer/LocalOffer.ts";
import { formatAddress } from "../../../src/model/Address.ts";
import { copyUrl, freshUrl } from "../history/database.ts";
import { recordTerminal } from "../suite/recordTerminal.ts";
import { copyReadyNetwork, hasOwnBeginning, type IndexEngine } from "./readyNetwork.ts";

/** A funded wallet. */
export interface ServiceWallet {
  readonly version: string;
  readonly address: string;
  readonly words: readonly string[];
}

/** The service on a local network, started through its configuration. */
export interface StartedService {
  readonly origin: string;
  /** Terminal output of the startup. */
  readonly output: string;
  readonly wallets: readonly ServiceWallet[];
  /** The first funded wallet of a version. */
  wallet(version: string): ServiceWallet;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly flags?: readonly string[];
  /** Data folder; defaults to a temporary folder that is removed on close. */
  readonly folder?: string;
  /**
   * Where the index is: in PostgreSQL by default, or in the built-in database of a given folder, which takes more CPU
   * time.
   */
  readonly engine?: IndexEngine;
  /** Begins with a new chain. Otherwise a chain in an empty folder is the copy of one whose demo set is indexed. */
  readonly isNew?: boolean;
  /** Content of the configuration file. */
  readonly config?: object;
}

/** Starts the service on a free port and waits until it answers. */
export async function startService(options: StartOptions = {}): Promise<StartedService> {
  const { flags = [], folder, engine = folder === undefined ? "postgres" : "embedded", isNew = false } = options;
  const data = folder ?? mkdtempSync(join(tmpdir(), "tongate-service-"));
  const isEmpty = !existsSync(data) || readdirSync(data).length === 0;
  const ready =
    isEmpty && !isNew && !hasOwnBeginning(flags) ? await copyReadyNetwork(data, engine, makeNetwork) : undefined;
  const index = join(data, localName, "index");
  const hasIndex = !flags.includes("--no-index");
  if (hasIndex && engine === "embedded" && !existsSync(index)) await copyTemplate("all", index);
  const makeUrl = () => (ready === undefined ? freshUrl("all") : copyUrl(ready));
  return serve(options, data, hasIndex && engine === "postgres" ? await makeUrl() : undefined);
}

async function makeNetwork(folder: string, engine: IndexEngine): Promise<string | undefined> {
  const url = engine === "postgres" ? await freshUrl("all") : undefined;
  if (engine === "embedded") await copyTemplate("all", join(folder, localName, "index"));
  const service = await serve({ folder }, folder, url);
  await untilIndexed(service);
  await service.close();
  return url;
}

/** Waits until the index has all blocks of the demo set. */
async function untilIndexed({ origin }: StartedService): Promise<void> {
  const last = async (path: string) => Object(await (await fetch(`${origin}${path}`)).json());
  const { seqno } = (await last("/api/v2/getMasterchainInfo")).result.last;
  while (((await last("/api/v3/masterchainInfo")).last?.seqno ?? 0) < seqno) await setTimeout(50);
}

async function serve(options: StartOptions, data: string, url: string | undefined): Promise<StartedService> {
  const { flags = [], folder, config: file } = options;
  const database = url === undefined ? [] : ["--database", url];
  const terminal = recordTerminal();
  // A machine under load may take longer than users are expected to wait.
  const environment = { TONGATE_DEADLINE_MS: "300000" };
  const sources = { environment, findFile: () => (file === undefined ? undefined : JSON.stringify(file)) };
  const { config } = loadConfig(
    ["--port", "0", "--data", data, "--log-level", "error", ...database, ...flags],
    sources,
  );
  const place = { host: config.host, port: config.port, hostNames: [] };
  const plan: LocalPlan = { kind: "local", name: localName, coin: defaultCoin, listen: place };
  const wallets: ServiceWallet[] = [];
  const open: OpenPlanned = async (_plan, modules) => {
    const network = await openLocal(plan, modules);
    wallets.push(...(network.local?.wallets ?? []).map(friendlyWallet));
    return network;
  };
  const service = await serveNetworks(config, [plan], open, terminal);
  // Tests need the demo set.
  await service.prepared;
  const output = terminal.written();
  return {
    origin: service.origins[0] ?? "",
    output,
    wallets,
    wallet: (version) => getWallet(wallets, version),
    close: async () => {
      await service.close();
      if (folder === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

function friendlyWallet({ version, address, words }: OfferedWallet): ServiceWallet {
  return { version, address: formatAddress(address, { bounceable: false, testOnly: false }, "base64url"), words };
}

function getWallet(wallets: readonly ServiceWallet[], version: string): ServiceWallet {
  const found = wallets.find((wallet) => wallet.version === version);
  if (found === undefined) throw new Error(`the service has no wallet ${version}`);
  return found;
}
