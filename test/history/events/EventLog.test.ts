import { expect, it } from "vitest";
import { EventLog } from "../../../src/history/events/EventLog.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openLog } from "../../../src/lib/log.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { flushPromises, ManualClock } from "../../kit/suite/ManualClock.ts";

/** A database whose index ends at a block; counts how often that is read, and lets another process commit. */
function madeDatabase<Kind extends Database["kind"]>(kind: Kind) {
  const state = { next: 10, reads: 0, notify: () => {} };
  const query: Database["query"] = async (sql) => {
    if (!sql.includes("from segments")) return [];
    state.reads++;
    return [{ first_seqno: 1, next_seqno: state.next }];
  };
  const listen = async (_channel: string, hear: (payload: string) => void) => {
    const before = state.notify;
    state.notify = () => {
      before();
      hear("");
    };
    return async () => {};
  };
  const write: Database["write"] = () => Promise.reject(new Error("nothing is written"));
  return { state, database: { kind, query, listen, write } };
}

it("reads after commits of other processes only for listeners, and otherwise every second", async () => {
  const { state, database } = madeDatabase("postgres");
  const clock = new ManualClock();
  const log = openLog({ level: "silent" });
  const events = new EventLog({ database, clock, log, random: seededRandom("events") });
  await flushPromises();
  const opened = state.reads;
  for (state.next = 11; state.next < 20; state.next++) {
    state.notify();
    events.advance();
    await flushPromises();
  }
  expect(state.reads).toBe(opened);
  await clock.advance(1_000);
  expect([state.reads, events.extent]).toEqual([opened + 1, { first: 1, last: 19 }]);
  state.next = 25;
  const heard: number[] = [];
  events.onExtent(({ last }) => heard.push(last));
  await flushPromises();
  state.next = 26;
  state.notify();
  await flushPromises();
  expect(heard).toEqual([24, 25]);
  await events.close();
  expect(clock.waiting).toBe(0);
});

it("reads the tables of the built-in engine after its own commits, and rarely otherwise", async () => {
  const { state, database } = madeDatabase("embedded");
  const clock = new ManualClock();
  const events = new EventLog({ database, clock, log: openLog({ level: "silent" }), random: seededRandom("events") });
  const heard: number[] = [];
  events.onExtent(({ last }) => heard.push(last));
  await flushPromises();
  const opened = state.reads;
  await clock.advance(9_000);
  expect(state.reads).toBe(opened);
  state.next = 11;
  events.advance();
  await flushPromises();
  expect([heard, state.reads]).toEqual([[9, 10], opened + 1]);
  await clock.advance(1_000);
  expect(state.reads).toBe(opened + 2);
  await events.close();
});

it("publishes in the order of the calls, also when a message is still being written", async () => {
  const { database } = madeDatabase("embedded");
  const log = openLog({ level: "silent" });
  const events = new EventLog({ database, clock: new ManualClock(), log, random: seededRandom("events") });
  const heard: string[] = [];
  events.onMessage((payload) => heard.push(payload));
  let finish = (_payload: string) => {};
  events.publish("first");
  events.publish(
    new Promise((resolve) => {
      finish = resolve;
    }),
  );
  events.publish(Promise.reject(new Error("cannot be written")));
  events.publish("last");
  await flushPromises();
  expect(heard).toEqual(["first"]);
  finish("written");
  await flushPromises();
  expect(heard).toEqual(["first", "written", "last"]);
  events.publish("at once");
  expect(heard.at(-1)).toBe("at once");
  await events.close();
});
