import { afterAll, beforeAll, expect, it } from "vitest";
import type { StreamBlock, StreamTrace } from "../../../src/api/stream/StreamBlock.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Random, seededRandom } from "../../../src/lib/random.ts";
import { accountAt, FakeIndex, hashAt } from "../../kit/api/stream/fakeIndex.ts";
import { type Piece, readPiece } from "../../kit/api/stream/readPiece.ts";
import type { StreamJson } from "../../kit/api/stream/streamClients.ts";
import { type StreamServer, serveStreams } from "../../kit/api/stream/streamServer.ts";
import { repeats } from "../../kit/suite/everything.ts";

const blocks = repeats({ usual: 20, all: 50 });
const perBlock = 100;
const leastCuts = blocks * 10;
/** Connections until one of the servers is killed. */
const life = 50;

/** A block of a hundred transactions, each a trace of its own. */
function makeBusyBlock(mcSeqno: number): StreamBlock {
  const traces = Array.from({ length: perBlock }, (_, at): StreamTrace => {
    const key = hashAt(mcSeqno * perBlock + at);
    const owner = accountAt(at % 10);
    const shown = { account: owner, hash: key, mcSeqno, bodyHash: undefined, involved: [owner] };
    return {
      ...{ external: key, key, endLt: BigInt(mcSeqno * 1_000 + at), finality: "finalized", actions: [], tree: "{}" },
      transactions: [{ ...shown, json: `{"hash":"${key}","text":"${"ü".repeat(at % 7)}"}` }],
    };
  });
  return {
    ...{ mcSeqno, utime: mcSeqno, traces, open: [], jettons: [], states: [] },
    block: { json: `{"seqno":${mcSeqno}}`, transactions: perBlock },
    accounts: new Set(Array.from({ length: 10 }, (_, at) => accountAt(at))),
    ...{ jettonMasters: new Set(), codeHashes: new Set() },
  };
}

const index = new FakeIndex(makeBusyBlock);
const servers: StreamServer[] = [];

beforeAll(async () => {
  servers.push(await serveStreams(index), await serveStreams(index));
});
afterAll(() => Promise.all(servers.map((server) => server.kill())));

const body = { types: ["transactions", "blocks"], addresses: ["*"], cursor: true };
const isLast = ({ type, mc_block: block }: StreamJson) => type === "blocks" && Object(block).seqno === blocks;
const isEvent = ({ type }: StreamJson) => type === "transactions" || type === "blocks";

/** One connection to one of the servers, cut after a random number of bytes or messages. */
async function readCut(random: Random, cursor: string | undefined): Promise<Piece> {
  const { origin } = servers[random.int(servers.length)] ?? { origin: "" };
  const transport = (["post", "get", "ws"] as const)[random.int(3)] ?? "post";
  const max = 1 + random.int(transport === "ws" ? 18 : 3_000);
  const beginning = cursor === undefined ? { from_mc_seqno: 1 } : { after: cursor };
  return readPiece({ origin, transport, max, pauseMs: 0, body: { ...body, ...beginning }, isLast });
}

it("thousands of transactions come whole and in order over hundreds of cuts, kills and changes of the process", async () => {
  const random = seededRandom("cuts");
  const events: StreamJson[] = [];
  // The chain grows as it is read, so that some pieces are replayed, some live, and some both.
  const growing = (async () => {
    while (index.last < blocks) {
      if (events.length + perBlock > index.last * (perBlock + 1)) index.grow();
      await systemClock.sleep(2);
    }
  })();
  let cursor: string | undefined;
  let connections = 0;
  while (!events.some(isLast)) {
    if (connections % life === life - 1) {
      const at = random.int(servers.length);
      await servers[at]?.kill();
      servers[at] = await serveStreams(index);
    }
    connections += 1;
    const piece = await readCut(random, cursor);
    events.push(...piece.events.filter(isEvent));
    cursor = piece.cursor ?? cursor;
  }
  await growing;
  const whole = await readPiece({
    ...{ origin: servers[0]?.origin ?? "", transport: "post", max: Number.POSITIVE_INFINITY, pauseMs: 0 },
    ...{ body: { ...body, from_mc_seqno: 1 }, isLast },
  });
  const all = whole.events.filter(isEvent);
  expect(events).toEqual(all);
  expect(all.length).toBe(blocks * (perBlock + 1));
  expect(connections).toBeGreaterThan(leastCuts);
});
