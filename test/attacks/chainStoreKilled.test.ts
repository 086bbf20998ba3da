import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveProcess } from "../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { type KillPoint, killVariable } from "../../kit/suite/killSwitch.ts";
import { systemFiles } from "../../src/lib/files/FileSystem.ts";
import { usualSeed as seed } from "../../src/localnet/genesis/usualWallets.ts";
import { inspectChain } from "../../src/localnet/store/inspectChain.ts";
import { deriveKeys, type NetworkKeys } from "../../src/localnet/wallets/networkKeys.ts";
import { type ChainKit, openChainKit } from "../kit/localnet/localChain.ts";
import { repeats } from "../kit/suite/everything.ts";

/** Each is a start of the program. */
const stride = repeats({ usual: 12, all: 7 });
const flags = ["--no-index", "--demo", "off", "--block-ms", "3600000", "--lite-port", "off"];

let app: CompiledApp;
let kit: ChainKit;
let keys: NetworkKeys;
let place: string;
let template: string;
/** The newest blocks of the snapshot and of the chain. */
let kept: number;
let newest: number;

async function post(origin: string, name: string, args: object): Promise<number> {
  const response = await fetch(`${origin}/localnet/${name}`, { method: "POST", body: JSON.stringify(args) });
  const { result } = Object(await response.json());
  return Number(result?.mc_seqno ?? result?.seqno);
}

beforeAll(async () => {
  app = await compileApp();
  [kit, keys] = await Promise.all([openChainKit(), deriveKeys(seed)]);
  place = mkdtempSync(join(tmpdir(), "tongate-killed-restore-"));
  template = join(place, "template");
  const served = await serveProcess(app, ["--data", template, ...flags]);
  kept = await post(served.origin, "makeSnapshot", { name: "early" });
  for (let i = 0; i < 3; i++) await post(served.origin, "block", {});
  await served.stop();
  newest = (await inspectChain(join(template, "localnet"), systemFiles)).seqno;
  expect(newest).toBe(kept + 3);
});
afterAll(async () => {
  await kit.close();
  rmSync(place, { recursive: true, force: true });
});

/** Restores the snapshot in a process that kills itself at a change of names; returns whether it did. */
async function restoreKilled(data: string, nth: number): Promise<boolean> {
  const point: KillPoint = { kind: "names", folder: join(data, "localnet"), nth, moment: nth % 2 ? "before" : "after" };
  const environment = { [killVariable]: JSON.stringify(point), NODE_OPTIONS: `--import=${app.killSwitch}` };
  const served = await serveProcess(app, ["--data", data, ...flags], { environment }).catch(() => undefined);
  if (served === undefined) return true;
  const restored = await post(served.origin, "restoreSnapshot", { name: "early" }).catch(() => undefined);
  await served.kill();
  return restored === undefined;
}

describe("a process that is killed while it restores a snapshot", () => {
  it("leaves a chain that the next start continues: the old one or that of the snapshot", async () => {
    const heads = new Set<number>();
    let isKilled = true;
    for (let nth = 1; isKilled; nth += stride) {
      const data = join(place, `life-${nth}`);
      cpSync(template, data, { recursive: true });
      isKilled = await restoreKilled(data, nth);
      // Without the rest of the program, which takes most of a start.
      const chain = await kit.open({ folder: join(data, "localnet"), seed, keys });
      const { seqno } = chain.net.ledger.headId;
      expect([nth, [kept, newest].includes(seqno)]).toEqual([nth, true]);
      heads.add(seqno);
      await chain.rounds(1);
      expect([nth, chain.net.ledger.headId.seqno]).toEqual([nth, seqno + 1]);
      await chain.net.close();
      rmSync(data, { recursive: true });
    }
    expect(heads).toEqual(new Set([kept, newest]));
  });
});
