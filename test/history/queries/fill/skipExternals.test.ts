import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Builder } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import type { Direction, Page } from "../../../../src/history/queries/kit/Page.ts";
import type { Statement } from "../../../../src/history/queries/kit/Statement.ts";
import { listMessages, type MessageFilter, messagesSql } from "../../../../src/history/queries/messages.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { rowOf } from "../../../kit/history/databaseRows.ts";
import { loadRows } from "../../../kit/history/loadRows.ts";
import { someOf } from "../../../kit/suite/everything.ts";

const [wallet, quiet, user] = [
  makeAddress(0, sameDigits("1")),
  makeAddress(0, sameDigits("2")),
  makeAddress(-1, sameDigits("3")),
];
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex") as Hash;
const body = { bodyHash: hashOf("body"), body: writeBoc(new Builder().cell()), initHash: undefined, init: undefined };
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const opcodeAt = (at: number) => [1, 2, undefined][at % 3];

const message = (at: number, fields: Partial<ReturnType<typeof rowOf<typeof tables.messages.columns>>>) =>
  rowOf(tables.messages, 1, {
    ...body,
    ...{ hashNorm: undefined, outTxHash: undefined, outIndex: undefined, opcode: opcodeAt(at), lt: BigInt(1_000 + at) },
    ...{ source: undefined, destination: undefined, createdLt: undefined, createdAt: undefined },
    ...fields,
  });

/** The first and the last hash, some that begin with the same bytes, and others. */
const externalHashes = [
  ...["0", "f"].map(sameDigits),
  ...numbers(12).map((at) => `ab`.repeat(20).concat(hashOf(String(at)).slice(40)) as Hash),
  ...numbers(24).map((at) => hashOf(`external ${at}`)),
];
const externals = externalHashes.map((hash, at) => message(at, { hash, destination: at % 9 === 8 ? quiet : wallet }));
/** Two that were received again in a segment that is not joined yet. */
const repeated = [externals[1], externals[5]].flatMap((row) =>
  row === undefined ? [] : { ...row, lt: row.lt + 500n },
);
/** Four at a time have the same logical time. */
const created = numbers(48).map((at) => {
  const createdLt = BigInt(2_000 + (at >> 2));
  const ends = [
    { source: user, destination: wallet },
    { source: wallet, destination: quiet },
    { source: user, destination: quiet },
    { source: wallet, destination: undefined },
  ][(at * 7) % 4];
  const sent = at % 5 === 0 ? {} : { outTxHash: hashOf(`sent ${at}`), outIndex: 0 };
  return message(at + 1, {
    hash: hashOf(`created ${at}`),
    lt: createdLt,
    createdLt,
    createdAt: 5_000 + at,
    ...ends,
    ...sent,
  });
});
const all = [...externals, ...repeated, ...created];
/** Most messages were received. */
const receivers = [...externals, ...created]
  .filter((_, at) => at % 7 !== 0)
  .map(({ hash, lt, destination = user }, at) =>
    rowOf(tables.transactions, 1, {
      account: destination,
      lt: lt + BigInt(at),
      hash: hashOf(`by ${hash}`),
      inMsgHash: hash,
    }),
  );

/** Every filter with every other, also those that contradict each other. */
const filters: readonly MessageFilter[] = [undefined, null, wallet].flatMap((source) =>
  [undefined, null, wallet, quiet].flatMap((destination) =>
    [undefined, 1].flatMap((opcode) =>
      ([undefined, "in", "out"] as const).flatMap((direction) =>
        [false, true].flatMap((excludeExternals) =>
          [undefined, 2_004n].map((startLt) => ({
            hashes: [],
            ...{ source, destination, opcode, direction, excludeExternals, startLt },
          })),
        ),
      ),
    ),
  ),
);

let database: Database;
/** Skips from the first offset on. */
let skipping: History;
let plain: History;
const skipped: string[] = [];

beforeAll(async () => {
  database = await openFresh("postgres");
  await database.write(async (session) => {
    await loadRows(session, tables.messages, all);
    await loadRows(session, tables.transactions, receivers);
  });
  skipping = new History({ ...contractHistory, minResumedOffset: 1 }, { database });
  plain = new History({ ...contractHistory, minResumedOffset: 1_000 }, { database });
});

