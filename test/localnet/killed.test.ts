import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { fromBase64 } from "../../src/lib/bytes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { seededRandom, systemRandom } from "../../src/lib/random.ts";
import { blockIdFromTl } from "../../src/lite/queries/ids.ts";
import { TrustedChain } from "../../src/lite/queries/TrustedChain.ts";
import { LiteConnection } from "../../src/lite/server/LiteConnection.ts";
import { ask } from "../../src/lite/server/LiteServer.ts";
import { getMasterchainInfo } from "../../src/lite/tl/liteQueries.ts";
import type { BlockIdExt } from "../../src/model/block/BlockId.ts";
import { type Hash, hashFromBytes } from "../../src/model/Hash.ts";
import { checkBlocks } from "../kit/localnet/checkDelivery.ts";
import { type ChainKit, openChainKit } from "../kit/localnet/localChain.ts";
import { testSeed } from "../kit/localnet/testKeys.ts";
import { repeats } from "../kit/suite/everything.ts";

let app: CompiledApp;
let kit: ChainKit;
let folder: string;
/** The folder of the chain in `--data`. */
let chainFolder: string;
beforeAll(async () => {
  app = await compileApp();
  kit = await openChainKit();
  folder = mkdtempSync(join(tmpdir(), "tongate-killed-"));
  chainFolder = join(folder, "localnet");
});
afterAll(async () => {
  await kit.close();
  rmSync(folder, { recursive: true });
});

const { signal } = new AbortController();

/** Each is a start of the program. */
const lives = repeats({ usual: 2, all: 3 });

interface RunningApp {
  readonly process: ChildProcess;
  readonly connection: LiteConnection;
  readonly output: () => string;
}

/** Starts the program with traffic and connects through the configuration that it writes. */
async function start(): Promise<RunningApp> {
  const flags = ["--data", folder, "--port", "0", "--seed", testSeed, "--block-ms", "200", "--traffic", "15"];
  const child = spawn(process.execPath, [app.cli, "localnet", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes("Ctrl-C stops it.")) break;
  }
  child.stdout.on("data", (text: string) => {
    output += text;
  });
  const config = JSON.parse(readFileSync(join(chainFolder, "global.config.json"), "utf8")) as {
    readonly liteservers: readonly [{ readonly port: number; readonly id: { readonly key: string } }];
  };
  const [{ port, id }] = config.liteservers;
  const address = { host: "127.0.0.1", port, publicKey: fromBase64(id.key) };
  const connection = new LiteConnection(address, { clock: systemClock, random: systemRandom });
  return { process: child, connection, output: () => output };
}

describe("a network that is killed", () => {
  it("loses no published block, whenever it happens", async () => {
    const random = seededRandom("killed");
    const blockIdExts = new Map<Hash, BlockIdExt>();
    for (let life = 0; life < lives; life++) {
      const running = await start();
      for (const enough = blockIdExts.size + 3 + random.int(6); blockIdExts.size < enough; ) {
        const { last } = await ask(running.connection, getMasterchainInfo, {}, { signal });
        blockIdExts.set(hashFromBytes(last.rootHash), blockIdFromTl(last));
      }
      await systemClock.sleep(random.int(200));
      running.process.kill("SIGKILL");
      await once(running.process, "exit");
      await running.connection.close();
      const { net } = await kit.open({ folder: chainFolder });
      for (const id of blockIdExts.values()) expect(net.ledger.findBlock(id)?.id).toEqual(id);
      await net.close();
    }
  });

  it("is still the same network, and stops on request", async () => {
    const running = await start();
    const { net } = await kit.open();
    const other = net.ledger.zero.id;
    const last = blockIdFromTl((await ask(running.connection, getMasterchainInfo, {}, { signal })).last);
    await running.connection.close();
    running.process.kill("SIGINT");
    expect(await once(running.process, "exit")).toEqual([0, null]);
    expect(running.output()).toMatch(/stopped\n$/);
    expect(running.output().replaceAll(/\s+/g, " ")).toContain(kit.keys.wallets[0]?.words.join(" "));
    const again = await kit.open({ folder: chainFolder });
    const { ledger, lite } = again.net;
    expect(ledger.zero.id).not.toEqual(other);
    const chain = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    expect((await chain.prove(lite, last, { signal })).block).toEqual(last);
    checkBlocks(ledger);
  });
});
