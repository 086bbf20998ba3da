import type { Clock } from "../../../src/lib/clock.ts";
import { throwIfAborted } from "../../../src/lib/deadline.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import type { HeldBlock, ServerHead } from "../../../src/lite/pool/health.ts";
import type { FindHeld } from "../../../src/lite/pool/oldestBlock.ts";
import type { FetchHead } from "../../../src/lite/pool/PoolModules.ts";
import { blockIdFromTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { type AskOptions, ask, type LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { getMasterchainInfoExt } from "../../../src/lite/tl/liteQueries.ts";
import { currentTime, masterchainInfoExt, serverError } from "../../../src/lite/tl/liteRecords.ts";
import { type DecodedQuery, decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";

const noHash = "00".repeat(32) as Hash;

export function masterBlock(seqno: number): BlockIdExt {
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash: noHash, fileHash: noHash };
}

export function headAt(seqno: number, genUtime = 1_700_000_000 + seqno): ServerHead {
  return { block: masterBlock(seqno), genUtime };
}

/** The head as reported by a server, without proof. */
export const claimedHead: FetchHead = async (server, signal) => {
  const { last, lastUtime } = await ask(server, getMasterchainInfoExt, { mode: 0 }, { signal });
  return { block: blockIdFromTl(last), genUtime: lastUtime };
};

export function infoAnswer({ block, genUtime }: ServerHead): Uint8Array {
  return encode(masterchainInfoExt.boxed, {
    mode: 0,
    version: 0x101,
    capabilities: 7n,
    last: blockIdToTl(block),
    lastUtime: genUtime,
    now: genUtime,
    stateRootHash: new Uint8Array(32),
    init: { workchain: masterchain, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) },
  });
}

export function timeAnswer(now: number): Uint8Array {
  return encode(currentTime.boxed, { now });
}

export function errorAnswer(code: number, message: string): Uint8Array {
  return encode(serverError.boxed, { code, message });
}

export const refused = () => new LiteError("lite/refused", "connection refused");

/** Answers a query that is not about the head, or throws. */
export type Play = (decoded: DecodedQuery, signal: AbortSignal) => Uint8Array | Promise<Uint8Array>;

/** A lite server scripted by a test. It answers head queries itself; `play` answers all others. */
export class FakeLite implements LiteServer {
  readonly #clock: Clock;
  /** Names of the queries received, except head queries. */
  readonly asked: string[] = [];
  headsAsked = 0;
  seqno: number;
  genUtime: number | undefined;
  /** The oldest masterchain block it has. */
  oldest = 1;
  delayMs = 0;
  headDelayMs = 0;
  /** Thrown for every query, like a failed connection. */
  failure: Error | undefined;
  /** Never answers. */
  silent = false;
  play: Play = () => timeAnswer(1);
  ended: LiteError | "closed" | undefined;

  constructor(clock: Clock, seqno = 100) {
    this.#clock = clock;
    this.seqno = seqno;
  }

  get head(): ServerHead {
    return headAt(this.seqno, this.genUtime);
  }

  async ask(bytes: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    throwIfAborted(signal);
    if (this.failure !== undefined) throw this.failure;
    const decoded = decodeQuery(bytes);
    const isHead = decoded.query.name === getMasterchainInfoExt.name;
    if (isHead) this.headsAsked += 1;
    else this.asked.push(decoded.query.name.replace("liteServer.", ""));
    const delayMs = this.silent ? 1e9 : isHead ? this.headDelayMs : this.delayMs;
    if (delayMs > 0) await this.#clock.sleep(delayMs, signal);
    return isHead ? infoAnswer(this.head) : this.play(decoded, signal);
  }

  find(seqno: number): HeldBlock | undefined {
    const { genUtime } = headAt(seqno);
    return seqno >= this.oldest && seqno <= this.seqno
      ? { seqno, genUtime, startLt: BigInt(seqno) * 1000n }
      : undefined;
  }

  async close(): Promise<void> {
    this.ended ??= "closed";
  }

  destroy(reason: LiteError): void {
    this.ended ??= reason;
  }
}

/** Finds blocks on fakes without a query. */
export const findOnFake: FindHeld = async (server, seqno) =>
  server instanceof FakeLite ? server.find(seqno) : undefined;
