import { expect, it } from "vitest";
import { databaseError } from "../../../../../src/history/store/databaseErrors.ts";
import { EmbeddedDatabase } from "../../../../../src/history/store/engine/embedded/EmbeddedDatabase.ts";
import type { ThreadRequest } from "../../../../../src/history/store/engine/embedded/protocol.ts";
import { openLog } from "../../../../../src/lib/log.ts";
import { ManualClock } from "../../../../kit/suite/ManualClock.ts";

/** A thread whose statements fail with a state while it lives. */
function brokenThread(state: string | undefined) {
  let isAlive = true;
  return {
    opened: Promise.resolve(),
    gone: Promise.resolve(),
    get isAlive() {
      return isAlive;
    },
    send: async (request: ThreadRequest) => {
      if (state !== undefined && request.kind === "query")
        throw databaseError({ code: state, message: "File exists" }, "a statement");
      return { columns: [], bytes: new Uint8Array() };
    },
    destroy: async () => {
      isAlive = false;
    },
  };
}

async function openWith(states: readonly (string | undefined)[]) {
  let opened = 0;
  const database = await EmbeddedDatabase.open({
    clock: new ManualClock(),
    log: openLog({ level: "silent" }),
    openThread: () => brokenThread(states[opened++]),
    patienceMs: 1_000,
    refuseFull: () => {},
    onClose: () => {},
  });
  return { database, opened: () => opened };
}

it.each(["58P02", "58030", "53000", "EMFILE", ""])("reopens the engine after a file error (%s)", async (state) => {
  const { database, opened } = await openWith([state, undefined]);
  await expect(database.query("select 1")).rejects.toThrow("File exists");
  expect(await database.query("select 1")).toEqual([]);
  expect(opened()).toBe(2);
});

it("keeps the engine after a statement error", async () => {
  const { database, opened } = await openWith(["22P02"]);
  await expect(database.query("select 1")).rejects.toThrow();
  await expect(database.query("select 1")).rejects.toThrow();
  expect(opened()).toBe(1);
});
