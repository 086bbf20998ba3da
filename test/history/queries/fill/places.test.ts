import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordedDescriptions } from "../../../../kit/history/made/madeChain.ts";
import { answer } from "../../../../kit/history/queryMix.ts";
import { Builder } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import {
  endsNearSql,
  findOutside,
  messagePlacesSql,
  receiversAfterSql,
} from "../../../../src/history/queries/fill/places.ts";
import { contractHistory, History, type HistorySnapshot } from "../../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { actionTypeCode } from "../../../../src/history/store/schema/actionTypeCode.ts";
import { addressToHex } from "../../../../src/history/store/schema/columns.ts";
import { toHex } from "../../../../src/lib/bytes.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { type Hash, parseHash } from "../../../../src/model/Hash.ts";
import { openFresh } from "../../../kit/history/database.ts";

const digits = (digit: string) => digit.repeat(64) as Hash;
const hash = digits("a");
const at = { hashes: [hash], lts: [1n] };

describe("places of rows that hashes name", () => {
  it.each([
    ["messages", messagePlacesSql([hash], 5)],
    ["their ends", endsNearSql(at, at, 5)],
    ["receivers", receiversAfterSql(at, 5)],
  ])("are read up to a number: %s", (_, { text, params }) => {
    expect([text.trimEnd().endsWith(`limit $${params.length}::bigint`), params.at(-1)]).toEqual([true, "6"]);
  });

  it("are refused beyond it on a cluster, with advice", async () => {
    const reading = { layout: "distributed", options: contractHistory } as unknown as HistorySnapshot;
    const refused = { code: "history/unsearched", message: expect.stringContaining("ask by account and time") };
    await expect(findOutside(reading, { hashes: [hash] })).rejects.toMatchObject(refused);
  });
});

/** Of so many transactions of an account all but every sixth received an external message. */
const count = 180;
const maxPlaces = 100;
const isOther = (i: number) => i % 6 === 0;

/** This message was received again and again by one account. */
const repeated = digits("c");
const receiver = makeAddress(0, digits("1"));
/** So many messages to another account have this normalized hash. */
const normalized = digits("d");
const otherReceiver = makeAddress(0, digits("2"));
/** A message that the chain created, from one account to the other. */
const created = digits("e");

const sha = (text: string) => parseHash(createHash("sha256").update(text).digest("hex"));
const shaSql = (kind: string) => `sha256(('${kind}' || i)::bytea)`;
const bytes = (of: string) => `'\\x${of}'::bytea`;
const accountOf = (address: typeof receiver) => bytes(addressToHex(address));
const description = toHex(recordedDescriptions()[0] ?? new Uint8Array());
const emptyBag = toHex(writeBoc(new Builder().cell()));

interface Receptions {
  readonly account: string;
  /** Names its transactions and messages. */
  readonly kind: string;
  /** How far its logical times are behind those of others. */
  readonly later: number;
  readonly message: string;
  readonly norm: string;
}

const receptions: readonly Receptions[] = [
  {
    account: accountOf(receiver),
    kind: "one",
    later: 0,
    message: `case when i % 6 = 0 then ${shaSql("another")} else ${bytes(repeated)} end`,
    norm: "null::bytea",
  },
  {
    account: accountOf(otherReceiver),
    kind: "two",
    later: 1,
    message: shaSql("same"),
    norm: `case when i % 6 = 0 then null else ${bytes(normalized)} end`,
  },
];

const time = "1700000000 + i";
const block = "i / 100";

