import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/api/client/client.ts";
import type { ProofReport, TrustOptions, TrustStore } from "../../../../src/api/client/verify/TrustOptions.ts";
import { makeDictionary } from "../../../../src/cell/dictionary.ts";
import { uintKey } from "../../../../src/cell/keys.ts";
import type { Clock } from "../../../../src/lib/clock.ts";
import { isCoded } from "../../../../src/lib/errors.ts";
import { nameOfNetwork, type TrustedStart } from "../../../../src/lite/server/knownNetworks.ts";
import { signConfigChange } from "../../../../src/localnet/network/configChange.ts";
import type { BlockIdExt } from "../../../../src/model/block/BlockId.ts";
import { ValidatorDescr, type ValidatorSet } from "../../../../src/model/config/ValidatorSet.ts";
import type { Hash } from "../../../../src/model/Hash.ts";

import { openProvingClient, serveProofs } from "../../../kit/api/proofStage.ts";
import { trustOf } from "../../../kit/api/provedRecords.ts";
import { openFixtureLedger } from "../../../kit/localnet/fixtureLedger.ts";
import { openChainKit, type TestChain } from "../../../kit/localnet/localChain.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";
import { openFixtureServer } from "../../../kit/tvm/fixtureServer.ts";

/** A network behind a real server, and where its receivers begin to trust. */
interface Stage {
  readonly origin: string;
  readonly start: TrustedStart;
  readonly head: () => BlockIdExt;
  /** When the newest block was made, in milliseconds. */
  readonly headMs: () => number;
}

const kit = await openChainKit();
let chain: TestChain;
const stages: Record<string, Stage> = {};
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  chain = await kit.open();
  await chain.rounds(3);
  const { ledger } = chain.net;
  const local = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock });
  stages.local = {
    origin: local.origin,
    start: { zeroState: ledger.zero.id, initBlock: ledger.zero.id },
    head: () => ledger.headId,
    headMs: () => (ledger.head?.info.genUtime ?? 0) * 1000,
  };
  const recorded = await openFixtureServer();
  const recording = openFixtureLedger();
  stages.recorded = {
    origin: recorded.origin,
    // It has no signatures of most of its blocks.
    start: { zeroState: recording.zero.id, initBlock: recording.headId },
    head: () => recording.headId,
    headMs: () => (recording.head?.info.genUtime ?? 0) * 1000,
  };
  closing.push(local.close, recorded.close);
});

afterAll(async () => {
  for (const close of closing) await close();
  await kit.close();
});

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "proved",
    (error: unknown) => (isCoded(error) ? error.code : error),
  );
}

const stored = (zeroState: BlockIdExt, { seqno, rootHash, fileHash }: BlockIdExt): string =>
  JSON.stringify({ network: nameOfNetwork(zeroState), seqno, rootHash, fileHash });

/** A store, and what was saved in it. */
function storeOf(text?: string): TrustStore & { readonly saved: string[] } {
  const saved: string[] = [];
  return { load: () => saved.at(-1) ?? text, save: (newer) => void saved.push(newer), saved };
}

describe.each(["local", "recorded"])("a receiver over a socket, of a %s network", (kind) => {
  const at = () => stages[kind] as Stage;
  const ask = (clock: Clock, options: Partial<TrustOptions> = {}) =>
    codeOf(openProvingClient(at().origin, { start: at().start, clock, ...options })("getMasterchainInfo", {}));

  it("with a wrong clock refuses the newest block, and says which way it is wrong", async () => {
    const codes = [0, 61_000, -62_000].map((ms) => ask(new ManualClock(at().headMs() + ms)));
    expect(await Promise.all(codes)).toEqual(["proved", "verify/old-head", "verify/clock"]);
  });

  it("with an empty store begins at its init block", async () => {
    const store = storeOf();
    expect(await ask(new ManualClock(at().headMs()), { store })).toBe("proved");
    expect(store.saved).toEqual([]);
  });

  it("with a store of another network refuses before it asks", async () => {
    const zero: BlockIdExt = { ...at().start.zeroState, rootHash: "ab".repeat(32) as Hash };
    const refused = ask(new ManualClock(at().headMs()), { store: storeOf(stored(zero, at().head())) });
    expect(await refused).toBe("verify/store");
  });

  it("refuses a server of another network", async () => {
    const other = stages[kind === "local" ? "recorded" : "local"] as Stage;
    // The server proves from this block on; the receiver expects another network there.
    const start = { zeroState: other.start.zeroState, initBlock: at().start.initBlock };
    const verify = { trust: trustOf(start), maxAge: Number.POSITIVE_INFINITY };
    const client = createClient(`${at().origin}/api/v2`, { verify });
    expect(await codeOf(client.getMasterchainInfo())).toBe("verify/network");
  });

  it("is told that a server is behind the block of its store", async () => {
    const { start, head } = at();
    const ahead = { ...head(), seqno: head().seqno + 5 };
    const verify = { trust: trustOf(start), store: storeOf(stored(start.zeroState, ahead)) };
    const client = createClient(`${at().origin}/api/v2`, { verify });
    await expect(client.getMasterchainInfo()).rejects.toMatchObject({
      code: "verify/behind",
      message: expect.stringMatching(/^getMasterchainInfo: .*this server is behind the receiver: its newest block is/),
    });
  });
});

describe("a receiver whose network changed validators twice since the stored key block", () => {
  /** Gives the network other validators; the key block is a few blocks later. */
  async function electOnly(validator: (typeof chain.net.keys.validators)[number], changes: number): Promise<void> {
    const { net } = chain;
    const weight = BigInt(changes + 20);
    const { publicKey } = validator;
    const now = net.clock.seconds;
    const set: ValidatorSet = {
      ...{ kind: "extended", sinceAt: now, untilAt: now + 1_200, total: 1, main: 1, totalWeight: weight },
      list: makeDictionary(uintKey(16), ValidatorDescr, [
        [0, { kind: "withAddress", publicKey, weight, adnlAddress: validator.id }],
      ]),
    };
    await chain.submit(signConfigChange(net.keys.owner, 34, set, { seqno: changes, now }));
    await chain.rounds(3);
  }

  it("follows both sets to the newest block, keeps the newest key block, and says who signed", async () => {
    const { origin, start, headMs } = stages.local as Stage;
    const store = storeOf();
    const reports: ProofReport[] = [];
    const ask = () => {
      const verify = { trust: trustOf(start), store, onProof: (report: ProofReport) => reports.push(report) };
      return openProvingClient(origin, { start, clock: new ManualClock(headMs()), ...verify })("getShards", {
        seqno: chain.net.ledger.headId.seqno,
      });
    };
    await ask();
    const [, second, third] = chain.net.keys.validators;
    await electOnly(second, 0);
    await electOnly(third, 1);
    await ask();
    await ask();
    const keys = chain.net.ledger.keySeqnos;
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(store.saved.map((text) => JSON.parse(text).seqno)).toEqual([keys.at(-1)]);
    const { bytes: _bytes, ms: _ms, ...last } = reports[2] as ProofReport;
    const { seqno, rootHash } = chain.net.ledger.headId;
    expect(last).toEqual({
      ...{ operation: "getShards", seqno, rootHash, madeAt: headMs() / 1000, since: keys.at(-1) },
      signedBy: { signatures: 1, weight: 21n, totalWeight: 21n },
    });
    expect(reports.map(({ since }) => since)).toEqual([0, 0, keys.at(-1)]);
    expect(reports.map(({ signedBy }) => signedBy?.totalWeight)).toEqual([17n, 21n, 21n]);
  });
});
