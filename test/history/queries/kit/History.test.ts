import { describe, expect, it } from "vitest";
import { addressBook } from "../../../../src/history/queries/addressBook.ts";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import { metadata } from "../../../../src/history/queries/metadata.ts";
import type { SqlOptions, SqlSession } from "../../../../src/history/store/Database.ts";
import { LibError } from "../../../../src/lib/errors.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

/** A database that only records calls. */
function openNoted() {
  const asked: { readonly sql: string; readonly options: SqlOptions | undefined }[] = [];
  const opened: (SqlOptions | undefined)[] = [];
  const session: SqlSession = {
    query: async (sql, _params, options) => {
      asked.push({ sql, options });
      return [];
    },
    run: async () => undefined,
    copy: async () => undefined,
    copyBinary: async () => undefined,
  };
  const read = <T>(work: (session: SqlSession) => Promise<T>, options?: SqlOptions) => {
    opened.push(options);
    return work(session);
  };
  return { asked, opened, history: new History(contractHistory, { database: { read } }) };
}

const account = makeAddress(0, sameDigits("1"));
const statement = { text: "select 1", params: [] };

describe("a snapshot read", () => {
  it.each([
    [undefined, 3000],
    [100, 100],
    [0, 3000],
    [-5, 3000],
    [60_000, 3000],
  ])("with a timeout of %o ms may take %i", async (timeoutMs, allowed) => {
    const { history, asked, opened } = openNoted();
    await history.read({ timeoutMs }, (reading) => reading.query(statement));
    expect([opened, asked]).toEqual([
      [{ timeoutMs: allowed, bytesAsText: true }],
      [{ sql: "select 1", options: { timeoutMs: allowed } }],
    ]);
  });

  it("ends its statements with its request", async () => {
    const { history, asked } = openNoted();
    const { signal } = new AbortController();
    await history.read({ signal }, (reading) => reading.query(statement));
    expect(asked[0]?.options).toEqual({ timeoutMs: 3000, signal });
  });

  it("reports its statements to a watcher", async () => {
    const seen: string[] = [];
    const { history } = openNoted();
    await history.read({ watch: ({ text }) => void seen.push(text) }, (reading) => reading.query(statement));
    expect(seen).toEqual(["select 1"]);
  });

  it("runs no statement for an unrequested or empty address book or metadata", async () => {
    const { history, asked } = openNoted();
    await history.read({ withoutBook: true, withoutMetadata: true }, async (reading) => {
      expect(await addressBook(reading, [account])).toEqual(new Map());
      expect(await metadata(reading, [account])).toEqual(new Map());
    });
    await history.read({}, async (reading) => {
      expect(await addressBook(reading, [undefined])).toEqual(new Map());
      expect(await metadata(reading, [])).toEqual(new Map());
    });
    expect(asked).toEqual([]);
  });
});

describe("a read that waits for a block", () => {
  const behind = {
    code: "history/behind",
    message: "the index has block 4, the request needs block 9; try again in a moment",
  };

  /** An index that stays at block 4, with the time of a request for its statements. */
  function openBehind() {
    const clock = new ManualClock();
    const session = { query: async () => [{ seqno: 4 }] } as unknown as SqlSession;
    const read = <T>(work: (session: SqlSession) => Promise<T>) => work(session);
    return { clock, history: new History({ ...contractHistory, timeoutMs: 10_000 }, { database: { read }, clock }) };
  }

  it("ends before the request does, and names the block", async () => {
    const { clock, history } = openBehind();
    const outcome = history.read({ seenSeqno: 9 }, async () => "answer").catch((error: unknown) => error);
    await clock.advance(3100);
    expect(clock.waiting).toBe(0);
    expect(await outcome).toMatchObject(behind);
  });

  it("names the block where the request ends first", async () => {
    const { clock, history } = openBehind();
    const deadline = new AbortController();
    const { signal } = deadline;
    const outcome = history.read({ seenSeqno: 9, signal }, async () => "answer").catch((error: unknown) => error);
    await clock.advance(500);
    deadline.abort(new LibError("lib/deadline", "the request took too long"));
    expect(await outcome).toMatchObject(behind);
  });
});
