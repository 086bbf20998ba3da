import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { AbiStore } from "../../contracts/AbiLibrary.ts";
import { HistoryError } from "../../history/errors.ts";
import { readBlockChanges, readBlockFacts } from "../../history/events/BlockFacts.ts";
import type { EventLog } from "../../history/events/EventLog.ts";
import type { History } from "../../history/queries/kit/History.ts";
import { systemClock } from "../../lib/clock.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import type { Hash } from "../../model/Hash.ts";
import type { StreamRoutes } from "../http/server/StreamRoutes.ts";
import type { ConfirmedFollower } from "./ConfirmedFollower.ts";
import { describeAccounts } from "./describeAccounts.ts";
import { PendingFollower, type PendingFollowerModules } from "./PendingFollower.ts";
import { listPredicted, readMessage } from "./pendingStream.ts";
import { refuseOutsideScope } from "./refuseOutsideScope.ts";
import { streamBases } from "./refuseStreams.ts";
import type { StreamBlock } from "./StreamBlock.ts";
import { externalOf, makeStreamBlock } from "./StreamBlock.ts";
import type { EntryModules } from "./StreamEntry.ts";
import { type StreamChanges, StreamHub, type StreamHubModules } from "./StreamHub.ts";
import type { StreamLimits } from "./StreamLimits.ts";
import type { Subscription } from "./Subscription.ts";
import { serveSse } from "./serveSse.ts";
import { serveWebSocket } from "./serveWebSocket.ts";

export interface OpenStreamModules extends EntryModules, Omit<StreamHubModules, "source"> {
  readonly events: EventLog;
  readonly history: History;
  readonly pending: PendingFollowerModules["pending"];
  readonly limits: StreamLimits;
  /** ABIs of one's own, which describe bodies. */
  readonly abis?: Pick<AbiStore, "library"> | undefined;
  readonly mayAskForAll: boolean;
  readonly zeroState: Hash;
  /** Absent where signed shard blocks are not followed. */
  readonly confirmed?: Pick<ConfirmedFollower, "status" | "listen"> | undefined;
  /** The maximum age of the newest block for a healthy stream. */
  readonly maxHeadAgeMs: number;
}

export interface OpenStream extends StreamRoutes {
  readonly hub: StreamHub;
}

/** Builds the stream of a network with its sources of events. */
export function openStream(modules: OpenStreamModules): OpenStream {
  const { events, history, pending } = modules;
  const hub = new StreamHub({
    ...modules,
    source: {
      extent: () => events.extent,
      onExtent: (listener) => events.onExtent(listener),
      readBlock: (mcSeqno) => readBlock(history, mcSeqno),
      readChanges: (mcSeqno) => readChanges(history, mcSeqno),
      describe: (involved) => describeAccounts(history, involved),
      listPending: (accounts, messages) => listPredicted(pending, accounts, messages, modules.abis?.library()),
    },
  });
  const stop = events.onMessage((text) => {
    const message = readMessage(text);
    if (message?.kind === "predicted") hub.predict(message.trace);
    if (message?.kind === "gone") hub.invalidate(message.external);
    if (message?.kind === "status") hub.tellStatus(message);
  });
  const stopConfirmed = modules.confirmed?.listen((message) => {
    if (message.kind === "trace") hub.predict(message.trace);
    else if (message.kind === "changed") hub.tellChanges(message.changes);
    else hub.invalidate(message.external);
  });
  const follower = new PendingFollower({ ...modules, readBlock: (mcSeqno) => hub.readChanges(mcSeqno) });
  const refuseOutside = (subscription: Subscription) => refuseOutsideScope(history, subscription);
  const shared = { ...modules, hub, refuseOutside };
  const sse = (request: IncomingMessage, response: ServerResponse) => void serveSse(request, response, shared);
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    void serveWebSocket(request, socket, head, shared);
  return {
    hub,
    routes: [
      ...streamBases.flatMap((base) => [
        { method: ["GET", "POST"], path: `${base}/sse`, handle: sse },
        { method: "OPTIONS", path: `${base}/sse`, handle: preflight },
        { method: "GET", path: `${base}/ws`, handle: needsUpgrade },
      ]),
      { method: "GET", path: "/api/streaming/healthz", handle: (_request, response) => void health(response, modules) },
    ],
    upgrades: new Map(streamBases.map((base) => [`${base}/ws`, upgrade])),
    close: async (drainMs) => {
      stop();
      stopConfirmed?.();
      await follower.close();
      await hub.close(drainMs);
    },
  };
}

async function readBlock(history: History, mcSeqno: number): Promise<StreamBlock> {
  const facts = await history.read({ seenSeqno: mcSeqno }, (reading) => readBlockFacts(reading, mcSeqno));
  if (facts === undefined) throw isAbsent(mcSeqno);
  const turns = new TurnBudget(systemClock);
  return runInTurns(makeStreamBlock(facts), () => turns.yieldIfDue());
}

async function readChanges(history: History, mcSeqno: number): Promise<StreamChanges> {
  const changes = await history.read({ seenSeqno: mcSeqno }, (reading) => readBlockChanges(reading, mcSeqno));
  if (changes === undefined) throw isAbsent(mcSeqno);
  const { block, transactions, ended } = changes;
  const accounts = new Set(transactions.map(({ account }) => account));
  return { utime: block.genUtime, accounts, ended: ended.map(externalOf) };
}

function isAbsent(mcSeqno: number): HistoryError {
  return new HistoryError("history/absent", `block ${mcSeqno} is not in the index`);
}

function preflight(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
  });
  response.end();
}

function needsUpgrade(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(426, { "Content-Type": "text/plain", Upgrade: "websocket" });
  response.end("Upgrade Required");
}

/** Whether the stream is up to date: the age of the newest block. */
async function health(response: ServerResponse, modules: OpenStreamModules): Promise<void> {
  const { events, history, clock, maxHeadAgeMs } = modules;
  const now = Math.floor(clock.now() / 1_000);
  const last = events.extent?.last;
  const block = last === undefined ? undefined : await readChanges(history, last).catch(() => undefined);
  const age = block === undefined ? undefined : now - block.utime;
  const ok = age !== undefined && age * 1_000 <= maxHeadAgeMs;
  const body = {
    ok,
    now,
    components: {
      chain: { ok, ...(block && { last_finalized_mc_block_time: block.utime, finalized_age_seconds: age }) },
      confirmed: confirmedHealth(modules, now),
      index: { ok, ...(age === undefined ? { error: "there is no block yet" } : { age_seconds: age }) },
    },
  };
  response.writeHead(ok ? 200 : 503, {
    "Content-Type": "application/json",
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",
  });
  response.end(JSON.stringify(body));
}

/** Not a failure where nothing is followed: that it is off or that no server reports such blocks is said. */
function confirmedHealth({ confirmed, maxHeadAgeMs }: OpenStreamModules, now: number) {
  if (confirmed === undefined) return { ok: true, state: "off" };
  const { servers, newestUtime } = confirmed.status();
  const age = newestUtime === undefined ? undefined : now - newestUtime;
  const times = age !== undefined && { last_confirmed_block_time: newestUtime, confirmed_age_seconds: age };
  if (servers === 0) return { ok: true, state: "no server reports signed shard blocks", ...times };
  return { ok: age === undefined || age * 1_000 <= maxHeadAgeMs, ...times };
}
