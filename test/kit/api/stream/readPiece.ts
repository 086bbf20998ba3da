import { request } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { systemClock } from "../../../../src/lib/clock.ts";
import { SseParser, type StreamJson, WsClient } from "./streamClients.ts";

/** How a client reads until its connection is cut. */
export interface Reading {
  readonly transport: "post" | "get" | "ws";
  /** Cuts the connection after this number of bytes, or of WebSocket messages. */
  readonly max: number;
  /** Pause between two reads. */
  readonly pauseMs: number;
}

/** The result of one connection. */
export interface Piece {
  readonly events: readonly StreamJson[];
  readonly cursor: string | undefined;
}

export interface PieceOptions extends Reading {
  readonly origin: string;
  /** The subscription; every connection but the first also sends its cursor. */
  readonly body: StreamJson;
  /** Closes the connection after an event for which this is true. */
  readonly isLast: (event: StreamJson) => boolean;
}

/** Reads one connection until either side closes it; gives no events when the server is down. */
export function readPiece(options: PieceOptions): Promise<Piece> {
  return options.transport === "ws" ? readWs(options) : readSse(options);
}

function queryOf(body: StreamJson): string {
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(",") : value === true ? "1" : String(value),
  ]);
  return new URLSearchParams(pairs).toString();
}

function readSse({ origin, body, transport, max, pauseMs, isLast }: PieceOptions): Promise<Piece> {
  const base = `${origin}/api/streaming/v2/sse`;
  const isGet = transport === "get";
  const asked = isGet ? request(`${base}?${queryOf(body)}`) : request(base, { method: "POST" });
  const parser = new SseParser();
  const decoder = new StringDecoder("utf8");
  const events: StreamJson[] = [];
  let left = max;
  return new Promise((resolve) => {
    asked.on("error", () => {});
    asked.once("close", () => resolve({ events, cursor: parser.lastId }));
    asked.once("response", (response) => {
      if (response.statusCode !== 200) asked.destroy();
      response.on("error", () => {});
      response.on("data", (chunk: Buffer) => {
        if (left <= 0) return;
        const received = parser.take(decoder.write(chunk.subarray(0, left)));
        left -= chunk.length;
        events.push(...received.filter(({ event }) => event !== "connected").map(({ json }) => json));
        if (left <= 0 || events.some(isLast)) asked.destroy();
        if (pauseMs === 0) return;
        response.pause();
        systemClock.timer(pauseMs, () => response.resume());
      });
    });
    asked.end(isGet ? undefined : JSON.stringify(body));
  });
}

async function readWs({ origin, body, max, pauseMs, isLast }: PieceOptions): Promise<Piece> {
  const client = new WsClient(`${origin}/api/streaming/v2/ws`);
  try {
    if ((await client.opened) !== 101) return { events: [], cursor: undefined };
  } catch {
    return { events: [], cursor: undefined };
  }
  client.send({ operation: "subscribe", ...body });
  let isGone = false;
  void client.closed.then(() => {
    isGone = true;
  });
  while (!isGone && client.received.length < max && !client.events.some(isLast)) {
    client.pause();
    await systemClock.sleep(pauseMs);
    client.resume();
    await systemClock.sleep(10);
  }
  client.close();
  const received = client.received.slice(0, max);
  const cursor = received.findLast((each) => typeof each.cursor === "string")?.cursor;
  return {
    events: received.filter(({ type }) => typeof type === "string"),
    cursor: cursor === undefined ? undefined : String(cursor),
  };
}
