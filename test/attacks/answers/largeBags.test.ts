import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { LoopWatch } from "../../../kit/attacks/LoopWatch.ts";
import { endpointsOver } from "../../../src/api/declare/endpoint.ts";
import { defaultAnswerLimits } from "../../../src/api/http/answers/AnswerWriter.ts";
import { liteApi } from "../../../src/api/lite/envelope.ts";
import type { V2Services } from "../../../src/api/v2/declare.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { libraryResult } from "../../../src/api/v2/shapes/cells.ts";
import { dnsResolved } from "../../../src/api/v2/shapes/dns.ts";
import { base64, maybeBag, boc as v2Boc } from "../../../src/api/v2/shapes/ids.ts";
import { addressInfo } from "../../../src/api/v3/shapes/legacy.ts";
import { orderAction } from "../../../src/api/v3/shapes/orderActions.ts";
import { boc as v3Boc } from "../../../src/api/v3/shapes/scalars.ts";
import { type BocForm, crcForm, plainForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { writeMixed } from "../../../src/lib/kit/deferredJson.ts";
import type { Steps } from "../../../src/lib/sharing/steps.ts";
import { getTime } from "../../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { openApiServer } from "../../kit/api/apiServer.ts";
import { atThisSpeed } from "../../kit/attacks/atThisSpeed.ts";
import { longestStepMs } from "../../kit/attacks/longestStepMs.ts";
import { makeCellTree } from "../../kit/cell/cellTrees.ts";

/*
 * A contract decides how many cells an answer shows, not how long others wait: nothing takes over 10 ms in one piece.
 */

const pieceMs = 10;
const cells = 30_000;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/**
 * The best of several, or the first that is good: the first ones also compile the code, and a collection is not work of
 * the program.
 */
async function bestMs(work: (salt: number) => Promise<number> | number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let salt = 1; salt <= 5 && best >= atThisSpeed(pieceMs); salt++) best = Math.min(best, await work(salt));
  return best;
}

const unknownRecord = (cell: Cell) => [{ name: "x", category: zeroHash, record: { kind: "unknown", cell } as const }];
const unknownAction = (data: Cell) => ({
  ...{ destination: undefined, value: 0n, body: data, sendMode: 0 },
  content: { kind: "parsed", body: { kind: "unknown", opcode: 0, data } } as const,
});
const account = (data: Uint8Array) => ({
  ...{ balance: 0n, lastLt: 0n, lastHash: zeroHash, status: "active", code: undefined, data, frozenHash: undefined },
  isSuspended: false,
});

/** The forms that show cells: the form of their bags, and how each encodes a tree. */
const forms: Readonly<Record<string, readonly [BocForm, (tree: Cell) => unknown]>> = {
  "a cell of v2": [crcForm, (tree) => v2Boc.encode(tree)],
  "a record of a domain": [plainForm, (tree) => dnsResolved.encode(unknownRecord(tree))],
  "a library": [plainForm, (tree) => libraryResult.encode([{ hash: zeroHash, cell: tree }])],
  "an action of an order": [crcForm, (tree) => orderAction.encode(unknownAction(tree))],
};

const storedForms: Readonly<Record<string, (bag: Uint8Array) => unknown>> = {
  "code of v2": (bag) => maybeBag.encode(bag),
  "a block of v2": (bag) => base64.encode(bag),
  "a bag of v3": (bag) => v3Boc.encode(bag),
  "an account of v3": (bag) => addressInfo.encode(account(bag)),
};

/** The steps of encoding and of writing what is encoded. */
function* writeAll(encode: () => unknown): Steps<void> {
  const sink = { add: () => undefined, maxPartBytes: 1 << 30, texts: new Map() };
  yield* writeMixed(sink, encode());
}

describe("a large tree of cells", () => {
  it.each(Object.entries(forms))("is encoded in short steps to the same text as %s", async (_, [form, encode]) => {
    const made = makeCellTree(cells, 9);
    expect(JSON.stringify(encode(made))).toContain(`"${writeBoc(made, form).toString("base64")}"`);
    const worstMs = await bestMs((salt) => {
      const tree = makeCellTree(cells, salt);
      return longestStepMs(writeAll(() => encode(tree)));
    });
    expect(worstMs).toBeLessThan(atThisSpeed(pieceMs));
  });

  it.each(Object.entries(storedForms))("that is stored is encoded in short steps as %s", async (_, encode) => {
    const bytes = Buffer.alloc(100_000, "some bytes");
    expect(JSON.stringify(encode(bytes))).toContain(`"${bytes.toString("base64")}"`);
    const large = Buffer.alloc(64 << 20, "more bytes");
    expect(await bestMs(() => longestStepMs(writeAll(() => encode(large))))).toBeLessThan(atThisSpeed(pieceMs));
  });

  it.each(["identity", "gzip"])("is served in short pieces with the encoding %s", async (encoding) => {
    const endpoint = endpointsOver<undefined>();
    const tree = makeCellTree(cells, 3);
    const large = endpoint({ name: "large", tag: "attack", summary: "", args: {}, result: v2Boc, run: () => tree });
    const server = await openApiServer({ ...v2Api, endpoints: [large] }, undefined, { answers: defaultAnswerLimits });
    const watch = new LoopWatch();
    closers.push(
      () => watch.stop(),
      () => server.destroy(),
    );

    const worstMs = await bestMs(async () => {
      watch.takeWorstMs();
      const client = connect(server.port, "127.0.0.1");
      client.write(
        `GET /api/v2/large HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
      );
      let bytes = 0;
      client.on("data", (data) => {
        bytes += data.length;
      });
      await once(client, "close");
      expect(bytes).toBeGreaterThan(100_000);
      return watch.takeWorstMs();
    });
    expect(worstMs).toBeLessThan(atThisSpeed(pieceMs));
  });
});

describe("a large answer of a lite server", () => {
  it("is served as bytes in short pieces", async () => {
    const answer = Buffer.alloc(16 << 20, "some bytes");
    const lite = { ask: async () => answer, close: async () => {}, destroy: () => {} };
    const chains = { open: () => ({ server: lite, askedServers: () => [] }) } as unknown as V2Services["chains"];
    const server = await openApiServer(liteApi, { isLive: () => true, chains }, { answers: defaultAnswerLimits });
    const watch = new LoopWatch();
    closers.push(
      () => watch.stop(),
      () => server.destroy(),
    );
    const query = encodeQuery(getTime, {});
    const head = `POST /api/lite/v1/query HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: ${query.length}\r\nConnection: close\r\n\r\n`;

    const worstMs = await bestMs(async () => {
      watch.takeWorstMs();
      const client = connect(server.port, "127.0.0.1");
      client.write(Buffer.concat([Buffer.from(head), query]));
      let bytes = 0;
      client.on("data", (data) => {
        bytes += data.length;
      });
      await once(client, "close");
      expect(bytes).toBeGreaterThan(answer.length);
      return watch.takeWorstMs();
    });
    expect(worstMs).toBeLessThan(atThisSpeed(pieceMs));
  });
});
