import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { MemoryLimits } from "../../../src/api/access/limits.ts";
import { RedisLimits } from "../../../src/api/access/RedisLimits.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { quietLog } from "../../kit/apiServer.ts";

const url = process.env.TONGATE_TEST_REDIS ?? "redis://127.0.0.1:6379";

async function isReachable(): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 500 });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

const modules = () => ({ log: quietLog, standIn: new MemoryLimits({ maxNames: 100 }, systemClock) });

if (await isReachable()) {
  describe("limits in Redis", () => {
    it("are shared by all who use it, and let in what limits in memory would", async () => {
      const [one, other] = [await RedisLimits.open(url, modules()), await RedisLimits.open(url, modules())];
      const name = `test:${systemRandom.int(2 ** 40)}`;
      const rate = { perSecond: 1, burst: 3 };
      const verdicts = [];
      for (const limits of [one, other, one, other]) {
        verdicts.push(await limits.take(name, rate));
      }
      expect(verdicts.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
      ]);
      expect(verdicts[3]?.retryMs).toBeGreaterThan(0);
      await Promise.all([one.close(), other.close()]);
    });
  });
} else {
  it("limits in Redis are left out while none is reachable", () => {
    process.stdout.write(`no Redis at ${url}: set TONGATE_TEST_REDIS\n`);
    expect(process.env.TONGATE_TEST_REDIS ?? "").toBe("");
  });
}

it("while Redis is away, limits hold for this process alone", async () => {
  const limits = await RedisLimits.open("redis://127.0.0.1:1", modules());
  const rate = { perSecond: 1, burst: 1 };
  expect((await limits.take("a", rate)).isAllowed).toBe(true);
  expect((await limits.take("a", rate)).isAllowed).toBe(false);
  await limits.close();
});
