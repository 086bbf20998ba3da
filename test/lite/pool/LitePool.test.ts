import { setMaxListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { withDeadline } from "../../../src/lib/deadline.ts";
import { LibError } from "../../../src/lib/errors.ts";
import type { Log } from "../../../src/lib/log.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { LitePool, type LitePoolOptions } from "../../../src/lite/pool/LitePool.ts";
import type { PoolServer } from "../../../src/lite/pool/PoolMember.ts";
import { blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { ask, askProven, type LiteServer } from "../../../src/lite/server/LiteServer.ts";
import {
  getBlockHeader,
  getConfigAll,
  getMasterchainInfoExt,
  getTime,
  lookupBlock,
  sendMessage,
} from "../../../src/lite/tl/liteQueries.ts";
import { sendMsgStatus } from "../../../src/lite/tl/liteRecords.ts";
import { encodeQuery, needOf, type Wait } from "../../../src/lite/tl/queryEnvelope.ts";
import type { TlQuery } from "../../../src/lite/tl/record.ts";
import { encode } from "../../../src/lite/tl/types.ts";
import {
  claimedHead,
  errorAnswer,
  FakeLite,
  findOnFake,
  headAt,
  masterBlock,
  refused,
  timeAnswer,
} from "../../kit/lite/FakeLite.ts";
import { flushPromises, ManualClock } from "../../kit/suite/ManualClock.ts";

const over = new LiteError("lite/closed", "the test is over");
const { signal } = new AbortController();
setMaxListeners(0, signal);
const toDestroy: LitePool[] = [];
const time = encodeQuery(getTime, {});
const oldHeader = [getBlockHeader, { id: blockIdToTl(masterBlock(20)), mode: 0 }] as const;
const taken = encode(sendMsgStatus.boxed, { status: 1 });
const message = [sendMessage, { body: new Uint8Array(8) }] as const;

/** Sends a query with its declared needs, like typed queries. */
function askFor<Q, A>(
  server: LiteServer,
  [query, args, wait]: readonly [query: TlQuery<Q, A>, args: Q, wait?: Wait],
  given = signal,
): Promise<Uint8Array> {
  return server.ask(encodeQuery(query, args, wait), { signal: given, need: needOf(query, args, wait) });
}

afterEach(() => {
  for (const pool of toDestroy.splice(0)) pool.destroy(over);
});

interface Opened {
  readonly clock: ManualClock;
  readonly pool: LitePool;
  readonly servers: readonly FakeLite[];
}

type Setup = (server: FakeLite, index: number) => void;

/**
 * A pool of fakes named a, b, c…, each set up before its first query; all have reported their heads when it resolves.
 */
async function openPool(
  count: number,
  setUp: Setup = () => {},
  options: LitePoolOptions & { readonly private?: readonly number[] } = {},
  log?: Log,
): Promise<Opened> {
  const clock = new ManualClock();
  const servers = Array.from({ length: count }, () => new FakeLite(clock));
  servers.forEach(setUp);
  const named: PoolServer[] = servers.map((server, index) => {
    const name = String.fromCharCode(97 + index);
    const access = options.private?.includes(index) === true ? "private" : "public";
    return { name, address: `${name}.example:4000`, server, access };
  });
  const pool = LitePool.open(
    named,
    { clock, random: seededRandom(1), head: claimedHead, find: findOnFake, ...(log === undefined ? {} : { log }) },
    options,
  );
  toDestroy.push(pool);
  await clock.advance(1_500);
  return { clock, pool, servers };
}

const times = (servers: readonly FakeLite[]) =>
  servers.map(({ asked }) => asked.filter((name) => name === "getTime").length);
const states = (pool: LitePool) => pool.status().servers.map(({ state }) => state.kind);
const later = async (clock: ManualClock, ms: number) => {
  for (let step = 0; step < ms; step += 100) await clock.advance(100);
};

describe("a query to a pool", () => {
  it("is sent to one server once and returns its answer", async () => {
    const { pool, servers } = await openPool(3);
    expect(await ask(pool, getTime, {}, { signal })).toEqual({ now: 1 });
    expect(times(servers).reduce((sum, count) => sum + count)).toBe(1);
  });

  it("is sent to another server if one is unreachable, which is not used until it reports its head", async () => {
    const { clock, pool, servers } = await openPool(2);
    const [a, b] = servers as [FakeLite, FakeLite];
    a.failure = refused();
    for (let read = 0; read < 5; read++) await ask(pool, getTime, {}, { signal });
    expect(b.asked).toHaveLength(5);
    expect(pool.status().servers[0]).toMatchObject({
      state: { kind: "down", reason: "connection refused" },
      unusedBecause: "connection refused",
    });
    a.failure = undefined;
    await later(clock, 1_000);
    expect(states(pool)).toEqual(["ok", "ok"]);
  });

  it("is one upstream query for a hundred concurrent ones", async () => {
    const { clock, pool, servers } = await openPool(3, (server) => {
      server.delayMs = 20;
    });
    const controllers = Array.from({ length: 100 }, () => new AbortController());
    const answers = controllers.map((controller) => ask(pool, getTime, {}, { signal: controller.signal }));
    await clock.advance(30);
    expect(await Promise.all(answers)).toEqual(controllers.map(() => ({ now: 1 })));
    expect(times(servers).reduce((sum, count) => sum + count)).toBe(1);
    expect(pool.status()).toMatchObject({ queries: 1, shared: 99 });
  });

  it("is not affected by a caller that accepts too much, or leaves", async () => {
    const { clock, pool, servers } = await openPool(2, (server, index) => {
      server.delayMs = 20;
      server.play = () => timeAnswer(index);
    });
    const strict = { signal, accept: onlyTime(1) };
    const leaving = new AbortController();
    const lax = pool.ask(time, { signal: leaving.signal, accept: () => {} });
    const left = expect(lax).rejects.toBe(over);
    const checked = pool.ask(time, strict);
    await flushPromises();
    leaving.abort(over);
    await left;
    await clock.advance(100);
    expect(await checked).toEqual(timeAnswer(1));
    expect(times(servers)).toEqual([1, 1]);
  });

  it("is checked once for the first caller, with the same bytes for all", async () => {
    const { pool } = await openPool(1);
    let checks = 0;
    const check = ({ now }: { readonly now: number }) => {
      checks += 1;
      return now + 1;
    };
    expect(await askProven(pool, getTime, {}, check, { signal })).toBe(2);
    expect(checks).toBe(1);
  });

  it("rejects with an unexpected error of the caller's check, and blames no server", async () => {
    const { pool } = await openPool(2);
    const accept = () => {
      throw new RangeError("mine");
    };
    await expect(pool.ask(time, { signal, accept })).rejects.toThrow(RangeError);
    expect(pool.status().servers.map(({ proofErrors, errors }) => proofErrors + errors)).toEqual([0, 0]);
  });

  it("is refused if too many are in flight", async () => {
    const { pool } = await openPool(1, (server) => (server.delayMs = 100), { maxQueries: 2 });
    const waiting = [1, 2].map((mode) => askFor(pool, [getConfigAll, { mode, id: someId }]));
    await expect(pool.ask(time, { signal })).rejects.toMatchObject({ code: "lite/busy" });
    const ended = waiting.map((answer) => expect(answer).rejects.toBe(over));
    pool.destroy(over);
    await Promise.all(ended);
  });
});

const someId = blockIdToTl(masterBlock(100));

function onlyTime(now: number): (answer: Uint8Array) => void {
  return (answer) => {
    if (!Buffer.from(answer).equals(timeAnswer(now))) throw new LiteError("lite/proof", "not the time");
  };
}

describe("a proof error", () => {
  it("is not returned; the server is counted and quarantined when another one has a valid proof", async () => {
    const { clock, pool, servers } = await openPool(2, (server, index) => {
      server.play = () => timeAnswer(index);
    });
    expect(await pool.ask(time, { signal, accept: onlyTime(1) })).toEqual(timeAnswer(1));
    expect(pool.status().servers[0]).toMatchObject({
      state: { kind: "quarantined", forMs: 30_000, reason: "proof error: not the time" },
      proofErrors: 1,
    });
    for (let read = 0; read < 5; read++) await pool.ask(time, { signal });
    expect(times(servers)).toEqual([1, 6]);
    await later(clock, 29_000);
    expect(states(pool)).toEqual(["quarantined", "ok"]);
    await later(clock, 2_000);
    expect(states(pool)).toEqual(["ok", "ok"]);
  });

  it("of all servers is returned to the caller, and quarantines none of them", async () => {
    const { pool, servers } = await openPool(2);
    await expect(pool.ask(time, { signal, accept: onlyTime(7) })).rejects.toMatchObject({ code: "lite/proof" });
    expect(times(servers)).toEqual([1, 1]);
    expect(states(pool)).toEqual(["ok", "ok"]);
    expect(pool.status().servers.map(({ proofErrors }) => proofErrors)).toEqual([1, 1]);
  });

  it("about the head is a proof error too", async () => {
    const clock = new ManualClock();
    const [honest, forger] = [new FakeLite(clock, 5), new FakeLite(clock, 9_000)];
    const head: typeof claimedHead = async (server, given) => {
      if (server === forger) throw new LiteError("lite/proof", "signed by nobody");
      return claimedHead(server, given);
    };
    const servers = [forger, honest].map((server, index) => ({ name: `${index}`, address: "", server }));
    const pool = LitePool.open(servers, { clock, random: seededRandom(1), head, find: findOnFake });
    toDestroy.push(pool);
    await clock.advance(1_000);
    expect(states(pool)).toEqual(["quarantined", "ok"]);
    expect(pool.head()).toEqual(headAt(5));
  });
});

describe("missing data of a server", () => {
  const headerAnswer = () => timeAnswer(20);

  it("is requested from another server, and the error is returned only if all lack it", async () => {
    const { pool, servers } = await openPool(3, (server, index) => {
      server.play = () => (index === 2 ? headerAnswer() : errorAnswer(651, "block handle not in db"));
    });
    expect(await askFor(pool, oldHeader)).toEqual(headerAnswer());
    for (const server of servers) server.play = () => errorAnswer(651, "block handle not in db");
    expect(await askFor(pool, oldHeader)).toEqual(errorAnswer(651, "block handle not in db"));
    expect(states(pool)).toEqual(["ok", "ok", "ok"]);
  });

  it("is requested from servers with enough history, once that is known", async () => {
    const { pool, servers } = await openPool(3, (server, index) => {
      server.oldest = index === 2 ? 1 : 60;
      server.headDelayMs = index === 2 ? 400 : 1;
    });
    expect(pool.status().servers.map(({ oldest }) => oldest?.seqno)).toEqual([60, 60, 1]);
    await askFor(pool, oldHeader);
    expect(servers.map(({ asked }) => asked)).toEqual([[], [], ["getBlockHeader"]]);
    const future = [lookupBlock, { mode: 4, id: { ...someId, seqno: 0 }, utime: 1_700_000_030 }] as const;
    await askFor(pool, future);
    expect(servers.map(({ asked }) => asked.length)).toEqual([0, 0, 2]);
  });

  it("is remembered, so that the same is not requested in vain", async () => {
    const query = [getConfigAll, { mode: 0, id: blockIdToTl(masterBlock(50)) }] as const;
    const { pool, servers } = await openPool(2, (server, index) => {
      server.headDelayMs = index === 1 ? 400 : 1;
      server.play = () => (index === 1 ? timeAnswer(1) : errorAnswer(651, "state not in db"));
    });
    await askFor(pool, query);
    await askFor(pool, query);
    expect(servers.map(({ asked }) => asked.length)).toEqual([1, 2]);
  });

  it("that is known to exist is waited for", async () => {
    const { clock, pool, servers } = await openPool(2);
    const [a, b] = servers as [FakeLite, FakeLite];
    a.seqno = 101;
    await clock.advance(600);
    expect(pool.head()).toEqual(headAt(101));
    a.failure = refused();
    b.play = ({ args }) => {
      const { seqno } = (args as { id: { seqno: number } }).id;
      return seqno <= b.seqno ? timeAnswer(seqno) : errorAnswer(651, "block handle not in db");
    };
    const answer = askFor(pool, [getBlockHeader, { id: blockIdToTl(masterBlock(101)), mode: 0 }]);
    await later(clock, 1_000);
    b.seqno = 101;
    await later(clock, 1_000);
    expect(await answer).toEqual(timeAnswer(101));
  });

  it("is returned at once if a server only refuses such queries", async () => {
    const { pool, servers } = await openPool(2, (server) => {
      server.play = () => errorAnswer(0, "query is not allowed");
    });
    expect(await pool.ask(time, { signal })).toEqual(errorAnswer(0, "query is not allowed"));
    expect(times(servers)).toEqual([1, 1]);
  });

  it("is not requested from another server if the query is at fault", async () => {
    const { pool, servers } = await openPool(2, (server) => {
      server.play = () => errorAnswer(-400, "exactly one of mode bits must be set");
    });
    expect(await pool.ask(time, { signal })).toEqual(errorAnswer(-400, "exactly one of mode bits must be set"));
    expect(times(servers).sort()).toEqual([0, 1]);
  });
});

describe("a busy server", () => {
  it("is skipped for a moment, and gets fewer concurrent queries", async () => {
    const { clock, pool, servers } = await openPool(2, (server, index) => {
      server.play = () => (index === 0 ? errorAnswer(228, "too many queries") : timeAnswer(1));
    });
    expect(await pool.ask(time, { signal })).toEqual(timeAnswer(1));
    expect(await pool.ask(time, { signal })).toEqual(timeAnswer(1));
    expect(times(servers)).toEqual([1, 2]);
    expect(pool.status().servers[0]).toMatchObject({ state: { kind: "ok" }, busy: 1, limit: 12 });
    expect(pool.status().servers[0]?.unusedBecause).toBe("it is busy; not used for 100 ms");
    await clock.advance(100);
    expect(pool.status().servers[0]?.unusedBecause).toBeUndefined();
  });

  it("is retried until the deadline if there is no other", async () => {
    let left = 4;
    const { clock, pool } = await openPool(1, (server) => {
      server.play = () => (left-- > 0 ? errorAnswer(429, "rate limit") : timeAnswer(1));
    });
    const answer = pool.ask(time, { signal });
    await later(clock, 4_000);
    expect(await answer).toEqual(timeAnswer(1));
  });

  it("never gets more concurrent queries than its limit", async () => {
    let [now, max] = [0, 0];
    const { clock, pool } = await openPool(
      1,
      (server) => {
        server.play = async () => {
          now += 1;
          max = Math.max(max, now);
          await clock.sleep(10);
          now -= 1;
          return timeAnswer(1);
        };
      },
      { maxInFlight: 3 },
    );
    const answers = Array.from({ length: 20 }, (_, mode) => askFor(pool, [getConfigAll, { mode, id: someId }]));
    await later(clock, 500);
    await Promise.all(answers);
    expect(max).toBe(3);
  });
});

describe("a slow server", () => {
  /** The first server is chosen, because its head arrives first, and then stalls. */
  const stalling: Setup = (server, index) => {
    server.headDelayMs = index === 0 ? 1 : 40;
    server.delayMs = index === 0 ? 5_000 : 10;
    server.play = () => timeAnswer(index);
  };
  const save = async ({ pool, servers, clock }: Opened) => {
    const fast = servers.map(({ delayMs }) => delayMs);
    for (const server of servers) server.delayMs = 0;
    for (let read = 0; read < 20; read++) await pool.ask(time, { signal });
    servers.forEach((server, index) => {
      server.delayMs = fast[index] ?? 0;
    });
    await clock.advance(0);
  };

  it("is overtaken by another after its own p95, and never before 50 ms", async () => {
    const opened = await openPool(2, stalling);
    await save(opened);
    const { clock, pool } = opened;
    const answer = pool.ask(time, { signal });
    await clock.advance(49);
    expect(pool.status()).toMatchObject({ hedges: 0 });
    await clock.advance(11);
    expect(pool.status()).toMatchObject({ hedges: 1 });
    expect(await answer).toEqual(timeAnswer(1));
    expect(pool.status().servers.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });

  it("is overtaken without a budget once it seems not to answer at all", async () => {
    const { clock, pool } = await openPool(2, stalling);
    const answer = pool.ask(time, { signal });
    await clock.advance(999);
    expect(pool.status()).toMatchObject({ queries: 1, hedges: 0 });
    await clock.advance(20);
    expect(await answer).toEqual(timeAnswer(1));
  });

  it("is avoided afterwards", async () => {
    const { clock, pool, servers } = await openPool(2, stalling);
    const first = pool.ask(time, { signal });
    await clock.advance(1_100);
    await first;
    for (let read = 0; read < 10; read++) {
      const answer = pool.ask(time, { signal });
      await clock.advance(10);
      expect(await answer).toEqual(timeAnswer(1));
    }
    expect(times(servers)).toEqual([1, 11]);
  });

  it("uses a second server for at most five percent of the queries", async () => {
    const { clock, pool, servers } = await openPool(3, (server) => {
      server.delayMs = 100;
    });
    for (let read = 0; read < 100; read++) {
      const answer = pool.ask(time, { signal });
      // Meanwhile many heads arrive at once, so that every other answer is slower than the p95.
      await clock.advance(6_000);
      await answer;
    }
    const asked = times(servers).reduce((sum, count) => sum + count);
    expect(asked).toBe(105);
    expect(pool.status()).toMatchObject({ queries: 100, hedges: 5 });
  });

  it("does not count as slow if the query waits", async () => {
    const { clock, pool, servers } = await openPool(2, (server) => {
      server.delayMs = 900;
    });
    const waiting = [getTime, {}, { seqno: 101, timeoutMs: 2_000 }] as const;
    const answer = askFor(pool, waiting);
    await later(clock, 1_000);
    await answer;
    expect(times(servers).sort()).toEqual([0, 1]);
    expect(pool.status().servers.every(({ latency }) => (latency?.p95Ms ?? 0) < 100)).toBe(true);
  });
});

describe("a pool without a usable server", () => {
  it("gives an error at the deadline, with the reason for each server", async () => {
    const { clock, pool } = await openPool(2, (server) => {
      server.failure = refused();
    });
    const deadline = withDeadline(clock, 3_000);
    const failed = pool.ask(time, { signal: deadline.signal }).catch((error: unknown) => error);
    await later(clock, 2_900);
    expect(pool.status().servers.map(({ inFlight, waiting }) => inFlight + waiting)).toEqual([0, 0]);
    await later(clock, 200);
    expect(await failed).toMatchObject({
      code: "lite/none",
      message: "no server could answer: a: connection refused; b: connection refused",
      data: {
        servers: [
          { name: "a", address: "a.example:4000", state: "down", reason: "connection refused" },
          { name: "b", address: "b.example:4000", state: "down", reason: "connection refused" },
        ],
      },
      cause: { code: "lib/deadline" },
    });
  });

  it("logs servers that were never reached for debugging only: the start reports them", async () => {
    const lines: string[] = [];
    const at = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
    const log: Log = {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      child: () => log,
    };
    await openPool(
      2,
      (server) => {
        server.failure = refused();
      },
      {},
      log,
    );
    expect(lines).toEqual(["debug: lite server down", "debug: lite server down"]);
  });

  it("gives an error at once if none can become usable", async () => {
    const { pool } = await openPool(1, () => {}, { private: [0] });
    const none = { code: "lite/none", message: "no public lite server is configured" };
    await expect(pool.ask(time, { signal })).rejects.toMatchObject(none);
    expect(await pool.ask(time, { signal, access: "private" })).toEqual(timeAnswer(1));
  });

  it("waits, and sends the query as soon as there is one", async () => {
    const { clock, pool, servers } = await openPool(2, (server) => {
      server.failure = refused();
    });
    const answer = pool.ask(time, { signal });
    await later(clock, 60_000);
    for (const server of servers) server.failure = undefined;
    await later(clock, 600);
    expect(await answer).toEqual(timeAnswer(1));
  });

  it("is not reported for servers that are only slow: the deadline keeps its own code", async () => {
    const { clock, pool } = await openPool(1, (server) => {
      server.delayMs = 10_000;
    });
    const failed = pool.ask(time, { signal: withDeadline(clock, 500).signal }).catch((error: unknown) => error);
    await clock.advance(500);
    expect(await failed).toBeInstanceOf(LibError);
    expect(await failed).toMatchObject({ code: "lib/deadline" });
  });

  it("does not retry forever a query that breaks every connection", async () => {
    const { clock, pool, servers } = await openPool(2, (server) => {
      server.play = () => {
        throw new LiteError("lite/frame", "a frame of 17 MB");
      };
    });
    const failed = pool.ask(time, { signal }).catch((error: unknown) => error);
    await later(clock, 10_000);
    expect(await failed).toMatchObject({ code: "lite/none", cause: { code: "lite/frame" } });
    expect(times(servers)).toEqual([3, 3]);
    expect(states(pool)).toEqual(["ok", "ok"]);
  });
});

describe("the head", () => {
  it("never goes back, whatever servers report", async () => {
    const { clock, pool, servers } = await openPool(2);
    const [a, b] = servers as [FakeLite, FakeLite];
    a.seqno = 120;
    await clock.advance(600);
    expect(pool.head()).toEqual(headAt(120));
    a.seqno = 90;
    b.seqno = 110;
    await clock.advance(600);
    expect(pool.head()).toEqual(headAt(120));
    expect(states(pool)).toEqual(["behind", "ok"]);
    expect(pool.status().servers.map(({ lagMs }) => lagMs)).toEqual([30_000, 10_000]);
  });

  it("does not go back because of an answer either", async () => {
    const { clock, pool, servers } = await openPool(2);
    const [a, b] = servers as [FakeLite, FakeLite];
    a.seqno = 101;
    await clock.advance(600);
    a.failure = refused();
    const answer = ask(pool, getMasterchainInfoExt, { mode: 0 }, { signal });
    await later(clock, 500);
    b.seqno = 102;
    await later(clock, 1_000);
    expect((await answer).last.seqno).toBe(102);
  });

  it("that is never reached again ends with lite/behind at the deadline", async () => {
    const { clock, pool, servers } = await openPool(2);
    (servers[0] as FakeLite).seqno = 101;
    await clock.advance(600);
    (servers[0] as FakeLite).failure = refused();
    const given = withDeadline(clock, 2_000).signal;
    const failed = ask(pool, getMasterchainInfoExt, { mode: 0 }, { signal: given }).catch((error: unknown) => error);
    await later(clock, 2_100);
    expect(await failed).toMatchObject({ code: "lite/behind" });
  });

  it("can be waited for and followed", async () => {
    const { clock, pool, servers } = await openPool(1);
    const waiting = pool.waitHead(100, signal);
    const seen: number[] = [];
    const walk = (async () => {
      for await (const { block } of pool.heads(signal)) seen.push(block.seqno);
    })();
    for (const seqno of [101, 102, 103]) {
      (servers[0] as FakeLite).seqno = seqno;
      await clock.advance(600);
    }
    expect(await waiting).toEqual(headAt(101));
    await pool.close();
    await walk;
    expect(seen).toEqual([100, 101, 102, 103]);
  });

  it("is unknown before the first, and waiting for it ends with the reasons", async () => {
    const { clock, pool } = await openPool(1, (server) => {
      server.failure = refused();
    });
    expect(() => pool.head()).toThrow("a: connection refused");
    const failed = pool.waitHead(-1, withDeadline(clock, 1_000).signal).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await failed).toMatchObject({ code: "lite/none" });
  });

  it("of a private server is visible only to callers that may use it", async () => {
    const { clock, pool, servers } = await openPool(2, () => {}, { private: [1] });
    (servers[1] as FakeLite).seqno = 105;
    await clock.advance(600);
    expect(pool.head()).toEqual(headAt(100));
    expect(pool.head({ access: "private" })).toEqual(headAt(105));
  });
});

describe("sending", () => {
  const answers = async (plays: readonly (Uint8Array | Error)[]) => {
    const opened = await openPool(plays.length, (server, index) => {
      server.play = () => {
        const play = plays[index] ?? taken;
        if (play instanceof Error) throw play;
        return play;
      };
    });
    return { ...opened, answer: askFor(opened.pool, message) };
  };
  const rejected = errorAnswer(-701, "External message was not accepted");

  it("uses at most five servers, and the first success is the answer", async () => {
    const { answer, servers } = await answers([rejected, refused(), taken, taken, taken, taken, taken]);
    expect(await answer).toEqual(taken);
    await flushPromises();
    expect(servers.filter(({ asked }) => asked.includes("sendMessage"))).toHaveLength(5);
  });

  it("returns the most informative refusal if all refuse", async () => {
    const { answer } = await answers([
      errorAnswer(651, "not in db"),
      errorAnswer(0, "cannot apply external message"),
      rejected,
      errorAnswer(228, "busy"),
      refused(),
    ]);
    expect(await answer).toEqual(rejected);
  });

  it("continues to the others after the first acceptance, and closing waits for them", async () => {
    const { clock, pool, servers } = await openPool(2, (server, index) => {
      server.delayMs = index * 1_000;
      server.play = () => taken;
    });
    expect(await askFor(pool, message)).toEqual(taken);
    expect(pool.status().servers.map(({ inFlight }) => inFlight)).toEqual([0, 1]);
    const closing = pool.close();
    await clock.advance(999);
    expect(servers[1]?.ended).toBeUndefined();
    await clock.advance(1);
    await closing;
    expect([servers[1]?.ended, clock.waiting]).toEqual(["closed", 0]);
  });

  it("is retried while no server answers about the message", async () => {
    const { clock, servers, answer } = await answers([refused(), errorAnswer(228, "busy")]);
    await flushPromises();
    (servers[1] as FakeLite).play = () => taken;
    await later(clock, 1_000);
    expect(await answer).toEqual(taken);
  });

  it("ends with the signal", async () => {
    const { clock, pool } = await openPool(2, (server) => {
      server.delayMs = 5_000;
    });
    const controller = new AbortController();
    const sent = expect(askFor(pool, message, controller.signal)).rejects.toBe(over);
    await flushPromises();
    controller.abort(over);
    await sent;
    await clock.advance(1);
    expect(pool.status().servers.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });
});

describe("a pinned server", () => {
  it("sends everything to the server that answered first", async () => {
    const { pool, servers } = await openPool(3, (server) => {
      server.play = () => timeAnswer(1);
    });
    const pinned = pool.pin();
    expect(pinned.serverNames).toEqual([]);
    await Promise.all([1, 2, 3, 4].map((mode) => askFor(pinned, [getConfigAll, { mode, id: someId }])));
    expect(servers.map(({ asked }) => asked.length).sort()).toEqual([0, 0, 4]);
    expect(pinned.serverNames).toEqual(["a"]);
  });

  it("changes until the first answer, and afterwards fails with its server", async () => {
    const { pool, servers } = await openPool(2);
    const [a, b] = servers as [FakeLite, FakeLite];
    a.failure = refused();
    const pinned = pool.pin();
    await pinned.ask(time, { signal });
    expect(pinned.serverNames).toEqual(["b"]);
    b.failure = refused();
    a.failure = undefined;
    await expect(pinned.ask(time, { signal })).rejects.toMatchObject({ code: "lite/refused" });
    await expect(pinned.ask(time, { signal })).rejects.toMatchObject({ code: "lite/none" });
  });

  it("changes its server whenever necessary, if allowed", async () => {
    const { clock, pool, servers } = await openPool(2);
    const pinned = pool.pin({ fallOver: "always" });
    await pinned.ask(time, { signal });
    (servers[0] as FakeLite).failure = refused();
    expect(await pinned.ask(time, { signal })).toEqual(timeAnswer(1));
    expect(pinned.serverNames).toEqual(["a", "b"]);
    await clock.advance(1);
  });

  it("reports that its server lacks data, unless it may change the server", async () => {
    const { pool } = await openPool(2, (server, index) => {
      server.play = ({ query }) =>
        query.name === getTime.name || index === 1 ? timeAnswer(index) : errorAnswer(651, "not in db");
    });
    const [bound, moving] = [pool.pin(), pool.pin({ fallOver: "always" })];
    expect(await bound.ask(time, { signal })).toEqual(timeAnswer(0));
    expect(await moving.ask(time, { signal })).toEqual(timeAnswer(0));
    expect(await askFor(bound, oldHeader)).toEqual(errorAnswer(651, "not in db"));
    expect(await askFor(moving, oldHeader)).toEqual(timeAnswer(1));
    expect([bound.serverNames, moving.serverNames]).toEqual([["a"], ["a", "b"]]);
  });

  it("shares its queries with others pinned to the same server", async () => {
    const { clock, pool, servers } = await openPool(3, (server) => {
      server.delayMs = 5;
    });
    const pins = Array.from({ length: 50 }, () => pool.pin());
    const first = Promise.all(pins.map((pin) => pin.ask(time, { signal: new AbortController().signal })));
    await clock.advance(10);
    await first;
    const second = Promise.all(pins.map((pin) => askFor(pin, oldHeader, new AbortController().signal)));
    await clock.advance(10);
    await second;
    expect(servers.map(({ asked }) => asked.length).sort()).toEqual([0, 0, 2]);
  });

  it("closes alone", async () => {
    const { pool } = await openPool(1);
    const pinned = pool.pin();
    await pinned.close();
    await expect(pinned.ask(time, { signal })).rejects.toMatchObject({ code: "lite/closed" });
    expect(await pool.ask(time, { signal })).toEqual(timeAnswer(1));
    const other = pool.pin();
    other.destroy(over);
    await expect(other.ask(time, { signal })).rejects.toMatchObject({ code: "lite/closed" });
  });
});

describe("the end of a pool", () => {
  it("finishes running queries when closed, closes its servers and leaves nothing behind", async () => {
    const { clock, pool, servers } = await openPool(2, (server) => {
      server.delayMs = 100;
    });
    const answer = pool.ask(time, { signal });
    const closing = pool.close();
    await expect(pool.ask(time, { signal })).rejects.toMatchObject({ code: "lite/closed" });
    await clock.advance(100);
    expect(await answer).toEqual(timeAnswer(1));
    await closing;
    await pool.close();
    expect(servers.map(({ ended }) => ended)).toEqual(["closed", "closed"]);
    await clock.advance(0);
    expect(clock.waiting).toBe(0);
    await expect(pool.waitHead(1_000, signal)).rejects.toMatchObject({ code: "lite/closed" });
  });

  it("ends everything with the reason when destroyed, including waiting queries", async () => {
    const { clock, pool, servers } = await openPool(2, (server, index) => {
      server.delayMs = 100;
      server.failure = index === 1 ? refused() : undefined;
    });
    const waiting = [
      pool.ask(time, { signal }),
      askFor(pool, message),
      askFor(pool.pin(), oldHeader),
      pool.waitHead(1_000, signal),
    ].map((answer) => expect(answer).rejects.toBe(over));
    await flushPromises();
    pool.destroy(over);
    await Promise.all(waiting);
    await clock.advance(0);
    expect([servers.map(({ ended }) => ended), clock.waiting]).toEqual([[over, over], 0]);
  });
});

describe("the status of a pool", () => {
  it("describes every server completely", async () => {
    const { clock, pool } = await openPool(1, (server) => {
      server.oldest = 30;
      server.headDelayMs = 4;
    });
    await pool.ask(time, { signal });
    await clock.advance(600);
    expect(pool.status()).toEqual({
      head: headAt(100),
      headAgeMs: 0,
      queries: 1,
      hedges: 0,
      shared: 0,
      servers: [
        {
          name: "a",
          address: "a.example:4000",
          access: "public",
          state: { kind: "ok" },
          unusedBecause: undefined,
          head: headAt(100),
          lagMs: 0,
          latency: { p50Ms: 4, p95Ms: 4 },
          answers: 6,
          errors: 0,
          errorRate: 0,
          busy: 0,
          proofErrors: 0,
          oldest: { seqno: 30, genUtime: 1_700_000_030, startLt: 30_000n },
          inFlight: 0,
          waiting: 0,
          limit: 24,
        },
      ],
    });
  });
});