function insertsOf({ account, kind, later, message, norm }: Receptions): readonly string[] {
  const lt = `(i * 10 + ${later})`;
  const [tx, action] = [shaSql(`${kind} tx`), shaSql(`${kind} action`)];
  const each = `generate_series(1, ${count}) i`;
  return [
    `insert into transactions select ${account}, ${lt}, ${tx}, 0, -9223372036854775808, ${block}, ${block}, ${tx}, ${tx}, 0,
       ${time}, 'active', 'active', 1, null, ${tx}, ${tx}, false, '\\x${description}', ${message}, 1 from ${each}`,
    `insert into messages (lt, hash, hash_norm, destination, body_hash, body)
       select min(lt), hash, norm, ${account}, ${bytes(hash)}, '\\x${emptyBag}'
       from (select ${lt} as lt, ${message} as hash, ${norm} as norm from ${each}) m group by hash, norm`,
    `insert into traces select ${tx}, ${message}, ${norm}, ${block}, ${block}, ${lt}, ${time}, ${lt}, ${time}, 'complete',
       0, 1, 0, 'ok' from ${each}`,
    `insert into trace_accounts select ${account}, ${lt}, ${tx}, ${time} from ${each}`,
    `insert into actions select ${tx}, ${action}, 'ton_transfer', 'ton_transfer', ${lt}, ${lt}, ${time}, ${time}, ${lt}, ${time},
       ${block}, ${message}, ${norm}, true, '{}', null, array[${tx}], array[${account}], '{}' from ${each}`,
    `insert into action_accounts select ${account}, ${lt}, ${tx}, ${lt}, ${action}, ${time}, ${time},
       ${actionTypeCode("ton_transfer")}, null from ${each}`,
  ];
}

/**
 * The message of the chain was sent by the seventh transaction of one account, and received by the eighth of the other.
 */
const createdMessage = [
  `insert into messages (lt, hash, source, destination, created_lt, created_at, body_hash, body, out_tx_hash, out_index)
   select 75, ${bytes(created)}, ${accountOf(receiver)}, ${accountOf(otherReceiver)}, 75, 1700000007, ${bytes(hash)}, '\\x${emptyBag}',
     ${shaSql("one tx")}, 0 from (select 7 as i) s`,
  `update transactions set in_msg_hash = ${bytes(created)} where account = ${accountOf(otherReceiver)} and lt = 81`,
  `update traces set external_hash = null, external_hash_norm = null where start_lt = 81`,
  `update actions set trace_external_hash = null, trace_external_hash_norm = null where trace_end_lt = 81`,
];

let database: Database;
let history: History;

