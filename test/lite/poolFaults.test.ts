import { afterEach, describe, expect, it } from "vitest";
import { LiteError } from "../../src/lite/errors.ts";
import { getTime } from "../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../src/lite/tl/queryEnvelope.ts";
import { errorAnswer, headAt, timeAnswer } from "../kit/lite/FakeLite.ts";
import { type Actor, PoolStage } from "../kit/lite/PoolStage.ts";
import { repeats } from "../kit/suite/everything.ts";

const backInUseMs = 2_000;
const stages: PoolStage[] = [];

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function openStage(count: number): Promise<PoolStage> {
  const stage = await PoolStage.open(count);
  stages.push(stage);
  return stage;
}

/** How a server breaks and recovers. */
interface Fault {
  readonly start: (actor: Actor, stage: PoolStage) => void | Promise<void>;
  readonly end: (actor: Actor, stage: PoolStage) => void | Promise<void>;
  /** Whether the server's head is unavailable in the meantime. */
  readonly shows: boolean;
}

const pass = ({ wire }: Actor) => wire.set("pass");

const faults: Readonly<Record<string, Fault>> = {
  "refuses connections": { start: ({ wire }) => wire.set("refuse"), end: pass, shows: true },
  "resets connections": { start: ({ wire }) => wire.set("reset"), end: pass, shows: true },
  "is half open": { start: ({ wire }) => wire.set("swallow"), end: pass, shows: true },
  "sends garbage": { start: ({ wire }) => wire.set("garble"), end: pass, shows: true },
  "drips its answers byte by byte": { start: ({ wire }) => wire.set("drip"), end: pass, shows: true },
  "has another key": {
    start: ({ wire, strangerPort }) => {
      wire.target = strangerPort;
      wire.reset();
    },
    end: ({ wire, port }) => {
      wire.target = port;
    },
    shows: true,
  },
  "is silent": {
    start: ({ fake }) => {
      fake.silent = true;
    },
    end: ({ fake }) => {
      fake.silent = false;
    },
    shows: true,
  },
  "answers with frames that are too long": {
    start: ({ fake }) => {
      fake.play = () => new Uint8Array(100_000);
    },
    end: ({ fake }) => {
      fake.play = () => timeAnswer(0);
    },
    shows: false,
  },
};

describe("while one of two servers", () => {
  it.each(Object.entries(faults))("%s, every read is answered, and it recovers soon", async (_name, fault) => {
    const stage = await openStage(2);
    const faulty = stage.actor(0);
    await stage.readMany(20);
    const underWay = stage.readMany(200, 8);
    await fault.start(faulty, stage);
    const answered = await underWay;
    expect(answered.reduce((sum, count) => sum + count)).toBe(200);
    if (fault.shows) await stage.until(() => stage.states()[0] === "down", 6_000);
    await stage.readMany(50);
    await fault.end(faulty, stage);
    const tookMs = await stage.until(() => stage.states()[0] === "ok", backInUseMs);
    expect(tookMs).toBeLessThanOrEqual(backInUseMs);
    await stage.actor(1).wire.set("refuse");
    expect(await stage.drive(stage.read())).toEqual(timeAnswer(0));
  });

  it("flaps, every read is answered", async () => {
    const stage = await openStage(2);
    const { wire } = stage.actor(0);
    const answers = [];
    for (let round = 0; round < 30; round++) {
      answers.push(stage.readMany(20));
      await stage.run(150);
      await (round % 2 === 0 ? wire.set("refuse") : wire.set("pass"));
      wire.reset();
      await stage.run(150);
    }
    const answered = await stage.drive(Promise.all(answers));
    expect(answered.flat().reduce((sum, count) => sum + count)).toBe(600);
    await wire.set("pass");
    await stage.until(() => stage.states()[0] === "ok", backInUseMs);
  });
});

