import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { supportedTypes } from "../../../src/contracts/visibility.ts";
import { type ActionFilter, type ActionRow, everyAction, listActions } from "../../../src/history/queries/actions.ts";
import { balanceChangesOfTrace, findBalanceChangesOfAction } from "../../../src/history/queries/balanceChanges.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { fillTraces, listTraces } from "../../../src/history/queries/traces.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { openFresh } from "../../kit/history/database.ts";
import { indexChain } from "../../kit/history/indexedChain.ts";
import { loadRows } from "../../kit/history/loadRows.ts";
import { everyTrace } from "../../kit/history/traceTrees.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";

const hashOf = (digits: string) => digits.padStart(64, "0") as Hash;

function action(number: number, type: string, more: Partial<ActionRow> = {}): ActionRow {
  return {
    traceId: hashOf(`f${number >> 2}`),
    actionId: hashOf(String(number)),
    type,
    shownType: type,
    startLt: BigInt(number),
    endLt: BigInt(number),
    startUtime: number,
    endUtime: number,
    traceEndLt: BigInt(number >> 2),
    traceEndUtime: number >> 2,
    traceMcSeqnoEnd: 1,
    traceExternalHash: undefined,
    traceExternalHashNorm: undefined,
    success: true,
    ancestorTypes: [],
    parentId: undefined,
    transactions: [],
    accounts: [],
    details: {},
    ...more,
  };
}

const types = ["ton_transfer", "jetton_transfer", "nft_mint"] as const;

/** Plain events of three types, and a composite one with its parts. */
const rows: readonly ActionRow[] = [
  ...Array.from({ length: 40 }, (_, at) => action(at + 1, types[at % 3] ?? "")),
  action(101, "evaa_supply"),
  action(102, "jetton_transfer", { ancestorTypes: ["evaa_supply"] }),
  action(103, "call_contract", { ancestorTypes: ["evaa_supply", "jetton_transfer"] }),
  action(104, "layerzero_send"),
  action(105, "ton_transfer", { shownType: "extra_currency_transfer", ancestorTypes: ["layerzero_send"] }),
  action(106, "unheard_of"),
];

let database: Database;
let history: History;

beforeAll(async () => {
  database = await openFresh("postgres");
  history = new History(contractHistory, { database });
  await database.write((session) => loadRows(session, tables.actions, rows));
});

afterAll(() => database.close());

const page = { limit: 1000, offset: 0 };

async function idsOf(filter: Partial<ActionFilter>, names?: readonly string[]): Promise<readonly number[]> {
  const whole = { ...everyAction(supportedTypes(names)), ...filter };
  const { items } = await history.read({}, (reading) => listActions(reading, whole, page, "asc"));
  return items.map(({ actionId }) => Number(actionId));
}

describe("actions", () => {
  const plain = rows.slice(0, 40).map(({ actionId }) => Number(actionId));

  it("of supported types replace their parts, and parts replace unsupported ones", async () => {
    expect(await idsOf({})).toEqual([...plain, 101, 104]);
    expect(await idsOf({}, ["v2"])).toEqual([...plain, 101, 105]);
    expect(await idsOf({}, ["v1"])).toEqual([...plain, 102, 105]);
    expect(await idsOf({}, ["v1", "unheard_of", "layerzero_send"])).toEqual([...plain, 102, 104, 106]);
  });

  it("of a requested type are shown even if the caller does not support it, but not the children of supported ones", async () => {
    expect(await idsOf({ types: ["unheard_of"] }, ["v1"])).toEqual([106]);
    expect(await idsOf({ types: ["call_contract", "unheard_of"] })).toEqual([106]);
    expect(await idsOf({ types: ["call_contract"] }, ["v1"])).toEqual([]);
  });

  it.each(["asc", "desc"] as const)("of several types continue page by page, %s", async (sort) => {
    const filter = { ...everyAction(supportedTypes()), types: ["nft_mint", "ton_transfer", "nft_mint"] };
    const found: number[] = [];
    for (let cursor: string | undefined, part = 0; part < 20; part++) {
      const own = { limit: 4, offset: 0, cursor };
      const { items, next } = await history.read({}, (reading) => listActions(reading, filter, own, sort));
      found.push(...items.map(({ actionId }) => Number(actionId)));
      if (next === undefined) break;
      cursor = next;
    }
    const wanted = plain.filter((number) => (number - 1) % 3 !== 1);
    expect(found).toEqual(sort === "asc" ? wanted : wanted.toReversed());
  });
});

describe("an indexed chain", () => {
  let own: Database;
  let index: History;

  beforeAll(async () => {
    own = await openFresh("postgres");
    index = new History({ ...contractHistory, maxTraceTransactions: 3 }, { database: own });
    await indexChain(own, importSplitChain());
  });

  afterAll(() => own.close());

  it("reports the changes of every trace like the account states", async () => {
    const differences = await index.read({}, async (reading) => {
      const { items } = await listTraces(reading, everyTrace, page, "desc");
      const found: unknown[] = [];
      for (const { row, transactions = [] } of await fillTraces(reading, items, undefined)) {
        if (transactions.some(({ stateBefore, stateAfter }) => stateBefore === undefined || stateAfter === undefined))
          continue;
        const byStates = new Map<string, bigint>();
        for (const { row: each, stateBefore, stateAfter } of transactions) {
          const change = (stateAfter?.balance ?? 0n) - (stateBefore?.balance ?? 0n);
          byStates.set(each.account, (byStates.get(each.account) ?? 0n) + change);
        }
        if (transactions.length === 0) continue;
        const { coins } = await balanceChangesOfTrace(reading, row.traceId);
        expect(coins).toEqual(byStates);
        found.push(row.traceId);
      }
      return found;
    });
    expect(differences.length).toBeGreaterThan(0);
  });

  it("shows traces up to a size with their transactions", async () => {
    const traces = await index.read({}, async (reading) => {
      const { items } = await listTraces(reading, everyTrace, page, "desc");
      return fillTraces(reading, items, supportedTypes());
    });
    for (const { row, transactions, actions } of traces) {
      expect(transactions?.length).toBe(row.nodes > 3 ? undefined : row.nodes);
      expect(actions).toBeDefined();
    }
    expect(new Set(traces.map(({ row }) => row.nodes > 3))).toEqual(new Set([true, false]));
  });

  it("names the external message of its trace with every transaction", async () => {
    const traces = await index.read({}, async (reading) => {
      const { items } = await listTraces(reading, everyTrace, page, "desc");
      return fillTraces(reading, items, undefined);
    });
    const shown = traces.flatMap(({ row, transactions = [] }) =>
      transactions.map(({ traceExternalHash }) => [row.externalHash, traceExternalHash]),
    );
    for (const [ofTrace, ofTransaction] of shown) expect(ofTransaction).toBe(ofTrace);
    expect(new Set(shown.map(([external]) => external !== undefined))).toEqual(new Set([true, false]));
  });

  it("has no changes for an unknown action", async () => {
    expect(await index.read({}, (reading) => findBalanceChangesOfAction(reading, hashOf("501")))).toBeUndefined();
  });
});
