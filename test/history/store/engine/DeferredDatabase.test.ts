import { describe, expect, it } from "vitest";
import { HistoryError } from "../../../../src/history/errors.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { DeferredDatabase } from "../../../../src/history/store/engine/DeferredDatabase.ts";
import { type Log, type LogData, openLog } from "../../../../src/lib/log.ts";
import { seededRandom } from "../../../../src/lib/random.ts";
import { deferred } from "../../../kit/suite/deferred.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

/** A database with empty answers; its lock is free or held elsewhere, and may be lost. */
function fakeDatabase(locked?: Promise<void>, lost: AbortSignal = new AbortController().signal, isHeld = true) {
  const calls: string[] = [];
  const database: Database = {
    kind: "postgres",
    query: async (sql) => {
      calls.push(sql);
      return [];
    },
    read: () => Promise.reject(new Error("not here")),
    write: () => Promise.reject(new Error("not here")),
    runAlone: async () => {},
    lockWriter: async (_signal, onHeld) => {
      if (isHeld) onHeld?.();
      await locked;
      return { lost, release: async () => {} };
    },
    close: async () => {
      calls.push("close");
    },
  };
  return { database, calls };
}

const away = new HistoryError("history/database", "connection refused");

function open(attempts: (() => Promise<Database>)[]) {
  const clock = new ManualClock();
  const next = () => (attempts.shift() ?? (() => Promise.reject(away)))();
  const modules = { clock, random: seededRandom("late"), log: openLog({ level: "silent" }) };
  return { clock, late: new DeferredDatabase({ kind: "postgres", open: next }, modules) };
}

describe("a database that may be late", () => {
  it("is used when it is available, and closed", async () => {
    const { database, calls } = fakeDatabase();
    const { late } = open([async () => database]);
    await late.start(1_000);
    expect(late.condition()).toEqual({ kind: "open" });
    await late.query("select 1");
    await late.close();
    expect(calls).toEqual(["select 1", "close"]);
    await expect(late.query("select 1")).rejects.toMatchObject({ code: "history/database" });
  });

  it("refuses statements with the reason while it is unavailable, and opens when it can", async () => {
    const { database } = fakeDatabase();
    const { late, clock } = open([() => Promise.reject(away), () => Promise.reject(away), async () => database]);
    await late.start(1_000);
    expect(late.condition()).toEqual({ kind: "away", reason: "connection refused" });
    await expect(late.query("select 1")).rejects.toMatchObject({
      code: "history/away",
      message: "the database of the index cannot be used: connection refused",
    });
    const writer = late.lockWriter();
    await clock.advance(60_000);
    await writer;
    expect(late.condition()).toEqual({ kind: "open" });
    await late.close();
  });

  it("is not awaited longer than its limit", async () => {
    const { database } = fakeDatabase();
    const opening = deferred();
    const { late, clock } = open([() => opening.promise.then(() => database)]);
    const started = late.start(1_000);
    await clock.advance(1_000);
    await started;
    expect(late.condition().kind).toBe("opening");
    opening.resolve();
    await late.lockWriter();
    expect(late.condition()).toEqual({ kind: "open" });
    await late.close();
  });

  it("fails the start for permanent errors", async () => {
    const foreign = new HistoryError("history/foreign", "another network");
    const { late } = open([() => Promise.reject(foreign)]);
    await expect(late.start(1_000)).rejects.toBe(foreign);
    await late.close();
  });

  it("can be closed while it is unavailable", async () => {
    const { late } = open([]);
    await late.start(1_000);
    await late.close();
    expect(late.condition()).toEqual({ kind: "closed" });
  });

  it("does not report a slow database as another writer", async () => {
    const slow = deferred();
    const { late, clock } = open([async () => fakeDatabase(slow.promise, undefined, false).database]);
    await late.start(1_000);
    const lock = late.lockWriter();
    await clock.advance(60_000);
    expect(late.waitsForWriter).toBe(false);
    slow.resolve();
    await lock;
    await late.close();
  });

  it("reports that its writer waits for another one", async () => {
    const other = deferred();
    const { late, clock } = open([async () => fakeDatabase(other.promise).database]);
    await late.start(1_000);
    const lock = late.lockWriter();
    await clock.advance(2_000);
    expect(late.waitsForWriter).toBe(true);
    other.resolve();
    await lock;
    expect(late.waitsForWriter).toBe(false);
    await late.close();
  });

  it("counts its changes, and counts every read while others may change it", async () => {
    const losing = new AbortController();
    const { late } = open([async () => fakeDatabase(undefined, losing.signal).database]);
    await late.start(1_000);
    const looks = () => {
      const [one, other] = [late.changes, late.changes];
      return one === other;
    };
    expect(looks()).toBe(false);
    const lock = await late.lockWriter();
    const before = late.changes;
    expect(looks()).toBe(true);
    await late.runAlone("x");
    const between = late.changes;
    await expect(late.write(async () => {})).rejects.toThrow("not here");
    expect([new Set([before, between, late.changes]).size, looks()]).toEqual([3, true]);
    await lock.release();
    expect(looks()).toBe(false);
    await late.lockWriter();
    expect(looks()).toBe(true);
    losing.abort(away);
    expect(looks()).toBe(false);
    await late.close();
  });

  it("refuses statements with a separate code while it is opening", async () => {
    const { late } = open([() => new Promise(() => {})]);
    void late.start(0);
    expect(late.condition()).toEqual({ kind: "opening" });
    await expect(late.query("select 1")).rejects.toMatchObject({ code: "history/opening" });
  });

  it("logs every changed reason once, and an attempt that neither ends nor fails", async () => {
    const lines: unknown[] = [];
    const line = (level: string) => (message: string, data?: LogData) => void lines.push([level, message, data]);
    const log: Log = {
      ...{ debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") },
      child: () => log,
    };
    const clock = new ManualClock();
    const hanging = deferred();
    const full = new HistoryError("history/database", "no room is left");
    const { database } = fakeDatabase();
    const attempts: (() => Promise<Database>)[] = [
      () => Promise.reject(away),
      () => Promise.reject(away),
      () => Promise.reject(full),
      () => Promise.reject(away),
      () => hanging.promise.then(() => database),
    ];
    const next = () => (attempts.shift() ?? (() => Promise.reject(full)))();
    const late = new DeferredDatabase({ kind: "embedded", open: next }, { clock, random: seededRandom("late"), log });
    await late.start(1_000);
    while (attempts.length > 0) await clock.advance(500);
    await clock.advance(60_000);
    hanging.resolve();
    await clock.advance(60_000);
    const unusable = "the database of the index cannot be used";
    const slow = "still opening the database of the index";
    expect(lines).toEqual([
      ["warn", unusable, { reason: "connection refused" }],
      ["warn", unusable, { reason: "no room is left" }],
      ["warn", unusable, { reason: "connection refused" }],
      ["warn", slow, { seconds: 30 }],
      ["warn", slow, { seconds: 60 }],
      ["info", "the database of the index is available", undefined],
    ]);
    await late.close();
    expect(clock.waiting).toBe(0);
  });

  it("cancels an opening at once when it is closed", async () => {
    const clock = new ManualClock();
    const modules = { clock, random: seededRandom("late"), log: openLog({ level: "silent" }) };
    const late = new DeferredDatabase(
      {
        kind: "embedded",
        open: (signal) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
      },
      modules,
    );
    const starting = late.start(0);
    await clock.advance(0);
    await starting;
    await late.close();
    expect(late.condition()).toEqual({ kind: "closed" });
  });
});
