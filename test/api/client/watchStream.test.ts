import { describe, expect, it } from "vitest";
import { ApiError, createV3Client } from "../../../src/api/client/v3Client.ts";

type Frames = readonly string[] | { readonly status: number; readonly text: string } | "unreachable";

/** A server whose connections send some frames and then break; it records what it is asked for. */
function serve(connections: readonly Frames[]) {
  const asked: { readonly url: string; readonly body: Record<string, unknown>; readonly key: string | undefined }[] =
    [];
  const fetch = async (url: string, init: RequestInit) => {
    const frames = connections[asked.length];
    asked.push({
      ...{ url, body: JSON.parse(String(init.body)) as Record<string, unknown> },
      key: new Headers(init.headers).get("x-api-key") ?? undefined,
    });
    if (frames === undefined || frames === "unreachable") throw new TypeError("fetch failed");
    if ("status" in frames) return new Response(frames.text, { status: frames.status });
    // Cut in the middle of a frame, as a lost connection does.
    const text = `${frames.join("")}event: event\nda`;
    const pieces = text.match(/.{1,7}/gs) ?? [];
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new TypeError("terminated"));
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    return new Response(body, { status: 200 });
  };
  return { asked, fetch: fetch as unknown as typeof globalThis.fetch };
}

const connected = (cursor: string) => `event: connected\nid: ${cursor}\ndata: {"status":"subscribed"}\n\n`;
const block = (seqno: number) =>
  `event: event\nid: c${seqno}\ndata: {"type":"blocks","mc_block":{"seqno":${seqno}},"cursor":"c${seqno}"}\n\n`;
const pending = 'event: event\ndata: {"type":"actions","finality":"pending"}\n\n';

async function take(fetch: typeof globalThis.fetch, count: number, request = {}) {
  const v3 = createV3Client("http://x/api/v3", { fetch, apiKey: "secret" });
  const taken: unknown[] = [];
  for await (const event of v3.watch({ types: ["blocks"], ...request })) {
    taken.push(event.type === "blocks" ? event.cursor : event.type);
    if (taken.length === count) break;
  }
  return taken;
}

describe("watch", () => {
  it("continues after the last cursor whenever the connection breaks", async () => {
    const server = serve([
      [connected("c1"), block(2), block(3)],
      "unreachable",
      // A quiet connection moves the cursor without an event.
      [connected("c3"), ": keepalive\nid: c4\n\n"],
      { status: 503, text: '{"error":"index is behind the cursor"}' },
      [connected("c4"), pending, block(5), block(6)],
    ]);
    expect(await take(server.fetch, 5)).toEqual(["c2", "c3", "actions", "c5", "c6"]);
    expect(server.asked.map(({ body }) => body.after)).toEqual([undefined, "c3", "c3", "c4", "c4"]);
    expect(new Set(server.asked.map(({ url, key }) => `${url} ${key}`))).toEqual(
      new Set(["http://x/api/streaming/v2/sse secret"]),
    );
  });

  it("begins at the requested block, and asks for a block only until it has a cursor", async () => {
    const server = serve([
      [connected("c1"), block(2)],
      [connected("c2"), block(3)],
    ]);
    expect(await take(server.fetch, 2, { from_mc_seqno: 2 })).toEqual(["c2", "c3"]);
    expect(server.asked.map(({ body }) => [body.from_mc_seqno, body.after])).toEqual([
      [2, undefined],
      [undefined, "c2"],
    ]);
    const resumed = serve([[connected("c7"), block(8)]]);
    expect(await take(resumed.fetch, 1, { after: "c7" })).toEqual(["c8"]);
    expect(resumed.asked.map(({ body }) => body.after)).toEqual(["c7"]);
  });

  it("ends with the refusal of the server, with its URL", async () => {
    const server = serve([{ status: 410, text: '{"error":"cursor is older than the index: its first block is 9"}' }]);
    const error = await take(server.fetch, 1).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "api/refused",
      data: { status: 410, url: "http://x/api/streaming/v2/sse" },
    });
    expect(server.asked).toHaveLength(1);
  });
});
