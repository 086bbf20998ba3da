import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/api/client/client.ts";
import type { ProofReport, TrustOptions, TrustStore } from "../../../../src/api/client/verify/TrustOptions.ts";
import { makeDictionary } from "../../../../src/cell/dictionary.ts";
import { uintKey } from "../../../../src/cell/keys.ts";
import { fromBase64, toBase64, toHex } from "../../../../src/lib/bytes.ts";
import type { Clock } from "../../../../src/lib/clock.ts";
import { isCoded } from "../../../../src/lib/errors.ts";
import { nameOfNetwork, type TrustedStart } from "../../../../src/lite/server/knownNetworks.ts";
import { getBlockProof } from "../../../../src/lite/tl/liteQueries.ts";
import { decodeQuery } from "../../../../src/lite/tl/queryEnvelope.ts";
import { decode, encode, type TlValue } from "../../../../src/lite/tl/types.ts";
import { signConfigChange } from "../../../../src/localnet/network/configChange.ts";
import type { BlockIdExt } from "../../../../src/model/block/BlockId.ts";
import { ValidatorDescr, type ValidatorSet } from "../../../../src/model/config/ValidatorSet.ts";
import type { Hash } from "../../../../src/model/Hash.ts";

import { type Lie, openProvingClient, serveProofs } from "../../../kit/api/proofStage.ts";
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
      message: `getMasterchainInfo: this server is behind the receiver: its newest block is ${head().seqno}, and the proof was to begin at ${ahead.seqno}`,
    });
  });
});

type Elected = readonly [validator: (typeof chain.net.keys.validators)[number], weight: bigint];
let changes = 0;

/** Gives the network other validators; the key block is a few blocks later. */
async function elect(...validators: readonly Elected[]): Promise<void> {
  const { net } = chain;
  const now = net.clock.seconds;
  const { length } = validators;
  const totalWeight = validators.reduce((sum, [, weight]) => sum + weight, 0n);
  const set: ValidatorSet = {
    ...{ kind: "extended", sinceAt: now, untilAt: now + 1_200, total: length, main: length, totalWeight },
    list: makeDictionary(
      uintKey(16),
      ValidatorDescr,
      validators.map(([{ publicKey, id }, weight], i) => [
        i,
        { kind: "withAddress", publicKey, weight, adnlAddress: id } as const,
      ]),
    ),
  };
  await chain.submit(signConfigChange(net.keys.owner, 34, set, { seqno: changes, now }));
  changes += 1;
  await chain.rounds(3);
}

describe("a receiver whose network changed validators twice since the stored key block", () => {
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
    await elect([second, 20n]);
    await elect([third, 21n]);
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

type Links = TlValue<typeof getBlockProof.answer>;

/** The newest block without the signature of a validator. */
function withoutSigner(links: Links, signer: Hash): Links {
  const steps = links.steps.map((step, i) => {
    if (step.kind !== "forward" || i < links.steps.length - 1) return step;
    const signatures = step.signatures.signatures.filter(({ nodeIdShort }) => toHex(nodeIdShort) !== signer);
    return { ...step, signatures: { ...step.signatures, signatures } };
  });
  return { ...links, steps };
}

describe("a receiver of blocks that several validators sign", () => {
  const unsignedBy =
    (signer: Hash): Lie =>
    ({ result, proof }) => {
      const { boxed } = getBlockProof.answer;
      const answers = proof.answers.map(([query, answer]) => {
        if (decodeQuery(fromBase64(query)).query.id !== getBlockProof.id) return [query, answer] as const;
        const links = decode(boxed, fromBase64(answer)) as Links;
        return [query, toBase64(encode(boxed, withoutSigner(links, signer)))] as const;
      });
      return { result, proof: { ...proof, answers } };
    };

  it("accepts more than two thirds of their weight, and refuses a fork that two thirds or fewer signed", async () => {
    const { origin, start, headMs } = stages.local as Stage;
    const [, second, third] = chain.net.keys.validators;
    const outcomes: unknown[] = [];
    for (const weight of [2n, 3n]) {
      await elect([second, weight], [third, 1n]);
      for (const lie of [undefined, unsignedBy(third.id), unsignedBy(second.id)]) {
        // Each one proves the newest block itself.
        const client = openProvingClient(origin, { start, clock: new ManualClock(headMs()) });
        outcomes.push(await codeOf(client("getMasterchainInfo", {}, lie)));
      }
    }
    expect(outcomes).toEqual([
      ...["proved", "verify/weight", "verify/weight"],
      ...["proved", "proved", "verify/weight"],
    ]);
  });
});
