import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Chain } from "../../chain/Chain.ts";
import type { LiveChains } from "../../chain/LiveChains.ts";
import { chainAt } from "../../chain/pinned/atBlock.ts";
import { listContents } from "../../chain/pinned/blockContents.ts";
import type { BlockEntry } from "../../chain/transactions.ts";
import type { Clock } from "../../lib/clock.ts";
import { LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { hashToBase64 } from "../../model/Hash.ts";
import { parseQuery, type QueryParams } from "../declare/requestArgs.ts";
import { decodePart, readPathKey } from "../http/pathArgs.ts";
import type { StreamRoutes } from "../http/server/StreamRoutes.ts";
import { admit, type EntryModules, refusalOf, revokedReason, watchKey } from "../stream/StreamEntry.ts";
import type { StreamLimits } from "../stream/StreamLimits.ts";
import { StreamRefusal } from "../stream/StreamRefusal.ts";
import { closeCodes } from "../stream/transport/Transport.ts";
import { IncomingBytes } from "../stream/websocket/IncomingBytes.ts";
import { isUpgrade, refuseUpgrade } from "../stream/websocket/upgrade.ts";
import {
  acceptWebSocket,
  type WebSocketConnection,
  type WebSocketListener,
} from "../stream/websocket/WebSocketConnection.ts";
import { bounceable } from "../v2/shapes/ids.ts";
import { friendlyUrl } from "../v2/shapes/utils.ts";

export interface BlockWatchModules extends EntryModules {
  readonly chains: Pick<LiveChains, "open">;
  readonly limits: StreamLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/** `head` sends the id of each block, `changed` the newest transaction of each account in it. */
type WatchKind = "head" | "changed";

interface Watcher {
  readonly kind: WatchKind;
  readonly socket: WebSocketConnection;
  readonly isRevoked: () => boolean;
  /** The next block to send; the newest one first. */
  next: number | undefined;
  pingedAtMs: number;
}

const lookMs = 100;
const pingMs = 20_000;
const maxFrameBytes = 1 << 16;
/** Limits of unsent bytes, for all watchers together and for each. */
const maxWaitingBytes = 64 << 20;
const maxPerWatcher = 1 << 20;
const leastPerWatcher = 32 << 10;

/** WebSockets that receive one frame for each masterchain block, without holes (v4.md §2). */
export class BlockWatch implements StreamRoutes {
  readonly routes: StreamRoutes["routes"];
  readonly upgrades: StreamRoutes["upgrades"];
  readonly keyBase: string;
  readonly #modules: BlockWatchModules;
  readonly #watchers = new Set<Watcher>();
  readonly #incoming = new IncomingBytes();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(base: string, modules: BlockWatchModules) {
    this.#modules = modules;
    this.keyBase = base;
    const paths = new Map<string, WatchKind>([
      [`${base}/block/watch`, "head"],
      [`${base}/block/watch/changed`, "changed"],
    ]);
    this.routes = [...paths.keys()]
      .flatMap((path) => [path, path.replace(base, `${base}/k/:key`)])
      .map((path) => ({ method: "GET", path, handle: needsUpgrade }));
    this.upgrades = new Map(
      [...paths].map(([path, kind]) => [path, (...given) => void this.#upgrade(kind, ...given)] as const),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "this server is stopping"));
    for (const { socket } of this.#watchers) socket.close(closeCodes.goingAway, "this server is stopping");
    await this.#running;
    for (const { socket } of this.#watchers) socket.destroy();
  }

  async #upgrade(kind: WatchKind, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const refuse = (status: number, error: string) =>
      refuseUpgrade(socket, status, STATUS_CODES[status] ?? "Error", JSON.stringify({ error, code: status }));
    if (!isUpgrade(request)) return refuse(400, "not a WebSocket request of version 13");
    let leave = () => {};
    try {
      if (this.#closing.signal.aborted) throw new StreamRefusal(503, "this server is stopping");
      const query = this.#readQuery(request.url ?? "");
      leave = this.#modules.limits.take(await admit(request, query, this.#modules));
      socket.once("close", leave);
      if (socket.destroyed) return leave();
      const isRevoked = watchKey(request, query, this.#modules);
      const nowMs = () => this.#modules.clock.monotonic();
      const options = { maxMessageBytes: maxFrameBytes, incoming: this.#incoming, nowMs };
      acceptWebSocket(request, socket, head, options, (connection) => this.#add(kind, connection, isRevoked));
    } catch (error) {
      leave();
      const { status, text } = refusalOf(error);
      refuse(status, text);
    }
  }

  /** A key in the path is the same as one in the query. */
  #readQuery(url: string): QueryParams {
    const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
    const pathKey = readPathKey(this.keyBase, path);
    return pathKey === undefined ? parseQuery(query) : { ...parseQuery(query), api_key: decodePart(pathKey.key) };
  }

  #add(kind: WatchKind, socket: WebSocketConnection, isRevoked: () => boolean): WebSocketListener {
    const pingedAtMs = this.#modules.clock.monotonic();
    const watcher: Watcher = { kind, socket, next: undefined, isRevoked, pingedAtMs };
    this.#watchers.add(watcher);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    // Messages of the client are ignored.
    return { message: () => {}, received: () => {}, closed: () => this.#watchers.delete(watcher) };
  }

  async #run(): Promise<void> {
    const { clock, chains, log } = this.#modules;
    const { signal } = this.#closing;
    while (this.#watchers.size > 0 && !signal.aborted) {
      try {
        await this.#advance(chains.open({ access: "public", signal }));
      } catch (error) {
        // The block is read again at the next look: no watcher has moved past it.
        if (!signal.aborted) log.debug("a block cannot be read for its watchers", { error });
      }
      for (const watcher of this.#watchers) this.#ping(watcher);
      await clock.sleep(lookMs, signal).catch(() => {});
    }
  }

  #ping(watcher: Watcher): void {
    const now = this.#modules.clock.monotonic();
    if (watcher.isRevoked()) watcher.socket.close(closeCodes.policy, revokedReason);
    if (now - watcher.pingedAtMs < pingMs) return;
    watcher.pingedAtMs = now;
    watcher.socket.ping();
  }

  async #advance(chain: Chain): Promise<void> {
    const newest = chain.head.block.seqno;
    for (const watcher of this.#watchers) watcher.next ??= newest;
    const first = Math.min(...[...this.#watchers].map(({ next }) => next ?? newest));
    const share = maxWaitingBytes / this.#watchers.size;
    const maxWaiting = Math.max(leastPerWatcher, Math.min(maxPerWatcher, share));
    for (let seqno = first; seqno <= newest; seqno++) {
      const due = [...this.#watchers].filter(({ next }) => next === seqno);
      const at = await chainAt(chain, seqno);
      const texts = await framesOf(at, due);
      for (const watcher of due) {
        watcher.next = seqno + 1;
        if (watcher.socket.waitingBytes > maxWaiting) watcher.socket.close(closeCodes.slow, "slow consumer");
        else watcher.socket.send(texts[watcher.kind]);
      }
    }
  }
}

/** The frames of a block; the accounts are read only if somebody wants them. */
async function framesOf(chain: Chain, due: readonly Watcher[]): Promise<Readonly<Record<WatchKind, string>>> {
  const { block, genUtime } = chain.head;
  const { seqno } = block;
  const head = JSON.stringify({ seqno, time: genUtime, now: chain.nowAt() });
  if (!due.some(({ kind }) => kind === "changed")) return { head, changed: "" };
  const newest = new Map<string, BlockEntry>();
  for (const entry of (await listContents(chain)).flatMap(({ transactions }) => transactions)) {
    const known = newest.get(entry.address);
    if (known === undefined || known.lt < entry.lt) newest.set(entry.address, entry);
  }
  const changed = Object.fromEntries(
    [...newest.values()].map(({ address, lt, hash }) => [
      friendlyUrl.encode(bounceable(address)),
      { lt: lt.toString(), hash: hashToBase64(hash) },
    ]),
  );
  return { head, changed: JSON.stringify({ seqno, changed, lastUtime: genUtime }) };
}

function needsUpgrade(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(426, {
    "Content-Type": "application/json",
    "X-Content-Type-Options": "nosniff",
    Upgrade: "websocket",
  });
  response.end(JSON.stringify({ error: "Upgrade Required", code: 426 }));
}
