import { describe, expect, it } from "vitest";
import { readRoot } from "../../../../src/cell/boc.ts";
import { loadCell } from "../../../../src/cell/codec.ts";
import { LiteError } from "../../../../src/lite/errors.ts";
import { blockIdFromTl } from "../../../../src/lite/queries/ids.ts";
import type { AskOptions, LiteServer } from "../../../../src/lite/server/LiteServer.ts";
import { getBlock, getState, lookupBlockWithProof } from "../../../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../../../src/lite/tl/liteRecords.ts";
import { decodeQuery } from "../../../../src/lite/tl/queryEnvelope.ts";
import { decode, encode } from "../../../../src/lite/tl/types.ts";
import type { Ledger } from "../../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../../src/localnet/network/LocalLiteServer.ts";
import { Block } from "../../../../src/model/block/Block.ts";
import { type BlockIdExt, masterchain } from "../../../../src/model/block/BlockId.ts";
import { checkBlocks } from "../../../kit/history/checkIngest.ts";
import { ingestAll, listBatches, noEnd, once, openLedgerSource } from "../../../kit/history/ingestStage.ts";
import { openFixtureLedger } from "../../../kit/localnet/fixtureLedger.ts";
import { growSplitChain, importSplitChain } from "../../../kit/localnet/splitChain.ts";

const chain = openFixtureLedger();
const split = importSplitChain();

/** Answers queries for blocks and zero states in its own way; for `undefined` the ledger answers. */
type Mutation = (id: BlockIdExt, honest: () => Promise<Uint8Array>) => Promise<Uint8Array> | undefined;

class MutatingServer implements LiteServer {
  readonly #honest: LocalLiteServer;
  readonly #mutate: Mutation;
  readonly asked: string[] = [];

  constructor(ledger: Ledger, mutate: Mutation) {
    this.#honest = new LocalLiteServer({ ledger });
    this.#mutate = mutate;
  }

  async ask(bytes: Uint8Array, options: AskOptions): Promise<Uint8Array> {
    const { query, args } = decodeQuery(bytes);
    this.asked.push(query.name);
    const honest = (): Promise<Uint8Array> => this.#honest.ask(bytes, options);
    if (query.id !== getBlock.id && query.id !== getState.id) return honest();
    const { id } = args as { readonly id: Parameters<typeof blockIdFromTl>[0] };
    return this.#mutate(blockIdFromTl(id), honest) ?? honest();
  }

  close(): Promise<void> {
    return this.#honest.close();
  }

  destroy(reason: LiteError): void {
    this.#honest.destroy(reason);
  }
}

/** The answer with one flipped bit in the block's bytes. */
async function mutatedBytes(honest: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const answer = decode(getBlock.answer.boxed, await honest());
  const data = Uint8Array.from(answer.data);
  data[data.length >> 1] = (data[data.length >> 1] ?? 0) ^ 1;
  return encode(getBlock.answer.boxed, { ...answer, data });
}

function readFrom(server: LiteServer, ledger: Ledger) {
  return listBatches(openLedgerSource(ledger, once, server).batches({ from: 1, to: ledger.headId.seqno }, noEnd));
}

