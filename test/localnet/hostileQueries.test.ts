import { describe, expect, it } from "vitest";
import { beginCell } from "../../src/cell/Builder.ts";
import { fromHex } from "../../src/lib/bytes.ts";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import { blockIdToTl } from "../../src/lite/queries/ids.ts";
import { decodeAnswer, findServerError } from "../../src/lite/server/LiteServer.ts";
import {
  getAccountState,
  getBlockHeader,
  getBlockProof,
  getConfigParams,
  getDispatchQueueInfo,
  getDispatchQueueMessages,
  getLibraries,
  getLibrariesWithProof,
  getOutMsgQueueSizes,
  getShardInfo,
  getTransactions,
  getValidatorStats,
  lookupBlock,
  lookupBlockWithProof,
  runSmcMethod,
} from "../../src/lite/tl/liteQueries.ts";
import { decodeQuery, encodeQuery, unwrapQuery } from "../../src/lite/tl/queryEnvelope.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { isBad } from "../kit/lite/checkExchange.ts";
import { readRecorded } from "../kit/lite/recordedAnswer.ts";
import { importSplitChain, readSplitExchanges } from "../kit/localnet/splitChain.ts";

const { signal } = new AbortController();
const ledger = importSplitChain();
const server = new LocalLiteServer({
  ledger,
  runMethod: async () => ({ exitCode: 0, stack: beginCell().storeUint(0, 24).cell() }),
  submit: async () => ({ kind: "accepted" }),
});
const head = blockIdToTl(ledger.headId);
const account = { workchain: -1, id: new Uint8Array(32).fill(0x33) };
const hash = new Uint8Array(32);

/** One query of each kind whose answer depends on more than a block. */
const plain: readonly Uint8Array[] = [
  encodeQuery(getBlockHeader, { id: head, mode: 0xffff }),
  encodeQuery(getAccountState, { id: head, account }),
  encodeQuery(getShardInfo, { id: head, workchain: 0, shard: 1n << 62n, exact: false }),
  encodeQuery(getTransactions, { count: 16, account, lt: 1n, hash }),
  encodeQuery(lookupBlock, { mode: 1, id: { workchain: 0, shard: -(1n << 63n), seqno: 3 } }),
  encodeQuery(lookupBlockWithProof, { mode: 2, id: { workchain: 0, shard: 1n, seqno: 0 }, mcBlockId: head, lt: 5n }),
  encodeQuery(getBlockProof, { mode: 1, knownBlock: head, targetBlock: blockIdToTl(ledger.getMaster(3).id) }),
  encodeQuery(getConfigParams, { mode: 0x3ff, id: head, paramList: [0, 34, -1] }),
  encodeQuery(getValidatorStats, { mode: 1, id: head, limit: 3, startAfter: hash }),
  encodeQuery(getLibraries, { libraryList: [hash, hash] }),
  encodeQuery(getLibrariesWithProof, { id: head, mode: 1, libraryList: [hash] }),
  encodeQuery(getOutMsgQueueSizes, { mode: 1, wc: 0, shard: 3n << 62n }),
  encodeQuery(getDispatchQueueInfo, { mode: 3, id: head, afterAddr: hash, maxAccounts: 3 }),
  encodeQuery(getDispatchQueueMessages, { mode: 7, id: head, addr: hash, afterLt: 1n, maxMessages: 3 }),
  encodeQuery(runSmcMethod, { mode: 31, id: head, account, methodId: 1n, params: hash }),
];

const edges = [0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe];

/** Truncates, extends, flips a byte, or writes a boundary value somewhere. */
function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  const mutated = Buffer.from(bytes);
  const at = random.int(mutated.length);
  switch (random.int(6)) {
    case 0:
      return mutated.subarray(0, at);
    case 1:
      return Buffer.concat([mutated, random.bytes(1 + random.int(8))]);
    case 2:
      mutated[at] = random.int(256);
      return mutated;
    default:
      if (at + 4 <= mutated.length) mutated.writeUInt32LE(edges[random.int(edges.length)] ?? 0, at - (at % 4));
      return mutated;
  }
}

/** Expects an error, or an answer that decodes by the schema. */
async function expectAnswer(bytes: Uint8Array): Promise<void> {
  const answer = await server.ask(bytes, { signal });
  if (findServerError(answer) === undefined) decodeAnswer(decodeQuery(bytes).query, answer);
}

describe("a hostile query", () => {
  const recorded = [...readSplitExchanges(), ...readRecorded()]
    .filter((exchange) => exchange.group !== "bad" && !isBad(exchange))
    .map(({ request }) => unwrapQuery(fromHex(request)))
    .filter((bytes) => decodeQuery(bytes).wait === undefined);

  it("of each kind is answered while it is still valid", async () => {
    for (const bytes of plain) await expectAnswer(bytes);
  });

  it("never crashes the server, however it is mutated", async () => {
    const random = seededRandom("hostile questions");
    const all = [...recorded, ...plain, ...plain, ...plain];
    for (let i = 0; i < 6000; i++) {
      let bytes = all[random.int(all.length)] ?? new Uint8Array();
      for (let mutations = 1 + random.int(3); mutations > 0; mutations--)
        bytes = bytes.length === 0 ? bytes : mutate(bytes, random);
      await expectAnswer(bytes);
    }
  });

  it("of random bytes is rejected", async () => {
    const random = seededRandom("noise");
    for (let i = 0; i < 500; i++) {
      const answer = await server.ask(random.bytes(random.int(200)), { signal });
      expect(findServerError(answer)?.code).toBe(0);
    }
  });

  it("for very many items gets no more than from a node", async () => {
    const many = Array.from({ length: 40 }, (_, i) => new Uint8Array(32).fill(i));
    const libraries = await server.ask(encodeQuery(getLibraries, { libraryList: many }), { signal });
    expect(decodeAnswer(getLibraries, libraries).result).toEqual([]);
    const stats = encodeQuery(getValidatorStats, { mode: 0, id: head, limit: 0x7fffffff });
    expect(decodeAnswer(getValidatorStats, await server.ask(stats, { signal }))).toMatchObject({
      count: 2,
      complete: true,
    });
  });
});
