import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedProcess, serveProcess } from "../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { KeyFile } from "../../src/api/access/KeyFile.ts";
import { makeApiKey } from "../../src/api/access/keys.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { hasRedis, RedisServer } from "../kit/api/redisServer.ts";

/** So slow that nothing is refilled during the test: exactly the burst is admitted. */
const plans = { free: { perSecond: 0.001, burst: 5 }, plus: { perSecond: 0.001, burst: 12 } };

if (hasRedis()) {
  describe("two processes with one Redis", () => {
    let app: CompiledApp;
    let redis: RedisServer;
    let folder: string;
    const keys = new Map<string, string>();
    const servers: ServedProcess[] = [];

    beforeAll(async () => {
      [app, redis] = await Promise.all([compileApp(), RedisServer.open()]);
      folder = mkdtempSync(join(tmpdir(), "tongate-shared-"));
      const config = join(folder, "tongate.json");
      writeFileSync(config, JSON.stringify({ plans, keyless: 0.001 }));
      const data = ["one", "other"].map((name) => join(folder, name));
      for (const each of data) mkdirSync(each);
      const [first = "", second = ""] = data;
      const file = new KeyFile(first);
      for (const plan of ["free", "plus"]) {
        const owner = { name: plan, owner: plan, plan, networks: ["*"] };
        const made = makeApiKey(owner, Date.now(), systemRandom);
        file.append(made.event);
        keys.set(plan, made.secret);
      }
      copyFileSync(join(first, "keys.jsonl"), join(second, "keys.jsonl"));
      const flags = ["--no-index", "--demo", "off", "--limits", "on", "--redis", redis.url];
      const start = (at: string) =>
        serveProcess(app, ["--data", at, ...flags], { environment: { TONGATE_CONFIG: config } });
      servers.push(...(await Promise.all(data.map(start))));
    });

    afterAll(async () => {
      const codes = await Promise.all(servers.map((server) => server.stop()));
      await redis?.close();
      rmSync(folder, { recursive: true, force: true });
      expect(codes).toEqual(servers.map(() => 0));
    });

    const path = `/api/v2/detectHash?hash=${"00".repeat(32)}`;

    /** Sends `count` requests at once, alternating between both servers; returns the number of each status. */
    async function ask(count: number, plan?: string): Promise<Readonly<Record<number, number>>> {
      const headers = plan === undefined ? {} : { "x-api-key": keys.get(plan) ?? "" };
      const asked = Array.from({ length: count }, async (_, i) => {
        const response = await fetch(`${servers[i % 2]?.origin}${path}`, { headers });
        await response.arrayBuffer();
        return response.status;
      });
      const counts: Record<number, number> = {};
      for (const status of await Promise.all(asked)) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    }

    const metric = async (name: string) => {
      const texts = await Promise.all(servers.map(async ({ origin }) => (await fetch(`${origin}/metrics`)).text()));
      return texts.map((text) => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]));
    };

    it("admit exactly the plan's number, whichever process is used", async () => {
      expect(await ask(30, "free")).toEqual({ 200: 5, 429: 25 });
      expect(await ask(30, "plus")).toEqual({ 200: 12, 429: 18 });
      expect(await ask(10)).toEqual({ 200: 1, 429: 9 });
      expect(await metric("tongate_limits_shared")).toEqual([1, 1]);
      expect(await metric("tongate_limits_fallback_total")).toEqual([0, 0]);
    });

    it("keep answering without Redis, each with its own counters, and report that", async () => {
      await redis.kill();
      // Each process starts counting from zero and admits its own burst.
      expect(await ask(30, "free")).toEqual({ 200: 10, 429: 20 });
      // The text of metrics is kept for a moment, and asking for it is counted, too.
      await expect.poll(() => metric("tongate_limits_shared")).toEqual([0, 0]);
      for (const counted of await metric("tongate_limits_fallback_total")) expect(counted).toBeGreaterThanOrEqual(15);
      for (const { logged } of servers) {
        const reported = () => logged.filter((line) => line.includes("this process counts requests alone")).length;
        await expect.poll(reported).toBe(1);
      }
    });

    it("share again when Redis returns", async () => {
      await redis.start();
      const isShared = async () => {
        await ask(2, "free");
        return metric("tongate_limits_shared");
      };
      await expect.poll(isShared, { timeout: 300_000, interval: 100 }).toEqual([1, 1]);
      expect(await ask(30, "plus")).toEqual({ 200: 12, 429: 18 });
    });
  });
} else {
  it("limits shared by processes are skipped without a Redis to start", () => {
    process.stdout.write("no redis-server on the PATH: limits shared by processes are not tested\n");
    expect(hasRedis()).toBe(false);
  });
}
