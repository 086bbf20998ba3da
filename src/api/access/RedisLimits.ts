import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { ApiError } from "../declare/errors.ts";
import type { LimitStore, Rate, RateDecision } from "./limits.ts";

/**
 * The same rule as `takeFrom`, where Redis runs it: by its own clock, so that processes whose clocks differ agree.
 * Answers: allowed, remaining, retryMs, resetMs. A third argument adds to a request that was allowed.
 */
const script = `
local each = tonumber(ARGV[1])
local tolerance = tonumber(ARGV[2])
local added = tonumber(ARGV[3])
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local even = tonumber(redis.call("GET", KEYS[1]) or "0")
local behind = math.max(0, even - now)
local allowed = added > 0 or behind <= tolerance
local after = behind
if allowed then
  after = behind + each * math.max(1, added)
  redis.call("SET", KEYS[1], string.format("%.3f", now + after), "PX", math.ceil(after))
end
local remaining = math.max(0, math.floor((tolerance - after) / each) + 1)
local retry = allowed and 0 or behind - tolerance
return { allowed and 1 or 0, remaining, math.ceil(retry), math.ceil(after) }
`;

/** The hash by which Redis identifies a script. */
const scriptName = createHash("sha1").update(script).digest("hex");

/** The timeout of one count, and how long a Redis that did not answer is skipped, so that no request waits for it. */
const waitMs = { answer: 500, pause: 1_000 } as const;

export interface RedisLimitsModules {
  readonly clock: Clock;
  readonly log: Log;
  /** Counts while Redis is unavailable: limits then apply to each process alone. */
  readonly standIn: LimitStore;
}

/** Metrics of shared counters. */
export interface SharedLimitMetrics {
  readonly isShared: boolean;
  /** Requests counted by the fallback so far. */
  readonly countedAlone: number;
}

/**
 * Counters shared by several processes. While Redis does not answer, requests are counted locally; one of them per
 * second checks whether it is back.
 */
export class RedisLimits implements LimitStore {
  readonly isImmediate = false;
  readonly #redis: Redis;
  readonly #modules: RedisLimitsModules;
  #isWorking = true;
  #isTrying = false;
  #pausedUntilMs = 0;
  #countedAlone = 0;

  private constructor(redis: Redis, modules: RedisLimitsModules) {
    this.#redis = redis;
    this.#modules = modules;
  }

  /** Connects; an unavailable Redis is retried, with the fallback in the meantime. */
  static async open(url: string, modules: RedisLimitsModules): Promise<RedisLimits> {
    const Client = await loadClient();
    const redis = new Client(url, {
      lazyConnect: true,
      connectTimeout: 1000,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
    });
    // Each failed attempt is an event; the effect on answers is logged once, by `#noteWorking`.
    redis.on("error", () => {});
    const limits = new RedisLimits(redis, modules);
    await redis.connect().catch((cause: unknown) => limits.#noteWorking(false, cause));
    return limits;
  }

  get metrics(): SharedLimitMetrics {
    return { isShared: this.#isWorking, countedAlone: this.#countedAlone };
  }

  take(name: string, rate: Rate): Promise<RateDecision> {
    return this.#count(name, rate, 0, (standIn) => standIn.take(name, rate));
  }

  async add(name: string, rate: Rate, count: number): Promise<void> {
    await this.#count(name, rate, count, async (standIn) => {
      await standIn.add(name, rate, count);
      return undefined;
    });
  }

  async #count<T>(
    name: string,
    rate: Rate,
    added: number,
    alone: (standIn: LimitStore) => T | Promise<T>,
  ): Promise<RateDecision | T> {
    const countAlone = () => {
      this.#countedAlone += 1;
      return alone(this.#modules.standIn);
    };
    if (!this.#isWorking && (this.#isTrying || this.#modules.clock.monotonic() < this.#pausedUntilMs))
      return countAlone();
    this.#isTrying = true;
    try {
      const verdict = decodeVerdict(await this.#inTime(this.#run(name, rate, added)));
      this.#noteWorking(true);
      return verdict;
    } catch (cause) {
      // Answering without the shared count is better than not answering; it ends with the next answer of Redis.
      this.#noteWorking(false, cause);
      return countAlone();
    } finally {
      this.#isTrying = false;
    }
  }

  /** Runs the script by its hash; a Redis that has restarted or dropped the script gets it again. */
  async #run(name: string, { perSecond, burst }: Rate, added: number): Promise<unknown> {
    const eachMs = 1000 / perSecond;
    const given = [`tongate:limit:${name}`, eachMs, eachMs * (Math.max(1, burst) - 1), added] as const;
    try {
      return await this.#redis.evalsha(scriptName, 1, ...given);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return await this.#redis.eval(script, 1, ...given);
    }
  }

  /**
   * After a busy turn of this process its timers fire before the answer is read, so it checks once more before giving
   * up.
   */
  #inTime<T>(work: Promise<T>): Promise<T> {
    const { clock } = this.#modules;
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new ApiError("api/unreachable", `Redis did not answer within ${waitMs.answer} ms`));
      let cancel = clock.timer(waitMs.answer, () => {
        cancel = clock.timer(0, giveUp);
      });
      work.then(resolve, reject).finally(() => cancel());
    });
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    await this.#modules.standIn.close();
  }

  #noteWorking(isWorking: boolean, cause?: unknown): void {
    if (!isWorking) this.#pausedUntilMs = this.#modules.clock.monotonic() + waitMs.pause;
    if (isWorking !== this.#isWorking) {
      this.#isWorking = isWorking;
      const { log } = this.#modules;
      if (isWorking) log.info("Redis answers again; limits are shared");
      else log.warn("Redis does not answer; this process counts requests alone", { cause });
    }
  }
}

function decodeVerdict(answer: unknown): RateDecision {
  const [allowed, remaining, retryMs, resetMs] = Array.isArray(answer) ? answer.map(Number) : [];
  if (remaining === undefined || retryMs === undefined || resetMs === undefined)
    throw new ApiError("api/unreachable", `unexpected answer of Redis: ${JSON.stringify(answer)}`);
  return { isAllowed: allowed === 1, remaining, retryMs, resetMs };
}

/** The package is optional: it is needed only with a Redis address. */
async function loadClient(): Promise<typeof Redis> {
  try {
    return (await import("ioredis")).Redis;
  } catch (cause) {
    throw new ApiError("api/unreachable", "limits in Redis need the package ioredis: npm install ioredis", { cause });
  }
}
