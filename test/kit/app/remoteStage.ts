import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTemplate } from "../../../kit/history/databaseTemplate.ts";
import { type AppConfig, loadConfig, systemSources } from "../../../src/app/config.ts";
import { indexLocation } from "../../../src/app/networks/indexLocation.ts";
import { networkName } from "../../../src/app/networks/planNetworks.ts";
import type { Service } from "../../../src/app/service/serveNetworks.ts";
import { serveConfigured } from "../../../src/app/start/serve.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { formatJson, type JsonInput, parseJson } from "../../../src/lib/json.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { formatGlobalConfig } from "../../../src/localnet/network/globalConfig.ts";
import { Localnet } from "../../../src/localnet/network/Localnet.ts";
import type { LocalnetOptions } from "../../../src/localnet/network/LocalnetOptions.ts";
import type { NetworkKeys } from "../../../src/localnet/wallets/networkKeys.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { quietLog } from "../api/apiServer.ts";
import { type ServedChain, serveChain } from "../lite/serveChain.ts";
import { type HeldMasters, holdMasters } from "../localnet/heldMasters.ts";
import { testKeys, testSeed } from "../localnet/testKeys.ts";
import { recordTerminal } from "../suite/recordTerminal.ts";

export interface Answer {
  readonly status: number;
  readonly body: { readonly ok?: boolean; readonly result?: unknown; readonly error?: string } & Record<
    string,
    unknown
  >;
}

/** A started service and its terminal output. */
export interface TestService extends Service {
  readonly written: () => string;
  /** Sends a request to one of its networks, by default the first. */
  ask(
    path: string,
    options?: { readonly at?: number; readonly key?: string; readonly body?: unknown },
  ): Promise<Answer>;
}

/** Networks behind real lite servers on loopback, and services over them; `close` closes all of them. */
export class RemoteStage {
  readonly folder = mkdtempSync(join(tmpdir(), "tongate-remote-"));
  readonly #executor: LiveExecutor;
  /** Stops the rounds of its chains before their masterchain blocks. */
  readonly masters: HeldMasters;
  readonly #keys: NetworkKeys;
  readonly #closers: (() => Promise<void>)[] = [];

  private constructor(executor: LiveExecutor, keys: NetworkKeys) {
    this.#executor = executor;
    this.masters = holdMasters(executor);
    this.#keys = keys;
  }

  static async open(): Promise<RemoteStage> {
    return new RemoteStage(await openExecutor({}, { clock: systemClock }), await testKeys());
  }

  /** A stage with one chain, and a lite server of it. */
  static async openServed() {
    const stage = await RemoteStage.open();
    const net = await stage.openNet();
    return { stage, net, server: await stage.openServer(net.lite) };
  }

  /** A chain that makes blocks only on request; its clock may be ahead. */
  async openNet(aheadMs = 0, { shards = 1 }: Pick<LocalnetOptions, "shards"> = {}): Promise<Localnet> {
    const options = { seed: testSeed, pace: { kind: "manual" as const }, keys: this.#keys, shards };
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const net = await Localnet.open(options, { clock, executor: this.masters, log: quietLog });
    this.#closers.push(() => net.close());
    return net;
  }

  /** Serves a lite server on its own port. */
  async openServer(lite: LiteServer): Promise<ServedChain> {
    const served = await serveChain(lite);
    this.#closers.push(() => served.close());
    return served;
  }

  /** Writes a global config that lists these servers; returns its path. */
  writeGlobalConfig(name: string, net: Localnet, servers: readonly Pick<ServedChain, "port" | "publicKey">[]): string {
    const path = join(this.folder, name);
    const zeroState = net.ledger.zero.id;
    const [first, ...others] = servers.map(({ port, publicKey }) =>
      Object(parseJson(formatGlobalConfig({ zeroState, host: "127.0.0.1", port, publicKey }))),
    );
    const liteservers = [first, ...others].flatMap((config) => config.liteservers);
    writeFileSync(path, formatJson({ ...first, liteservers } as JsonInput));
    return path;
  }

  write(name: string, value: unknown): string {
    const path = join(this.folder, name);
    writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
    return path;
  }

  /** Starts the service like the command; by default without limits and index, and with a long head age limit. */
  async serve(args: readonly string[]): Promise<TestService> {
    const terminal = recordTerminal();
    const sources = { environment: {}, findFile: systemSources.findFile };
    const usual = ["--port", "0", "--data", join(this.folder, "data"), "--log-level", "silent"];
    const { config } = loadConfig(
      [...usual, "--limits", "off", "--no-index", "--max-head-age-ms", "86400000", ...args],
      sources,
    );
    await makeDatabases(config);
    const service = await serveConfigured(config, terminal);
    this.#closers.push(() => service.close());
    return {
      ...service,
      written: terminal.written,
      ask: (path, { at = 0, key, body } = {}) =>
        askHttp(`${service.origins[at]}${path}`, { ...(key === undefined ? {} : { "x-api-key": key }) }, body),
    };
  }

  async close(): Promise<void> {
    this.masters.release();
    for (const close of this.#closers.reverse()) await close();
    await this.#executor.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** To make the files of a built-in database takes seconds of CPU time. */
async function makeDatabases(config: AppConfig): Promise<void> {
  for (const given of config.index ? config.network : []) {
    const location = indexLocation(config, { name: networkName(given, config.networks) });
    if (location.kind === "embedded" && !existsSync(location.folder)) await copyTemplate("all", location.folder);
  }
}

export async function askHttp(url: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}
