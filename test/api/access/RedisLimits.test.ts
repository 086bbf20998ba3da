import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MemoryLimits, type RateDecision } from "../../../src/api/access/limits.ts";
import { RedisLimits } from "../../../src/api/access/RedisLimits.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hasRedis, RedisServer } from "../../kit/api/redisServer.ts";
import { recordLog } from "../../kit/localnet/localChain.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const opened: RedisLimits[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((limits) => limits.close()));
});

async function open(url: string) {
  const [clock, log] = [new ManualClock(), recordLog()];
  const standIn = new MemoryLimits({ maxNames: 100 }, clock);
  const limits = await RedisLimits.open(url, { clock, log, standIn });
  opened.push(limits);
  return { limits, clock, log };
}

/** So slow that no request is returned to the budget during a test. */
const rate = { perSecond: 0.001, burst: 3 };
const brief = ({ isAllowed, remaining }: RateDecision) => [isAllowed, remaining];

const gone = "Redis does not answer; this process counts requests alone";
const back = "Redis answers again; limits are shared";

/** Retries with pauses until Redis counts. */
async function untilShared({ limits, clock }: Awaited<ReturnType<typeof open>>): Promise<void> {
  while (!limits.metrics.isShared) {
    await clock.advance(1000);
    const taken = limits.take("until", rate);
    // The client and Redis use the real clock.
    await systemClock.sleep(20);
    await clock.advance(500);
    await clock.advance(0);
    await taken;
  }
}

if (hasRedis()) {
  describe("limits in Redis", () => {
    let redis: RedisServer;

    beforeAll(async () => {
      redis = await RedisServer.open();
    });

    afterAll(() => redis.close());

    it("are shared by all processes, with the same rule as limits in memory", async () => {
      const [one, other] = [await open(redis.url), await open(redis.url)];
      const memory = new MemoryLimits({ maxNames: 100 }, new ManualClock());
      for (const { limits } of [one, other, one, other, one])
        expect(brief(await limits.take("shared", rate))).toEqual(brief(memory.take("shared", rate)));
      const { retryMs, resetMs } = await one.limits.take("shared", rate);
      // One of three requests is due after a thousand seconds, all after three thousand.
      expect([Math.ceil(retryMs / 1e6), Math.ceil(resetMs / 1e6)]).toEqual([1, 3]);
      expect([one.limits.metrics, one.log.lines]).toEqual([{ isShared: true, countedAlone: 0 }, []]);
    });

    it("let what a request counts more delay the next ones, with the same rule as limits in memory", async () => {
      const [one, other] = [await open(redis.url), await open(redis.url)];
      const memory = new MemoryLimits({ maxNames: 100 }, new ManualClock());
      for (const [at, count] of [1, 4, 2].entries()) {
        const [taken, expected] = [await one.limits.take("heavy", rate), memory.take("heavy", rate)];
        expect(brief(taken)).toEqual(brief(expected));
        expect(brief(taken)[0]).toBe(at < 2);
        await other.limits.add("heavy", rate, count);
        memory.add("heavy", rate, count);
      }
      const [late, expected] = [await other.limits.take("heavy", rate), memory.take("heavy", rate)];
      // Ten requests of a budget of three are to be worked off, each in a thousand seconds.
      const roundedUp = ({ retryMs, resetMs }: RateDecision) => [retryMs, resetMs].map((ms) => Math.ceil(ms / 1e6));
      expect([late.isAllowed, roundedUp(late), roundedUp(expected)]).toEqual([false, [7, 9], [7, 9]]);
    });

    it("are counted by name", async () => {
      const { limits } = await open(redis.url);
      const once = { ...rate, burst: 1 };
      const taken = await Promise.all(["a", "b", "a", "b"].map((name) => limits.take(`by ${name}`, once)));
      expect(taken.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false, false]);
    });

    it("continue when Redis has dropped the script", async () => {
      const { limits, log } = await open(redis.url);
      expect(brief(await limits.take("flushed", rate))).toEqual([true, 2]);
      const admin = new Redis(redis.url);
      await admin.script("FLUSH");
      expect(brief(await limits.take("flushed", rate))).toEqual([true, 1]);
      expect(await admin.exists("tongate:limit:flushed")).toBe(1);
      admin.disconnect();
      expect([limits.metrics, log.lines]).toEqual([{ isShared: true, countedAlone: 0 }, []]);
    });

    it("apply per process while Redis is unavailable, and are shared again when it returns", async () => {
      const one = await open(redis.url);
      expect(brief(await one.limits.take("gone", rate))).toEqual([true, 2]);
      await redis.kill();
      // Nothing fails, and the process starts counting from zero.
      const verdicts = await Promise.all(Array.from({ length: 5 }, () => one.limits.take("gone", rate)));
      expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false, false]);
      expect([one.limits.metrics, one.log.lines]).toEqual([{ isShared: false, countedAlone: 5 }, [gone]]);
      await redis.start();
      await untilShared(one);
      // Redis lost both counts and script.
      expect(brief(await one.limits.take("gone", rate))).toEqual([true, 2]);
      expect(brief(await (await open(redis.url)).limits.take("gone", rate))).toEqual([true, 1]);
      expect(one.log.lines).toEqual([gone, back]);
    });

    it("are retried by one request per second while Redis does not respond", async () => {
      const one = await open(redis.url);
      await one.limits.take("frozen", rate);
      redis.freeze();
      try {
        const late = one.limits.take("frozen", rate);
        await one.clock.advance(499);
        expect(one.limits.metrics).toEqual({ isShared: true, countedAlone: 0 });
        await one.clock.advance(1);
        await one.clock.advance(0);
        expect((await late).isAllowed).toBe(true);
        expect(one.limits.metrics).toEqual({ isShared: false, countedAlone: 1 });
        // The clock stands still: a call to Redis would never time out.
        const order: string[] = [];
        const take = (name: string) => one.limits.take("frozen", rate).then(() => order.push(name));
        await Promise.all([take("first"), take("second")]);
        await one.clock.advance(1000);
        const probe = take("the one that looks");
        await Promise.all([take("third"), take("fourth")]);
        await one.clock.advance(500);
        await one.clock.advance(0);
        await probe;
        expect(order).toEqual(["first", "second", "third", "fourth", "the one that looks"]);
      } finally {
        redis.thaw();
      }
      await untilShared(one);
      expect(one.log.lines).toEqual([gone, back]);
    });
  });
} else {
  it("limits in Redis are skipped without a Redis to start", () => {
    process.stdout.write("no redis-server on the PATH: limits in Redis are not tested\n");
    expect(hasRedis()).toBe(false);
  });
}

it("without any Redis, limits apply per process", async () => {
  const { limits, log } = await open("redis://127.0.0.1:1");
  const once = { perSecond: 1, burst: 1 };
  expect((await limits.take("a", once)).isAllowed).toBe(true);
  expect((await limits.take("a", once)).isAllowed).toBe(false);
  await limits.add("a", once, 8);
  expect((await limits.take("a", once)).retryMs).toBe(9_000);
  expect([limits.metrics, log.lines]).toEqual([{ isShared: false, countedAlone: 4 }, [gone]]);
});