describe("a list by a hash that very many rows have", () => {
  beforeAll(async () => {
    database = await openFresh("postgres");
    const inserts = [...receptions.flatMap(insertsOf), ...createdMessage];
    for (const sql of inserts) await database.write((session) => session.run(sql));
    await database.runAlone("vacuum analyze");
    const options = { ...contractHistory, timeoutMs: 600_000, maxPlaces };
    history = new History(options, { database });
  });

  afterAll(() => database?.close());

  /** The numbers of transactions that received them; the eighth received what the chain created. */
  const numbers = Array.from({ length: count }, (_, at) => at + 1).filter((i) => !isOther(i));
  const ofOne = (kind: string) => numbers.map((i) => ({ lt: i * 10, id: sha(`one ${kind}${i}`) }));
  const ofTwo = (kind: string) =>
    numbers.filter((i) => i !== 8).map((i) => ({ lt: i * 10 + 1, id: sha(`two ${kind}${i}`) }));
  const ends = (kind: string) => [
    { lt: 70, id: sha(`one ${kind}7`) },
    { lt: 81, id: sha(`two ${kind}8`) },
  ];

  type Listed = readonly { readonly lt: number; readonly id: Hash }[];
  const inOrder = (rows: Listed) =>
    [...new Map(rows.map((row) => [row.id, row])).values()].toSorted((a, b) => b.lt - a.lt).map(({ id }) => id);

  const fields: Readonly<Record<string, string>> = { traces: "trace_id", actions: "action_id" };

  async function readIds(path: string, query: Readonly<Record<string, string>>) {
    const { text, next } = await answer(history, { path, query: { ...query, limit: "20" } });
    const [items] = Object.values(JSON.parse(text)) as [readonly Readonly<Record<string, string>>[]];
    const ids = items.map((item) => Buffer.from(item[fields[path] ?? "hash"] ?? "", "base64").toString("hex"));
    return { ids, next };
  }

  async function walk(path: string, query: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const all: string[] = [];
    for (let cursor: { readonly cursor?: string } = {}; ; ) {
      const { ids, next } = await readIds(path, { ...query, ...cursor });
      all.push(...ids);
      if (next === undefined) return all;
      cursor = { cursor: next };
    }
  }

  const both = `${repeated},${normalized},${created}`;
  const lists: [path: string, named: string, expected: readonly string[]][] = [
    ...["transactions", "transactionsByMessage", "traces", "actions"].flatMap(
      (path): [path: string, named: string, expected: readonly string[]][] => {
        const kind = path === "actions" ? "action" : "tx";
        return [
          [path, repeated, inOrder(ofOne(kind))],
          [path, normalized, inOrder(ofTwo(kind))],
          [path, `${repeated},${created}`, inOrder([...ofOne(kind), ...ends(kind)])],
          [path, both, inOrder([...ofOne(kind), ...ofTwo(kind), ...ends(kind)])],
        ];
      },
    ),
  ];

  it.each(lists)("has all of them, page by page: %s %s", async (path, named, expected) => {
    expect(await walk(path, { msg_hash: named })).toEqual(expected);
    expect(await walk(path, { msg_hash: named, sort: "asc" })).toEqual(expected.toReversed());
  });

  const externals = numbers.map((i) => sha(`same${i}`)).toSorted();

  it("has all messages with a normalized hash, by hash, before or after those of the chain", async () => {
    expect(await walk("messages", { msg_hash: normalized, sort: "asc" })).toEqual(externals);
    const all = [...externals.toReversed(), created];
    expect(await walk("messages", { msg_hash: `${normalized},${created}` })).toEqual(all);
    expect(await walk("messages", { msg_hash: `${normalized},${created}`, sort: "asc" })).toEqual(all.toReversed());
    const named = { msg_hash: `${normalized},${created}` };
    expect(await walk("messages", { ...named, exclude_externals: "true" })).toEqual([created]);
    expect(await walk("messages", { ...named, start_lt: "1" })).toEqual([created]);
    expect(await walk("messages", { ...named, destination: receiver })).toEqual([]);
  });

  it("behind an offset has what pages by cursor have there", async () => {
    for (const [path, named, expected] of lists) {
      for (const offset of [5, 120]) {
        const { ids } = await readIds(path, { msg_hash: named, offset: String(offset) });
        expect([path, named, offset, ids]).toEqual([path, named, offset, expected.slice(offset, offset + 20)]);
      }
    }
  });

  it("keeps the other filters", async () => {
    const query = { msg_hash: both, start_utime: "1700000005", end_utime: "1700000009" };
    const times = (rows: Listed) => inOrder(rows.filter(({ lt }) => lt >= 50 && lt < 100));
    const all = times([...ofOne("tx"), ...ofTwo("tx"), ...ends("tx")]);
    expect(await walk("transactions", query)).toEqual(all);
    // Those of one second are in the order of their ids.
    expect((await walk("traces", query)).toSorted()).toEqual(all.toSorted());
    expect(await walk("transactions", { ...query, account: receiver })).toEqual(
      times([...ofOne("tx"), ...ends("tx").slice(0, 1)]),
    );
    expect(await walk("transactions", { ...query, workchain: "-1" })).toEqual([]);
    expect(await walk("transactions", { msg_hash: both, workchain: "0", shard: "4000000000000000" })).toEqual([]);
    expect(await walk("transactions", { msg_hash: both, direction: "out" })).toEqual([sha("one tx7")]);
    expect(await walk("transactions", { msg_hash: repeated, lt: "50" })).toEqual([sha("one tx5")]);
    expect(await walk("actions", { msg_hash: repeated, account: otherReceiver })).toEqual([]);
    expect(await walk("actions", { msg_hash: repeated, tx_hash: sha("one tx5") })).toEqual([sha("one action5")]);
    expect(await walk("actions", { msg_hash: repeated, trace_id: sha("two tx5") })).toEqual([]);
  });
});
