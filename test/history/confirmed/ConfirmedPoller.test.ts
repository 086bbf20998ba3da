import { afterEach, describe, expect, it, vi } from "vitest";
import { ConfirmedPoller } from "../../../src/history/confirmed/ConfirmedPoller.ts";
import { blockIdToTl } from "../../../src/lite/queries/ids.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { getNonfinalPendingShardBlocks } from "../../../src/lite/tl/liteQueries.ts";
import { decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { quietLog } from "../../kit/api/apiServer.ts";
import { serveChain } from "../../kit/lite/serveChain.ts";
import { type ChainKit, openChainKit, recordLog } from "../../kit/localnet/localChain.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const ledger = importSplitChain();
const recorded = new LocalLiteServer({ ledger });
const patience = { timeout: 300_000 };
const topsAt = (seqno: number) => new ChainView(ledger, ledger.getMaster(seqno).id).topIds();

/** The recorded chain as a server that reports these blocks as signed; undefined: that does not allow the query. */
function reporting(signed: () => readonly BlockIdExt[] | undefined, behind: LiteServer = recorded) {
  const asked = { pending: 0, others: 0 };
  const server: LiteServer = {
    ask: (query, options) => {
      const isPending = decodeQuery(query).query.id === getNonfinalPendingShardBlocks.id;
      asked[isPending ? "pending" : "others"]++;
      const ids = isPending ? signed() : undefined;
      if (ids === undefined) return behind.ask(query, options);
      const answer = { signedBlocks: ids.map(blockIdToTl), candidates: [] };
      return Promise.resolve(encode(getNonfinalPendingShardBlocks.answer.boxed, answer));
    },
    close: async () => {},
    destroy: () => {},
  };
  return { server, asked };
}

/** A chain that is longer than any walk. */
async function longChain(kit: ChainKit) {
  const chain = await kit.open();
  await chain.rounds(70);
  return { net: chain.net, rounds: chain.net.ledger.headId.seqno };
}

describe("a poller of signed shard blocks", () => {
  let poller: ConfirmedPoller | undefined;
  afterEach(() => poller?.close());

  function follow(
    server: LiteServer,
    known: readonly BlockIdExt[],
    clock = new ManualClock(),
    maxBytes = 64 << 20,
    log = quietLog,
  ) {
    const hashes = new Set(known.map(({ rootHash }) => rootHash));
    const taken: BlockIdExt[][] = [];
    const state = { version: 1 };
    poller = new ConfirmedPoller(200, {
      servers: [{ name: "one", server }],
      ...{ clock, log, version: () => state.version, maxBytes },
      isKnown: ({ rootHash }) => hashes.has(rootHash),
      take: async (blocks) => {
        taken.push(blocks.map(({ id }) => id));
        for (const { id } of blocks) hashes.add(id.rootHash);
      },
    });
    return { taken, clock, state, hashes, poller };
  }

  it("walks back to known blocks, also over a split, and hands each block on once, oldest first", async () => {
    // The basechain splits at block fifteen.
    const tops = topsAt(18);
    const { server } = reporting(() => tops);
    const { taken, clock, poller: started } = follow(server, topsAt(13));
    await vi.waitFor(() =>
      expect(taken.flat().map(({ rootHash }) => rootHash)).toEqual(
        expect.arrayContaining(tops.map(({ rootHash }) => rootHash)),
      ),
    );
    const seqnos = taken.map((blocks) => blocks.map(({ seqno }) => seqno));
    for (const each of seqnos) expect(each).toEqual(each.toSorted((x, y) => x - y));
    const count = taken.flat().length;
    expect(new Set(taken.flat().map(({ rootHash }) => rootHash)).size).toBe(count);
    expect(count).toBeGreaterThan(3);
    await clock.advance(1_000);
    expect([taken.flat().length, started.capable]).toEqual([count, 1]);
  });

  it("drops a block that is more than 64 after a known one, until more is known", async () => {
    const kit = await openChainKit();
    const { net, rounds } = await longChain(kit);
    try {
      const [top] = new ChainView(net.ledger).topIds();
      if (top === undefined) throw new Error("a shard expected");
      const { server, asked } = reporting(() => [top], net.lite);
      const { taken, clock, state, hashes } = follow(server, []);
      await vi.waitFor(() => expect(asked.others).toBe(64), patience);
      await clock.advance(1_000);
      expect([asked.others, taken]).toEqual([64, []]);
      const [later] = new ChainView(net.ledger, net.ledger.getMaster(rounds - 2).id).topIds();
      if (later !== undefined) hashes.add(later.rootHash);
      state.version = 2;
      await clock.advance(200);
      await vi.waitFor(() => expect(taken.flat().at(-1)).toEqual(top), patience);
      expect(taken.flat().map(({ seqno }) => seqno)).toEqual([top.seqno - 1, top.seqno]);
    } finally {
      await kit.close();
    }
  });

  it("ends a walk over more bytes than are kept, and takes at most 256 ids of an answer", async () => {
    const tops = topsAt(18);
    const [top] = tops;
    if (top === undefined) throw new Error("a shard expected");
    const invented = Array.from({ length: 300 }, (_, at) => ({
      ...top,
      rootHash: at.toString(16).padStart(64, "0") as Hash,
    }));
    const state = { signed: [top] };
    const { server, asked } = reporting(() => state.signed);
    const { clock, taken } = follow(server, topsAt(13), undefined, 10);
    // Its first block is larger.
    await vi.waitFor(() => expect(asked.others).toBe(1), patience);
    state.signed = invented;
    await clock.advance(200);
    await vi.waitFor(() => expect(asked.others).toBe(1 + 256), patience);
    await clock.advance(1_000);
    expect([asked.others, taken]).toEqual([1 + 256, []]);
  });

  it("goes on when a block is gone between two queries, and takes no block of the masterchain", async () => {
    const [top] = topsAt(18);
    if (top === undefined) throw new Error("a shard expected");
    const state = { signed: [{ ...top, rootHash: top.fileHash }, ledger.headId] };
    const { server, asked } = reporting(() => state.signed);
    const { clock, taken, poller: started } = follow(server, topsAt(17));
    await vi.waitFor(() => expect(asked.others).toBe(1), patience);
    state.signed = [top];
    await clock.advance(200);
    await vi.waitFor(() => expect(taken.flat()).toContainEqual(top), patience);
    expect([taken.flat().filter(({ workchain }) => workchain === -1), started.capable]).toEqual([[], 1]);
  });

  it("asks a server behind a socket that refuses the query once in ten minutes, and logs nothing", async () => {
    // It is not set to report signed blocks, as most nodes.
    const { server, asked } = reporting(() => undefined);
    const served = await serveChain(server);
    const log = recordLog();
    let answered = 0;
    const connected: LiteServer = {
      ...server,
      ask: (query, options) => served.connection.ask(query, options).finally(() => answered++),
    };
    try {
      const { clock, poller: started } = follow(connected, [], undefined, undefined, log);
      for (let probes = 1; probes <= 4; probes++) {
        await vi.waitFor(() => expect(answered).toBe(probes), patience);
        await clock.advance(599_000);
        expect(asked).toEqual({ pending: probes, others: 0 });
        await clock.advance(1_000);
      }
      expect([log.lines, started.capable]).toEqual([[], 0]);
    } finally {
      await poller?.close();
      await served.close();
    }
  });

  it("asks a server that does not allow the query again after ten minutes", async () => {
    const state: { signed: readonly BlockIdExt[] | undefined } = { signed: undefined };
    const { server, asked } = reporting(() => state.signed);
    const { clock, taken, poller: started } = follow(server, topsAt(13));
    await vi.waitFor(() => expect(asked.pending).toBe(1), patience);
    await clock.advance(599_000);
    expect([asked, started.capable]).toEqual([{ pending: 1, others: 0 }, 0]);
    state.signed = [];
    await clock.advance(1_000);
    await vi.waitFor(() => expect(started.capable).toBe(1), patience);
    expect(taken).toEqual([]);
  });
});
