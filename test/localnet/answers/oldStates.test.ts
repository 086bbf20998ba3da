import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { blockIdToTl, type TlBlockId } from "../../../src/lite/queries/ids.ts";
import { findServerError } from "../../../src/lite/server/LiteServer.ts";
import {
  getAccountState,
  getBlockOutMsgQueueSize,
  getBlockProof,
  getConfigAll,
  getLibrariesWithProof,
  getShardInfo,
  getValidatorStats,
  lookupBlockWithProof,
  runSmcMethod,
} from "../../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const { signal } = new AbortController();
const kit = await openChainKit();
const folder = mkdtempSync(join(tmpdir(), "tongate-old-states-"));
/** The same chain, none of whose states are read before. */
const copied = `${folder}-copied`;
let chain: TestChain;

beforeAll(async () => {
  const first = await kit.open({ folder });
  await first.rounds(60);
  await first.net.close();
  cpSync(folder, copied, { recursive: true });
  chain = await kit.open({ folder });
});
afterAll(async () => {
  await kit.close();
  for (const each of [folder, copied]) rmSync(each, { recursive: true });
});

const elector = { workchain: -1, id: new Uint8Array(32).fill(0x33) };
const user = { workchain: 0, id: new Uint8Array(32).fill(0x33) };
const hash = new Uint8Array(32);

/** Queries of an old block, each of which reads its state. */
const queries: Readonly<Record<string, (id: TlBlockId) => Uint8Array>> = {
  getAccountState: (id) => encodeQuery(getAccountState, { id, account: user }),
  runSmcMethod: (id) =>
    encodeQuery(runSmcMethod, { mode: 4, id, account: elector, methodId: 85143n, params: new Uint8Array() }),
  getShardInfo: (id) => encodeQuery(getShardInfo, { id, workchain: 0, shard: 1n << 62n, exact: false }),
  getConfigAll: (id) => encodeQuery(getConfigAll, { mode: 0, id }),
  getValidatorStats: (id) => encodeQuery(getValidatorStats, { mode: 1, id, limit: 3, startAfter: hash }),
  getLibrariesWithProof: (id) => encodeQuery(getLibrariesWithProof, { id, mode: 1, libraryList: [hash] }),
  getBlockOutMsgQueueSize: (id) => encodeQuery(getBlockOutMsgQueueSize, { mode: 1, id, wantProof: true }),
  getBlockProof: (id) =>
    encodeQuery(getBlockProof, { mode: 1, knownBlock: id, targetBlock: blockIdToTl(chain.net.ledger.getMaster(2).id) }),
  lookupBlockWithProof: (id) =>
    encodeQuery(lookupBlockWithProof, { mode: 1, id: { workchain: -1, shard: -(1n << 63n), seqno: 2 }, mcBlockId: id }),
};

// The states of a chain that was opened are not in memory: a later block needs all blocks since the last query's.
it.each(Object.entries(queries).map(([name, make], at) => [name, make, 5 + 5 * at] as const))(
  "%s makes an old state in turns",
  async (_, make, seqno) => {
    const { ledger, lite } = chain.net;
    const inTurns: string[] = [];
    const atOnce: string[] = [];
    const { state, stateInTurns } = ledger;
    const spies = [
      vi.spyOn(ledger, "stateInTurns").mockImplementation(async (id, next) => {
        const made = await stateInTurns.call(ledger, id, next);
        inTurns.push(id.rootHash);
        return made;
      }),
      vi.spyOn(ledger, "state").mockImplementation((id) => {
        if (!inTurns.includes(id.rootHash)) atOnce.push(id.rootHash);
        return state.call(ledger, id);
      }),
    ];
    const { id } = ledger.getMaster(seqno);
    try {
      expect(findServerError(await lite.ask(make(blockIdToTl(id)), { signal }))).toBeUndefined();
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(inTurns).toContain(id.rootHash);
    expect(atOnce).toEqual([]);
  },
);

it("a state that is made in turns lets others in after each block, and is the same", async () => {
  const { ledger } = chain.net;
  const { id } = ledger.getMaster(58);
  let turns = 0;
  const next = async () => void turns++;
  const made = await ledger.stateInTurns(id, next);
  expect(turns).toBeGreaterThan(4);
  expect(made).toBe(ledger.state(id));
});

it("an old state is not made any further when its client has left", async () => {
  const { net } = await kit.open({ folder: copied });
  const client = new AbortController();
  const { keepState } = net.ledger;
  let made = 0;
  const kept = vi.spyOn(net.ledger, "keepState").mockImplementation((...args) => {
    if (++made === 3) client.abort(new Error("left"));
    keepState.apply(net.ledger, args);
  });
  const query = queries.getAccountState?.(blockIdToTl(net.ledger.getMaster(55).id)) ?? new Uint8Array();
  await expect(net.lite.ask(query, { signal: client.signal })).rejects.toBeDefined();
  await new Promise(setImmediate);
  kept.mockRestore();
  expect(made).toBe(3);
  await net.close();
});