afterAll(() => database?.close());

async function list(history: History, filter: MessageFilter, page: Page, sort: Direction) {
  const watch = ({ text }: Statement) => void (text.includes("rank() over") && skipped.push(text));
  const { items, next } = await history.read({ watch }, (reading) => listMessages(reading, filter, page, sort));
  return { hashes: items.map(({ message: { row } }) => row.hash), next };
}

const limit = 3;
const isExternal = new Set<string>(externalHashes);

/** Compares pages near the ends of a list and near the border to the external messages; returns how many messages. */
async function comparePages(filter: MessageFilter, sort: Direction): Promise<number> {
  const { hashes: whole } = await list(plain, filter, { limit: 1000, offset: 0 }, sort);
  const border = whole.findIndex((each, at) => isExternal.has(each) !== isExternal.has(whole[at - 1] ?? each));
  const near = border < 0 ? [5, 17] : [border - 2, border - 1, border, border + 1];
  const offsets = [1, ...near, whole.length - 1, whole.length].filter((each) => each > 0);
  let compared = 0;
  for (const offset of new Set(offsets)) {
    const { hashes, next } = await list(skipping, filter, { limit, offset }, sort);
    expect([filter, sort, offset, hashes]).toEqual([filter, sort, offset, whole.slice(offset, offset + limit)]);
    compared += hashes.length;
    if (next === undefined) continue;
    const behind = await list(skipping, filter, { limit, offset: 0, cursor: next }, sort);
    // A cursor stands behind all rows with the same hash.
    const rest = whole.slice(offset + limit).filter((each) => each !== hashes.at(-1));
    expect([filter, sort, offset, behind.hashes]).toEqual([filter, sort, offset, rest.slice(0, limit)]);
  }
  return compared;
}

describe("external messages behind a cursor", () => {
  it("are read alone where they fill the page", async () => {
    const filter = { hashes: [], opcode: 1 };
    const { next = "" } = await list(plain, filter, { limit, offset: 0 }, "desc");
    const { text, params } = messagesSql(filter, { limit, offset: 0, cursor: next }, "desc");
    const plan = await database.query(`explain (analyze, costs off, timing off) ${text}`, params);
    const scans = plan.map((row) => String(row["QUERY PLAN"])).filter((line) => / on messages_/.test(line));
    // Those that the chain created come after them.
    expect(scans.map((line) => line.includes("never executed"))).toEqual([false, true]);
  });
});

describe("messages behind an offset that is skipped", () => {
  const cases = filters.flatMap((filter) => (["asc", "desc"] as const).map((sort) => ({ filter, sort })));

  it("are those of the whole list, with every filter", async () => {
    let compared = 0;
    for (const { filter, sort } of someOf(cases, (_, at) => at % 5 !== 0)) compared += await comparePages(filter, sort);
    expect(compared).toBeGreaterThan(1_000);
    expect(skipped.length).toBeGreaterThan(20);
  });

  it("are those of the whole list behind every offset, also between two rows of one message", async () => {
    const filter = { hashes: [], destination: wallet };
    for (const sort of ["asc", "desc"] as const) {
      const { hashes: whole } = await list(plain, filter, { limit: 1000, offset: 0 }, sort);
      expect(whole.length).toBeGreaterThan(new Set(whole).size);
      for (const offset of whole.keys()) {
        const { hashes } = await list(skipping, filter, { limit, offset }, sort);
        expect([sort, offset, hashes]).toEqual([sort, offset, whole.slice(offset, offset + limit)]);
      }
    }
  });

  it("are those of the whole list with an opcode that many messages have", async () => {
    await database.write((session) =>
      session.run(`insert into messages (lt, hash, created_lt, created_at, opcode, body_hash, body)
        select 9000 + i, sha256(('many' || i)::bytea), 9000 + i, 1, 1, '', '' from generate_series(1, 4100) i`),
    );
    skipped.length = 0;
    const ofReceivers = cases.filter(({ filter }) => filter.opcode === 1 && filter.destination);
    for (const { filter, sort } of ofReceivers) await comparePages(filter, sort);
    expect(skipped.length).toBeGreaterThan(8);
  });
});
