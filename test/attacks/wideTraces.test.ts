import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LoopWatch } from "../../kit/attacks/LoopWatch.ts";
import { v3Api } from "../../src/api/v3/envelope.ts";
import { contractHistory, History } from "../../src/history/queries/kit/History.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { hashToBase64 } from "../../src/model/Hash.ts";
import { openApiServer, type TestServer } from "../kit/api/apiServer.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";
import { nameInTrace, type WideTrace, writeTraceHead, writeWideTrace } from "../kit/attacks/wideTrace.ts";
import { openFresh } from "../kit/history/database.ts";
import { named } from "../kit/history/traceBlocks.ts";
import { repeats } from "../kit/suite/everything.ts";

/*
 * A contract decides how many transactions a trace and how many messages a transaction has, not how long others wait.
 */

const longestPieceMs = 50;

const large: WideTrace = { name: "large", transactions: repeats({ usual: 500, all: 4000 }), fanOut: 50, logs: 1 };
const wide: WideTrace = { name: "wide", transactions: repeats({ usual: 21, all: 41 }), fanOut: 150, logs: 250 };
/** Only its row is written: a test that reads more of it finds nothing. */
const endless: WideTrace = { name: "endless", transactions: 3000, fanOut: 250, logs: 250 };

let database: Database;
let server: TestServer;
let strict: TestServer;
let statements = 0;
const watch = new LoopWatch();

beforeAll(async () => {
  database = await openFresh("embedded");
  await writeWideTrace(database, large);
  await writeWideTrace(database, wide);
  await writeTraceHead(database, endless);
  const counted: Pick<Database, "read"> = {
    read: (work, options) =>
      database.read(
        (session) =>
          work({
            ...session,
            query: (...given) => {
              statements++;
              return session.query(...given);
            },
          }),
        options,
      ),
  };
  const historyOf = (maxMessages: number) =>
    new History({ ...contractHistory, maxMessages }, { database: counted, clock: systemClock });
  server = await openApiServer(v3Api, { history: historyOf(contractHistory.maxMessages) });
  strict = await openApiServer(v3Api, { history: historyOf(4000) });
});

afterAll(async () => {
  watch.stop();
  await Promise.all([server.destroy(), strict.destroy()]);
  await database.close();
});

const idOf = (trace: WideTrace, at = 0) => encodeURIComponent(hashToBase64(named(nameInTrace(trace, at))));

async function ask(path: string, of = server) {
  const answer = await fetch(`${of.origin}/api/v3/${path}`, { headers: { "accept-encoding": "identity" } });
  return { status: answer.status, text: await answer.text() };
}

/** Asks without keeping the answer: to put megabytes of it together would be a long piece of this client. */
async function skim(path: string) {
  const answer = await fetch(`${server.origin}/api/v3/${path}`, { headers: { "accept-encoding": "identity" } });
  let start = "";
  for await (const chunk of answer.body ?? []) start ||= String.fromCharCode(chunk[0] ?? 0);
  return { status: answer.status, start };
}

const requests = (trace: WideTrace) => [
  ["traces", `traces?trace_id=${idOf(trace)}&include_actions=true`] as const,
  ["actions", `actions?trace_id=${idOf(trace)}&limit=1000&include_transactions=true`] as const,
  ["adjacentTransactions", `adjacentTransactions?hash=${idOf(trace)}`] as const,
  ["transactions", `transactions?limit=1000&sort=${trace === wide ? "asc" : "desc"}`] as const,
  ["balanceChanges", `balanceChanges?trace_id=${idOf(trace)}`] as const,
];

describe.each([
  ["of many transactions", large, wide],
  ["of transactions with many messages", wide, large],
])("a trace %s", (_, trace, other) => {
  it.each(requests(trace).map((each, at) => [...each, requests(other)[at]?.[1] ?? ""] as const))(
    "is answered by %s in short pieces",
    async (_name, path, before) => {
      // The first request also compiles the code; the same one again would be answered from the cache.
      await skim(before);
      watch.takeWorstMs();
      const skimmed = await skim(path);
      expect(watch.takeWorstMs()).toBeLessThan(atThisSpeed(longestPieceMs));
      expect(skimmed).toEqual({ status: 200, start: "{" });
    },
  );
});

describe("a trace with more messages than an answer may have", () => {
  it("is shown by traces without its transactions", async () => {
    const { status, text } = await ask(`traces?trace_id=${idOf(endless)}`);
    expect(status).toBe(200);
    const [shown] = Object(JSON.parse(text)).traces;
    expect(shown).toMatchObject({ warning: "trace is too large", is_incomplete: true });
    expect(shown).not.toHaveProperty("transactions");
  });

  it.each(requests(wide).filter(([name]) => name !== "traces"))(
    "is refused by %s before its messages are read",
    async (_name, path) => {
      statements = 0;
      const { status, text } = await ask(path, strict);
      expect({ status, text }).toEqual({ status: 413, text: expect.stringContaining("more than 4000 messages; ask") });
      // The last one finds what is too much; before it, lists by hash look up where their rows are.
      expect(statements).toBeLessThanOrEqual(4);
    },
  );

  it("is counted together with others in one answer", async () => {
    const both = `traces?trace_id=${idOf(large)}&trace_id=${idOf(wide)}`;
    expect((await ask(both)).status).toBe(200);
    const narrow = await openApiServer(v3Api, {
      history: new History({ ...contractHistory, maxMessages: repeats({ usual: 6_000, all: 15_000 }) }, { database }),
    });
    const { status, text } = await ask(both, narrow);
    await narrow.destroy();
    expect({ status, text }).toEqual({ status: 413, text: expect.stringContaining("with a smaller limit") });
  });
});
