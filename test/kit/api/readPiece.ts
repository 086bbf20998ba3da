import { request } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { systemClock } from "../../../src/lib/clock.ts";
import { SseParser, type StreamJson, WsClient } from "./streamClients.ts";

/** How a client reads until it is cut. */
export interface Reading {
  readonly transport: "post" | "get" | "ws";
  /** After so many bytes, or messages of a WebSocket, the connection is cut. */
  readonly most: number;
  /** How long the client waits between two pieces of what it reads. */
  readonly pauseMs: number;
}

/** What a client has after one connection. */
export interface Piece {
  readonly events: readonly StreamJson[];
  readonly cursor: string | undefined;
}

export interface PieceOptions extends Reading {
  readonly origin: string;
  /** With where to begin, which only connections after the first have. */
  readonly body: StreamJson;
  /** Ends the connection once an event says so. */
  readonly isLast: (event: StreamJson) => boolean;
}

/** Reads one connection until it is cut, by this side or by the other one; a server that is away gives nothing. */
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

function readSse({ origin, body, transport, most, pauseMs, isLast }: PieceOptions): Promise<Piece> {
  const base = `${origin}/api/streaming/v2/sse`;
  const isGet = transport === "get";
  const asked = isGet ? request(`${base}?${queryOf(body)}`) : request(base, { method: "POST" });
  const parser = new SseParser();
  const decoder = new StringDecoder("utf8");
  const events: StreamJson[] = [];
  let left = most;
  return new Promise((resolve) => {
    asked.on("error", () => {});
    asked.once("close", () => resolve({ events, cursor: parser.lastId }));
    asked.once("response", (response) => {
      if (response.statusCode !== 200) asked.destroy();
      response.on("error", () => {});
      response.on("data", (chunk: Buffer) => {
        if (left <= 0) return;
        const heard = parser.take(decoder.write(chunk.subarray(0, left)));
        left -= chunk.length;
        events.push(...heard.filter(({ event }) => event !== "connected").map(({ json }) => json));
        if (left <= 0 || events.some(isLast)) asked.destroy();
        if (pauseMs === 0) return;
        response.pause();
        systemClock.timer(pauseMs, () => response.resume());
      });
    });
    asked.end(isGet ? undefined : JSON.stringify(body));
  });
}

async function readWs({ origin, body, most, pauseMs, isLast }: PieceOptions): Promise<Piece> {
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
  while (!isGone && client.heard.length < most && !client.events.some(isLast)) {
    client.pause();
    await systemClock.sleep(pauseMs);
    client.resume();
    await systemClock.sleep(10);
  }
  client.close();
  const heard = client.heard.slice(0, most);
  const cursor = heard.findLast((each) => typeof each.cursor === "string")?.cursor;
  return {
    events: heard.filter(({ type }) => typeof type === "string"),
    cursor: cursor === undefined ? undefined : String(cursor),
  };
}