describe("of three servers", () => {
  it("one that dies under load fails no read, not even its own", async () => {
    const stage = await openStage(3);
    for (const { fake } of stage.actors) fake.delayMs = 30;
    const reads = stage.readMany(300, 30);
    await stage.run(100);
    expect(stage.pool.status().servers[1]?.inFlight).toBeGreaterThan(0);
    await stage.actor(1).wire.set("refuse");
    const answered = await reads;
    expect(answered.reduce((sum, count) => sum + count)).toBe(300);
    expect(stage.pool.status().servers.map(({ inFlight, waiting }) => inFlight + waiting)).toEqual([0, 0, 0]);
  });

  it("one that turns slow is hardly used, and costs few extra queries", async () => {
    const stage = await openStage(3);
    for (const { fake } of stage.actors) fake.delayMs = 10;
    await stage.readMany(100);
    const slow = stage.actor(2).fake;
    [slow.delayMs, slow.headDelayMs] = [2_000, 2_000];
    const before = stage.pool.status();
    const answered = await stage.readMany(400, 8);
    const after = stage.pool.status();
    expect(answered.reduce((sum, count) => sum + count)).toBe(400);
    expect(answered[2]).toBeLessThanOrEqual(4);
    expect(after.hedges - before.hedges).toBeLessThanOrEqual(20);
    expect(after.hedges).toBeLessThanOrEqual(after.queries * 0.05);
  });

  it("one whose head goes back does not affect the pool's head", async () => {
    const stage = await openStage(3);
    const seen: number[] = [];
    const { signal } = new AbortController();
    const walk = (async () => {
      for await (const { block } of stage.pool.heads(signal)) seen.push(block.seqno);
    })();
    stage.setHead(110);
    await stage.run(1_000);
    const back = stage.actor(0).fake;
    back.seqno = 50;
    await stage.run(1_000);
    expect(stage.pool.head()).toEqual(headAt(110));
    expect(stage.states()).toEqual(["behind", "ok", "ok"]);
    stage.setHead(111);
    await stage.run(1_000);
    expect(stage.states()).toEqual(["ok", "ok", "ok"]);
    await stage.pool.close();
    await walk;
    expect(seen).toEqual([100, 110, 111]);
    expect(stage.clock.waiting).toBe(0);
  });

  it("detects a server with bad proofs, and never returns its answers", async () => {
    const stage = await openStage(3);
    stage.actor(0).fake.play = () => timeAnswer(666);
    const accept = (answer: Uint8Array) => {
      if (Buffer.from(answer).equals(timeAnswer(666))) throw new LiteError("lite/proof", "the number of the beast");
    };
    for (let query = 0; query < 20; query++) {
      const { signal } = new AbortController();
      const answer = await stage.drive(stage.pool.ask(encodeQuery(getTime, {}), { signal, accept }));
      expect(Buffer.from(answer).equals(timeAnswer(666))).toBe(false);
      await stage.run(25);
    }
    expect(stage.states()).toEqual(["quarantined", "ok", "ok"]);
    expect(stage.pool.status().servers[0]?.proofErrors).toBe(1);
  });

  it("busy ones are spared, and no read fails", async () => {
    const stage = await openStage(3);
    for (const { fake } of stage.actors.slice(0, 2)) fake.play = () => errorAnswer(228, "too many queries");
    const answered = await stage.readMany(200, 8);
    expect(answered[2]).toBe(200);
    const asked = stage.actors.slice(0, 2).map(({ fake }) => fake.asked.length);
    expect(Math.max(...asked)).toBeLessThanOrEqual(30);
  });
});

describe("when all servers die", () => {
  it("reads wait, and are answered as soon as one works again", async () => {
    const stage = await openStage(3);
    for (const { wire } of stage.actors) await wire.set("refuse");
    const reads = Promise.all(Array.from({ length: 50 }, () => stage.read(20_000)));
    await stage.run(8_000);
    expect(stage.states()).toEqual(["down", "down", "down"]);
    await stage.actor(2).wire.set("pass");
    const startedMs = stage.clock.monotonic();
    const answers = await stage.drive(reads, backInUseMs);
    expect(answers).toEqual(answers.map(() => timeAnswer(2)));
    expect(stage.clock.monotonic() - startedMs).toBeLessThanOrEqual(backInUseMs);
  });

  it("reads end at their deadline with the reason for each server", async () => {
    const stage = await openStage(2);
    await stage.actor(0).wire.set("refuse");
    stage.actor(1).fake.silent = true;
    await stage.run(5_000);
    const failure = await stage.drive(stage.read(1_000).catch((error: unknown) => error));
    expect(failure).toMatchObject({
      code: "lite/none",
      data: {
        servers: [
          { name: "a", state: "down", reason: expect.stringContaining("cannot connect to 127.0.0.1") },
          { name: "b", state: "down", reason: "did not report its head within 4000 ms" },
        ],
      },
    });
  });

  it.each(["refuse", "swallow"] as const)("for minutes (%s), all recover within two seconds", async (mode) => {
    const stage = await openStage(3);
    for (const { wire } of stage.actors) await wire.set(mode);
    const failed: unknown[] = [];
    for (let minute = 0; minute < repeats({ usual: 2, all: 3 }); minute++) {
      const read = stage.read(10_000).catch((error: unknown) => failed.push(error));
      await stage.run(60_000, 2_000);
      await read;
    }
    expect(failed.map((error) => (error as LiteError).code)).toEqual(failed.map(() => "lite/none"));
    expect(stage.states()).toEqual(["down", "down", "down"]);
    stage.setHead(200, 1_700_000_400);
    for (const { wire } of stage.actors) await wire.set("pass");
    const tookMs = await stage.until(() => stage.states().every((state) => state === "ok"), backInUseMs);
    expect(tookMs).toBeLessThanOrEqual(backInUseMs);
    expect(stage.pool.head()).toEqual(headAt(200, 1_700_000_400));
    expect(await stage.drive(stage.read())).toBeInstanceOf(Uint8Array);
  });

  it("one jump of the clock over the outage is handled as well", async () => {
    const stage = await openStage(2);
    for (const { wire } of stage.actors) await wire.set("swallow");
    await stage.clock.advance(300_000);
    for (const { wire } of stage.actors) await wire.set("pass");
    await stage.until(() => stage.states().every((state) => state === "ok"), backInUseMs);
    expect(await stage.readMany(20)).toSatisfy((from: number[]) => from.reduce((sum, count) => sum + count) === 20);
  });
});

describe("a hundred identical reads over sockets", () => {
  it("are one query", async () => {
    const stage = await openStage(3);
    const query = encodeQuery(getTime, {});
    const reads = Array.from({ length: 100 }, () => stage.pool.ask(query, { signal: new AbortController().signal }));
    await stage.drive(Promise.all(reads));
    expect(stage.actors.flatMap(({ fake }) => fake.asked)).toEqual(["getTime"]);
  });
});