describe("batches of a source", () => {
  it.each([
    ["one shard", chain],
    ["a shard that is split", split],
  ] as const)("contain every block once, with the block that commits it: %s", async (_name, ledger) => {
    const { steps } = await ingestAll(ledger);
    expect(steps.map(({ batch }) => batch.mcSeqno)).toEqual(
      Array.from({ length: ledger.headId.seqno }, (_, i) => i + 1),
    );
    checkBlocks(ledger, steps);
  });

  it("are the same wherever reading starts", async () => {
    const whole = await listBatches(openLedgerSource(split).batches({ from: 1, to: 40 }, noEnd));
    const ids = (batches: typeof whole) =>
      batches.map(({ mcSeqno, master, shardBlocks, tops, globalVersion }) => ({
        ...{ mcSeqno, master: master.id, shardBlocks: shardBlocks.map(({ id }) => id), tops, globalVersion },
      }));
    for (const from of [2, 14, 15, 16, 17, 40]) {
      const part = await listBatches(openLedgerSource(split).batches({ from, to: 40 }, noEnd));
      expect(ids(part)).toEqual(ids(whole.slice(from - 1)));
    }
  });

  it("have the global version of the configuration, not that of the collator's software", async () => {
    const [batch] = await listBatches(openLedgerSource(chain).batches({ from: 2, to: 2 }, noEnd));
    const software = loadCell(Block, chain.root(chain.getMaster(2))).info.load().genSoftware?.version;
    expect(batch?.globalVersion).toBeLessThanOrEqual(software ?? 0);
    expect(batch?.globalVersion).toBeGreaterThan(0);
  });

  it("are as many as fit, and one by one if none fits", async () => {
    for (const options of [
      { ...once, ahead: 1 },
      { ...once, ahead: 100 },
      { ...once, aheadBytes: 1 },
    ]) {
      const batches = await listBatches(openLedgerSource(split, options).batches({ from: 1, to: 12 }, noEnd));
      expect(batches.map(({ mcSeqno }) => mcSeqno)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }
  });

  it("follow a chain that grows", async () => {
    const growing = growSplitChain(10);
    const end = new AbortController();
    const seen: number[] = [];
    for await (const { mcSeqno } of openLedgerSource(growing.ledger).batches({ from: 8 }, end.signal)) {
      seen.push(mcSeqno);
      if (mcSeqno >= 10 && mcSeqno < 18) growing.grow();
      if (mcSeqno === 18) break;
    }
    expect(seen).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
  });

  it("end with the reason of the signal", async () => {
    const end = new AbortController();
    const batches = openLedgerSource(chain).batches({ from: chain.headId.seqno }, end.signal);
    expect((await batches.next()).done).toBe(false);
    const next = batches.next();
    end.abort(new LiteError("lite/closed", "enough"));
    await expect(next).rejects.toMatchObject({ code: "lite/closed" });
  });

  it("start with block 1", async () => {
    await expect(listBatches(openLedgerSource(chain).batches({ from: 0, to: 3 }, noEnd))).rejects.toMatchObject({
      code: "history/request",
    });
  });
});

describe("a source", () => {
  it("rejects blocks with changed bytes", async () => {
    for (const workchain of [masterchain, 0]) {
      const server = new MutatingServer(split, (id, honest) =>
        id.workchain === workchain && id.seqno === 7 ? mutatedBytes(honest) : undefined,
      );
      await expect(readFrom(server, split)).rejects.toMatchObject({ code: "lite/proof" });
    }
  });

  it("rejects another block of the same shard", async () => {
    const other = split.findBySeqno({ workchain: 0, shard: 1n << 63n, seqno: 5 });
    if (other === undefined) throw new Error("no block");
    const server = new MutatingServer(split, (id, honest) => {
      if (id.workchain !== 0 || id.seqno !== 6) return undefined;
      const swap = async (): Promise<Uint8Array> => {
        const answer = decode(getBlock.answer.boxed, await honest());
        return encode(getBlock.answer.boxed, { ...answer, data: other.bytes });
      };
      return swap();
    });
    await expect(readFrom(server, split)).rejects.toMatchObject({ code: "lite/proof" });
  });

  it("fails with the server's error when a block is missing", async () => {
    const complaint = encode(serverError.boxed, { code: 651, message: "block is not in db" });
    const server = new MutatingServer(split, ({ workchain, seqno }) =>
      workchain === 0 && seqno === 9 ? Promise.resolve(complaint) : undefined,
    );
    await expect(readFrom(server, split)).rejects.toMatchObject({ code: "lite/server" });
  });

  const soon = { firstMs: 1, factor: 1, maxMs: 1 };

  it("starts with the zero states, without those that no server has", async () => {
    const read = async (mutate: Mutation) => {
      const source = openLedgerSource(split, { backoff: soon }, new MutatingServer(split, mutate));
      return listBatches(source.batches({ from: 1, to: 3 }, noEnd));
    };
    const zeroIds = (batches: Awaited<ReturnType<typeof read>>) =>
      batches.map(({ zeroStates }) => zeroStates?.map(({ id }) => id.rootHash).sort());
    const all = await read(() => undefined);
    expect(zeroIds(all)).toEqual([split.zeroStates.map(({ id }) => id.rootHash).sort(), [], []]);
    const complaint = encode(serverError.boxed, { code: 651, message: "not in db" });
    const without = await read(({ seqno }) => (seqno === 0 ? Promise.resolve(complaint) : undefined));
    expect(zeroIds(without)).toEqual([[], [], []]);
    expect(without.map(({ master }) => master.id)).toEqual(all.map(({ master }) => master.id));
    const forgery = async (honest: () => Promise<Uint8Array>) => {
      const answer = decode(getState.answer.boxed, await honest());
      return encode(getState.answer.boxed, {
        ...answer,
        data: answer.data.map((byte, at) => (at === 90 ? byte ^ 1 : byte)),
      });
    };
    await expect(read(({ seqno }, honest) => (seqno === 0 ? forgery(honest) : undefined))).rejects.toMatchObject({
      code: "lite/proof",
    });
  });

  it("retries failed queries, and returns what it read before a failure", async () => {
    let failures = 2;
    const server = new MutatingServer(split, ({ workchain, seqno }) => {
      if (workchain !== 0 || seqno !== 9 || failures === 0) return undefined;
      failures--;
      return Promise.reject(new LiteError("lite/lost", "gone"));
    });
    const patient = { attempts: 3, backoff: soon };
    const source = openLedgerSource(split, patient, server);
    const batches = await listBatches(source.batches({ from: 1, to: 20 }, noEnd));
    expect(batches).toHaveLength(20);
    expect(source.counters().repeated).toBe(2);
  });

  it("fetches every block once, and looks up one masterchain block in four, which names those before it", async () => {
    const server = new MutatingServer(split, () => undefined);
    const batches = await readFrom(server, split);
    const blocks = batches.reduce((sum, { shardBlocks }) => sum + 1 + shardBlocks.length, 0);
    expect(server.asked.filter((name) => name === getBlock.name)).toHaveLength(blocks);
    expect(server.asked.filter((name) => name === lookupBlockWithProof.name)).toHaveLength(
      Math.floor((batches.length - 1) / 4),
    );
    for (const { master } of batches)
      expect(readRoot(split.getMaster(master.id.seqno).bytes).hash()).toBe(master.root.hash());
  });
});
