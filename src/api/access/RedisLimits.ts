import type { Redis } from "ioredis";
import type { Log } from "../../lib/log.ts";
import { ApiError } from "../errors.ts";
import type { LimitStore, Rate, Verdict } from "./limits.ts";

/**
 * The same rule as `takeFrom`, where Redis runs it: by its own clock, so that processes whose clocks differ agree.
 * Answers: allowed, remaining, retryMs, resetMs.
 */
const script = `
local each = tonumber(ARGV[1])
local tolerance = tonumber(ARGV[2])
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local even = tonumber(redis.call("GET", KEYS[1]) or "0")
local behind = math.max(0, even - now)
local allowed = behind <= tolerance
local after = behind
if allowed then
  after = behind + each
  redis.call("SET", KEYS[1], string.format("%.3f", now + after), "PX", math.ceil(after))
end
local remaining = math.max(0, math.floor((tolerance - after) / each) + 1)
local retry = allowed and 0 or behind - tolerance
return { allowed and 1 or 0, remaining, math.ceil(retry), math.ceil(after) }
`;

export interface RedisLimitsModules {
  readonly log: Log;
  /** Counts in its place while Redis cannot be asked: limits then hold for each process alone. */
  readonly standIn: LimitStore;
}

/** Counts that several processes share. */
export class RedisLimits implements LimitStore {
  readonly #redis: Redis;
  readonly #modules: RedisLimitsModules;
  #isWorking = true;

  private constructor(redis: Redis, modules: RedisLimitsModules) {
    this.#redis = redis;
    this.#modules = modules;
  }

  /** Connects; a Redis that is away is tried again and again, and stood in for meanwhile. */
  static async open(url: string, modules: RedisLimitsModules): Promise<RedisLimits> {
    const Client = await loadClient();
    const redis = new Client(url, {
      lazyConnect: true,
      connectTimeout: 1000,
      commandTimeout: 200,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
    });
    // Each failed try is an event; what it means for answers is told once, by `#noteWorking`.
    redis.on("error", () => {});
    const limits = new RedisLimits(redis, modules);
    await redis.connect().catch((cause: unknown) => limits.#noteWorking(false, cause));
    return limits;
  }

  async take(name: string, rate: Rate): Promise<Verdict> {
    const eachMs = 1000 / rate.perSecond;
    try {
      const answer = await this.#redis.eval(
        script,
        1,
        `tongate:limit:${name}`,
        eachMs,
        eachMs * (Math.max(1, rate.burst) - 1),
      );
      this.#noteWorking(true);
      return decodeVerdict(answer);
    } catch (cause) {
      // Answering without the shared count is better than not answering; it ends with the next answer of Redis.
      this.#noteWorking(false, cause);
      return this.#modules.standIn.take(name, rate);
    }
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    await this.#modules.standIn.close();
  }

  #noteWorking(isWorking: boolean, cause?: unknown): void {
    if (isWorking !== this.#isWorking) {
      this.#isWorking = isWorking;
      const { log } = this.#modules;
      if (isWorking) {
        log.info("Redis answers again: limits are shared");
      } else {
        log.warn("Redis does not answer: limits hold for this process alone", { cause });
      }
    }
  }
}

function decodeVerdict(answer: unknown): Verdict {
  const [allowed, remaining, retryMs, resetMs] = Array.isArray(answer) ? answer.map(Number) : [];
  if (remaining === undefined || retryMs === undefined || resetMs === undefined) {
    throw new ApiError("api/unreachable", `Redis answered ${JSON.stringify(answer)} where a verdict was expected`);
  }
  return { isAllowed: allowed === 1, remaining, retryMs, resetMs };
}

/** The package is optional: only who sets a Redis address needs it. */
async function loadClient(): Promise<typeof Redis> {
  try {
    return (await import("ioredis")).Redis;
  } catch (cause) {
    throw new ApiError("api/unreachable", "limits in Redis need the package ioredis: npm install ioredis", { cause });
  }
}
